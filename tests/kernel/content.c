/* SPDX-License-Identifier: MIT */
#include "content.h"

#include <errno.h>
#include <string.h>

#include "d3dgpu_stream.h"
#include "tap.h"

#define STAGING_SIZE (4u << 20)
#define COMMANDS_SIZE 16384
#define SMALL_POOL (64u << 20)

#define TEXTURE (D3DGPU_BIND_SAMPLER_VIEW)
#define TARGET (D3DGPU_BIND_SAMPLER_VIEW | D3DGPU_BIND_RENDER_TARGET)

const struct content_kind content_kinds[] = {
	{"a render target",
	 {.format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D, .bind = TARGET, .width = 1024, .height = 512, .depth = 1,
	  .array_size = 1},
	 .mask = 0xffffffffu},
	{"a texture with a mip chain",
	 {.format = D3DGPU_FMT_R8G8B8A8_UNORM, .target = D3DGPU_TARGET_2D, .bind = TEXTURE, .width = 512, .height = 512, .depth = 1,
	  .array_size = 1, .last_level = 7},
	 .mask = 0xffffffffu},
	{"a cube with mip chains",
	 {.format = D3DGPU_FMT_R8G8B8A8_UNORM, .target = D3DGPU_TARGET_CUBE, .bind = TEXTURE, .width = 256, .height = 256,
	  .depth = 1, .array_size = 6, .last_level = 6},
	 .mask = 0xffffffffu},
	{"a volume",
	 {.format = D3DGPU_FMT_R8_UNORM, .target = D3DGPU_TARGET_3D, .bind = TEXTURE, .width = 128, .height = 128, .depth = 64,
	  .array_size = 1, .last_level = 4},
	 .mask = 0xffffffffu},
	{"an array",
	 {.format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D_ARRAY, .bind = TEXTURE, .width = 256, .height = 128,
	  .depth = 1, .array_size = 9},
	 .mask = 0xffffffffu},
	{"a float texture",
	 {.format = D3DGPU_FMT_R16G16B16A16_FLOAT, .target = D3DGPU_TARGET_2D, .bind = TEXTURE, .width = 512, .height = 256,
	  .depth = 1, .array_size = 1},
	 .mask = 0x83ff83ffu, .value = 0x38003800u},
	{"a compressed texture",
	 {.format = D3DGPU_FMT_DXT5_RGBA, .target = D3DGPU_TARGET_2D, .bind = TEXTURE, .width = 1024, .height = 1024, .depth = 1,
	  .array_size = 1, .last_level = 3},
	 .mask = 0xffffffffu},
	{"a vertex buffer",
	 {.format = D3DGPU_FMT_R8_UNORM, .target = D3DGPU_TARGET_BUFFER, .bind = D3DGPU_BIND_VERTEX_BUFFER, .width = 1u << 20,
	  .height = 1, .depth = 1, .array_size = 1},
	 .mask = 0xffffffffu},
	{"a D16 surface",
	 {.format = D3DGPU_FMT_Z16_UNORM, .target = D3DGPU_TARGET_2D, .width = 512, .height = 512, .depth = 1, .array_size = 1},
	 .ds_format = D3DGPU_DS_D16, .mask = 0xffffffffu},
	{"a D32F surface",
	 {.format = D3DGPU_FMT_Z32_FLOAT, .target = D3DGPU_TARGET_2D, .width = 512, .height = 512, .depth = 1, .array_size = 1},
	 .ds_format = D3DGPU_DS_D32F_LOCKABLE, .mask = 0x007fffffu, .value = 0x3f000000u},
};
const unsigned content_kind_count = sizeof(content_kinds) / sizeof(*content_kinds);

bool content_pool_is_small(int fd)
{
	if (gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE) <= SMALL_POOL)
		return true;
	tap_skip("the pool is too large: see the boot with little VRAM", "over-commit");
	return false;
}

struct content_mover content_mover_begin(int fd)
{
	return (struct content_mover){
		.fd = fd,
		.ctx = gpu_ctx(fd),
		.commands = gpu_staging(fd, COMMANDS_SIZE),
		.staging = gpu_staging(fd, STAGING_SIZE),
	};
}

void content_mover_end(struct content_mover *mover)
{
	gpu_ctx_destroy(mover->fd, mover->ctx);
	gpu_staging_end(mover->fd, &mover->commands);
	gpu_staging_end(mover->fd, &mover->staging);
}

static int create_ds(int fd, const struct content_kind *kind, struct gpu_bo *out)
{
	struct drm_d3dgpu_ds_create args = {
		.width = kind->desc.width, .height = kind->desc.height, .format = kind->ds_format, .layers = 1, .levels = 1};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_DS_CREATE, &args);

	*out = (struct gpu_bo){.handle = args.handle, .res_id = args.res_id, .size = args.size};
	return ret;
}

int content_create(int fd, const struct content_kind *kind, struct gpu_bo *out)
{
	return kind->ds_format ? create_ds(fd, kind, out) : gpu_resource_create(fd, &kind->desc, out);
}

/* ---- moving ---- */

struct piece {
	uint32_t offset, stride, layer_stride, size;	/* bytes, in the staging buffer */
	uint32_t width, height, depth;			/* of the box */
};

