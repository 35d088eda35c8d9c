/* SPDX-License-Identifier: MIT */
/*
 * CreateDepthStencilSurfaceEx: every row of its table on this GPU and, on the host, on GPUs with other depth formats,
 * sample counts and levels. What is drawn with such surfaces is in d3d9_depth.c.
 */
#define INITGUID
#include "child.h"
#include "test9.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define UNTOUCHED ((IDirect3DSurface9 *)(uintptr_t)0xdeadbeef)
#define FMT_D32_LOCKABLE ((D3DFORMAT)84)
#define FMT_S8_LOCKABLE ((D3DFORMAT)85)

static const struct {
	D3DFORMAT format;
	const char *name;
	bool lockable, stencil;
	unsigned bytes;			/* per pixel of a locked surface */
} depth_formats[] = {
	{D3DFMT_D16_LOCKABLE, "D16_LOCKABLE", true, false, 2},
	{D3DFMT_D32, "D32", false, false, 0},
	{D3DFMT_D15S1, "D15S1", false, true, 0},
	{D3DFMT_D24S8, "D24S8", false, true, 0},
	{D3DFMT_D24X8, "D24X8", false, false, 0},
	{D3DFMT_D24X4S4, "D24X4S4", false, true, 0},
	{D3DFMT_D16, "D16", false, false, 0},
	{D3DFMT_D32F_LOCKABLE, "D32F_LOCKABLE", true, false, 4},
	{D3DFMT_D24FS8, "D24FS8", false, true, 0},
	{FMT_D32_LOCKABLE, "D32_LOCKABLE", true, false, 4},
	{FMT_S8_LOCKABLE, "S8_LOCKABLE", true, true, 1},
};
#define FORMATS (sizeof(depth_formats) / sizeof(depth_formats[0]))

static HRESULT create(struct test9 *t, D3DFORMAT format, D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL discard,
		      DWORD usage, IDirect3DSurface9 **out)
{
	*out = UNTOUCHED;
	return IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(t->device, 64, 64, format, samples, quality, discard, out,
							      NULL, usage);
}

/* For surfaces that a test only wants to exist. */
static void release(IDirect3DSurface9 *surface)
{
	if (surface && surface != UNTOUCHED)
		IDirect3DSurface9_Release(surface);
}

static bool available(struct test9 *t, D3DFORMAT format)
{
	return SUCCEEDED(IDirect3D9Ex_CheckDeviceFormat(t->d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
							D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, format));
}

/* ---- rows ---- */

static void test_plain(struct test9 *t)
{
	IDirect3DSurface9 *surface;
	D3DSURFACE_DESC desc;
	HRESULT hr = create(t, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, TRUE, 0, &surface);

	if (!tap_eq(hr, D3D_OK, "D24S8 64x64 with Discard and no usage is created"))
		return;
	tap_eq(IDirect3DSurface9_GetDesc(surface, &desc), D3D_OK, "GetDesc");
	tap_eq(desc.Type, D3DRTYPE_SURFACE, "its type is SURFACE");
	tap_eq(desc.Pool, D3DPOOL_DEFAULT, "its pool is DEFAULT");
	tap_eq(desc.Usage, D3DUSAGE_DEPTHSTENCIL, "its usage is DEPTHSTENCIL");
	tap_eq(desc.Format, D3DFMT_D24S8, "its format is D24S8");
	tap_eq(desc.Width * 1000 + desc.Height, 64064, "its size is 64x64");
	tap_eq(IDirect3DSurface9_Release(surface), 0, "its only reference is the program's");
}

