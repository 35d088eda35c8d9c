/* SPDX-License-Identifier: MIT */
/*
 * LOAD and FLUSH: what a resource's linear image holds survives a way through the engine, for every kind of resource,
 * and nothing else in VRAM is touched. EVICT and RESTORE do the same, with the image moved in between.
 */
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "tap.h"

#define RESOURCE 20
#define IMAGE_AT 0x1000000u
#define MOVED_AT 0x2000000u
#define FILL 0xa5
#define GUARD 4096u			/* bytes around the image that must stay */

/* How the bits of a texel may be chosen: what the format has no place for does not come back. */
enum content {
	ANY,			/* every bit pattern */
	UNIT_FLOATS,		/* 32-bit floats between 0 and 1: depth */
	FLOAT_STENCIL,		/* a float between 0 and 1, a stencil byte, three unused bytes 0 */
};

static uint32_t random_word(void)
{
	static uint32_t state = 12345;

	state = state * 1664525 + 1013904223;
	return state >> 8 ^ state << 13;
}

static uint32_t random_unit_float(void)
{
	float value = (float)(random_word() >> 8) / 16777216.0f;
	uint32_t word;

	memcpy(&word, &value, 4);
	return word;
}

static void fill_texel(uint8_t *texel, uint32_t bytes, enum content content)
{
	uint32_t words[4] = {random_word(), random_word(), random_word(), random_word()};

	if (content == UNIT_FLOATS || content == FLOAT_STENCIL)
		words[0] = random_unit_float();
	if (content == FLOAT_STENCIL)
		words[1] &= 0xff;
	memcpy(texel, words, bytes);
}

/* Fills the image: FILL everywhere, random texels where the resource has texels. */
static void fill_image(uint8_t *image, const struct d3dgpu_resource_desc *desc, enum content content)
{
	struct d3dgpu_block block = d3dgpu_format_block(desc->format);

	memset(image, FILL, d3dgpu_linear_size(desc));
	/* The images of the samples follow each other as layers do. */
	for (uint32_t layer = 0; layer < d3dgpu_layer_count(desc) * (desc->samples ? desc->samples : 1); layer++) {
		for (uint32_t level = 0; level <= desc->last_level; level++) {
			uint32_t pitch = d3dgpu_linear_pitch(desc, level);
			uint32_t rows = (d3dgpu_level_extent(desc->height, level) + block.height - 1) / block.height;
			uint32_t columns = (d3dgpu_level_extent(desc->width, level) + block.width - 1) / block.width;
			uint8_t *row = image + d3dgpu_linear_offset(desc, level, layer);

			if (desc->target == D3DGPU_TARGET_3D)
				rows *= d3dgpu_level_extent(desc->depth, level);
			for (uint32_t y = 0; y < rows; y++, row += pitch)
				for (uint32_t x = 0; x < columns; x++)
					fill_texel(row + x * block.bytes, block.bytes, content);
		}
	}
}

/* The content goes out of the engine and into it again, at another place; the image left behind is not looked at. */
static void move_image(struct client *client, const char *name, const struct d3dgpu_resource_desc *desc)
{
	size_t size = d3dgpu_linear_size(desc);

	if (client_evict(client, RESOURCE, D3DGPU_EVICT_FLUSH) != D3DGPU_FAULT_NONE)
		tap_bail("%s: cannot be evicted", name);
	memcpy(client->vram + MOVED_AT, client->vram + IMAGE_AT, size);
	memset(client->vram + IMAGE_AT, 0xee, size);
	if (client_restore(client, RESOURCE, MOVED_AT, size, D3DGPU_RESTORE_LOAD) != D3DGPU_FAULT_NONE)
		tap_bail("%s: cannot be restored", name);
	memset(client->vram + MOVED_AT, FILL, size);
	if (client_transfer(client, D3DGPU_OP_FLUSH, RESOURCE, 0, 0) != D3DGPU_FAULT_NONE)
		tap_bail("%s: cannot be flushed", name);
}

/* Loads random content, lets the image be overwritten, flushes, compares all of the image and what is around it. */
static void check_round_trip(struct client *client, const char *name, const struct d3dgpu_resource_desc *desc,
			     enum content content)
{
	size_t size = d3dgpu_linear_size(desc);
	uint8_t *image = client->vram + IMAGE_AT;
	uint8_t *want = malloc(size + 2 * GUARD);

