/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the register file. Input: a byte whose bit 0 boots the real firmware first, then operations, each a byte
 * (kind, modulo KIND_COUNT) and its operands. A model of what the data sheet says runs beside: registers read back,
 * what is no register reads 0, every such access is counted, nothing else is.
 */
#include "stepped_device.h"

#define OPERATIONS 512 /* of one input */
#define VECTORS ((1u << D3DGPU_VECTOR_COUNT) - 1)

enum kind {
	KIND_WRITE,     /* u8 register, u32 value */
	KIND_READ,      /* u8 register */
	KIND_WRITE_ANY, /* u16 offset, u8 width, u64 value */
	KIND_READ_ANY,  /* u16 offset, u8 width */
	KIND_MEMORY,    /* u32 offset in VRAM (bit 31: in the control block), u8 length - 1, bytes */
	KIND_DOORBELL,  /* u8 ring */
	KIND_SETTLE,
	KIND_RESET,
	KIND_RESIZE, /* u8 head, u16 width, u16 height */
	KIND_SAVE,   /* save and load */
	KIND_EDID,   /* u8 head, u16 size */
	KIND_LATCH,  /* the control block in its place */
	KIND_TIME,   /* u16 time that passes, 0.1 ms */
	KIND_COUNT,
};

/* 32-bit registers of a kind that a model is easy for. */
enum behaviour {
	READ_ONLY,
	WRITE_ONLY,
	READ_BACK, /* reads what was written, under `mask` */
	SPECIAL,   /* may be read and written */
};

struct known {
	uint32_t offset;
	enum behaviour behaviour;
	uint32_t mask;
};

#define HEAD(n)                                                                                                        \
	{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_ENABLE, READ_BACK, 1},                                                       \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_WIDTH, READ_BACK, ~0u},                                              \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_HEIGHT, READ_BACK, ~0u},                                             \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_PITCH, READ_BACK, ~0u},                                              \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_FORMAT, READ_BACK, ~0u},                                             \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_OFFSET_LO, READ_BACK, ~0u},                                          \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_OFFSET_HI, READ_BACK, ~0u},                                          \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_COMMIT, WRITE_ONLY, 0},                                              \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_STATUS, SPECIAL, 0},                                                 \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_VBLANK_COUNT, READ_ONLY, 0},                                         \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_DAMAGE_X, WRITE_ONLY, 0},                                            \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_DAMAGE_Y, WRITE_ONLY, 0},                                            \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_DAMAGE_WIDTH, WRITE_ONLY, 0},                                        \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_DAMAGE_HEIGHT, WRITE_ONLY, 0},                                       \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_PREFERRED_WIDTH, READ_ONLY, 0},                                      \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_PREFERRED_HEIGHT, READ_ONLY, 0},                                     \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_REFRESH, SPECIAL, 0},                                                \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_TRANSFORM, READ_BACK, ~0u},                                          \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_VBLANK_TIME_LO, READ_ONLY, 0},                                       \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_VBLANK_TIME_HI, READ_ONLY, 0},                                       \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_GAMMA, READ_BACK, 1},                                                \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_EVENT_ENABLE, SPECIAL, 0},                                           \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_CURSOR_ENABLE, READ_BACK, 1},                                        \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_CURSOR_OFFSET_LO, READ_BACK, ~0u},                                   \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_CURSOR_OFFSET_HI, READ_BACK, ~0u},                                   \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_CURSOR_PITCH, READ_BACK, ~0u},                                       \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_CURSOR_SIZE, READ_BACK, ~0u},                                        \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_CURSOR_HOT, READ_BACK, ~0u},                                         \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_CURSOR_POSITION, READ_BACK, ~0u},                                    \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_CURSOR_COMMIT, WRITE_ONLY, 0},                                       \
		{D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_SURFACE_POSITION, READ_BACK, ~0u},                                   \
	{                                                                                                              \
		D3DGPU_REG_HEAD(n) + D3DGPU_HEAD_SURFACE_SIZE, READ_BACK, ~0u                                          \
	}

