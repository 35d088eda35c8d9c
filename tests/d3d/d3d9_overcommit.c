/* SPDX-License-Identifier: MIT */
/*
 * More resources than video memory: about 200 MiB of all kinds live at a time, on two devices, and are looked at and drawn
 * into in turn. On a pool of 64 MiB (on the host: a child that asks for it; in the guest: the boot `small`) each of them
 * leaves and comes back many times. Colours are compared bit by bit with what they must be, multisampled targets sample by
 * sample; depth and stencil by what passes their tests.
 */
#define INITGUID
#include "child.h"
#include "draw9.h"

#include <stdlib.h>
#include <string.h>

#include "d3dgpu_statistics.h"
#include "hlsl9/volume_ps.h"

#define ROUNDS 2u
#define SAMPLES 4u
#define QUADS 256u			/* in a vertex buffer */
#define ITEMS_MAX 64u

/* One of the two devices */
struct gpu {
	IDirect3DDevice9Ex *device;
	struct draw9 draw;
	IDirect3DPixelShader9 *volume_ps;
	IDirect3DSurface9 *plain;	/* 1024x1024, to draw what cannot be read itself */
	IDirect3DSurface9 *dot;		/* 1x1, to read a pixel */
	IDirect3DSurface9 *memory[11];	/* squares in system memory, by the logarithm of their size */
};

struct item {
	const struct kind *kind;
	struct gpu *gpu;
	IUnknown *object;		/* of the kind's interface */
	uint32_t seed;
};

static struct test9 t;
static struct gpu gpus[2];
static struct item items[ITEMS_MAX];
static unsigned item_count;

/* What is different between two texels, levels, faces or items is different here. */
static DWORD texel(const struct item *item, UINT part, UINT x, UINT y)
{
	uint32_t n = (item->seed * 64 + part) * 2654435761u + y * 40503u + x * 2246822519u;

	return n ^ n >> 15;
}

/* ---- surfaces and memory ---- */

/* A square of system memory, kept for the next time. */
static IDirect3DSurface9 *memory_surface(struct gpu *gpu, UINT size)
{
	unsigned log2 = 0;

	while (1u << log2 < size)
		log2++;
	if (!gpu->memory[log2])
		IDirect3DDevice9Ex_CreateOffscreenPlainSurface(gpu->device, size, size, D3DFMT_A8R8G8B8,
							       D3DPOOL_SYSTEMMEM, &gpu->memory[log2], NULL);
	return gpu->memory[log2];
}

static IDirect3DSurface9 *target(struct gpu *gpu, UINT width, UINT height)
{
	IDirect3DSurface9 *surface = NULL;

	IDirect3DDevice9Ex_CreateRenderTarget(gpu->device, width, height, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0,
					      FALSE, &surface, NULL);
	return surface;
}

static bool upload(const struct item *item, IDirect3DSurface9 *surface, UINT part)
{
	IDirect3DSurface9 *memory;
	D3DSURFACE_DESC desc;
	D3DLOCKED_RECT map;

	IDirect3DSurface9_GetDesc(surface, &desc);
	memory = memory_surface(item->gpu, desc.Width);
	if (!memory || FAILED(IDirect3DSurface9_LockRect(memory, &map, NULL, 0)))
		return false;
	for (UINT y = 0; y < desc.Height; y++)
		for (UINT x = 0; x < desc.Width; x++)
			((DWORD *)((char *)map.pBits + (size_t)y * map.Pitch))[x] = texel(item, part, x, y);
	IDirect3DSurface9_UnlockRect(memory);
	return SUCCEEDED(IDirect3DDevice9Ex_UpdateSurface(item->gpu->device, memory, NULL, surface, NULL));
}

