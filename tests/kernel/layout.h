/* SPDX-License-Identifier: MIT */
/*
 * The interface's layout as 64-bit programs see it, and as 32-bit ones do. i386 aligns 64-bit members to 4 bytes, which the
 * compiler imitates with #pragma pack(4); this table is compiled both ways.
 */
#ifndef TESTS_KERNEL_LAYOUT_H
#define TESTS_KERNEL_LAYOUT_H

#include <stddef.h>

struct layout_row {
	const char *name;
	size_t value;		/* bytes, or the number of an ioctl, which contains the size */
};

#define LAYOUT_SIZE(type) {"size of " #type, sizeof(struct type)},
#define LAYOUT_FIELD(type, field) {#type "." #field, offsetof(struct type, field)},
#define LAYOUT_IOCTL(name) {#name, name},

#define LAYOUT_ROWS \
	LAYOUT_SIZE(drm_d3dgpu_get_param) LAYOUT_FIELD(drm_d3dgpu_get_param, value) \
	LAYOUT_SIZE(drm_d3dgpu_get_caps) LAYOUT_FIELD(drm_d3dgpu_get_caps, size) \
	LAYOUT_SIZE(drm_d3dgpu_ctx_create) LAYOUT_FIELD(drm_d3dgpu_ctx_create, ctx_id) \
	LAYOUT_SIZE(drm_d3dgpu_progress) LAYOUT_FIELD(drm_d3dgpu_progress, status) \
	LAYOUT_SIZE(drm_d3dgpu_ctx_destroy) \
	LAYOUT_SIZE(drm_d3dgpu_ctx_query) LAYOUT_FIELD(drm_d3dgpu_ctx_query, completed) \
	LAYOUT_FIELD(drm_d3dgpu_ctx_query, submitted) \
	LAYOUT_SIZE(drm_d3dgpu_staging_create) LAYOUT_FIELD(drm_d3dgpu_staging_create, res_id) \
	LAYOUT_SIZE(drm_d3dgpu_resource_create) LAYOUT_FIELD(drm_d3dgpu_resource_create, flags) \
	LAYOUT_FIELD(drm_d3dgpu_resource_create, size) \
	LAYOUT_SIZE(drm_d3dgpu_ds_create) LAYOUT_FIELD(drm_d3dgpu_ds_create, layers) \
	LAYOUT_FIELD(drm_d3dgpu_ds_create, status) LAYOUT_FIELD(drm_d3dgpu_ds_create, size) \
	LAYOUT_FIELD(drm_d3dgpu_ds_create, stencil_offset) LAYOUT_FIELD(drm_d3dgpu_ds_create, ds_flags) \
	LAYOUT_SIZE(drm_d3dgpu_gem_mmap) LAYOUT_FIELD(drm_d3dgpu_gem_mmap, offset) \
	LAYOUT_SIZE(drm_d3dgpu_gem_info) LAYOUT_FIELD(drm_d3dgpu_gem_info, size) LAYOUT_FIELD(drm_d3dgpu_gem_info, desc) \
	LAYOUT_FIELD(drm_d3dgpu_gem_info, flags) LAYOUT_SIZE(drm_d3dgpu_gem_madvise) LAYOUT_FIELD(drm_d3dgpu_gem_madvise, pad) \
	LAYOUT_SIZE(drm_d3dgpu_submit_bo) \
	LAYOUT_SIZE(drm_d3dgpu_sync) LAYOUT_FIELD(drm_d3dgpu_sync, point) \
	LAYOUT_SIZE(drm_d3dgpu_submit) LAYOUT_FIELD(drm_d3dgpu_submit, bos) LAYOUT_FIELD(drm_d3dgpu_submit, in_syncs) \
	LAYOUT_FIELD(drm_d3dgpu_submit, out_syncs) LAYOUT_FIELD(drm_d3dgpu_submit, seqno) \
	LAYOUT_SIZE(drm_d3dgpu_gem_share) LAYOUT_FIELD(drm_d3dgpu_gem_share, token) \
	LAYOUT_SIZE(drm_d3dgpu_gem_open) LAYOUT_FIELD(drm_d3dgpu_gem_open, size) LAYOUT_FIELD(drm_d3dgpu_gem_open, desc) \
	LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_GET_PARAM) LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_GET_CAPS) \
	LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_CTX_CREATE) LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_CTX_DESTROY) \
	LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_CTX_QUERY) LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_STAGING_CREATE) \
	LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_RESOURCE_CREATE) LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_DS_CREATE) \
	LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_GEM_MMAP) LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_GEM_INFO) \
	LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_SUBMIT) LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_GEM_SHARE) \
	LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_GEM_OPEN) LAYOUT_IOCTL(DRM_IOCTL_D3DGPU_GEM_MADVISE)

extern const struct layout_row layout_packed[];
extern const size_t layout_packed_count;

#endif
