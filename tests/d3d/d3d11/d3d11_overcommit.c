/* SPDX-License-Identifier: MIT */
/*
 * More resources than video memory: about 200 MiB of all kinds live at a time, on two devices, and are looked at and drawn
 * into in turn. On a pool of 64 MiB (on the host: a child that asks for it; in the guest: the boot `small`) each of them
 * leaves and comes back many times. Content is compared bit by bit with what it must be; multisampled targets sample by
 * sample.
 */
#include "child.h"
#include "test11.h"

#include <stdlib.h>
#include <string.h>

#include "d3dgpu_statistics.h"

#define ROUNDS 2u
#define SAMPLES 4u
#define RT D3D11_BIND_RENDER_TARGET
#define SR D3D11_BIND_SHADER_RESOURCE
#define DS D3D11_BIND_DEPTH_STENCIL

enum shape { BUFFER, TEXTURE_2D, TEXTURE_3D, DEPTH, MULTISAMPLED };

static const struct kind {
	const char *name;
	enum shape shape;
	DXGI_FORMAT format;
	UINT bytes;			/* of a texel */
	UINT width, height;
	UINT depth;			/* or layers */
	UINT levels, bind, misc;
	unsigned count;
} kinds[] = {
	{"mip chain", TEXTURE_2D, DXGI_FORMAT_R8G8B8A8_UNORM, 4, 1024, 1024, 1, 11, RT | SR, 0, 12},
	{"array", TEXTURE_2D, DXGI_FORMAT_R8G8B8A8_UNORM, 4, 256, 256, 16, 9, RT | SR, 0, 4},
	{"cube", TEXTURE_2D, DXGI_FORMAT_R8G8B8A8_UNORM, 4, 256, 256, 6, 9, RT | SR, D3D11_RESOURCE_MISC_TEXTURECUBE, 8},
	{"volume", TEXTURE_3D, DXGI_FORMAT_R8G8B8A8_UNORM, 4, 128, 128, 64, 8, RT | SR, 0, 4},
	{"float texture", TEXTURE_2D, DXGI_FORMAT_R32G32B32A32_FLOAT, 16, 512, 512, 1, 1, SR, 0, 4},
	{"vertex buffer", BUFFER, DXGI_FORMAT_UNKNOWN, 1, 1 << 20, 1, 1, 1, D3D11_BIND_VERTEX_BUFFER, 0, 4},
	{"index buffer", BUFFER, DXGI_FORMAT_UNKNOWN, 1, 1 << 19, 1, 1, 1, D3D11_BIND_INDEX_BUFFER, 0, 4},
	{"constant buffer", BUFFER, DXGI_FORMAT_UNKNOWN, 1, 4096, 1, 1, 1, D3D11_BIND_CONSTANT_BUFFER, 0, 8},
	{"D32_FLOAT surface", DEPTH, DXGI_FORMAT_D32_FLOAT, 4, 1024, 1024, 1, 1, DS, 0, 3},
	{"D24_UNORM_S8_UINT surface", DEPTH, DXGI_FORMAT_D24_UNORM_S8_UINT, 4, 1024, 1024, 1, 1, DS, 0, 3},
	{"multisampled target", MULTISAMPLED, DXGI_FORMAT_R8G8B8A8_UNORM, 4, 512, 512, 1, 1, RT, 0, 6},
};

#define ITEMS_MAX 128u

struct item {
	const struct kind *kind;
	struct test11 *t;
	ID3D11Resource *resource;
	uint32_t seed;
	uint64_t *sums;			/* per subresource, of what is in it */
};

static struct test11 devices[2];
static struct test11_color_pipe pipes[2];
static struct item items[ITEMS_MAX];
static unsigned item_count;

/* ---- content ---- */

static UINT level_of(UINT extent, UINT level)
{
	return extent >> level ? extent >> level : 1;
}

static UINT subresources(const struct kind *kind)
{
	return kind->levels * (kind->shape == TEXTURE_3D ? 1 : kind->depth);
}

/* Bytes of a row, number of rows (of all slices) */
struct rows { UINT bytes, count; };