/* Whether a render target holds what was uploaded as this part. */
static bool holds(const struct item *item, IDirect3DSurface9 *surface, UINT part)
{
	IDirect3DSurface9 *memory;
	D3DSURFACE_DESC desc;
	D3DLOCKED_RECT map;
	bool same = true;

	IDirect3DSurface9_GetDesc(surface, &desc);
	memory = memory_surface(item->gpu, desc.Width);
	if (!memory || FAILED(IDirect3DDevice9Ex_GetRenderTargetData(item->gpu->device, surface, memory)) ||
	    FAILED(IDirect3DSurface9_LockRect(memory, &map, NULL, D3DLOCK_READONLY)))
		return false;
	for (UINT y = 0; y < desc.Height && same; y++)
		for (UINT x = 0; x < desc.Width && same; x++)
			same = ((DWORD *)((char *)map.pBits + (size_t)y * map.Pitch))[x] == texel(item, part, x, y);
	IDirect3DSurface9_UnlockRect(memory);
	return same;
}

/* A pixel of a render target. */
static DWORD pixel(struct gpu *gpu, IDirect3DSurface9 *target, UINT x, UINT y)
{
	RECT rect = {(LONG)x, (LONG)y, (LONG)x + 1, (LONG)y + 1};
	IDirect3DSurface9 *memory = memory_surface(gpu, 1);
	D3DLOCKED_RECT map;
	DWORD value;

	if (FAILED(IDirect3DDevice9Ex_StretchRect(gpu->device, target, &rect, gpu->dot, NULL, D3DTEXF_NONE)) ||
	    FAILED(IDirect3DDevice9Ex_GetRenderTargetData(gpu->device, gpu->dot, memory)) ||
	    FAILED(IDirect3DSurface9_LockRect(memory, &map, NULL, D3DLOCK_READONLY)))
		return 0xdeadbeef;
	value = *(const DWORD *)map.pBits;
	IDirect3DSurface9_UnlockRect(memory);
	return value;
}

static void set_target(struct gpu *gpu, IDirect3DSurface9 *target)
{
	D3DSURFACE_DESC desc;

	IDirect3DSurface9_GetDesc(target, &desc);
	IDirect3DDevice9Ex_SetRenderTarget(gpu->device, 0, target);
	gpu->draw.width = desc.Width;
	gpu->draw.height = desc.Height;
}

/* ---- textures and cubes that are render targets: each level and face is one part ---- */

static IDirect3DSurface9 *part_of(const struct item *item, UINT part)
{
	IDirect3DSurface9 *surface = NULL;

	if (IDirect3DBaseTexture9_GetType((IDirect3DBaseTexture9 *)item->object) == D3DRTYPE_CUBETEXTURE)
		IDirect3DCubeTexture9_GetCubeMapSurface((IDirect3DCubeTexture9 *)item->object,
							(D3DCUBEMAP_FACES)(part % 6), part / 6, &surface);
	else
		IDirect3DTexture9_GetSurfaceLevel((IDirect3DTexture9 *)item->object, part, &surface);
	return surface;
}

static UINT parts_of(const struct item *item)
{
	IDirect3DBaseTexture9 *texture = (IDirect3DBaseTexture9 *)item->object;

	return IDirect3DBaseTexture9_GetLevelCount(texture) *
	       (IDirect3DBaseTexture9_GetType(texture) == D3DRTYPE_CUBETEXTURE ? 6 : 1);
}

static bool make_parts(struct item *item)
{
	bool good = item->object;

	for (UINT part = 0; good && part < parts_of(item); part++) {
		IDirect3DSurface9 *surface = part_of(item, part);

		good = upload(item, surface, part);
		IDirect3DSurface9_Release(surface);
	}
	return good;
}