/* A level with all its layers, faces or slices, tightly packed behind what is there. */
static struct piece level_piece(const struct d3dgpu_resource_desc *desc, uint32_t level, uint32_t offset)
{
	struct d3dgpu_block block = d3dgpu_format_block(desc->format);
	struct piece piece = {
		.offset = offset,
		.width = d3dgpu_level_extent(desc->width, level),
		.height = d3dgpu_level_extent(desc->height, level),
		.depth = desc->target == D3DGPU_TARGET_3D ? d3dgpu_level_extent(desc->depth, level) : d3dgpu_layer_count(desc),
	};

	piece.stride = (piece.width + block.width - 1) / block.width * block.bytes;
	piece.layer_stride = (piece.height + block.height - 1) / block.height * piece.stride;
	piece.size = piece.layer_stride * piece.depth;
	return piece;
}

static uint32_t content_size(const struct content_kind *kind)
{
	uint32_t size = 0;

	for (uint32_t level = 0; level <= kind->desc.last_level; level++)
		size += level_piece(&kind->desc, level, 0).size;
	return size;
}

static uint32_t pattern(const struct content_kind *kind, uint32_t seed, uint32_t word)
{
	uint32_t hash = (seed * 0x9e3779b9u) ^ (word * 0x85ebca6bu);

	return ((hash ^ hash >> 15) & kind->mask) | kind->value;
}

/* Layer by layer: of a larger box, the engine would only read the first. */
static size_t put_move(uint32_t *words, const struct piece *piece, uint32_t level, uint32_t res_id, uint32_t staging, bool read)
{
	size_t count = 0;

	for (uint32_t z = 0; z < piece->depth; z++) {
		const uint32_t copy[] = {
			d3dgpu_header(D3DGPU_CMD_COPY_TRANSFER3D, 0, 14),
			res_id, level, 0, piece->stride, piece->layer_stride,
			0, 0, z, piece->width, piece->height, 1,
			staging, piece->offset + z * piece->layer_stride,
			d3dgpu_put(D3DGPU_COPY_SYNCHRONIZED, 1) | d3dgpu_put(D3DGPU_COPY_FROM_RESOURCE, read),
		};

		memcpy(words + count, copy, sizeof(copy));
		count += sizeof(copy) / sizeof(*copy);
	}
	return count;
}

/* All levels, from the staging buffer or to it. */
static int move(struct content_mover *mover, const struct content_kind *kind, const struct gpu_bo *bo, bool read)
{
	struct drm_d3dgpu_submit_bo list[] = {
		{.handle = mover->staging.handle, .flags = read ? D3DGPU_SUBMIT_BO_WRITE : 0},
		{.handle = bo->handle, .flags = read ? 0 : D3DGPU_SUBMIT_BO_WRITE},
	};
	struct drm_d3dgpu_submit submit;
	uint32_t offset = 0;
	size_t count = 0;
	int ret;

	if (content_size(kind) > STAGING_SIZE)
		tap_bail("%s does not fit into the staging buffer", kind->name);
	for (uint32_t level = 0; level <= kind->desc.last_level; level++) {
		struct piece piece = level_piece(&kind->desc, level, offset);

		count += put_move((uint32_t *)mover->commands.map + count, &piece, level, bo->res_id, mover->staging.res_id, read);
		offset += piece.size;
	}
	submit = gpu_submit_args(mover->ctx, &mover->commands, (uint32_t)count, list, 2);
	ret = gpu_run(mover->fd, &submit);
	if (!ret && gpu_ctx_query(mover->fd, mover->ctx).status)
		ret = -EIO;
	return ret;
}

int content_write(struct content_mover *mover, const struct content_kind *kind, const struct gpu_bo *bo, uint32_t seed)
{
	uint32_t words = content_size(kind) / 4;

	for (uint32_t i = 0; i < words; i++)
		((uint32_t *)mover->staging.map)[i] = pattern(kind, seed, i);
	return move(mover, kind, bo, false);
}

bool content_matches(struct content_mover *mover, const struct content_kind *kind, const struct gpu_bo *bo, uint32_t seed)
{
	uint32_t words = content_size(kind) / 4;
	int ret;

	memset(mover->staging.map, 0xee, words * 4);
	ret = move(mover, kind, bo, true);
	if (ret) {
		tap_diag("%s: read-back: %s", kind->name, strerror(-ret));
		return false;
	}
	for (uint32_t i = 0; i < words; i++) {
		uint32_t got = ((uint32_t *)mover->staging.map)[i], want = pattern(kind, seed, i);

		if (got == want)
			continue;
		tap_diag("%s, seed %u: word %u of %u is %#x, not %#x", kind->name, seed, i, words, got, want);
		return false;
	}
	return true;
}

bool content_is_clear(struct content_mover *mover, const struct content_kind *kind, const struct gpu_bo *bo)
{
	uint32_t size = content_size(kind);
	const uint8_t *bytes = mover->staging.map;

	memset(mover->staging.map, 0xee, size);
	return !move(mover, kind, bo, true) && !bytes[0] && !memcmp(bytes, bytes + 1, size - 1);
}
