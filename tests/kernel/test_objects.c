/* SPDX-License-Identifier: MIT */
/* STAGING_CREATE, RESOURCE_CREATE, DS_CREATE, GEM_MMAP, GEM_INFO, and what mmap allows. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

static struct drm_d3dgpu_gem_info info_of(int fd, uint32_t handle)
{
	struct drm_d3dgpu_gem_info info = {.handle = handle};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_INFO, &info);

	tap_eq(ret, 0, "GEM_INFO of handle %u", handle);
	return info;
}

static int mmap_offset(int fd, uint32_t handle, uint32_t pad, uint64_t *offset)
{
	struct drm_d3dgpu_gem_mmap args = {.handle = handle, .pad = pad};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_MMAP, &args);

	*offset = args.offset;
	return ret;
}

static bool is_zero(const void *data, size_t size)
{
	const uint8_t *bytes = data;

	return !bytes[0] && !memcmp(bytes, bytes + 1, size - 1);
}

static void test_staging(int fd)
{
	struct drm_d3dgpu_staging_create args = {.size = 4096, .flags = 1};
	struct drm_d3dgpu_gem_info info;
	struct gpu_bo bo;
	uint64_t offset;

	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_STAGING_CREATE, &args), -EINVAL, "staging with a flag: -EINVAL");
	args = (struct drm_d3dgpu_staging_create){.size = 4096, .pad = 1};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_STAGING_CREATE, &args), -EINVAL, "staging with padding: -EINVAL");
	tap_eq(gpu_staging_create(fd, 0, &bo), -EINVAL, "staging of no bytes: -EINVAL");
	tap_eq(gpu_staging_create(fd, gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE) + 4096, &bo), -EINVAL,
	       "staging larger than the pool: -EINVAL");
	tap_eq(gpu_staging_create(fd, UINT64_MAX, &bo), -EINVAL, "staging of 2^64 - 1 bytes: -EINVAL");

	bo = gpu_staging(fd, 5000);
	tap_eq(bo.size, 8192, "the size is rounded up to pages");
	tap_ok(bo.res_id != 0, "it has a name for streams");
	tap_ok(is_zero(bo.map, bo.size), "it is clear");
	memset(bo.map, 0xa5, bo.size);
	info = info_of(fd, bo.handle);
	tap_eq(info.kind, D3DGPU_KIND_STAGING, "its kind");
	tap_eq(info.res_id, bo.res_id, "its name");
	tap_eq(info.size, 8192, "its size");
	tap_ok(is_zero(info.desc, sizeof(info.desc)), "it has no descriptor");
	tap_eq(mmap_offset(fd, bo.handle, 1, &offset), -EINVAL, "GEM_MMAP with padding: -EINVAL");
	tap_eq(mmap_offset(fd, bo.handle + 1000, 0, &offset), -EINVAL, "GEM_MMAP of no handle: -EINVAL");
	gpu_staging_end(fd, &bo);

	bo = gpu_staging(fd, 8192);
	tap_ok(is_zero(bo.map, bo.size), "memory that was somebody's is clear again");
	gpu_staging_end(fd, &bo);
}

static void test_resource(int fd)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(100, 50);
	struct drm_d3dgpu_gem_info info;
	struct gpu_bo bo, staging;
	uint64_t offset, guess;

	if (!tap_eq(gpu_resource_create(fd, &desc, &bo), 0, "a texture of 100x50"))
		return;
	tap_eq(bo.size, d3dgpu_linear_size(&desc), "its range has the size of the linear image");
	info = info_of(fd, bo.handle);
	tap_eq(info.kind, D3DGPU_KIND_RESOURCE, "its kind");
	tap_eq(info.res_id, bo.res_id, "its name");
	tap_mem(info.desc, &desc, sizeof(desc), "its descriptor");
	tap_eq(mmap_offset(fd, bo.handle, 0, &offset), -EINVAL, "it is never mapped: -EINVAL");

	/* Fake offsets are given out in order: that of the texture lies beside that of a staging buffer. */
	staging = gpu_staging(fd, 4096);
	mmap_offset(fd, staging.handle, 0, &offset);
	guess = offset - bo.size;
	tap_ok(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, (off_t)guess) == MAP_FAILED, "not even by a guessed offset");
	gpu_staging_end(fd, &staging);

	tap_eq(gpu_close(fd, bo.handle), 0, "close it");
	tap_eq(gpu_close(fd, bo.handle), -EINVAL, "close it again: -EINVAL");
}