/* Looks at all parts; then one is drawn into, seen, and uploaded again. */
static unsigned look_at_parts(struct item *item, unsigned round)
{
	unsigned wrong = 0;

	for (UINT part = 0; part < parts_of(item); part++) {
		IDirect3DSurface9 *surface = part_of(item, part);

		wrong += !holds(item, surface, part);
		if (part == round) {
			set_target(item->gpu, surface);
			IDirect3DDevice9Ex_Clear(item->gpu->device, 0, NULL, D3DCLEAR_TARGET, 0x12345678 + round, 0, 0);
			wrong += pixel(item->gpu, surface, 5, 5) != 0x12345678 + round;
			wrong += !upload(item, surface, part);
		}
		IDirect3DSurface9_Release(surface);
	}
	return wrong;
}

static bool make_mip_chain(struct item *item)
{
	IDirect3DDevice9Ex_CreateTexture(item->gpu->device, 1024, 1024, 0, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
					 D3DPOOL_DEFAULT, (IDirect3DTexture9 **)&item->object, NULL);
	return make_parts(item);
}

static bool make_cube(struct item *item)
{
	IDirect3DDevice9Ex_CreateCubeTexture(item->gpu->device, 512, 0, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
					     D3DPOOL_DEFAULT, (IDirect3DCubeTexture9 **)&item->object, NULL);
	return make_parts(item);
}

/* ---- textures that are only sampled: drawn, texel for pixel ---- */

static bool make_plain(struct item *item)
{
	IDirect3DDevice9Ex_CreateTexture(item->gpu->device, 1024, 1024, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
					 (IDirect3DTexture9 **)&item->object, NULL);
	return make_parts(item);
}

/* Draws the texture over all of the plain target. */
static void draw_texture(struct item *item, float depth)
{
	struct gpu *gpu = item->gpu;

	set_target(gpu, gpu->plain);
	IDirect3DDevice9Ex_SetTexture(gpu->device, 0, (IDirect3DBaseTexture9 *)item->object);
	draw9_textured(&gpu->draw, depth, 1);
	IDirect3DDevice9Ex_SetTexture(gpu->device, 0, NULL);
	draw9_use_color(&gpu->draw);
}

static unsigned look_at_plain(struct item *item, unsigned round)
{
	(void)round;
	draw9_use_texture(&item->gpu->draw);
	draw_texture(item, 0);
	return !holds(item, item->gpu->plain, 0);
}

#define VOLUME 128u
#define VOLUME_DEPTH 64u

static bool make_volume(struct item *item)
{
	IDirect3DDevice9Ex *device = item->gpu->device;
	IDirect3DVolumeTexture9 *memory = NULL, *volume = NULL;
	D3DLOCKED_BOX map;
	HRESULT hr;

	IDirect3DDevice9Ex_CreateVolumeTexture(device, VOLUME, VOLUME, VOLUME_DEPTH, 1, 0, D3DFMT_A8R8G8B8,
					       D3DPOOL_SYSTEMMEM, &memory, NULL);
	IDirect3DDevice9Ex_CreateVolumeTexture(device, VOLUME, VOLUME, VOLUME_DEPTH, 1, 0, D3DFMT_A8R8G8B8,
					       D3DPOOL_DEFAULT, &volume, NULL);
	item->object = (IUnknown *)volume;
	if (!memory || !volume || FAILED(IDirect3DVolumeTexture9_LockBox(memory, 0, &map, NULL, 0)))
		return false;
	for (UINT z = 0; z < VOLUME_DEPTH; z++)
		for (UINT y = 0; y < VOLUME; y++)
			for (UINT x = 0; x < VOLUME; x++)
				((DWORD *)((char *)map.pBits + (size_t)z * map.SlicePitch + (size_t)y * map.RowPitch))[x] =
					texel(item, z, x, y);
	IDirect3DVolumeTexture9_UnlockBox(memory, 0);
	hr = IDirect3DDevice9Ex_UpdateTexture(device, (IDirect3DBaseTexture9 *)memory, (IDirect3DBaseTexture9 *)volume);
	IDirect3DVolumeTexture9_Release(memory);
	return SUCCEEDED(hr);
}

