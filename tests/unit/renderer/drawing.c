/* SPDX-License-Identifier: MIT */
#include "drawing.h"

#include <string.h>

#include "d3dgpu_stream.h"
#include "tap.h"

enum handle {
	COLOR_SURFACE = 1,
	DEPTH_SURFACE,
	VIEW,
	BLEND,
	DSA,
	RASTERIZER,
	ELEMENTS,
	SAMPLER,
	VERTEX_SHADER,
	PIXEL_SHADER,
};

static const char vertex_shader[] = "VERT\n"
				    "DCL IN[0]\n"
				    "DCL IN[1]\n"
				    "DCL OUT[0], POSITION\n"
				    "DCL OUT[1], GENERIC[0]\n"
				    "DCL CONST[0]\n"
				    "  0: ADD OUT[0], IN[0], CONST[0]\n"
				    "  1: MOV OUT[1], IN[1]\n"
				    "  2: END\n";

static const char pixel_shader[] = "FRAG\n"
				   "PROPERTY FS_COORD_ORIGIN UPPER_LEFT\n"
				   "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
				   "DCL OUT[0], COLOR\n"
				   "DCL SAMP[0]\n"
				   "DCL SVIEW[0], 2D, FLOAT\n"
				   "DCL CONST[1][0]\n"
				   "DCL TEMP[0]\n"
				   "  0: TEX TEMP[0], IN[0], SAMP[0], 2D\n"
				   "  1: MUL OUT[0], TEMP[0], CONST[1][0]\n"
				   "  2: END\n";

/* x, y, z, w, u, v, 0, 0: two triangles that overlap */
static const float corners[6][8] = {
	{-0.9f, -0.9f, 0.5f, 1, 0, 0, 0, 0}, {0.7f, -0.8f, 0.6f, 1, 2, 0, 0, 0}, {-0.1f, 0.8f, 0.4f, 1, 1, 2, 0, 0},
	{-0.6f, 0.9f, 0.3f, 1, 0, 1, 0, 0},  {0.9f, 0.6f, 0.2f, 1, 1, 1, 0, 0},  {0.2f, -0.7f, 0.7f, 1, 0.5f, 0, 0, 0},
};
static const uint16_t indices[6] = {0, 1, 2, 5, 3, 4};
static const float tint[4] = {0.75f, 0.5f, 1.0f, 0.25f};

static uint32_t bits(float value)
{
	uint32_t result;

	memcpy(&result, &value, 4);
	return result;
}

struct d3dgpu_resource_desc drawing_resource(uint32_t id)
{
	struct d3dgpu_resource_desc texture = client_texture(D3DGPU_FMT_R8G8B8A8_UNORM, D3DGPU_BIND_SAMPLER_VIEW, 64, 64);

	switch ((enum drawing_resource_id)id) {
	case DRAWING_COLOR:
		return client_texture(D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW,
				      DRAWING_SIZE, DRAWING_SIZE);
	case DRAWING_DEPTH:
		return client_texture(D3DGPU_FMT_S8_UINT_Z24_UNORM, D3DGPU_BIND_DEPTH_STENCIL, DRAWING_SIZE,
				      DRAWING_SIZE);
	case DRAWING_VERTICES:
		return client_buffer(D3DGPU_BIND_VERTEX_BUFFER, 4096);
	case DRAWING_INDICES:
		return client_buffer(D3DGPU_BIND_INDEX_BUFFER, 4096);
	case DRAWING_UNIFORMS:
		return client_buffer(D3DGPU_BIND_CONSTANT_BUFFER, 4096);
	case DRAWING_TEXTURE:
	default:
		texture.last_level = 6;
		return texture;
	}
}

uint64_t drawing_place(uint32_t id)
{
	return id * 0x100000ull;
}

/* Every byte of the texture is another, so that a wrong texel shows. */
static void fill_texture(uint8_t *image, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		image[i] = (uint8_t)(i * 7 ^ i >> 8);
}

void drawing_create(struct client *client)
{
	fill_texture(client->vram + drawing_place(DRAWING_TEXTURE), 0x10000);
	memcpy(client->vram + drawing_place(DRAWING_VERTICES), corners, sizeof(corners));
	memcpy(client->vram + drawing_place(DRAWING_INDICES), indices, sizeof(indices));
	memcpy(client->vram + drawing_place(DRAWING_UNIFORMS), tint, sizeof(tint));
	for (uint32_t id = DRAWING_COLOR; id <= DRAWING_TEXTURE; id++) {
		struct d3dgpu_resource_desc desc = drawing_resource(id);

		if (client_create(client, id, &desc, drawing_place(id)) != D3DGPU_FAULT_NONE ||
		    client_transfer(client, D3DGPU_OP_LOAD, id, 0, 0) != D3DGPU_FAULT_NONE)
			tap_bail("resource %u of the drawing could not be created", id);
	}
}

void drawing_view(struct stream *stream, uint32_t handle)
{
	stream_add(stream, STREAM_HEADER(1, 6, 6), handle, DRAWING_TEXTURE, D3DGPU_FMT_R8G8B8A8_UNORM, 0, 6u << 8, 0x688);
}

