/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes firmware images. Input: a byte (form, modulo FORM_COUNT) and what that form takes. Images that the data sheet
 * says are to be refused must be, with the state it names; those that start run on the hart, for some slices, with
 * doorbells and answers of engines in between. Whatever they did: the hart stops when told to, and the real firmware
 * boots afterwards.
 */
#include "copy.h"
#include "stepped_device.h"
#include "sha256.h"

#define SLICES 24 /* of 4096 instructions, between two looks at workers */
#define ROUNDS 4
#define IMAGE_MAX 4096u

enum form {
	FORM_RAW,     /* the image, header and all */
	FORM_CODE,    /* code; a good header is made for it */
	FORM_PATCHED, /* u16 word, u32 value, repeated: the real firmware, changed, digest made good */
	FORM_HEADER,  /* u8 word of the header, u32 value, then code: as FORM_CODE, then one word changed */
	FORM_COUNT,
};

static uint32_t finish(uint8_t *image, uint32_t code_size)
{
	struct d3dgpu_fw_header header = {
		.magic = D3DGPU_FW_MAGIC,
		.header_size = sizeof(header),
		.interface_version = D3DGPU_VERSION,
		.fw_version = 0x010203,
		.size = code_size,
		.entry = D3DGPU_GCP_SRAM,
	};

	core_sha256(image + sizeof(header), code_size, header.sha256);
	memcpy(image, &header, sizeof(header));
	return (uint32_t)sizeof(header) + code_size;
}

static uint32_t make_code(struct fuzz_tape *tape, uint8_t *image)
{
	uint32_t size = (uint32_t)(tape->left < IMAGE_MAX ? tape->left : IMAGE_MAX);

	fuzz_take(tape, image + sizeof(struct d3dgpu_fw_header), size);
	return finish(image, (size + 3) & ~3u);
}

static uint32_t make_patched(struct fuzz_tape *tape, uint8_t *image)
{
	struct d3dgpu_fw_header header;
	uint32_t size, offset, value;
	const uint8_t *real = fuzz_firmware(&size);

	memcpy(image, real, size);
	memcpy(&header, real, sizeof(header));
	while (tape->left >= 6) {
		offset = fuzz_take16(tape) * 4u % header.size;
		value = fuzz_take32(tape);
		memcpy(image + sizeof(header) + offset, &value, sizeof(value));
	}
	core_sha256(image + sizeof(header), header.size, header.sha256);
	memcpy(image, &header, sizeof(header));
	return size;
}

static uint32_t make_header(struct fuzz_tape *tape, uint8_t *image)
{
	uint32_t word = fuzz_take8(tape) % (sizeof(struct d3dgpu_fw_header) / 4), value = fuzz_take32(tape);
	uint32_t size = make_code(tape, image);

	memcpy(image + word * 4, &value, sizeof(value));
	return size;
}

/* Writes the image to VRAM; returns its size. */
static uint32_t make(struct fuzz_tape *tape, uint8_t *image)
{
	uint32_t size;

	switch (fuzz_take8(tape) % FORM_COUNT) {
	case FORM_CODE:
		return make_code(tape, image);
	case FORM_PATCHED:
		return make_patched(tape, image);
	case FORM_HEADER:
		return make_header(tape, image);
	default:
		size = (uint32_t)(tape->left < IMAGE_MAX ? tape->left : IMAGE_MAX);
		fuzz_take(tape, image, size);
		return size;
	}
}

/* What d3dgpu_gcp.h and d3dgpu_regs.h say of an image. */
static uint32_t expected_state(const uint8_t *image, uint32_t size)
{
	struct d3dgpu_fw_header header;
	uint8_t digest[32];

	if (size < sizeof(header))
		return D3DGPU_GCP_BAD_ADDRESS;
	memcpy(&header, image, sizeof(header));
	if (header.magic != D3DGPU_FW_MAGIC)
		return D3DGPU_GCP_BAD_HEADER;
	if (header.interface_version >> 16 != D3DGPU_VERSION_MAJOR ||
	    (uint16_t)header.interface_version > D3DGPU_VERSION_MINOR)
		return D3DGPU_GCP_BAD_VERSION;
	if (header.header_size != sizeof(header) || header.reserved || !header.size || header.size % 4 ||
	    header.size > size - sizeof(header) || (uint64_t)header.size + header.bss_size > D3DGPU_GCP_SRAM_SIZE ||
	    header.entry % 2 || header.entry < D3DGPU_GCP_SRAM || header.entry - D3DGPU_GCP_SRAM >= header.size)
		return D3DGPU_GCP_BAD_HEADER;
	core_sha256(image + sizeof(header), header.size, digest);
	return memcmp(digest, header.sha256, sizeof(digest)) ? D3DGPU_GCP_BAD_DIGEST : D3DGPU_GCP_BOOTING;
}

/* Runs the hart without the device thread's patience for endless loops. */
static void run_slices(struct fuzz_device *device)
{
	core_lock(device->core);
	for (unsigned i = 0; i < SLICES && core_gcp_run(device->core); i++)
		core_copy_run(device->core);
	core_unlock(device->core);
}

/* Halted, so that a turn of the device thread serves sockets only. */
static void serve_workers(struct fuzz_device *device)
{
	uint32_t state = device->core->gcp.state;

	device->core->gcp.state = D3DGPU_GCP_STOPPED;
	fuzz_settle(device, 8);
	device->core->gcp.state = state;
}

static void run(struct fuzz_device *device)
{
	uint64_t before = device->core->gcp.cpu.instret;

	for (unsigned i = 0; i < ROUNDS && core_gcp_running(device->core); i++) {
		run_slices(device);
		serve_workers(device);
		core_lock(device->core);
		if (core_gcp_running(device->core))
			core_gcp_doorbell(device->core, 1u << i % D3DGPU_MAX_RINGS);
		core_gcp_tick(device->core, core_now(device->core) + 1000000000u);
		core_unlock(device->core);
		fuzz_check_device(device);
	}
	fuzz_check(device->core->gcp.cpu.instret - before <= ROUNDS * SLICES * 4096u, "ran for more than it was given");
	fuzz_check(!(device->core->regs.intr_status >> D3DGPU_VECTOR_COUNT), "vectors that do not exist");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_device *device = fuzz_device_get();
	uint8_t *image = device->vram + FUZZ_IMAGE;
	struct fuzz_tape tape = {data, size};
	uint32_t image_size, expected, state;

	fuzz_device_reset(device);
	image_size = make(&tape, image);
	expected = expected_state(image, image_size);
	fuzz_boot_image(device, image_size);
	state = fuzz_read(device, D3DGPU_REG_GCP_STATE);
	fuzz_check(state == expected, "image of %u bytes: state %u, not %u", image_size, state, expected);
	fuzz_check(fuzz_read(device, D3DGPU_REG_GUEST_ERRORS) == (expected != D3DGPU_GCP_BOOTING), "guest errors");
	run(device);
	fuzz_write(device, D3DGPU_REG_GCP_CONTROL, D3DGPU_GCP_HALT);
	fuzz_check(fuzz_read(device, D3DGPU_REG_GCP_STATE) == D3DGPU_GCP_STOPPED, "it does not halt");
	fuzz_check(d3dgpu_core_contexts(device->core) == 0, "contexts outlive their firmware");
	fuzz_boot(device);
	fuzz_check(fuzz_read(device, D3DGPU_REG_GCP_STATE) == D3DGPU_GCP_READY, "no firmware runs any more");
	return 0;
}