static void test_usages(struct test9 *t)
{
	static const struct {
		DWORD usage;
		const char *name;
	} refused[] = {
		{D3DUSAGE_DEPTHSTENCIL, "DEPTHSTENCIL"},
		{D3DUSAGE_RENDERTARGET, "RENDERTARGET"},
		{D3DUSAGE_DYNAMIC, "DYNAMIC"},
		{D3DUSAGE_WRITEONLY, "WRITEONLY"},
		{D3DUSAGE_DEPTHSTENCIL | D3DUSAGE_RESTRICTED_CONTENT, "DEPTHSTENCIL beside RESTRICTED_CONTENT"},
		{D3DUSAGE_RESTRICT_SHARED_RESOURCE, "RESTRICT_SHARED_RESOURCE without a handle"},
		{D3DUSAGE_RESTRICT_SHARED_RESOURCE_DRIVER, "RESTRICT_SHARED_RESOURCE_DRIVER without a handle"},
	};
	IDirect3DSurface9 *surface;
	D3DSURFACE_DESC desc;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		tap_eq(create(t, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, refused[i].usage, &surface),
		       D3DERR_INVALIDCALL, "usage %s is refused", refused[i].name);
		tap_ok(surface == UNTOUCHED, "usage %s: the pointer is left untouched", refused[i].name);
	}
	if (!tap_eq(create(t, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, D3DUSAGE_RESTRICTED_CONTENT, &surface),
		    D3D_OK, "usage RESTRICTED_CONTENT is accepted"))
		return;
	IDirect3DSurface9_GetDesc(surface, &desc);
	tap_eq(desc.Usage, D3DUSAGE_DEPTHSTENCIL | D3DUSAGE_RESTRICTED_CONTENT,
	       "RESTRICTED_CONTENT is kept beside DEPTHSTENCIL");
	release(surface);
}

static void test_other_formats(struct test9 *t)
{
	static const struct {
		D3DFORMAT format;
		const char *name;
	} formats[] = {
		{D3DFMT_UNKNOWN, "UNKNOWN"}, {D3DFMT_A8R8G8B8, "A8R8G8B8"}, {D3DFMT_X8R8G8B8, "X8R8G8B8"},
		{D3DFMT_R5G6B5, "R5G6B5"}, {D3DFMT_A16B16G16R16F, "A16B16G16R16F"}, {D3DFMT_L8, "L8"},
		{D3DFMT_DXT1, "DXT1"}, {D3DFMT_DXT3, "DXT3"}, {D3DFMT_DXT5, "DXT5"}, {D3DFMT_INDEX16, "INDEX16"},
	};
	IDirect3DSurface9 *surface;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		tap_eq(create(t, formats[i].format, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &surface), D3DERR_INVALIDCALL,
		       "format %s is refused", formats[i].name);
		tap_ok(surface == NULL, "format %s: the pointer becomes NULL", formats[i].name);
	}
}

static void test_depth_formats(struct test9 *t)
{
	IDirect3DSurface9 *surface;
	D3DSURFACE_DESC desc;

	for (size_t i = 0; i < FORMATS; i++) {
		D3DFORMAT format = depth_formats[i].format;
		const char *name = depth_formats[i].name;
		bool there = available(t, format);
		HRESULT hr = create(t, format, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &surface);

		if (tap_eq(hr, there ? D3D_OK : D3DERR_NOTAVAILABLE,
			   "%s is created exactly when CheckDeviceFormat offers it (%s)", name, there ? "yes" : "no") &&
		    there) {
			IDirect3DSurface9_GetDesc(surface, &desc);
			tap_eq(desc.Format, format, "%s: GetDesc gives the format back", name);
		}
		release(surface);
		tap_eq(IDirect3D9Ex_CheckDepthStencilMatch(t->d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8,
							   format),
		       there ? D3D_OK : D3DERR_NOTAVAILABLE, "%s: CheckDepthStencilMatch agrees", name);
	}
}

