/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes migration. Input: a byte (form, modulo FORM_COUNT), then either the whole state, or changes to a good one. A
 * state that is refused leaves the device as it was; one that is taken is what saving gives again, but for its time and
 * what goes on by itself; a device may always be reset.
 */
#include <errno.h>

#include "stepped_device.h"

/* Byte offsets in the state (qemu-device/core/state.c). */
#define STATE_TIME 24u /* u64 device time */
#define STATE_RUNG 92u /* u32; its bit 31 is the core's own */
#define WINDOWS 6u     /* parts of the state that changes prefer to the 512 KiB of SRAM */
#define WINDOW_SIZE 1024u
#define TURNS 8u /* of the device afterwards */

enum form {
	FORM_RAW,     /* the state */
	FORM_OFF,     /* u16 offset in the head of the state, u32 value, repeated: on a device without firmware */
	FORM_RUNNING, /* the same on a device whose firmware is ready */
	FORM_SIZE,    /* u32 size, of a good state */
	FORM_COUNT,
};

struct state {
	uint8_t bytes[D3DGPU_CORE_STATE_MAX];
	int64_t size;
};

static void save(struct fuzz_device *device, struct state *state)
{
	state->size = d3dgpu_core_save(device->core, state->bytes, sizeof(state->bytes));
	fuzz_check(state->size > 0 || state->size == -EBUSY, "save: %lld", (long long)state->size);
}

/* Without what goes on by itself. */
static void blank(struct state *state)
{
	memset(state->bytes + STATE_TIME, 0, 8);
	state->bytes[STATE_RUNG + 3] &= 0x7f;
}

static void check_same(struct state *a, struct state *b, const char *what)
{
	blank(a);
	blank(b);
	fuzz_check(a->size == b->size, "%s: %lld and %lld bytes", what, (long long)a->size, (long long)b->size);
	if (a->size <= 0 || !memcmp(a->bytes, b->bytes, (size_t)a->size)) /* half a MiB: fast first, then where */
		return;
	for (int64_t i = 0; i < a->size; i++)
		fuzz_check(a->bytes[i] == b->bytes[i], "%s: byte %lld is 0x%x, then 0x%x", what, (long long)i,
			   a->bytes[i], b->bytes[i]);
}

static bool head_shows(const struct fuzz_device *device)
{
	for (unsigned head = 0; head < D3DGPU_MAX_HEADS; head++)
		if (device->core->display.heads[head].shown.surface.enabled)
			return true;
	return false;
}

/* Loads, and looks whether it did what it said. */
static void load(struct fuzz_device *device, struct state *state)
{
	static struct state before, after;
	uint8_t *exact = malloc((size_t)state->size + 1); /* as large as the state: sanitizers see its end */
	int error;

	if (!exact)
		abort();
	memcpy(exact, state->bytes, (size_t)state->size);
	save(device, &before);
	error = d3dgpu_core_load(device->core, exact, (size_t)state->size);
	free(exact);
	save(device, &after);
	fuzz_check(error == 0 || error == -EINVAL, "load: %d", error);
	if (error)
		check_same(&before, &after, "a refused state");
	else
		check_same(state, &after, "a loaded state");
}

/* A device that goes on can be saved, and what was saved can be loaded. */
static void go_on(struct fuzz_device *device)
{
	static struct state state;

	core_lock(device->core);
	for (unsigned i = 0; i < TURNS * 4 && core_gcp_run(device->core); i++)
		;
	if (core_gcp_running(device->core)) /* perhaps for ever: the watchdog is the unit tests' */
		core_gcp_command(device->core, D3DGPU_GCP_HALT);
	core_unlock(device->core);
	fuzz_settle(device, TURNS);
	fuzz_check_device(device);
	save(device, &state);
	fuzz_check(state.size > 0, "a halted device cannot be saved");
	if (!head_shows(device)) /* vblanks go on */
		load(device, &state);
	fuzz_check(!d3dgpu_core_load(device->core, state.bytes, (size_t)state.size),
		   "the device refuses its own state");
}

static void change(struct fuzz_tape *tape, struct state *state)
{
	uint32_t offset, value;

	while (tape->left >= 6) {
		offset = fuzz_take16(tape) % (WINDOWS * WINDOW_SIZE);
		value = fuzz_take32(tape);
		if (offset + sizeof(value) <= (size_t)state->size)
			memcpy(state->bytes + offset, &value, sizeof(value));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_device *device = fuzz_device_get();
	struct fuzz_tape tape = {data, size};
	uint8_t form = fuzz_take8(&tape) % FORM_COUNT;
	static struct state state;

	fuzz_device_reset(device);
	if (form == FORM_RUNNING)
		fuzz_boot(device);
	else
		fuzz_latch_ctrl(device);
	save(device, &state);
	if (form == FORM_RAW) {
		state.size = (int64_t)tape.left;
		fuzz_take(&tape, state.bytes, sizeof(state.bytes));
	} else if (form == FORM_SIZE) {
		state.size = fuzz_take32(&tape) % sizeof(state.bytes);
	}
	change(&tape, &state);
	load(device, &state);
	go_on(device);
	fuzz_device_reset(device);
	fuzz_check(fuzz_read(device, D3DGPU_REG_GCP_STATE) == D3DGPU_GCP_STOPPED, "reset does not stop the firmware");
	return 0;
}