static struct rows rows_of(const struct kind *kind, UINT subresource)
{
	UINT level = subresource % kind->levels, slices = kind->shape == TEXTURE_3D ? level_of(kind->depth, level) : 1;

	return (struct rows){level_of(kind->width, level) * kind->bytes, level_of(kind->height, level) * slices};
}

/* size is a multiple of 4. */
static uint64_t add_to_sum(uint64_t sum, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i += 4) {
		uint32_t word;

		memcpy(&word, bytes + i, 4);
		sum = (sum ^ word) * 0x100000001b3u;
	}
	return sum;
}

#define SUM_START 0xcbf29ce484222325u

/* Bytes that no two subresources share. Floats are small whole numbers: none of them is a NaN. */
static void fill_pattern(const struct item *item, UINT subresource, uint8_t *data, size_t size)
{
	uint32_t state = item->seed * 2654435761u + subresource * 40503u + 1;

	for (size_t i = 0; i + 4 <= size; i += 4) {
		float value;

		state = state * 1664525u + 1013904223u;
		value = (float)(state >> 16);
		memcpy(data + i, item->kind->bytes == 16 ? (void *)&value : (void *)&state, 4);
	}
}

/* ---- devices ---- */

/* A texture or buffer like the item's, with another usage. */
static ID3D11Resource *create(const struct item *item, D3D11_USAGE usage, UINT bind, const D3D11_SUBRESOURCE_DATA *data)
{
	const struct kind *k = item->kind;
	UINT cpu = usage == D3D11_USAGE_STAGING ? D3D11_CPU_ACCESS_READ : 0;
	ID3D11Device *device = item->t->device;
	ID3D11Resource *resource = NULL;
	HRESULT hr;

	if (k->shape == BUFFER) {
		D3D11_BUFFER_DESC desc = {k->width, usage, bind, cpu, 0, 0};

		hr = ID3D11Device_CreateBuffer(device, &desc, data, (ID3D11Buffer **)&resource);
	} else if (k->shape == TEXTURE_3D) {
		D3D11_TEXTURE3D_DESC desc = {k->width, k->height, k->depth, k->levels, k->format, usage, bind, cpu, 0};

		hr = ID3D11Device_CreateTexture3D(device, &desc, data, (ID3D11Texture3D **)&resource);
	} else {
		D3D11_TEXTURE2D_DESC desc = {k->width, k->height, k->levels, k->depth, k->format, {1, 0},
					     usage,    bind,	  cpu,	     cpu ? 0 : k->misc};

		if (k->shape == MULTISAMPLED && bind)
			desc.SampleDesc.Count = SAMPLES;
		hr = ID3D11Device_CreateTexture2D(device, &desc, data, (ID3D11Texture2D **)&resource);
	}
	if (FAILED(hr))
		tap_diag("%s: %#x", k->name, (unsigned)hr);
	return resource;
}

static void bind_target(struct test11 *t, ID3D11RenderTargetView *view, ID3D11DepthStencilView *depth,
			const struct kind *kind)
{
	D3D11_VIEWPORT viewport = {0, 0, (float)kind->width, (float)kind->height, 0, 1};

	ID3D11DeviceContext_OMSetRenderTargets(t->context, view ? 1 : 0, &view, depth);
	ID3D11DeviceContext_RSSetViewports(t->context, 1, &viewport);
}

/* ---- reading ---- */

/* The sum of a subresource of a staging copy. */
static uint64_t sum_of(const struct item *item, ID3D11Resource *staging, UINT subresource)
{
	struct rows rows = rows_of(item->kind, subresource);
	UINT slice_rows = level_of(item->kind->height, subresource % item->kind->levels);
	D3D11_MAPPED_SUBRESOURCE map;
	uint64_t sum = SUM_START;

	if (FAILED(ID3D11DeviceContext_Map(item->t->context, staging, subresource, D3D11_MAP_READ, 0, &map)))
		return 0;
	for (UINT row = 0; row < rows.count; row++)
		sum = add_to_sum(sum, (uint8_t *)map.pData + (size_t)(row / slice_rows) * map.DepthPitch +
				 (size_t)(row % slice_rows) * map.RowPitch, rows.bytes);
	ID3D11DeviceContext_Unmap(item->t->context, staging, subresource);
	return sum;
}