/* Some slices, each magnified to the whole target: texel (x, y) is at pixel (8x + 3, 8y + 3). */
static unsigned look_at_volume(struct item *item, unsigned round)
{
	unsigned wrong = 0;

	for (UINT z = round; z < VOLUME_DEPTH; z += 21) {
		UINT x = (z * 5 + round) % VOLUME, y = (z * 11 + round) % VOLUME;

		draw9_use_texture(&item->gpu->draw);
		IDirect3DDevice9Ex_SetPixelShader(item->gpu->device, item->gpu->volume_ps);
		draw_texture(item, ((float)z + 0.5f) / VOLUME_DEPTH);
		wrong += pixel(item->gpu, item->gpu->plain, 8 * x + 3, 8 * y + 3) != texel(item, z, x, y);
	}
	return wrong;
}

/* ---- multisampled targets: sample n has only component n ---- */

static DWORD component(const struct item *item, UINT sample)
{
	return 0xffu << 8 * ((sample + item->seed) % SAMPLES);
}

static void write_sample(const struct item *item, UINT sample, DWORD color)
{
	set_target(item->gpu, (IDirect3DSurface9 *)item->object);
	IDirect3DDevice9Ex_SetRenderState(item->gpu->device, D3DRS_MULTISAMPLEMASK, 1u << sample);
	draw9_rect(&item->gpu->draw, 0, 0, 512, 512, 0.5f, color);
	IDirect3DDevice9Ex_SetRenderState(item->gpu->device, D3DRS_MULTISAMPLEMASK, ~0u);
	set_target(item->gpu, item->gpu->plain);
}

static bool make_multisampled(struct item *item)
{
	IDirect3DDevice9Ex_CreateRenderTarget(item->gpu->device, 512, 512, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0,
					      FALSE, (IDirect3DSurface9 **)&item->object, NULL);
	if (!item->object)
		return false;
	for (UINT sample = 0; sample < SAMPLES; sample++)
		write_sample(item, sample, component(item, sample));
	return true;
}

/* The average of all samples, of which those in the mask must be there: a quarter in the component of each. */
static bool has_samples(const struct item *item, unsigned mask)
{
	RECT rect = {0, 0, 512, 512};
	DWORD want = 0, value;

	IDirect3DDevice9Ex_StretchRect(item->gpu->device, (IDirect3DSurface9 *)item->object, NULL, item->gpu->plain,
				       &rect, D3DTEXF_NONE);
	value = pixel(item->gpu, item->gpu->plain, 511, 100);
	for (UINT sample = 0; sample < SAMPLES; sample++)
		want |= mask & 1u << sample ? component(item, sample) : 0;
	for (unsigned shift = 0; shift < 32; shift += 8) {
		DWORD part = value >> shift & 0xff;

		if (want >> shift & 0xff ? part < 63 || part > 64 : part)
			return false;
	}
	return true;
}

/* Blackens one sample after the other: each time its component, and no other, must go. Then they are written again. */
static unsigned look_at_samples(struct item *item, unsigned round)
{
	unsigned mask = 15, wrong = !has_samples(item, mask);

	(void)round;
	for (UINT sample = 0; sample < SAMPLES; sample++) {
		write_sample(item, sample, 0);
		mask &= ~(1u << sample);
		wrong += !has_samples(item, mask);
	}
	for (UINT sample = 0; sample < SAMPLES; sample++)
		write_sample(item, sample, component(item, sample));
	return wrong;
}

/* ---- depth and stencil ---- */