#define OVERLAY(n)                                                                                                     \
	{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_ENABLE, READ_BACK, 1},                                                 \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_FORMAT, READ_BACK, ~0u},                                       \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_PITCH, READ_BACK, ~0u},                                        \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_OFFSET_LO, READ_BACK, ~0u},                                    \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_OFFSET_HI, READ_BACK, ~0u},                                    \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_WIDTH, READ_BACK, ~0u},                                        \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_HEIGHT, READ_BACK, ~0u},                                       \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_SRC_X, READ_BACK, ~0u},                                        \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_SRC_Y, READ_BACK, ~0u},                                        \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_SRC_WIDTH, READ_BACK, ~0u},                                    \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_SRC_HEIGHT, READ_BACK, ~0u},                                   \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_DST_X, READ_BACK, ~0u},                                        \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_DST_Y, READ_BACK, ~0u},                                        \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_DST_WIDTH, READ_BACK, ~0u},                                    \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_DST_HEIGHT, READ_BACK, ~0u},                                   \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_TRANSFORM, READ_BACK, ~0u},                                    \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_ALPHA, READ_BACK, ~0u},                                        \
		{D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_BLEND, READ_BACK, ~0u},                                        \
	{                                                                                                              \
		D3DGPU_REG_OVERLAY(n) + D3DGPU_OVERLAY_FILTER, READ_BACK, ~0u                                          \
	}

#define CRC(n)                                                                                                         \
	{D3DGPU_REG_CRC(n) + D3DGPU_CRC_CONTROL, READ_BACK, D3DGPU_CRC_ENABLED},                                       \
		{D3DGPU_REG_CRC(n) + D3DGPU_CRC_FRAME, READ_ONLY, 0},                                                  \
		{D3DGPU_REG_CRC(n) + D3DGPU_CRC_FRAMES, READ_ONLY, 0},                                                 \
	{                                                                                                              \
		D3DGPU_REG_CRC(n) + D3DGPU_CRC_VALUE, READ_ONLY, 0                                                     \
	}

static const struct known known[] = {
	{D3DGPU_REG_ID, READ_ONLY, 0},
	{D3DGPU_REG_VERSION, READ_ONLY, 0},
	{D3DGPU_REG_STATUS, READ_ONLY, 0},
	{D3DGPU_REG_CONTROL, WRITE_ONLY, 0},
	{D3DGPU_REG_INTR_STATUS, SPECIAL, 0},
	{D3DGPU_REG_INTR_ENABLE, READ_BACK, VECTORS},
	{D3DGPU_REG_CTRL_BASE_LO, READ_BACK, ~0u},
	{D3DGPU_REG_CTRL_BASE_HI, READ_BACK, ~0u},
	{D3DGPU_REG_VRAM_SIZE_LO, READ_ONLY, 0},
	{D3DGPU_REG_VRAM_SIZE_HI, READ_ONLY, 0},
	{D3DGPU_REG_GUEST_ERRORS, READ_ONLY, 0},
	{D3DGPU_REG_LAST_ERROR, SPECIAL, 0},
	{D3DGPU_REG_HANG_TIMEOUT, READ_BACK, ~0u},
	{D3DGPU_REG_HEADS, READ_ONLY, 0},
	{D3DGPU_REG_DSU_RUN, WRITE_ONLY, 0},
	{D3DGPU_REG_DSU_RUNS, READ_ONLY, 0},
	{D3DGPU_REG_GCP_CONTROL, WRITE_ONLY, 0},
	{D3DGPU_REG_GCP_STATE, READ_ONLY, 0},
	{D3DGPU_REG_GCP_FW_ADDR_LO, READ_BACK, ~0u},
	{D3DGPU_REG_GCP_FW_ADDR_HI, READ_BACK, ~0u},
	{D3DGPU_REG_GCP_FW_SIZE, READ_BACK, ~0u},
	{D3DGPU_REG_GCP_FW_VERSION, READ_ONLY, 0},
	{D3DGPU_REG_GCP_PANIC, READ_ONLY, 0},
	{D3DGPU_REG_GCP_PC, READ_ONLY, 0},
	{D3DGPU_REG_GCP_INSTRET_LO, READ_ONLY, 0},
	{D3DGPU_REG_GCP_INSTRET_HI, READ_ONLY, 0},
	{D3DGPU_REG_DOORBELL(0), WRITE_ONLY, 0},
	{D3DGPU_REG_DOORBELL(1), WRITE_ONLY, 0},
	{D3DGPU_REG_DOORBELL(2), WRITE_ONLY, 0},
	{D3DGPU_REG_DOORBELL(3), WRITE_ONLY, 0},
	HEAD(0),
	HEAD(1),
	OVERLAY(0),
	OVERLAY(1),
	{D3DGPU_REG_TIME_LO, READ_ONLY, 0},
	{D3DGPU_REG_TIME_HI, READ_ONLY, 0},
	{D3DGPU_REG_ENGINES, READ_ONLY, 0},
	{D3DGPU_REG_TURN_BUDGET, READ_BACK, ~0u},
	CRC(0),
	CRC(1),
};
#define KNOWN_COUNT (sizeof(known) / sizeof(known[0]))