	if (!want)
		tap_bail("no memory");
	memset(image - GUARD, FILL, size + 2 * GUARD);
	fill_image(image, desc, content);
	memcpy(want, image - GUARD, size + 2 * GUARD);
	if (client_create(client, RESOURCE, desc, IMAGE_AT) != D3DGPU_FAULT_NONE ||
	    client_transfer(client, D3DGPU_OP_LOAD, RESOURCE, 0, 0) != D3DGPU_FAULT_NONE)
		tap_bail("%s: cannot be created and loaded", name);
	memset(image, FILL, size);
	if (client_transfer(client, D3DGPU_OP_FLUSH, RESOURCE, 0, 0) != D3DGPU_FAULT_NONE)
		tap_bail("%s: cannot be flushed", name);
	tap_mem(image - GUARD, want, size + 2 * GUARD, "%s: every texel survives, nothing else is touched", name);
	move_image(client, name, desc);
	tap_mem(client->vram + MOVED_AT, want + GUARD, size, "%s: eviction, a move and restoring change no texel", name);
	client_destroy(client, RESOURCE);
	free(want);
}

/* Z24X8 is not here: the engine converts it by floats, which costs its low bits. D24X8 is stored as S8_UINT_Z24. */
static void check_formats(struct client *client)
{
	static const struct {
		uint16_t format;
		enum content content;
	} formats[] = {
		{D3DGPU_FMT_B8G8R8A8_UNORM, ANY}, {D3DGPU_FMT_B8G8R8X8_UNORM, ANY}, {D3DGPU_FMT_R8G8B8A8_UNORM, ANY},
		{D3DGPU_FMT_B8G8R8A8_SRGB, ANY}, {D3DGPU_FMT_R8G8B8A8_SRGB, ANY}, {D3DGPU_FMT_B5G5R5A1_UNORM, ANY},
		{D3DGPU_FMT_B4G4R4A4_UNORM, ANY}, {D3DGPU_FMT_B5G6R5_UNORM, ANY}, {D3DGPU_FMT_R10G10B10A2_UNORM, ANY},
		{D3DGPU_FMT_L8_UNORM, ANY}, {D3DGPU_FMT_A8_UNORM, ANY}, {D3DGPU_FMT_L16_UNORM, ANY},
		{D3DGPU_FMT_R8_UNORM, ANY}, {D3DGPU_FMT_R8G8_UNORM, ANY}, {D3DGPU_FMT_R8G8_SNORM, ANY},
		{D3DGPU_FMT_R8G8B8A8_SNORM, ANY}, {D3DGPU_FMT_R8G8B8A8_UINT, ANY}, {D3DGPU_FMT_R8G8B8A8_SINT, ANY},
		{D3DGPU_FMT_R16_UNORM, ANY}, {D3DGPU_FMT_R16G16_UNORM, ANY}, {D3DGPU_FMT_R16G16B16A16_UNORM, ANY},
		{D3DGPU_FMT_R16G16B16A16_SNORM, ANY}, {D3DGPU_FMT_R16G16B16A16_UINT, ANY},
		{D3DGPU_FMT_R16_FLOAT, ANY}, {D3DGPU_FMT_R16G16_FLOAT, ANY}, {D3DGPU_FMT_R16G16B16A16_FLOAT, ANY},
		{D3DGPU_FMT_R32_FLOAT, ANY}, {D3DGPU_FMT_R32G32_FLOAT, ANY}, {D3DGPU_FMT_R32G32B32_FLOAT, ANY},
		{D3DGPU_FMT_R32G32B32A32_FLOAT, ANY}, {D3DGPU_FMT_R32_UINT, ANY}, {D3DGPU_FMT_R32G32B32A32_SINT, ANY},
		{D3DGPU_FMT_R11G11B10_FLOAT, ANY}, {D3DGPU_FMT_R9G9B9E5_FLOAT, ANY},
		{D3DGPU_FMT_DXT1_RGBA, ANY}, {D3DGPU_FMT_DXT3_RGBA, ANY}, {D3DGPU_FMT_DXT5_RGBA, ANY},
		{D3DGPU_FMT_DXT5_SRGBA, ANY}, {D3DGPU_FMT_RGTC1_UNORM, ANY}, {D3DGPU_FMT_RGTC2_SNORM, ANY},
		{D3DGPU_FMT_BPTC_RGBA_UNORM, ANY}, {D3DGPU_FMT_BPTC_RGB_UFLOAT, ANY},
		{D3DGPU_FMT_Z16_UNORM, ANY}, {D3DGPU_FMT_Z32_UNORM, ANY}, {D3DGPU_FMT_Z32_FLOAT, UNIT_FLOATS},
		{D3DGPU_FMT_S8_UINT_Z24_UNORM, ANY},
		{D3DGPU_FMT_Z32_FLOAT_S8X24_UINT, FLOAT_STENCIL},
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		const char *name = d3dgpu_format_name(formats[i].format);
		bool depth = name[0] == 'Z' || formats[i].format == D3DGPU_FMT_S8_UINT_Z24_UNORM;
		struct d3dgpu_resource_desc desc = client_texture(
			formats[i].format, D3DGPU_BIND_SAMPLER_VIEW | (depth ? D3DGPU_BIND_DEPTH_STENCIL : 0), 21, 13);

		check_round_trip(client, name, &desc, formats[i].content);
	}
}