static bool make_lockable(struct item *item)
{
	D3DLOCKED_RECT map;

	IDirect3DDevice9Ex_CreateDepthStencilSurface(item->gpu->device, 1024, 1024, D3DFMT_D16_LOCKABLE,
						     D3DMULTISAMPLE_NONE, 0, FALSE, (IDirect3DSurface9 **)&item->object,
						     NULL);
	if (!item->object || FAILED(IDirect3DSurface9_LockRect((IDirect3DSurface9 *)item->object, &map, NULL, 0)))
		return false;
	for (UINT y = 0; y < 1024; y++)
		for (UINT x = 0; x < 1024; x++)
			((uint16_t *)((char *)map.pBits + (size_t)y * map.Pitch))[x] = (uint16_t)texel(item, 0, x, y);
	IDirect3DSurface9_UnlockRect((IDirect3DSurface9 *)item->object);
	return true;
}

static unsigned look_at_lockable(struct item *item, unsigned round)
{
	D3DLOCKED_RECT map;
	unsigned wrong = 0;

	(void)round;
	if (FAILED(IDirect3DSurface9_LockRect((IDirect3DSurface9 *)item->object, &map, NULL, D3DLOCK_READONLY)))
		return 1;
	for (UINT y = 0; y < 1024; y++)
		for (UINT x = 0; x < 1024; x++)
			wrong += ((uint16_t *)((char *)map.pBits + (size_t)y * map.Pitch))[x] !=
				 (uint16_t)texel(item, 0, x, y);
	IDirect3DSurface9_UnlockRect((IDirect3DSurface9 *)item->object);
	return wrong != 0;
}

/* Steps of depth from left to right, of stencil from top to bottom. */
#define STEPS 16u

static bool make_depth_stencil(struct item *item)
{
	IDirect3DDevice9Ex *device = item->gpu->device;

	IDirect3DDevice9Ex_CreateDepthStencilSurface(device, 1024, 1024, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE,
						     (IDirect3DSurface9 **)&item->object, NULL);
	if (!item->object)
		return false;
	set_target(item->gpu, item->gpu->plain);
	IDirect3DDevice9Ex_SetDepthStencilSurface(device, (IDirect3DSurface9 *)item->object);
	for (UINT i = 0; i < STEPS; i++) {
		D3DRECT column = {(LONG)(64 * i), 0, (LONG)(64 * (i + 1)), 1024}, row = {0, (LONG)(64 * i), 1024,
											 (LONG)(64 * (i + 1))};

		IDirect3DDevice9Ex_Clear(device, 1, &column, D3DCLEAR_ZBUFFER, 0, ((float)i + 0.5f) / STEPS, 0);
		IDirect3DDevice9Ex_Clear(device, 1, &row, D3DCLEAR_STENCIL, 0, 0, (i + item->seed) % 256);
	}
	IDirect3DDevice9Ex_SetDepthStencilSurface(device, NULL);
	return true;
}

static DWORD step_color(UINT step)
{
	return 0xff000000u | 0x0f1f2fu * (step + 1);
}

/* Whether all pixels of the plain target are those that pass: in the row of a step, the columns from its own on. */
static bool shows_steps(struct gpu *gpu)
{
	IDirect3DSurface9 *memory = memory_surface(gpu, 1024);
	D3DLOCKED_RECT map;
	bool same = true;

	if (FAILED(IDirect3DDevice9Ex_GetRenderTargetData(gpu->device, gpu->plain, memory)) ||
	    FAILED(IDirect3DSurface9_LockRect(memory, &map, NULL, D3DLOCK_READONLY)))
		return false;
	for (UINT y = 0; y < 1024 && same; y++)
		for (UINT x = 0; x < 1024 && same; x++)
			same = ((DWORD *)((char *)map.pBits + (size_t)y * map.Pitch))[x] ==
			       (x / 64 >= y / 64 ? step_color(y / 64) : 0xff000000u);
	IDirect3DSurface9_UnlockRect(memory);
	return same;
}