static void test_samples(struct test9 *t)
{
	IDirect3DSurface9 *surface;

	for (size_t i = 0; i < FORMATS; i++) {
		D3DFORMAT format = depth_formats[i].format;
		bool agree = true, quality_refused = true;

		if (!available(t, format))
			continue;
		for (unsigned samples = 0; samples <= 16; samples++) {
			DWORD levels = 0;
			HRESULT offered = IDirect3D9Ex_CheckDeviceMultiSampleType(t->d3d, 0, D3DDEVTYPE_HAL, format,
										  TRUE, samples, &levels);
			HRESULT made = create(t, format, samples, 0, FALSE, 0, &surface);

			agree &= made == (SUCCEEDED(offered) ? D3D_OK : D3DERR_NOTAVAILABLE);
			agree &= SUCCEEDED(made) ? surface != NULL : surface == NULL;
			if (!agree)
				tap_diag("%s with %u samples: check %#x, create %#x", depth_formats[i].name, samples,
					 (unsigned)offered, (unsigned)made);
			release(surface);
			if (FAILED(offered))
				continue;
			for (DWORD quality = 1; quality < levels; quality++) {
				agree &= SUCCEEDED(create(t, format, samples, quality, FALSE, 0, &surface));
				release(surface);
			}
			made = create(t, format, samples, levels, FALSE, 0, &surface);
			quality_refused &= made == D3DERR_INVALIDCALL && !surface;
			release(surface);
		}
		tap_ok(agree, "%s: sample types work exactly as CheckDeviceMultiSampleType says",
		       depth_formats[i].name);
		tap_ok(quality_refused, "%s: a quality that was not reported is INVALIDCALL", depth_formats[i].name);
	}
	tap_eq(create(t, D3DFMT_D24S8, 17, 0, FALSE, 0, &surface), D3DERR_INVALIDCALL, "17 samples are no sample type");
}

static void test_sizes(struct test9 *t)
{
	static const char *const names[] = {"width 0", "height 0", "width above the limit", "height above the limit"};
	UINT most_x = t->caps.MaxTextureWidth, most_y = t->caps.MaxTextureHeight;
	const UINT sizes[][2] = {{0, 64}, {64, 0}, {most_x + 1, 64}, {64, most_y + 1}};
	IDirect3DSurface9 *surface;

	for (unsigned i = 0; i < 4; i++) {
		surface = UNTOUCHED;
		tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(t->device, sizes[i][0], sizes[i][1], D3DFMT_D24S8,
								      D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL, 0),
		       D3DERR_INVALIDCALL, "%s is refused", names[i]);
		tap_ok(!surface, "%s: the pointer becomes NULL", names[i]);
	}
	tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(t->device, most_x, 4, D3DFMT_D24S8, D3DMULTISAMPLE_NONE,
							      0, FALSE, &surface, NULL, 0),
	       D3D_OK, "the widest allowed surface is created");
	release(surface);
	tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(t->device, 37, 19, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0,
							      FALSE, &surface, NULL, 0),
	       D3D_OK, "sizes need not be powers of two");
	release(surface);
	tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(t->device, 64, 64, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0,
							      FALSE, NULL, NULL, 0),
	       D3DERR_INVALIDCALL, "a NULL out pointer is refused");
}

static void test_discard_lockable(struct test9 *t)
{
	IDirect3DSurface9 *surface;

	for (size_t i = 0; i < FORMATS; i++) {
		if (!available(t, depth_formats[i].format))
			continue;
		tap_eq(create(t, depth_formats[i].format, D3DMULTISAMPLE_NONE, 0, TRUE, 0, &surface),
		       depth_formats[i].lockable ? D3DERR_INVALIDCALL : D3D_OK, "%s with Discard is %s",
		       depth_formats[i].name, depth_formats[i].lockable ? "refused: it is lockable" : "created");
		release(surface);
	}
}

/* ---- locks ---- */

