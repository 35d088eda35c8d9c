/* SPDX-License-Identifier: MIT */
/* Saving and loading register state. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "tap.h"

static uint8_t state[D3DGPU_CORE_STATE_MAX];

static void submit_fence(struct device *device, uint64_t fence)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_FENCE, .flags = D3DGPU_ENTRY_FENCE, .fence = fence};

	device_submit(device, 0, &entry);
}

/* The firmware needs a moment to go back to sleep. */
static int64_t save(struct device *device)
{
	int64_t size = -EBUSY;

	for (unsigned i = 0; i < 1000 && size == -EBUSY; i++)
		size = d3dgpu_core_save(device->core, state, sizeof(state));
	return size;
}

static void moved(const char *properties)
{
	struct d3dgpu_picture shown;
	struct device from, to;
	int64_t size;
	uint64_t luid;

	device_create(&from, properties);
	if (!device_boot_firmware(&from))
		tap_bail("no firmware");
	submit_fence(&from, 1);
	device_wait_fence(&from, 0, 1);
	device_write(&from, D3DGPU_REG_HANG_TIMEOUT, 4321);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_WIDTH, 640);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_HEIGHT, 480);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_PITCH, 2560);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_FORMAT, D3DGPU_SCANOUT_XRGB8888);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_ENABLE, 1);
	from.ctrl->gamma[0].entries[9].green = 65535;
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_GAMMA, 1);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_REPORTS);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_CURSOR_PITCH, 256);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_CURSOR_SIZE, 64 | 32 << 16);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_CURSOR_ENABLE, 1);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_CURSOR_COMMIT, 1);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_CURSOR_POSITION, 7 | 8 << 16);
	device_write(&from, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_WIDTH, 320);
	device_write(&from, D3DGPU_REG_OVERLAY(0) + D3DGPU_OVERLAY_ALPHA, 1234);
	luid = d3dgpu_core_caps(from.core)->luid;
	size = save(&from);
	tap_ok(size > 0 && size <= D3DGPU_CORE_STATE_MAX, "the state has %lld bytes", (long long)size);

	device_create(&to, properties);
	memcpy(d3dgpu_core_vram(to.core), d3dgpu_core_vram(from.core), d3dgpu_core_vram_size(to.core));
	tap_eq(d3dgpu_core_load(to.core, state, (size_t)size), 0, "another device loads it");
	tap_near((double)d3dgpu_core_time(to.core), (double)d3dgpu_core_time(from.core), 5e9, "device time goes on");
	device_destroy(&from);
	tap_eq(device_read(&to, D3DGPU_REG_STATUS), D3DGPU_STATUS_CTRL_VALID | D3DGPU_STATUS_GCP_RUNNING, "the firmware runs");
	tap_eq(device_read(&to, D3DGPU_REG_HANG_TIMEOUT), 4321, "registers are the same");
	tap_eq(d3dgpu_core_caps(to.core)->luid, luid, "the adapter is the same");
	d3dgpu_core_picture(to.core, 0, &shown);
	tap_ok(shown.surface.enabled && shown.surface.width == 640 && shown.surface.pitch == 2560, "the surface is the same");
	tap_ok(shown.gamma && shown.lut[1][9] == 255 && !shown.lut[1][8] && shown.reports, "with the gamma table");
	tap_ok(shown.cursor.enabled && shown.cursor.width == 64 && shown.cursor.height == 32 && shown.cursor.x == 7 &&
		       shown.cursor.y == 8,
	       "and the cursor");
	tap_ok(device_read(&to, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_WIDTH) == 320 &&
		       device_read(&to, D3DGPU_REG_OVERLAY(0) + D3DGPU_OVERLAY_ALPHA) == 1234,
	       "what was written and not committed is there, too");
	submit_fence(&to, 2);
	tap_ok(device_wait_fence(&to, 0, 2), "the ring goes on where it was");
	device_destroy(&to);
}

static void refused(struct device *device, size_t size, const char *what)
{
	uint32_t before = device_read(device, D3DGPU_REG_HANG_TIMEOUT);

	tap_ok(d3dgpu_core_load(device->core, state, size) == -EINVAL &&
		       device_read(device, D3DGPU_REG_HANG_TIMEOUT) == before,
	       "%s is refused, and changes nothing", what);
}

static void busy_and_bad(void)
{
	struct device device, other;
	int64_t size;

	device_create(&device, "");
	tap_eq(d3dgpu_core_save(device.core, state, 100), -EINVAL, "a buffer that is too small is refused");
	device_create_context(&device, 1);
	tap_eq(d3dgpu_core_save(device.core, state, sizeof(state)), -EBUSY, "with a context alive nothing is saved");
	device_write(&device, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
	device_write(&device, D3DGPU_REG_HANG_TIMEOUT, 777);
	size = save(&device);
	device_write(&device, D3DGPU_REG_HANG_TIMEOUT, 778);
	refused(&device, (size_t)size - 1, "a state that is cut off");
	state[0] ^= 1;
	refused(&device, (size_t)size, "a state with another magic");
	state[0] ^= 1, state[4]++;
	refused(&device, (size_t)size, "a state of another version");
	state[4]--;
	device_create(&other, "heads=2");
	refused(&other, (size_t)size, "a state of a device with fewer heads");
	device_destroy(&other);
	device_create(&other, "vram=128M");
	refused(&other, (size_t)size, "a state of a device with less VRAM");
	device_destroy(&other);
	device_create(&other, "feature-level=9_3");
	refused(&other, (size_t)size, "a state of a device of another level");
	device_destroy(&other);
	tap_eq(d3dgpu_core_load(device.core, state, (size_t)size), 0, "the good one is taken");
	tap_eq(device_read(&device, D3DGPU_REG_HANG_TIMEOUT), 777, "in its entirety");
	device_destroy(&device);
}

/* States with one byte changed must be refused or loaded, never more than that. */
static void noise(void)
{
	struct device device;
	unsigned refusals = 0;
	int64_t size;

	device_create(&device, "");
	size = save(&device);
	srand(1);
	for (unsigned i = 0; i < 2000; i++) {
		size_t at = (size_t)rand() % 6000;
		uint8_t old = state[at];

		state[at] = (uint8_t)rand();
		refusals += d3dgpu_core_load(device.core, state, (size_t)size) != 0;
		device_read(&device, D3DGPU_REG_STATUS);
		state[at] = old;
	}
	tap_ok(refusals > 100 && refusals < 2000, "2000 states with a wrong byte: %u refused, the rest loaded", refusals);
	tap_eq(d3dgpu_core_load(device.core, state, (size_t)size), 0, "the device is still good");
	device_destroy(&device);
}

int main(int argc, char **argv)
{
	device_arguments(argc, argv);
	moved("");
	busy_and_bad();
	noise();
	return tap_done();
}