/* Draws over everything, for each stencil value at a depth that is nearer than the columns from that step on. */
static unsigned look_at_depth_stencil(struct item *item, unsigned round)
{
	IDirect3DDevice9Ex *device = item->gpu->device;

	(void)round;
	set_target(item->gpu, item->gpu->plain);
	IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000000u, 0, 0);
	IDirect3DDevice9Ex_SetDepthStencilSurface(device, (IDirect3DSurface9 *)item->object);
	IDirect3DDevice9Ex_SetRenderState(device, D3DRS_ZENABLE, D3DZB_TRUE);
	IDirect3DDevice9Ex_SetRenderState(device, D3DRS_ZWRITEENABLE, FALSE);
	IDirect3DDevice9Ex_SetRenderState(device, D3DRS_STENCILENABLE, TRUE);
	IDirect3DDevice9Ex_SetRenderState(device, D3DRS_STENCILFUNC, D3DCMP_EQUAL);
	for (UINT i = 0; i < STEPS; i++) {
		IDirect3DDevice9Ex_SetRenderState(device, D3DRS_STENCILREF, (i + item->seed) % 256);
		draw9_rect(&item->gpu->draw, -1, -1, 1025, 1025, (float)i / STEPS, step_color(i));
	}
	IDirect3DDevice9Ex_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE);
	IDirect3DDevice9Ex_SetRenderState(device, D3DRS_STENCILENABLE, FALSE);
	IDirect3DDevice9Ex_SetDepthStencilSurface(device, NULL);
	return !shows_steps(item->gpu);
}

/* ---- buffers ---- */

#define BUFFER_BYTES (1u << 20)

static DWORD quad_color(const struct item *item, UINT quad)
{
	return 0xff000000u | (texel(item, 0, quad, 0) & 0xffffff);
}

/* QUADS squares over the whole target, each of its own colour, and bytes that are only there. */
static bool make_vertex_buffer(struct item *item)
{
	static const float corners[4][2] = {{-1, 1}, {1, 1}, {-1, -1}, {1, -1}};
	struct color_vertex *vertices;

	IDirect3DDevice9Ex_CreateVertexBuffer(item->gpu->device, BUFFER_BYTES, D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT,
					      (IDirect3DVertexBuffer9 **)&item->object, NULL);
	if (!item->object || FAILED(IDirect3DVertexBuffer9_Lock((IDirect3DVertexBuffer9 *)item->object, 0, 0,
								(void **)&vertices, 0)))
		return false;
	memset(vertices, 0, BUFFER_BYTES);
	for (UINT i = 0; i < QUADS * 4; i++)
		vertices[i] = (struct color_vertex){corners[i % 4][0], corners[i % 4][1], 0.5f, 1, quad_color(item, i / 4)};
	IDirect3DVertexBuffer9_Unlock((IDirect3DVertexBuffer9 *)item->object);
	return true;
}

static unsigned look_at_vertex_buffer(struct item *item, unsigned round)
{
	unsigned wrong = 0;

	set_target(item->gpu, item->gpu->plain);
	IDirect3DDevice9Ex_SetStreamSource(item->gpu->device, 0, (IDirect3DVertexBuffer9 *)item->object, 0,
					   sizeof(struct color_vertex));
	for (UINT quad = round; quad < QUADS; quad += 60) {
		IDirect3DDevice9Ex_DrawPrimitive(item->gpu->device, D3DPT_TRIANGLESTRIP, 4 * quad, 2);
		wrong += pixel(item->gpu, item->gpu->plain, quad, quad) != quad_color(item, quad);
	}
	IDirect3DDevice9Ex_SetStreamSource(item->gpu->device, 0, NULL, 0, 0);
	return wrong;
}

/* ---- the test ---- */