static struct model {
	uint32_t values[KNOWN_COUNT]; /* of READ_BACK registers */
	uint32_t dsu_runs;
	uint32_t errors; /* guest errors, when last looked at */
	bool quiet;      /* nothing but register accesses can make guest errors */
} model;

static int index_of(uint32_t offset)
{
	for (size_t i = 0; i < KNOWN_COUNT; i++)
		if (known[i].offset == offset)
			return (int)i;
	return -1;
}

static void model_reset(void)
{
	memset(&model, 0, sizeof(model));
	model.values[index_of(D3DGPU_REG_HANG_TIMEOUT)] = fuzz_device_get()->core->config.hang_timeout_ms;
	model.values[index_of(D3DGPU_REG_TURN_BUDGET)] = D3DGPU_TURN_BUDGET_RESET;
	model.quiet = true;
}

static bool inside(uint32_t offset, unsigned width, uint32_t start, uint32_t length)
{
	return offset >= start && offset + width <= start + length;
}

static bool is_edid(uint32_t offset, unsigned width)
{
	if (width > 4)
		return false;
	if (inside(offset, width, D3DGPU_REG_EDID, D3DGPU_REG_EDID_SIZE))
		return true;
	for (unsigned head = 0; head < FUZZ_HEADS; head++)
		if (inside(offset, width, D3DGPU_REG_HEAD_EDID(head), D3DGPU_REG_EDID_SIZE))
			return true;
	return false;
}

static bool is_dispi(uint32_t offset, unsigned width)
{
	return width == 2 && !(offset & 1) && inside(offset, width, D3DGPU_REG_DISPI, D3DGPU_DISPI_COUNT * 2);
}

static bool may_read(uint32_t offset, unsigned width)
{
	int index = index_of(offset);

	if (is_edid(offset, width) || is_dispi(offset, width))
		return true;
	if (width != 4 || offset & 3)
		return false;
	return inside(offset, width, D3DGPU_REG_CAPS, D3DGPU_REG_CAPS_SIZE) ||
	       (index >= 0 && known[index].behaviour != WRITE_ONLY);
}

static bool may_write(uint32_t offset, unsigned width)
{
	int index = index_of(offset);

	return is_dispi(offset, width) || (width == 4 && index >= 0 && known[index].behaviour != READ_ONLY);
}

/* The guest errors that have been made since the last look; without quiet anything may have happened. */
static void check_errors(struct fuzz_device *device, uint32_t at_least, uint32_t at_most, const char *what,
			 uint32_t offset)
{
	uint32_t errors = fuzz_read(device, D3DGPU_REG_GUEST_ERRORS);

	fuzz_check(errors - model.errors >= at_least, "%s at 0x%x: %u guest errors, then %u", what, offset,
		   model.errors, errors);
	fuzz_check(!model.quiet || errors - model.errors <= at_most, "%s at 0x%x: %u guest errors, then %u", what,
		   offset, model.errors, errors);
	model.errors = errors;
}