/* Fills the surface through one lock with bytes that depend on the place, and finds them again through another. */
static void test_lock_content(IDirect3DSurface9 *surface, const char *name, unsigned bytes)
{
	D3DLOCKED_RECT locked;
	bool same = true;

	tap_eq(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0), D3D_OK, "%s: LockRect", name);
	for (unsigned y = 0; y < 64; y++) {
		uint8_t *row = (uint8_t *)locked.pBits + (size_t)y * locked.Pitch;

		for (unsigned x = 0; x < 64; x++) {
			float depth = (float)(x + 64 * y) / 4096.0f;

			if (bytes == 4 && !strcmp(name, "D32F_LOCKABLE"))
				memcpy(row + x * 4, &depth, 4);
			else
				memset(row + x * bytes, (int)(x * 3 + y * 5), bytes);
		}
	}
	tap_eq(IDirect3DSurface9_UnlockRect(surface), D3D_OK, "%s: UnlockRect", name);
	tap_eq(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY), D3D_OK, "%s: second LockRect",
	       name);
	for (unsigned y = 0; y < 64 && same; y++) {
		const uint8_t *row = (const uint8_t *)locked.pBits + (size_t)y * locked.Pitch;

		for (unsigned x = 0; x < 64 && same; x++) {
			float depth = (float)(x + 64 * y) / 4096.0f;

			if (bytes == 4 && !strcmp(name, "D32F_LOCKABLE"))
				same = !memcmp(row + x * 4, &depth, 4);
			else
				same = row[x * bytes] == (uint8_t)(x * 3 + y * 5);
			if (!same)
				tap_diag("%s: differs at %u,%u", name, x, y);
		}
	}
	tap_ok(same, "%s: what was written through a lock is read through a lock", name);
	IDirect3DSurface9_UnlockRect(surface);
}

static void test_lock_rules(IDirect3DSurface9 *surface, const char *name, unsigned bytes)
{
	const RECT part = {8, 4, 24, 20}, outside = {0, 0, 65, 64}, empty = {8, 8, 8, 16};
	D3DLOCKED_RECT whole, locked;

	IDirect3DSurface9_LockRect(surface, &whole, NULL, D3DLOCK_READONLY);
	tap_eq(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY), D3DERR_INVALIDCALL,
	       "%s: a locked surface is not locked again", name);
	IDirect3DSurface9_UnlockRect(surface);
	tap_eq(IDirect3DSurface9_UnlockRect(surface), D3DERR_INVALIDCALL, "%s: an unlocked surface is not unlocked",
	       name);
	tap_eq(IDirect3DSurface9_LockRect(surface, &locked, &outside, 0), D3DERR_INVALIDCALL, "%s: a rectangle outside",
	       name);
	tap_eq(IDirect3DSurface9_LockRect(surface, &locked, &empty, 0), D3DERR_INVALIDCALL, "%s: an empty rectangle",
	       name);
	tap_eq(IDirect3DSurface9_LockRect(surface, NULL, NULL, 0), D3DERR_INVALIDCALL, "%s: no place for the answer",
	       name);
	tap_eq(IDirect3DSurface9_LockRect(surface, &locked, &part, D3DLOCK_READONLY), D3D_OK, "%s: a part is locked",
	       name);
	if (bytes == 1 || bytes == 2)
		tap_eq(*(const uint8_t *)locked.pBits, 8 * 3 + 4 * 5, "%s: the pointer is the part's first pixel",
		       name);
	IDirect3DSurface9_UnlockRect(surface);
}

static void test_locks(struct test9 *t)
{
	IDirect3DSurface9 *surface;
	D3DLOCKED_RECT locked;

	for (size_t i = 0; i < FORMATS; i++) {
		const char *name = depth_formats[i].name;

		if (!available(t, depth_formats[i].format))
			continue;
		if (FAILED(create(t, depth_formats[i].format, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &surface)))
			continue;
		if (depth_formats[i].lockable) {
			test_lock_content(surface, name, depth_formats[i].bytes);
			test_lock_rules(surface, name, depth_formats[i].bytes);
		} else {
			tap_eq(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0), D3DERR_INVALIDCALL,
			       "%s cannot be locked", name);
		}
		release(surface);
	}
}