/* Reads all of an item's subresources. Returns how many are not as they should be; `take` makes them so. */
static unsigned look(struct item *item, bool take)
{
	ID3D11Resource *staging = create(item, D3D11_USAGE_STAGING, 0, NULL);
	unsigned wrong = 0;

	if (!staging)
		return 1;
	ID3D11DeviceContext_CopyResource(item->t->context, staging, item->resource);
	for (UINT i = 0; i < subresources(item->kind); i++) {
		uint64_t sum = sum_of(item, staging, i);

		wrong += !sum || (!take && sum != item->sums[i]);
		item->sums[i] = take ? sum : item->sums[i];
	}
	ID3D11Resource_Release(staging);
	return wrong;
}

/* ---- multisampled targets: sample n has only component n ---- */

static void write_sample(const struct item *item, ID3D11RenderTargetView *view, UINT sample, const float color[4])
{
	unsigned which = (unsigned)(item->t - devices);

	bind_target(item->t, view, NULL, item->kind);
	ID3D11DeviceContext_OMSetBlendState(item->t->context, NULL, NULL, 1u << sample);
	test11_draw_rect(item->t, &pipes[which], -1, 1, 1, -1, 0, color);
	ID3D11DeviceContext_OMSetBlendState(item->t->context, NULL, NULL, ~0u);
	ID3D11DeviceContext_OMSetRenderTargets(item->t->context, 0, NULL, NULL);
}

static void write_samples(const struct item *item)
{
	ID3D11RenderTargetView *view;

	if (FAILED(ID3D11Device_CreateRenderTargetView(item->t->device, item->resource, NULL, &view)))
		return;
	for (UINT sample = 0; sample < SAMPLES; sample++) {
		float color[4] = {0};

		color[(sample + item->seed) % SAMPLES] = 1;
		write_sample(item, view, sample, color);
	}
	ID3D11RenderTargetView_Release(view);
}

/* The average of all samples at (x, y). */
static uint32_t resolved(const struct item *item, ID3D11Resource *source, ID3D11Resource *plain, ID3D11Resource *staging)
{
	ID3D11DeviceContext *context = item->t->context;
	D3D11_MAPPED_SUBRESOURCE map;
	uint32_t pixel = 0, last = 0;

	ID3D11DeviceContext_ResolveSubresource(context, plain, 0, source, 0, item->kind->format);
	ID3D11DeviceContext_CopyResource(context, staging, plain);
	if (FAILED(ID3D11DeviceContext_Map(context, staging, 0, D3D11_MAP_READ, 0, &map)))
		return 0;
	memcpy(&pixel, map.pData, 4);
	memcpy(&last, (char *)map.pData + (size_t)(item->kind->height - 1) * map.RowPitch + (item->kind->width - 1) * 4, 4);
	ID3D11DeviceContext_Unmap(context, staging, 0);
	return pixel == last ? pixel : 0;
}

/* Whether the components are a quarter of one, or nothing. */
static bool has_components(uint32_t pixel, unsigned mask)
{
	for (unsigned i = 0; i < 4; i++) {
		uint32_t component = pixel >> 8 * i & 0xff;

		if (mask & 1u << i ? component < 63 || component > 64 : component)
			return false;
	}
	return true;
}

/* In a copy, blackens one sample after the other: each time its component, and no other, must go. */
static unsigned look_at_samples(const struct item *item)
{
	static const float black[4] = {0};
	ID3D11Resource *copy = create(item, D3D11_USAGE_DEFAULT, RT, NULL), *staging, *plain;
	struct kind single = *item->kind;
	struct item other = *item;
	ID3D11RenderTargetView *view = NULL;
	unsigned mask = 15, wrong = 0;

	single.shape = TEXTURE_2D;
	other.kind = &single;
	plain = create(&other, D3D11_USAGE_DEFAULT, RT, NULL);
	staging = create(&other, D3D11_USAGE_STAGING, 0, NULL);
	if (!copy || !plain || !staging ||
	    FAILED(ID3D11Device_CreateRenderTargetView(item->t->device, copy, NULL, &view)))
		return 1;
	ID3D11DeviceContext_CopyResource(item->t->context, copy, item->resource);
	wrong += !has_components(resolved(item, copy, plain, staging), mask);
	for (UINT sample = 0; sample < SAMPLES; sample++) {
		write_sample(item, view, sample, black);
		mask &= ~(1u << (sample + item->seed) % SAMPLES);
		wrong += !has_components(resolved(item, copy, plain, staging), mask);
	}
	ID3D11RenderTargetView_Release(view);
	ID3D11Resource_Release(copy);
	ID3D11Resource_Release(plain);
	ID3D11Resource_Release(staging);
	return wrong;
}