static void check_values(struct fuzz_device *device)
{
	for (size_t i = 0; i < KNOWN_COUNT; i++)
		if (known[i].behaviour == READ_BACK)
			fuzz_check(fuzz_read(device, known[i].offset) == model.values[i],
				   "register 0x%x reads 0x%x, not 0x%x", known[i].offset,
				   fuzz_read(device, known[i].offset), model.values[i]);
	fuzz_check(fuzz_read(device, D3DGPU_REG_DSU_RUNS) == model.dsu_runs, "runs of the depth-stencil unit");
	fuzz_check(!(fuzz_read(device, D3DGPU_REG_INTR_STATUS) & ~VECTORS), "interrupt status");
	fuzz_check(fuzz_read(device, D3DGPU_REG_HEADS) == FUZZ_HEADS, "heads");
	check_errors(device, 0, 0, "looking around", 0);
}

static void do_read(struct fuzz_device *device, uint32_t offset, unsigned width)
{
	bool allowed = may_read(offset, width);
	uint64_t value = d3dgpu_core_read(device->core, offset, width);
	int index = index_of(offset);

	fuzz_check(width == 8 || !(value >> (8 * width)), "read of %u bytes at 0x%x: 0x%llx", width, offset,
		   (unsigned long long)value);
	fuzz_check(allowed || !value, "read of %u bytes at 0x%x: 0x%llx", width, offset, (unsigned long long)value);
	if (allowed && index >= 0 && known[index].behaviour == READ_BACK && width == 4)
		fuzz_check(value == model.values[index], "register 0x%x reads 0x%llx, not 0x%x", offset,
			   (unsigned long long)value, model.values[index]);
	check_errors(device, !allowed, !allowed, "read", offset);
}

/* Guest errors that a good write may make all the same: a value that its register refuses. */
static uint32_t may_complain(uint32_t offset)
{
	uint32_t in_head = (offset - D3DGPU_REG_HEAD(0)) % 0x80;

	if (offset >= D3DGPU_REG_HEAD(0) && offset < D3DGPU_REG_HEAD(D3DGPU_MAX_HEADS))
		return in_head == D3DGPU_HEAD_COMMIT || in_head == D3DGPU_HEAD_REFRESH ||
		       in_head == D3DGPU_HEAD_CURSOR_COMMIT;
	return offset == D3DGPU_REG_CONTROL || offset == D3DGPU_REG_CTRL_BASE_HI || offset == D3DGPU_REG_DSU_RUN ||
	       offset == D3DGPU_REG_GCP_CONTROL;
}

static void do_write(struct fuzz_device *device, uint32_t offset, unsigned width, uint64_t value)
{
	bool allowed = may_write(offset, width);
	int index = allowed && width == 4 ? index_of(offset) : -1;

	if (index >= 0 && (offset == D3DGPU_REG_GCP_CONTROL || offset >= D3DGPU_REG_DOORBELL(0)))
		model.quiet = false;
	d3dgpu_core_write(device->core, offset, value, width);
	if (index >= 0 && offset == D3DGPU_REG_CONTROL && value & D3DGPU_CONTROL_RESET)
		model_reset();
	if (index >= 0 && known[index].behaviour == READ_BACK)
		model.values[index] = (uint32_t)value & known[index].mask;
	if (index >= 0 && offset == D3DGPU_REG_DSU_RUN)
		model.dsu_runs++;
	check_errors(device, !allowed, allowed && width == 4 ? may_complain(offset) : !allowed, "write", offset);
}