/* A clear is seen through a lock. */
static void test_clear_then_lock(struct test9 *t)
{
	IDirect3DSurface9 *surface;
	D3DLOCKED_RECT locked;
	bool there = available(t, D3DFMT_D32F_LOCKABLE);

	if (there && SUCCEEDED(create(t, D3DFMT_D32F_LOCKABLE, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &surface))) {
		tap_eq(IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, surface), D3D_OK, "D32F_LOCKABLE is bound");
		tap_eq(IDirect3DDevice9Ex_Clear(t->device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 0.375f, 0), D3D_OK,
		       "and cleared");
		if (SUCCEEDED(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY))) {
			float first, last;

			memcpy(&first, locked.pBits, 4);
			memcpy(&last, (uint8_t *)locked.pBits + 63 * (size_t)locked.Pitch + 63 * 4, 4);
			tap_near(first, 0.375, 0, "D32F_LOCKABLE: the first pixel has the cleared depth");
			tap_near(last, 0.375, 0, "D32F_LOCKABLE: the last pixel has the cleared depth");
			IDirect3DSurface9_UnlockRect(surface);
		}
		IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, NULL);
		release(surface);
	}
	there = available(t, D3DFMT_D16_LOCKABLE);
	if (there && SUCCEEDED(create(t, D3DFMT_D16_LOCKABLE, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &surface))) {
		IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, surface);
		IDirect3DDevice9Ex_Clear(t->device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 0.5f, 0);
		if (SUCCEEDED(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY))) {
			tap_near(*(const uint16_t *)locked.pBits, 32768, 1, "D16_LOCKABLE: half depth is 0x8000");
			IDirect3DSurface9_UnlockRect(surface);
		}
		IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, NULL);
		release(surface);
	}
	there = available(t, FMT_S8_LOCKABLE);
	if (there && SUCCEEDED(create(t, FMT_S8_LOCKABLE, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &surface))) {
		IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, surface);
		tap_eq(IDirect3DDevice9Ex_Clear(t->device, 0, NULL, D3DCLEAR_STENCIL, 0, 0, 0xa5), D3D_OK,
		       "S8_LOCKABLE is cleared");
		if (SUCCEEDED(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY))) {
			tap_eq(*(const uint8_t *)locked.pBits, 0xa5, "S8_LOCKABLE: the pixel is the stencil value");
			IDirect3DSurface9_UnlockRect(surface);
		}
		IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, NULL);
		release(surface);
	}
}

/* ---- memory ---- */

/* Bytes that are free, once there are as many as there were: what is released is free when the GPU has let go of it. */
static UINT memory_that_comes_back(IDirect3DDevice9Ex *device, UINT before)
{
	const struct timespec nap = {.tv_nsec = 10000000};
	UINT now = IDirect3DDevice9Ex_GetAvailableTextureMem(device);

	for (unsigned i = 0; now < before && i < 500; i++) {
		nanosleep(&nap, NULL);
		now = IDirect3DDevice9Ex_GetAvailableTextureMem(device);
	}
	return now;
}

static void test_memory_class(struct test9 *t)
{
	UINT before = IDirect3DDevice9Ex_GetAvailableTextureMem(t->device), during, after;
	IDirect3DSurface9 *surface = NULL;

	tap_ok(before > 0, "there is free texture memory (%u MiB)", before >> 20);
	if (!tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(t->device, 2048, 2048, D3DFMT_D24S8,
								   D3DMULTISAMPLE_NONE, 0, FALSE, &surface, NULL, 0),
		    D3D_OK, "a 16 MiB surface is created"))
		return;
	during = IDirect3DDevice9Ex_GetAvailableTextureMem(t->device);
	tap_ok(before - during >= 16u << 20, "it takes at least 16 MiB of texture memory (%u MiB)",
	       (before - during) >> 20);
	release(surface);
	test9_finish(t->device);
	after = memory_that_comes_back(t->device, before);
	tap_eq(after, before, "and gives them back");
}