struct bad_desc {
	const char *name;
	void (*spoil)(struct d3dgpu_resource_desc *desc);
};

static void no_format(struct d3dgpu_resource_desc *desc) { desc->format = 0; }
static void odd_format(struct d3dgpu_resource_desc *desc) { desc->format = 60000; }
static void odd_target(struct d3dgpu_resource_desc *desc) { desc->target = 5; }
static void three_samples(struct d3dgpu_resource_desc *desc) { desc->samples = 3; }
static void no_bind(struct d3dgpu_resource_desc *desc) { desc->bind = 0; }
static void odd_bind(struct d3dgpu_resource_desc *desc) { desc->bind |= 0x80000000u; }
static void staging_bind(struct d3dgpu_resource_desc *desc) { desc->bind = D3DGPU_BIND_STAGING; }
static void depth_bind(struct d3dgpu_resource_desc *desc) { desc->bind = D3DGPU_BIND_DEPTH_STENCIL; }
static void no_width(struct d3dgpu_resource_desc *desc) { desc->width = 0; }
static void huge_width(struct d3dgpu_resource_desc *desc) { desc->width = 16385; }
static void no_height(struct d3dgpu_resource_desc *desc) { desc->height = 0; }
static void no_depth(struct d3dgpu_resource_desc *desc) { desc->depth = 0; }
static void deep_2d(struct d3dgpu_resource_desc *desc) { desc->depth = 2; }
static void no_layers(struct d3dgpu_resource_desc *desc) { desc->array_size = 0; }
static void too_many_levels(struct d3dgpu_resource_desc *desc) { desc->last_level = 7; }
static void a_flag(struct d3dgpu_resource_desc *desc) { desc->flags = 1; }
static void reserved(struct d3dgpu_resource_desc *desc) { desc->reserved = 1; }

static const struct bad_desc bad_descs[] = {
	{"no format", no_format}, {"unknown format", odd_format}, {"unknown target", odd_target},
	{"three samples", three_samples}, {"no bind flags", no_bind}, {"unknown bind flag", odd_bind},
	{"bind STAGING", staging_bind}, {"bind DEPTH_STENCIL", depth_bind}, {"width 0", no_width},
	{"width above all limits", huge_width}, {"height 0", no_height}, {"depth 0", no_depth},
	{"2D with depth", deep_2d}, {"no layers", no_layers}, {"too many levels", too_many_levels},
	{"descriptor flag", a_flag}, {"reserved field", reserved},
};

static void test_bad_resources(int fd)
{
	struct drm_d3dgpu_resource_create args = {.flags = 1};
	struct d3dgpu_resource_desc good = gpu_texture_desc(64, 64);
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	struct gpu_bo bo;

	for (size_t i = 0; i < sizeof(bad_descs) / sizeof(*bad_descs); i++) {
		struct d3dgpu_resource_desc desc = good;

		bad_descs[i].spoil(&desc);
		tap_eq(gpu_resource_create(fd, &desc, &bo), -EINVAL, "resource, %s: -EINVAL", bad_descs[i].name);
	}
	memcpy(args.desc, &good, sizeof(good));
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_RESOURCE_CREATE, &args), -EINVAL, "resource with a flag: -EINVAL");
	args.flags = 0;
	args.pad = 1;
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_RESOURCE_CREATE, &args), -EINVAL, "resource with padding: -EINVAL");
	tap_eq(gpu_param(fd, D3DGPU_PARAM_VRAM_FREE), free_before, "none of them took memory");
}

static void test_limits(int fd)
{
	struct d3dgpu_resource_desc desc;
	struct d3dgpu_caps caps;
	struct gpu_bo bo;

	gpu_caps(fd, &caps);
	desc = gpu_texture_desc(caps.max_texture_2d, 1);
	tap_eq(gpu_resource_create(fd, &desc, &bo), 0, "a texture as wide as the capabilities allow (%u)",
	       caps.max_texture_2d);
	gpu_close(fd, bo.handle);
	desc.width++;
	tap_eq(gpu_resource_create(fd, &desc, &bo), -EINVAL, "one texel wider: -EINVAL");
}