static void do_memory(struct fuzz_device *device, struct fuzz_tape *tape)
{
	uint32_t where = fuzz_take32(tape);
	uint8_t bytes[256];
	size_t length = fuzz_take8(tape) + 1u;

	fuzz_take(tape, bytes, length);
	if (where >> 31)
		where = FUZZ_CTRL + where % (D3DGPU_CTRL_SIZE - sizeof(bytes));
	else
		where %= FUZZ_VRAM - sizeof(bytes);
	memcpy(device->vram + where, bytes, length);
}

static void do_save(struct fuzz_device *device)
{
	static uint8_t state[D3DGPU_CORE_STATE_MAX];
	int64_t size = d3dgpu_core_save(device->core, state, sizeof(state));

	if (size < 0)
		return;
	fuzz_check(size <= D3DGPU_CORE_STATE_MAX, "state of %lld bytes", (long long)size);
	fuzz_check(!d3dgpu_core_load(device->core, state, (size_t)size), "the device refuses its own state");
}

static void do_edid(struct fuzz_device *device, struct fuzz_tape *tape)
{
	uint8_t edid[D3DGPU_REG_EDID_SIZE * 2] = {0xff};
	uint8_t head = fuzz_take8(tape);

	d3dgpu_core_set_edid(device->core, head, edid, fuzz_take16(tape) % (sizeof(edid) + 1));
}

static void operate(struct fuzz_device *device, struct fuzz_tape *tape)
{
	uint32_t offset;
	uint16_t extent;
	uint8_t byte;

	switch (fuzz_take8(tape) % KIND_COUNT) {
	case KIND_WRITE:
		offset = known[fuzz_take8(tape) % KNOWN_COUNT].offset;
		do_write(device, offset, 4, fuzz_take32(tape));
		break;
	case KIND_READ:
		do_read(device, known[fuzz_take8(tape) % KNOWN_COUNT].offset, 4);
		break;
	case KIND_WRITE_ANY:
		offset = fuzz_take16(tape);
		byte = fuzz_take8(tape);
		do_write(device, offset, 1u << byte % 4, fuzz_take64(tape));
		break;
	case KIND_READ_ANY:
		offset = fuzz_take16(tape);
		do_read(device, offset, 1u << fuzz_take8(tape) % 4);
		break;
	case KIND_MEMORY:
		do_memory(device, tape);
		break;
	case KIND_DOORBELL:
		do_write(device, D3DGPU_REG_DOORBELL(fuzz_take8(tape) % D3DGPU_MAX_RINGS), 4, 1);
		break;
	case KIND_SETTLE:
		fuzz_settle(device, 64);
		break;
	case KIND_RESET:
		d3dgpu_core_reset(device->core);
		model_reset();
		break;
	case KIND_RESIZE:
		byte = fuzz_take8(tape);
		extent = fuzz_take16(tape);
		d3dgpu_core_resize(device->core, byte, extent, fuzz_take16(tape));
		break;
	case KIND_SAVE:
		do_save(device);
		break;
	case KIND_EDID:
		do_edid(device, tape);
		break;
	case KIND_LATCH:
		do_write(device, D3DGPU_REG_CTRL_BASE_LO, 4, FUZZ_CTRL);
		do_write(device, D3DGPU_REG_CTRL_BASE_HI, 4, 0);
		break;
	case KIND_TIME:
		atomic_fetch_sub(&device->core->epoch, fuzz_take16(tape) * 100000ull);
		break;
	}
}

/* The model takes over the registers that booting wrote. */
static void boot(struct fuzz_device *device)
{
	fuzz_boot(device);
	for (size_t i = 0; i < KNOWN_COUNT; i++)
		if (known[i].behaviour == READ_BACK)
			model.values[i] = fuzz_read(device, known[i].offset);
	model.quiet = false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_device *device = fuzz_device_get();
	struct fuzz_tape tape = {data, size};

	fuzz_device_reset(device);
	model_reset();
	if (fuzz_take8(&tape) & 1)
		boot(device);
	for (unsigned i = 0; i < OPERATIONS && tape.left; i++) {
		operate(device, &tape);
		check_values(device);
	}
	fuzz_check_device(device);
	return 0;
}
