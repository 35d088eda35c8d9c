/* SPDX-License-Identifier: MIT */
/* The whole device: kernel's side of the rings, the real firmware, the real worker with its sandbox and 3D engine. */
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "tap.h"

#define CLEAR_AT (2u << 20)
#define BACKING (4u << 20)

static void submit(struct device *device, struct d3dgpu_entry entry)
{
	entry.flags = D3DGPU_ENTRY_FENCE | D3DGPU_ENTRY_IRQ;
	device_submit(device, 0, &entry);
}

static void submit_exec(struct device *device, uint16_t context, uint64_t fence, const uint32_t *words, uint32_t count)
{
	memcpy((char *)d3dgpu_core_vram(device->core) + CLEAR_AT, words, count * 4);
	submit(device, (struct d3dgpu_entry){.opcode = D3DGPU_OP_EXEC, .context = context, .fence = fence,
					     .exec = {.offset = CLEAR_AT, .size = count * 4}});
}

static void capabilities(struct device *device)
{
	const struct d3dgpu_caps *caps = d3dgpu_core_caps(device->core);

	tap_diag("engine: %s, version %x, level %x", caps->engine_name, caps->engine_version, caps->feature_level);
	tap_ok(caps->feature_level >= D3DGPU_LEVEL_10_0, "the engine carries Direct3D 10 at least");
	tap_ok(caps->ds_formats & 1u << (D3DGPU_DS_D24S8 - D3DGPU_DS_FIRST_FORMAT), "D24S8 is there");
	tap_ok(caps->formats[D3DGPU_FMT_B8G8R8A8_UNORM] & D3DGPU_FORMAT_RENDER, "B8G8R8A8 can be drawn to");
#ifndef __SANITIZE_ADDRESS__
	tap_eq(device->error_lines, 0, "the sandbox is complete");
#endif
}

/* Creates a 64×64 target, clears it to (1, 0.2, 0.4, 1) through a surface, flushes it to its linear image. */
static void clear(struct device *device)
{
	static const uint32_t stream[] = {
		0x00050801, 1, 7, 1, 0, 0,				/* surface 1 of resource 7, B8G8R8A8 */
		0x00030005, 1, 0, 1,					/* framebuffer: one colour buffer */
		0x00080007, 4, 0x3f800000, 0x3e4ccccd, 0x3ecccccd, 0x3f800000, 0, 0, 0, /* clear colour */
	};
	struct d3dgpu_entry create = {.opcode = D3DGPU_OP_RES_CREATE, .context = 1, .fence = 2};
	uint32_t *image = (uint32_t *)((char *)d3dgpu_core_vram(device->core) + BACKING);

	create.res_create.resource = 7;
	create.res_create.backing = BACKING;
	create.res_create.size = 16384;
	create.res_create.desc = (struct d3dgpu_resource_desc){
		.format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D,
		.bind = D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW, .width = 64, .height = 64, .depth = 1,
		.array_size = 1};
	submit(device, (struct d3dgpu_entry){.opcode = D3DGPU_OP_CTX_CREATE, .context = 1, .fence = 1});
	submit(device, create);
	submit_exec(device, 1, 3, stream, sizeof(stream) / 4);
	submit(device, (struct d3dgpu_entry){.opcode = D3DGPU_OP_FLUSH, .context = 1, .fence = 4, .transfer = {.resource = 7}});
	tap_ok(device_wait_fence(device, 1, 4), "create, draw, flush: the fence comes");
	tap_eq(device->ctrl->fences[1].status, D3DGPU_FAULT_NONE, "without a fault");
	tap_eq(image[0], 0xffff3366, "the first pixel has the clear's colour");
	tap_eq(image[64 * 64 - 1], 0xffff3366, "so has the last");
}

static bool lost(struct device *device, unsigned context)
{
	for (unsigned i = 0; i < 10000 && !device->ctrl->fences[context].status; i++)
		usleep(1000);
	return device->ctrl->fences[context].status;
}

static void bad_stream(struct device *device)
{
	static const uint32_t garbage[] = {0xffffffff, 0xffffffff};

	submit(device, (struct d3dgpu_entry){.opcode = D3DGPU_OP_CTX_CREATE, .context = 2, .fence = 1});
	submit_exec(device, 2, 2, garbage, 2);
	tap_ok(lost(device, 2), "a stream of garbage costs its context");
	tap_ok(device->ctrl->fences[2].status == D3DGPU_FAULT_BAD_STREAM ||
		       device->ctrl->fences[2].status == D3DGPU_FAULT_WORKER_DIED,
	       "BAD_STREAM or WORKER_DIED: %u", device->ctrl->fences[2].status);
	tap_eq(device->ctrl->fences[2].guilty, 2, "the guilty fence is named");
	submit(device, (struct d3dgpu_entry){.opcode = D3DGPU_OP_FLUSH, .context = 1, .fence = 5, .transfer = {.resource = 7}});
	tap_ok(device_wait_fence(device, 1, 5) && !device->ctrl->fences[1].status, "the other context goes on");
}

static void killed(struct device *device)
{
	device_kill_worker(device, 1);
	tap_ok(lost(device, 1), "kill -9 of the worker costs its context");
	submit(device, (struct d3dgpu_entry){.opcode = D3DGPU_OP_CTX_CREATE, .context = 3, .fence = 1});
	tap_ok(device_wait_fence(device, 3, 1) && !device->ctrl->fences[3].status, "a new context works at once");
}

int main(int argc, char **argv)
{
	struct device device;

	device_arguments(argc, argv);
	device_create(&device, "");
	if (!device_boot_firmware(&device))
		tap_bail("the firmware does not boot");
	capabilities(&device);
	clear(&device);
	bad_stream(&device);
	killed(&device);
	device_destroy(&device);
	return tap_done();
}