static struct drm_d3dgpu_ds_create ds_request(void)
{
	return (struct drm_d3dgpu_ds_create){
		.width = 320, .height = 200, .format = D3DGPU_DS_D24S8, .layers = 1, .levels = 1};
}

static void test_ds(int fd)
{
	struct drm_d3dgpu_ds_create args = ds_request();
	struct drm_d3dgpu_gem_info info;
	struct d3dgpu_resource_desc desc;
	struct d3dgpu_caps caps;
	uint64_t offset;

	gpu_caps(fd, &caps);
	if (!(caps.ds_formats & 1u << (D3DGPU_DS_D24S8 - D3DGPU_DS_FIRST_FORMAT))) {
		tap_skip("this GPU has no D24S8", "depth-stencil surfaces");
		return;
	}
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_DS_CREATE, &args), 0, "D24S8 of 320x200");
	tap_eq(args.status, D3DGPU_DS_OK, "the unit says OK");
	tap_ok(args.handle && args.res_id, "it has a handle and a name");
	tap_ok(args.size >= 320 * 200 * 4, "and at least 4 bytes per pixel (%llu)", (unsigned long long)args.size);
	tap_ok(args.pitch >= 320 * 4, "and a pitch (%u)", args.pitch);
	tap_ok(args.ds_flags & D3DGPU_DS_FLAG_STENCIL, "and stencil");
	info = info_of(fd, args.handle);
	memcpy(&desc, info.desc, sizeof(desc));
	tap_eq(info.kind, D3DGPU_KIND_DEPTH_STENCIL, "its kind");
	tap_eq(desc.format, args.storage_format, "its descriptor has the unit's format");
	tap_ok(desc.bind & D3DGPU_BIND_DEPTH_STENCIL, "and binds as depth-stencil");
	tap_eq(mmap_offset(fd, args.handle, 0, &offset), -EINVAL, "it is never mapped: -EINVAL");
	tap_eq(gpu_close(fd, args.handle), 0, "close it");
}

static void refused(int fd, struct drm_d3dgpu_ds_create args, uint32_t status, const char *name)
{
	args.handle = 77;
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_DS_CREATE, &args), -EINVAL, "depth-stencil, %s: -EINVAL", name);
	tap_eq(args.status, status, "%s: the unit's status", name);
	tap_eq(args.handle, 0, "%s: no handle", name);
}

static void test_bad_ds(int fd)
{
	struct drm_d3dgpu_ds_create args = ds_request();

	args.width = 0;
	refused(fd, args, D3DGPU_DS_BAD_SIZE, "width 0");
	args = ds_request();
	args.height = 100000;
	refused(fd, args, D3DGPU_DS_BAD_SIZE, "height above the limits");
	args = ds_request();
	args.layers = 0;
	refused(fd, args, D3DGPU_DS_BAD_SIZE, "no layers");
	args = ds_request();
	args.format = 21; /* D3DFMT_A8R8G8B8 */
	refused(fd, args, D3DGPU_DS_NOT_A_DS_FORMAT, "a colour format");
	args = ds_request();
	args.samples = 3;
	refused(fd, args, D3DGPU_DS_BAD_SAMPLES, "three samples");
	args = ds_request();
	args.quality = 1000;
	refused(fd, args, D3DGPU_DS_BAD_QUALITY, "quality 1000");
	args = ds_request();
	args.usage = 0x80000000u;
	refused(fd, args, D3DGPU_DS_BAD_USAGE, "unknown usage");
	args = ds_request();
	args.flags = 1;
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_DS_CREATE, &args), -EINVAL, "depth-stencil with a flag: -EINVAL");
}

static void test_bad_info(int fd)
{
	struct drm_d3dgpu_gem_info info = {.handle = 1234};

	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_INFO, &info), -EINVAL, "GEM_INFO of no handle: -EINVAL");
	info = (struct drm_d3dgpu_gem_info){.handle = 0};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_INFO, &info), -EINVAL, "GEM_INFO of handle 0: -EINVAL");
	info = (struct drm_d3dgpu_gem_info){.handle = 1, .pad = 1};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_INFO, &info), -EINVAL, "GEM_INFO with padding: -EINVAL");
}

int main(void)
{
	int fd = gpu_open();

	test_staging(fd);
	test_resource(fd);
	test_bad_resources(fd);
	test_limits(fd);
	test_ds(fd);
	test_bad_ds(fd);
	test_bad_info(fd);
	close(fd);
	return tap_done();
}