static const struct kind {
	const char *name;
	unsigned count;
	bool (*make)(struct item *item);
	unsigned (*look)(struct item *item, unsigned round); /* how much is wrong */
} kinds[] = {
	{"mip chain", 12, make_mip_chain, look_at_parts},
	{"cube", 4, make_cube, look_at_parts},
	{"texture", 8, make_plain, look_at_plain},
	{"volume", 4, make_volume, look_at_volume},
	{"multisampled target", 6, make_multisampled, look_at_samples},
	{"D16_LOCKABLE surface", 4, make_lockable, look_at_lockable},
	{"D24S8 surface", 3, make_depth_stencil, look_at_depth_stencil},
	{"vertex buffer", 6, make_vertex_buffer, look_at_vertex_buffer},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void open_gpus(void)
{
	test9_open(&t, 64, 64);
	gpus[0].device = t.device;
	gpus[1].device = test9_device(t.d3d, 64, 64, 0);
	for (unsigned i = 0; i < 2; i++) {
		struct gpu *gpu = &gpus[i];

		if (!gpu->device)
			tap_bail("no device");
		gpu->plain = target(gpu, 1024, 1024);
		gpu->dot = target(gpu, 1, 1);
		if (!gpu->plain || !gpu->dot)
			tap_bail("no surfaces");
		draw9_open(&gpu->draw, gpu->device, 1024, 1024);
		IDirect3DDevice9Ex_SetDepthStencilSurface(gpu->device, NULL);
		gpu->volume_ps = test9_ps(gpu->device, volume_ps);
	}
}

static void close_gpus(void)
{
	for (unsigned i = 0; i < 2; i++) {
		IDirect3DSurface9 *back;

		tap_eq(IDirect3DDevice9Ex_CheckDeviceState(gpus[i].device, NULL), D3D_OK, "device %u was not lost", i);
		IDirect3DDevice9Ex_GetBackBuffer(gpus[i].device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back);
		IDirect3DDevice9Ex_SetRenderTarget(gpus[i].device, 0, back);
		IDirect3DSurface9_Release(back);
		draw9_close(&gpus[i].draw);
		IDirect3DPixelShader9_Release(gpus[i].volume_ps);
		IDirect3DSurface9_Release(gpus[i].plain);
		IDirect3DSurface9_Release(gpus[i].dot);
		for (size_t size = 0; size < sizeof(gpus[i].memory) / sizeof(gpus[i].memory[0]); size++)
			if (gpus[i].memory[size])
				IDirect3DSurface9_Release(gpus[i].memory[size]);
	}
	IDirect3DDevice9Ex_Release(gpus[1].device);
	test9_close(&t);
}

static void make_items(void)
{
	unsigned failed = 0;

	for (size_t k = 0; k < KINDS; k++)
		for (unsigned i = 0; i < kinds[k].count; i++) {
			struct item *item = &items[item_count];

			*item = (struct item){&kinds[k], &gpus[i & 1], NULL, item_count + 1};
			if (!kinds[k].make(item)) {
				tap_diag("%s %u failed", kinds[k].name, i);
				failed++;
			}
			item_count += item->object != NULL;
		}
	tap_eq(failed, 0, "%u resources on two devices", item_count);
}

static void run(void)
{
	unsigned wrong[KINDS] = {0};
	struct d3dgpu_statistics statistics = {0};

	open_gpus();
	D3DGPUGetStatistics9(t.device, &statistics);
	tap_diag("a pool of %llu MiB", (unsigned long long)statistics.vram_size >> 20);
	make_items();
	for (unsigned round = 0; round < ROUNDS; round++)
		for (unsigned i = 0; i < item_count; i++) {
			struct item *item = &items[(i * 5 + round) % item_count];

			wrong[item->kind - kinds] += item->kind->look(item, round);
		}
	for (size_t k = 0; k < KINDS; k++)
		tap_eq(wrong[k], 0, "%s: %u of them keep every bit through %u rounds", kinds[k].name, kinds[k].count,
		       ROUNDS);
	for (unsigned i = 0; i < item_count; i++)
		IUnknown_Release(items[i].object);
	close_gpus();
}

int main(int argc, char **argv)
{
	if (argc == 1 && child_can_choose_gpu())
		child_run("vram=64M", "overcommit", "64 MiB");
	else
		run();
	return tap_done();
}