/* ---- making and changing ---- */

/* Four quarters of different depth. */
static void draw_depth(const struct item *item)
{
	static const float white[4] = {1, 1, 1, 1};
	unsigned which = (unsigned)(item->t - devices);
	ID3D11DepthStencilView *view;

	if (FAILED(ID3D11Device_CreateDepthStencilView(item->t->device, item->resource, NULL, &view)))
		return;
	ID3D11DeviceContext_ClearDepthStencilView(item->t->context, view, D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, 1,
						  (UINT8)item->seed);
	bind_target(item->t, NULL, view, item->kind);
	for (unsigned i = 0; i < 4; i++)
		test11_draw_rect(item->t, &pipes[which], (float)(i & 1) - 1, (float)(i >> 1), (float)(i & 1),
				 (float)(i >> 1) - 1, (float)(item->seed % 50 + i) / 64, white);
	ID3D11DeviceContext_OMSetRenderTargets(item->t->context, 0, NULL, NULL);
	ID3D11DepthStencilView_Release(view);
}

static bool make_with_pattern(struct item *item)
{
	UINT count = subresources(item->kind);
	D3D11_SUBRESOURCE_DATA *data = calloc(count, sizeof(*data));

	for (UINT i = 0; i < count; i++) {
		struct rows rows = rows_of(item->kind, i);
		size_t size = (size_t)rows.bytes * rows.count;
		uint8_t *bytes = malloc(size);

		fill_pattern(item, i, bytes, size);
		item->sums[i] = add_to_sum(SUM_START, bytes, size);
		data[i] = (D3D11_SUBRESOURCE_DATA){bytes, rows.bytes,
						   rows.bytes * level_of(item->kind->height, i % item->kind->levels)};
	}
	item->resource = create(item, D3D11_USAGE_DEFAULT, item->kind->bind, data);
	for (UINT i = 0; i < count; i++)
		free((void *)data[i].pSysMem);
	free(data);
	return item->resource;
}

static bool make(struct item *item)
{
	item->sums = calloc(subresources(item->kind), sizeof(*item->sums));
	if (item->kind->shape != DEPTH && item->kind->shape != MULTISAMPLED)
		return make_with_pattern(item);
	item->resource = create(item, D3D11_USAGE_DEFAULT, item->kind->bind, NULL);
	if (!item->resource)
		return false;
	if (item->kind->shape == MULTISAMPLED) {
		write_samples(item);
		return !look_at_samples(item);
	}
	draw_depth(item);
	return !look(item, true);
}

/* Clears one subresource through a view of it, made now: a render target between evictions. */
static void clear_part(struct item *item, unsigned round)
{
	const struct kind *k = item->kind;
	UINT level = round % k->levels, slice = k->shape == TEXTURE_3D ? 0 : round % k->depth;
	UINT subresource = level + slice * k->levels;
	struct rows rows = rows_of(k, subresource);
	D3D11_RENDER_TARGET_VIEW_DESC desc = {.Format = k->format};
	uint8_t texel[4] = {(uint8_t)item->seed, (uint8_t)(17 * round), 200, (uint8_t)(item->seed + round)};
	float color[4] = {texel[0] / 255.0f, texel[1] / 255.0f, texel[2] / 255.0f, texel[3] / 255.0f};
	uint64_t sum = SUM_START;
	ID3D11RenderTargetView *view;

	if (k->shape == TEXTURE_3D) {
		desc.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE3D;
		desc.Texture3D = (D3D11_TEX3D_RTV){level, 0, level_of(k->depth, level)};
	} else {
		desc.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2DARRAY;
		desc.Texture2DArray = (D3D11_TEX2D_ARRAY_RTV){level, slice, 1};
	}
	if (FAILED(ID3D11Device_CreateRenderTargetView(item->t->device, item->resource, &desc, &view)))
		return;
	ID3D11DeviceContext_ClearRenderTargetView(item->t->context, view, color);
	ID3D11RenderTargetView_Release(view);
	for (size_t i = 0; i < (size_t)rows.bytes * rows.count; i += 4)
		sum = add_to_sum(sum, texel, 4);
	item->sums[subresource] = sum;
}