static void put_objects(struct stream *stream)
{
	/* added to the target: ADD, ONE, ONE for colour and alpha, all components written */
	uint32_t add = 1u | 1u << 4 | 1u << 9 | 1u << 17 | 1u << 22 | 0xfu << 27;

	stream_add(stream, STREAM_HEADER(1, 8, 5), COLOR_SURFACE, DRAWING_COLOR, D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0);
	stream_add(stream, STREAM_HEADER(1, 8, 5), DEPTH_SURFACE, DRAWING_DEPTH, D3DGPU_FMT_S8_UINT_Z24_UNORM, 0, 0);
	drawing_view(stream, VIEW);
	stream_add(stream, STREAM_HEADER(1, 1, 11), BLEND, 0, 0, add, add, add, add, add, add, add, add);
	stream_add(stream, STREAM_HEADER(1, 3, 5), DSA, 7, 0, 0, 0);
	stream_add(stream, STREAM_HEADER(1, 2, 9), RASTERIZER, 0x20008006, bits(1), 0, 0, bits(1), 0, 0, 0);
	stream_add(stream, STREAM_HEADER(1, 7, 9), SAMPLER, 1u << 9 | 1u << 11 | 1u << 13, 0, 0, bits(6), 0, 0, 0, 0);
	stream_add(stream, STREAM_HEADER(1, 5, 9), ELEMENTS, 0, 0, 0, D3DGPU_FMT_R32G32B32A32_FLOAT, 16, 0, 0,
		   D3DGPU_FMT_R32G32B32A32_FLOAT);
	stream_shader(stream, VERTEX_SHADER, 0, vertex_shader);
	stream_shader(stream, PIXEL_SHADER, 1, pixel_shader);
}

void drawing_begin(struct stream *stream)
{
	uint32_t half = bits(DRAWING_SIZE / 2.0f);

	put_objects(stream);
	stream_add(stream, STREAM_HEADER(2, 1, 1), BLEND, STREAM_HEADER(2, 3, 1), DSA, STREAM_HEADER(2, 2, 1), RASTERIZER,
		   STREAM_HEADER(2, 5, 1), ELEMENTS);
	stream_add(stream, STREAM_HEADER(31, 0, 2), VERTEX_SHADER, 0, STREAM_HEADER(31, 0, 2), PIXEL_SHADER, 1);
	stream_add(stream, STREAM_HEADER(5, 0, 3), 1, DEPTH_SURFACE, COLOR_SURFACE);
	stream_add(stream, STREAM_HEADER(10, 0, 3), 1, 0, VIEW, STREAM_HEADER(18, 0, 3), 1, 0, SAMPLER);
	stream_add(stream, STREAM_HEADER(6, 0, 3), sizeof(corners[0]), 0, DRAWING_VERTICES);
	stream_add(stream, STREAM_HEADER(27, 0, 5), 1, 1, 0, 256, DRAWING_UNIFORMS);
	stream_add(stream, STREAM_HEADER(12, 0, 6), 0, 0, bits(0.05f), bits(-0.05f), 0, 0);
	stream_add(stream, STREAM_HEADER(4, 0, 7), 0, half, bits(-(DRAWING_SIZE / 2.0f)), bits(1), half, half, 0);
	stream_add(stream, STREAM_HEADER(7, 0, 8), 7, bits(0.1f), bits(0.2f), bits(0.3f), bits(1), 0, 0x3ff00000, 9);
	/* The offset of the draw's indices is bound with the buffer: the draws take them by their count. */
	stream_add(stream, STREAM_HEADER(11, 0, 3), DRAWING_INDICES, 2, 0);
}

void drawing_draw(struct stream *stream, uint32_t triangle)
{
	/* The second draw takes both triangles: LESS hides what the first has drawn, except where they overlap nearer. */
	stream_add(stream, STREAM_HEADER(8, 0, 12), 0, triangle ? 6 : 3, 4, 1, 1, 0, 0, 0, 0, 0, 5, 0);
}

void drawing_destroy_handles(struct stream *stream)
{
	static const struct {
		uint32_t type, handle;
	} objects[] = {
		{8, COLOR_SURFACE}, {8, DEPTH_SURFACE}, {6, VIEW}, {1, BLEND}, {2, RASTERIZER},
		{4, VERTEX_SHADER}, {4, PIXEL_SHADER},
	};

	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		stream_add(stream, STREAM_HEADER(3, objects[i].type, 1), objects[i].handle);
	drawing_view(stream, COLOR_SURFACE);
	stream_add(stream, STREAM_HEADER(1, 3, 5), BLEND, 0, 0, 0, 0);
	/* replaces what is in use, and takes what a worker might have chosen for itself */
	drawing_view(stream, D3DGPU_STREAM_MAX_HANDLE);
	drawing_view(stream, D3DGPU_STREAM_MAX_HANDLE - 1);
}

void drawing_destroy_states(struct stream *stream)
{
	stream_add(stream, STREAM_HEADER(3, 3, 1), DSA, STREAM_HEADER(3, 7, 1), SAMPLER);
}