/* Fills the pool; a pool that spills into system memory is only filled four times over. */
static void test_exhaustion(struct test9 *t)
{
	uint64_t free_memory = IDirect3DDevice9Ex_GetAvailableTextureMem(t->device);
	UINT side = t->caps.MaxTextureWidth < 4096 || free_memory < 128u << 20 ? 2048 : 4096, count = 0;
	UINT most = (UINT)(free_memory * 4 / ((uint64_t)side * side * 4)) + 2;
	IDirect3DSurface9 **surfaces = calloc(most, sizeof(*surfaces)), *extra;
	HRESULT hr = D3D_OK;

	while (count < most) {
		hr = IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(
			t->device, side, side, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, &surfaces[count], NULL, 0);
		if (FAILED(hr))
			break;
		count++;
	}
	tap_ok(count > 0, "%u surfaces of %ux%u fit", count, side, side);
	if (count == most) {
		tap_skip("the pool spills into system memory", "exhaustion is D3DERR_OUTOFVIDEOMEMORY");
	} else {
		tap_eq(hr, D3DERR_OUTOFVIDEOMEMORY, "the next is D3DERR_OUTOFVIDEOMEMORY");
		tap_ok(!surfaces[count], "and its pointer NULL");
		tap_eq(IDirect3DDevice9Ex_CheckDeviceState(t->device, NULL), D3D_OK, "the device goes on");
	}
	while (count)
		release(surfaces[--count]);
	free(surfaces);
	test9_finish(t->device);
	tap_ok(memory_that_comes_back(t->device, (UINT)free_memory) >= free_memory, "nothing of the memory leaks");
	tap_eq(create(t, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &extra), D3D_OK,
	       "after the release creation works again");
	tap_eq(IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, extra), D3D_OK, "and the surface is bound");
	tap_eq(IDirect3DDevice9Ex_Clear(t->device, 0, NULL, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0, 1.0f, 0), D3D_OK,
	       "and cleared");
	IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, NULL);
	release(extra);
}

#ifdef __SANITIZE_ADDRESS__
static void test_no_system_memory(struct test9 *t)
{
	tap_skip("the sanitizer ends the program when there is no memory", "without system memory: E_OUTOFMEMORY");
}
#else
/* Takes every byte of heap that a limited address space has left, in ever smaller pieces; the pieces are chained. */
static void *take_all_memory(void)
{
	void *chain = NULL;

	for (size_t size = 1 << 24; size >= 16; size /= 2) {
		void **piece;

		while ((piece = malloc(size))) {
			*piece = chain;
			chain = piece;
		}
	}
	return chain;
}

static void test_no_system_memory(struct test9 *t)
{
	struct rlimit old, limit;
	IDirect3DSurface9 *surface;
	void *chain;
	HRESULT hr;

	getrlimit(RLIMIT_AS, &old);
	limit = old;
	limit.rlim_cur = 64 << 20;	/* less than what is mapped: no more from now on */
	setrlimit(RLIMIT_AS, &limit);
	chain = take_all_memory();
	hr = create(t, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &surface);
	while (chain) {
		void *next = *(void **)chain;

		free(chain);
		chain = next;
	}
	setrlimit(RLIMIT_AS, &old);
	tap_eq(hr, E_OUTOFMEMORY, "without system memory: E_OUTOFMEMORY");
	tap_ok(!surface, "and the pointer NULL");
	tap_eq(create(t, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &surface), D3D_OK,
	       "with memory again it works");
	release(surface);
}
#endif

/* ---- binding ---- */

static void test_binding(struct test9 *t)
{
	IDirect3DSurface9 *depth, *color, *got;

	create(t, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &depth);
	tap_eq(IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, depth), D3D_OK, "SetDepthStencilSurface");
	tap_eq(IDirect3DDevice9Ex_GetDepthStencilSurface(t->device, &got), D3D_OK, "GetDepthStencilSurface");
	tap_ok(got == depth, "it is the surface that was set");
	release(got);
	IDirect3DDevice9Ex_GetRenderTarget(t->device, 0, &color);
	tap_eq(IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, color), D3DERR_INVALIDCALL,
	       "a render target is no depth-stencil surface");
	release(color);
	tap_eq(IDirect3DSurface9_Release(depth), 0, "a bound surface holds no reference of the program");
	tap_eq(IDirect3DDevice9Ex_Clear(t->device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1.0f, 0), D3D_OK,
	       "and lives on while it is bound");
	tap_eq(IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, NULL), D3D_OK, "NULL unbinds it");
	tap_eq(IDirect3DDevice9Ex_GetDepthStencilSurface(t->device, &got), D3DERR_NOTFOUND, "then there is none");
	tap_eq(IDirect3DDevice9Ex_Clear(t->device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1.0f, 0), D3DERR_INVALIDCALL,
	       "a depth clear without one is refused");
	create(t, D3DFMT_D16, D3DMULTISAMPLE_NONE, 0, FALSE, 0, &depth);
	IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, depth);
	tap_eq(IDirect3DDevice9Ex_Clear(t->device, 0, NULL, D3DCLEAR_STENCIL, 0, 1.0f, 0), D3DERR_INVALIDCALL,
	       "a stencil clear without stencil bits is refused");
	IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, NULL);
	release(depth);
}