#define DESC(f, t, b, w, h, d, layers, last) \
	{.format = D3DGPU_FMT_##f, .target = D3DGPU_TARGET_##t, .bind = b, .width = w, .height = h, .depth = d, \
	 .array_size = layers, .last_level = last}
#define COLOR (D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW)
#define DEPTH (D3DGPU_BIND_DEPTH_STENCIL | D3DGPU_BIND_SAMPLER_VIEW)
#define VIEW D3DGPU_BIND_SAMPLER_VIEW

static void check_shapes(struct client *client)
{
	static const struct {
		const char *name;
		struct d3dgpu_resource_desc desc;
	} shapes[] = {
		{"buffer", DESC(R8_UNORM, BUFFER, D3DGPU_BIND_VERTEX_BUFFER, 12345, 1, 1, 1, 0)},
		{"buffer of many uses",
		 DESC(R8_UNORM, BUFFER,
		      D3DGPU_BIND_VERTEX_BUFFER | D3DGPU_BIND_INDEX_BUFFER | D3DGPU_BIND_STREAM_OUTPUT, 4000, 1, 1, 1,
		      0)},
		{"texel buffer", DESC(R8_UNORM, BUFFER, VIEW | D3DGPU_BIND_SHADER_BUFFER, 4096, 1, 1, 1, 0)},
		{"1D with levels", DESC(B8G8R8A8_UNORM, 1D, COLOR, 37, 1, 1, 1, 5)},
		{"1D array", DESC(B8G8R8A8_UNORM, 1D_ARRAY, COLOR, 37, 1, 1, 5, 3)},
		{"2D with levels", DESC(B8G8R8A8_UNORM, 2D, COLOR, 37, 21, 1, 1, 5)},
		{"2D array with levels", DESC(B8G8R8A8_UNORM, 2D_ARRAY, COLOR, 37, 21, 1, 5, 3)},
		{"cube with levels", DESC(B8G8R8A8_UNORM, CUBE, COLOR, 32, 32, 1, 6, 5)},
		{"cube array with levels", DESC(B8G8R8A8_UNORM, CUBE_ARRAY, COLOR, 32, 32, 1, 12, 5)},
		{"volume with levels", DESC(B8G8R8A8_UNORM, 3D, COLOR, 37, 21, 9, 1, 5)},
		{"volume of 12-byte texels", DESC(R32G32B32_FLOAT, 3D, VIEW, 19, 11, 5, 1, 2)},
		{"BC1 with levels", DESC(DXT1_RGBA, 2D, VIEW, 64, 32, 1, 1, 6)},
		{"BC1 array with levels", DESC(DXT1_RGBA, 2D_ARRAY, VIEW, 64, 32, 1, 3, 6)},
		{"BC1 cube with levels", DESC(DXT1_RGBA, CUBE, VIEW, 64, 64, 1, 6, 6)},
		{"BC3 cube array with levels", DESC(DXT5_RGBA, CUBE_ARRAY, VIEW, 64, 64, 1, 12, 6)},
		{"BC7 array with levels", DESC(BPTC_RGBA_UNORM, 2D_ARRAY, VIEW, 64, 32, 1, 3, 6)},
		{"BC7 volume with levels", DESC(BPTC_RGBA_UNORM, 3D, VIEW, 64, 32, 4, 1, 2)},
		{"D24S8 array with levels", DESC(S8_UINT_Z24_UNORM, 2D_ARRAY, DEPTH, 37, 21, 1, 5, 3)},
		{"D24S8 cube with levels", DESC(S8_UINT_Z24_UNORM, CUBE, DEPTH, 32, 32, 1, 6, 3)},
		{"D16 cube", DESC(Z16_UNORM, CUBE, DEPTH, 32, 32, 1, 6, 0)},
	};

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		check_round_trip(client, shapes[i].name, &shapes[i].desc, ANY);
}