/* ---- the test ---- */

static void make_items(void)
{
	unsigned failed = 0;

	for (size_t k = 0; k < COUNT(kinds); k++)
		for (unsigned i = 0; i < kinds[k].count; i++) {
			struct item *item = &items[item_count];

			*item = (struct item){&kinds[k], &devices[i & 1], NULL, item_count + 1, NULL};
			failed += !make(item);
			item_count++;
		}
	tap_eq(failed, 0, "%u resources on two devices", item_count);
}

/* Looks at an item, and draws into it. Returns how many of its subresources were wrong. */
static unsigned look_at_item(struct item *item, unsigned round)
{
	unsigned wrong = item->kind->shape == MULTISAMPLED ? look_at_samples(item) : look(item, false);

	if (item->kind->bind & RT && item->kind->shape != MULTISAMPLED)
		clear_part(item, round);
	return wrong;
}

static void test_rounds(void)
{
	unsigned wrong[COUNT(kinds)] = {0};

	for (unsigned round = 0; round < ROUNDS; round++)
		for (unsigned i = 0; i < item_count; i++) {
			struct item *item = &items[(i * 5 + round) % item_count];

			wrong[item->kind - kinds] += look_at_item(item, round);
		}
	for (size_t k = 0; k < COUNT(kinds); k++)
		tap_eq(wrong[k], 0, "%s: %u of them keep every bit through %u rounds", kinds[k].name, kinds[k].count,
		       ROUNDS);
}

static void release_items(void)
{
	for (unsigned i = 0; i < item_count; i++) {
		if (items[i].resource)
			ID3D11Resource_Release(items[i].resource);
		free(items[i].sums);
	}
}

/* A resource that is larger than the pool, which nothing can make room for. */
static void test_too_large(uint64_t pool)
{
	D3D11_TEXTURE3D_DESC desc = {1024, 1024, 64, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, SR, 0, 0};
	ID3D11Texture3D *texture = NULL;

	if (pool > 256u << 20)
		return;
	tap_eq(ID3D11Device_CreateTexture3D(devices[0].device, &desc, NULL, &texture), E_OUTOFMEMORY,
	       "a resource larger than the pool is E_OUTOFMEMORY");
	tap_eq(ID3D11Device_GetDeviceRemovedReason(devices[0].device), S_OK, "and the device goes on");
}

static void run(void)
{
	struct d3dgpu_statistics statistics;

	for (unsigned i = 0; i < 2; i++) {
		test11_must_open(&devices[i]);
		if (!test11_color_pipe(&devices[i], &pipes[i]))
			tap_bail("no shaders");
	}
	if (devices[0].level >= D3D_FEATURE_LEVEL_10_0) {
		D3DGPUGetStatistics11(devices[0].device, &statistics);
		tap_diag("a pool of %llu MiB", (unsigned long long)statistics.vram_size >> 20);
		make_items();
		test_rounds();
		release_items();
		test_too_large(statistics.vram_size);
	}
	for (unsigned i = 0; i < 2; i++) {
		tap_eq(ID3D11Device_GetDeviceRemovedReason(devices[i].device), S_OK, "device %u was not lost", i);
		test11_color_pipe_destroy(&pipes[i]);
		test11_close(&devices[i]);
	}
}

int main(int argc, char **argv)
{
	if (argc == 1 && child_can_choose_gpu())
		child_run("vram=64M", "overcommit", "64 MiB");
	else
		run();
	return tap_done();
}