/* A device that is not 9Ex. */
static void test_plain_device(void)
{
	D3DPRESENT_PARAMETERS params = {
		.BackBufferWidth = 64, .BackBufferHeight = 64, .SwapEffect = D3DSWAPEFFECT_DISCARD, .Windowed = TRUE};
	IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
	IDirect3DDevice9 *device = NULL;
	IDirect3DSurface9 *surface = NULL;
	void *ex = NULL;
	HANDLE handle = NULL;

	if (!tap_ok(d3d != NULL, "Direct3DCreate9"))
		return;
	tap_eq(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &params,
				       &device),
	       D3D_OK, "CreateDevice");
	tap_eq(IDirect3DDevice9_QueryInterface(device, &IID_IDirect3DDevice9Ex, &ex), E_NOINTERFACE,
	       "it has no Ex interface");
	tap_eq(IDirect3DDevice9_CreateDepthStencilSurface(device, 64, 64, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, TRUE,
							  &surface, NULL),
	       D3D_OK, "CreateDepthStencilSurface");
	release(surface);
	tap_eq(IDirect3DDevice9_CreateDepthStencilSurface(device, 64, 64, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE,
							  &surface, &handle),
	       D3DERR_INVALIDCALL, "it does not share resources");
	IDirect3DDevice9_Release(device);
	IDirect3D9_Release(d3d);
}

/* ---- sharing ---- */

/* In a child: opens the surface and looks for the depth that the parent cleared it to. */
static int look_from_process(const char *handle_text)
{
	HANDLE handle = (HANDLE)(uintptr_t)strtoull(handle_text, NULL, 0);
	IDirect3DSurface9 *surface = NULL;
	D3DLOCKED_RECT locked;
	struct test9 t;
	float depth = 0.0f;

	test9_open(&t, 64, 64);
	if (tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(t.device, 32, 32, D3DFMT_D32F_LOCKABLE,
								  D3DMULTISAMPLE_NONE, 0, FALSE, &surface, &handle, 0),
		   D3D_OK, "opens it by its handle")) {
		if (SUCCEEDED(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY))) {
			memcpy(&depth, (uint8_t *)locked.pBits + 17 * (size_t)locked.Pitch + 9 * 4, 4);
			IDirect3DSurface9_UnlockRect(surface);
		}
		tap_near(depth, 0.625, 0, "sees what was drawn into it");
		release(surface);
	}
	test9_close(&t);
	return tap_done();
}

/* The device inside the process is nobody else's. */
static void share_with_process(HANDLE handle)
{
	char text[40];

	if (child_can_choose_gpu())
		return;
	snprintf(text, sizeof(text), "handle=%#llx", (unsigned long long)(uintptr_t)handle);
	child_run(NULL, text, "another process");
}