static void check_samples(struct client *client)
{
	static const struct {
		const char *name;
		uint16_t format;
		uint32_t bind;
		uint16_t layers;
		enum content content;
	} resources[] = {
		{"4 samples of B8G8R8A8", D3DGPU_FMT_B8G8R8A8_UNORM, COLOR, 1, ANY},
		{"4 samples of a B8G8R8A8 array", D3DGPU_FMT_B8G8R8A8_UNORM, COLOR, 3, ANY},
		{"4 samples of R8G8B8A8_SRGB", D3DGPU_FMT_R8G8B8A8_SRGB, COLOR, 1, ANY},
		{"4 samples of R16G16B16A16_UNORM", D3DGPU_FMT_R16G16B16A16_UNORM, COLOR, 1, ANY},
		{"4 samples of R10G10B10A2", D3DGPU_FMT_R10G10B10A2_UNORM, COLOR, 1, ANY},
		{"4 samples of R32_FLOAT", D3DGPU_FMT_R32_FLOAT, COLOR, 1, UNIT_FLOATS},
		{"4 samples of R32G32B32A32_UINT", D3DGPU_FMT_R32G32B32A32_UINT, COLOR, 1, ANY},
		{"4 samples of R16G16_SINT", D3DGPU_FMT_R16G16_SINT, COLOR, 1, ANY},
		{"4 samples of D16", D3DGPU_FMT_Z16_UNORM, DEPTH, 1, ANY},
		{"4 samples of D32F", D3DGPU_FMT_Z32_FLOAT, DEPTH, 1, UNIT_FLOATS},
		{"4 samples of D24S8", D3DGPU_FMT_S8_UINT_Z24_UNORM, DEPTH, 1, ANY},
		{"4 samples of a D24S8 array", D3DGPU_FMT_S8_UINT_Z24_UNORM, DEPTH, 2, ANY},
		{"4 samples of D32F and stencil", D3DGPU_FMT_Z32_FLOAT_S8X24_UINT, DEPTH, 1, FLOAT_STENCIL},
	};

	for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++) {
		struct d3dgpu_resource_desc desc = client_texture(resources[i].format, resources[i].bind, 37, 21);

		desc.samples = 4;
		desc.array_size = resources[i].layers;
		desc.target = resources[i].layers > 1 ? D3DGPU_TARGET_2D_ARRAY : D3DGPU_TARGET_2D;
		check_round_trip(client, resources[i].name, &desc, resources[i].content);
	}
}

/* Subresource numbers: level + layer * levels. */
static void check_one_subresource(struct client *client)
{
	static const struct d3dgpu_resource_desc desc = DESC(B8G8R8A8_UNORM, 2D_ARRAY, COLOR, 32, 32, 1, 3, 2);
	uint64_t at = d3dgpu_linear_offset(&desc, 1, 2);
	uint32_t size = (uint32_t)d3dgpu_linear_level_size(&desc, 1);
	uint8_t *image = client->vram + IMAGE_AT;
	uint8_t zeros[4096] = {0};

	memset(image, 0x11, d3dgpu_linear_size(&desc));
	client_create(client, RESOURCE, &desc, IMAGE_AT);
	client_transfer(client, D3DGPU_OP_LOAD, RESOURCE, 0, 0);
	memset(image, 0, d3dgpu_linear_size(&desc));
	tap_eq(client_transfer(client, D3DGPU_OP_FLUSH, RESOURCE, 7, 1), D3DGPU_FAULT_NONE,
	       "level 1 of layer 2 can be flushed alone");
	tap_ok(image[at] == 0x11 && image[at + size - 1] == 0x11, "and is there");
	tap_mem(image, zeros, 4096, "and layer 0 is untouched");
	tap_ok(!image[at - 1] && !image[at + size], "as are its neighbours");
	client_destroy(client, RESOURCE);
}

int main(void)
{
	struct client client;

	client_start(&client, NULL);
	check_formats(&client);
	check_shapes(&client);
	check_samples(&client);
	check_one_subresource(&client);
	tap_eq(client_end(&client), 0, "the worker ends quietly");
	return tap_done();
}
