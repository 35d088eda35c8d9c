// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_file.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_gem_framebuffer_helper.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_drv.h"

/**
 * DOC: Framebuffers
 *
 * A framebuffer is a dumb buffer, or a resource with one sample and a format that the display
 * engine reads. What it shows of a resource is its linear image, where the engine has put it; a
 * flip waits for the submits that write it.
 */

/**
 * d3dgpu_fb_scanout_format() - the display engine's word for a format
 * @fourcc: the format
 *
 * Return: &enum d3dgpu_scanout_format, or 0 for one that it does not read.
 */
u32 d3dgpu_fb_scanout_format(u32 fourcc)
{
	switch (fourcc) {
	case DRM_FORMAT_XRGB8888:
		return D3DGPU_SCANOUT_XRGB8888;
	case DRM_FORMAT_ARGB8888:
		return D3DGPU_SCANOUT_ARGB8888;
	case DRM_FORMAT_XBGR8888:
		return D3DGPU_SCANOUT_XBGR8888;
	case DRM_FORMAT_ABGR8888:
		return D3DGPU_SCANOUT_ABGR8888;
	case DRM_FORMAT_RGB565:
		return D3DGPU_SCANOUT_RGB565;
	default:
		return 0;
	}
}

/* Whether a resource's pixels, read as the framebuffer's, are the same colours. */
static bool d3dgpu_format_scans_out(u32 format, u32 fourcc)
{
	switch (fourcc) {
	case DRM_FORMAT_XRGB8888:
		return format == D3DGPU_FMT_B8G8R8A8_UNORM || format == D3DGPU_FMT_B8G8R8X8_UNORM ||
		       format == D3DGPU_FMT_B8G8R8A8_SRGB || format == D3DGPU_FMT_B8G8R8X8_SRGB;
	case DRM_FORMAT_ARGB8888:
		return format == D3DGPU_FMT_B8G8R8A8_UNORM || format == D3DGPU_FMT_B8G8R8A8_SRGB;
	case DRM_FORMAT_XBGR8888:
		return format == D3DGPU_FMT_R8G8B8A8_UNORM || format == D3DGPU_FMT_R8G8B8X8_UNORM ||
		       format == D3DGPU_FMT_R8G8B8A8_SRGB || format == D3DGPU_FMT_R8G8B8X8_SRGB;
	case DRM_FORMAT_ABGR8888:
		return format == D3DGPU_FMT_R8G8B8A8_UNORM || format == D3DGPU_FMT_R8G8B8A8_SRGB;
	case DRM_FORMAT_RGB565:
		return format == D3DGPU_FMT_B5G6R5_UNORM;
	default:
		return false;
	}
}

/* What the device refuses would be a flip that never ends. */
static bool d3dgpu_layout_scans_out(const struct drm_mode_fb_cmd2 *cmd)
{
	return d3dgpu_fb_scanout_format(cmd->pixel_format) &&
	       cmd->modifier[0] == DRM_FORMAT_MOD_LINEAR && !(cmd->pitches[0] & 3) &&
	       cmd->pitches[0] <= D3DGPU_HEAD_MAX_PITCH && !(cmd->offsets[0] & 3);
}

/* Whether an object's range, read as the command says, is a picture. DRM checks the size. */
static bool d3dgpu_bo_scans_out(const struct d3dgpu_bo *bo, const struct drm_mode_fb_cmd2 *cmd)
{
	switch (bo->kind) {
	case D3DGPU_KIND_DUMB:
		return true;
	case D3DGPU_KIND_RESOURCE:
		return bo->desc.target == D3DGPU_TARGET_2D && !bo->desc.samples &&
		       cmd->width <= bo->desc.width && cmd->height <= bo->desc.height &&
		       !cmd->offsets[0] && cmd->pitches[0] == d3dgpu_linear_pitch(&bo->desc, 0) &&
		       d3dgpu_format_scans_out(bo->desc.format, cmd->pixel_format);
	default:
		return false;
	}
}

/* Makes a framebuffer of a buffer object; not kernel-doc, for not every kernel has all parameters. */
struct drm_framebuffer *d3dgpu_fb_create(struct drm_device *drm,
					 struct drm_file *file D3DGPU_COMPAT_FORMAT_PARAMETER,
					 const struct drm_mode_fb_cmd2 *cmd)
{
	struct d3dgpu_bo *bo;
	bool suitable;

	bo = d3dgpu_bo_lookup(file, cmd->handles[0]);
	if (!bo)
		return ERR_PTR(-ENOENT);
	suitable = d3dgpu_layout_scans_out(cmd) && d3dgpu_bo_scans_out(bo, cmd);
	if (suitable)
		d3dgpu_bo_make_implicit(bo);
	d3dgpu_bo_put(bo);
	if (!suitable)
		return ERR_PTR(-EINVAL);
	return d3dgpu_compat_gem_fb_create(drm, file, cmd);
}