static void test_sharing(struct test9 *t)
{
	IDirect3DDevice9Ex *other = test9_device(t->d3d, 64, 64, 0);
	IDirect3DSurface9 *mine = NULL, *theirs = NULL;
	HANDLE handle = NULL, wrong = (HANDLE)(uintptr_t)0x12345678;
	D3DLOCKED_RECT locked;
	float depth = 0.0f;

	if (!available(t, D3DFMT_D32F_LOCKABLE) || !other) {
		tap_skip("no D32F_LOCKABLE", "shared surfaces");
		return;
	}
	tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(t->device, 32, 32, D3DFMT_D32F_LOCKABLE,
							      D3DMULTISAMPLE_NONE, 0, FALSE, &mine, &handle, 0),
	       D3D_OK, "a shared surface is created");
	tap_ok(handle != NULL, "and has a handle");
	tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(other, 16, 32, D3DFMT_D32F_LOCKABLE, D3DMULTISAMPLE_NONE,
							      0, FALSE, &theirs, &handle, 0),
	       D3DERR_INVALIDCALL, "opening it with another size is refused");
	tap_ok(FAILED(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(
		       other, 32, 32, D3DFMT_D32F_LOCKABLE, D3DMULTISAMPLE_NONE, 0, FALSE, &theirs, &wrong, 0)),
	       "a handle that nobody gave out is refused");
	if (!tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(other, 32, 32, D3DFMT_D32F_LOCKABLE,
								   D3DMULTISAMPLE_NONE, 0, FALSE, &theirs, &handle,
								   D3DUSAGE_RESTRICT_SHARED_RESOURCE),
		    D3D_OK, "another device opens it by its handle"))
		goto out;
	IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, mine);
	IDirect3DDevice9Ex_Clear(t->device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 0.625f, 0);
	test9_finish(t->device);
	if (SUCCEEDED(IDirect3DSurface9_LockRect(theirs, &locked, NULL, D3DLOCK_READONLY))) {
		memcpy(&depth, (uint8_t *)locked.pBits + 17 * (size_t)locked.Pitch + 9 * 4, 4);
		IDirect3DSurface9_UnlockRect(theirs);
	}
	tap_near(depth, 0.625, 0, "and sees what was drawn into it");
	share_with_process(handle);
	IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, NULL);
	release(theirs);
out:
	release(mine);
	IDirect3DDevice9Ex_Release(other);
}

/* ---- GPUs ---- */

static int run_part(const char *part)
{
	struct test9 t;

	test9_open(&t, 64, 64);
	test_plain(&t);
	test_depth_formats(&t);
	test_samples(&t);
	test_sizes(&t);
	if (!strcmp(part, "small"))
		test_exhaustion(&t);
	test9_close(&t);
	return tap_done();
}

static void test_other_gpus(void)
{
	static const struct {
		const char *caps, *part;
	} gpus[] = {
		{"feature-level=9_1", "formats"},
		{"feature-level=9_2", "formats"},
		{"feature-level=9_3", "formats"},
		{"feature-level=10_0", "formats"},
		{"feature-level=10_1", "formats"},
		{"feature-level=11_0", "formats"},
		{"ds-formats=D24S8", "formats"},
		{"ds-formats=D16+D24S8+D32F_LOCKABLE", "formats"},
		{"msaa=1", "formats"},
		{"msaa=2", "formats"},
		{"max-texture=2048", "formats"},
		{"vram=64M", "small"},
	};

	for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++)
		child_run(gpus[i].caps, gpus[i].part, gpus[i].caps);
}

int main(int argc, char **argv)
{
	struct test9 t;

	if (argc > 1 && !strncmp(argv[1], "handle=", 7))
		return look_from_process(argv[1] + 7);
	if (argc > 1)
		return run_part(argv[1]);
	test9_open(&t, 64, 64);
	test_plain(&t);
	test_usages(&t);
	test_other_formats(&t);
	test_depth_formats(&t);
	test_samples(&t);
	test_sizes(&t);
	test_discard_lockable(&t);
	test_locks(&t);
	test_clear_then_lock(&t);
	test_binding(&t);
	test_memory_class(&t);
	test_exhaustion(&t);
	test_sharing(&t);
	test_no_system_memory(&t);
	test9_close(&t);
	test_plain_device();
	if (child_can_choose_gpu())
		test_other_gpus();
	return tap_done();
}
