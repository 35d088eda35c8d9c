/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "client.h"
#include "tap.h"

void stream_put(struct stream *stream, uint32_t count, const uint32_t *dwords)
{
	if (count > sizeof(stream->dwords) / 4 - stream->count)
		tap_bail("the test's stream is too long");
	memcpy(stream->dwords + stream->count, dwords, count * 4);
	stream->count += count;
}

void stream_shader(struct stream *stream, uint32_t handle, uint32_t stage, const char *text)
{
	uint32_t size = (uint32_t)strlen(text) + 1;
	uint32_t padded[1024] = {0};

	if (size > sizeof(padded))
		tap_bail("the test's shader is too long");
	memcpy(padded, text, size);
	stream_add(stream, STREAM_HEADER(1, 4, 5 + (size + 3) / 4), handle, stage, size, 300, 0);
	stream_put(stream, (size + 3) / 4, padded);
}

static uint32_t bits(float value)
{
	uint32_t result;

	memcpy(&result, &value, 4);
	return result;
}

static const char vertex_shader[] = "VERT\n"
				    "DCL IN[0]\n"
				    "DCL IN[1]\n"
				    "DCL OUT[0], POSITION\n"
				    "DCL OUT[1], GENERIC[0]\n"
				    "  0: MOV OUT[0], IN[0]\n"
				    "  1: MOV OUT[1], IN[1]\n"
				    "  2: END\n";

static const char fragment_shader[] = "FRAG\n"
				      "PROPERTY FS_COORD_ORIGIN UPPER_LEFT\n"
				      "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
				      "DCL OUT[0], COLOR\n"
				      "  0: MOV OUT[0], IN[0]\n"
				      "  1: END\n";

void scene_create(struct client *client)
{
	struct d3dgpu_resource_desc color =
		client_texture(D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW,
			       SCENE_SIZE, SCENE_SIZE);
	struct d3dgpu_resource_desc depth =
		client_texture(D3DGPU_FMT_S8_UINT_Z24_UNORM, D3DGPU_BIND_DEPTH_STENCIL, SCENE_SIZE, SCENE_SIZE);
	struct d3dgpu_resource_desc vertices = client_buffer(D3DGPU_BIND_VERTEX_BUFFER, 4096);

	if (client_create(client, SCENE_COLOR, &color, SCENE_COLOR_AT) ||
	    client_create(client, SCENE_DEPTH, &depth, SCENE_DEPTH_AT) ||
	    client_create(client, SCENE_VERTICES, &vertices, SCENE_VERTICES_AT))
		tap_bail("the scene's resources could not be created");
}

/* x, y, z, w, red, green, blue, alpha */
static const float corners[3][8] = {
	{-0.5f, -0.5f, 0, 1, 1, 0, 0, 1},
	{0.5f, -0.5f, 0, 1, 0, 1, 0, 1},
	{0, 0.8f, 0, 1, 0, 0, 1, 1},
};

void scene_stream(struct stream *stream)
{
	uint32_t write_all = 0xfu << 27;
	uint32_t half = bits(SCENE_SIZE / 2.0f);

	/* RESOURCE_INLINE_WRITE of the vertices */
	stream_add(stream, STREAM_HEADER(9, 0, 11 + 24), SCENE_VERTICES, 0, 0, 0, 0, 0, 0, 0, sizeof(corners), 1, 1);
	stream_put(stream, 24, (const uint32_t *)corners);
	/* surfaces 1 and 2, framebuffer */
	stream_add(stream, STREAM_HEADER(1, 8, 5), 1, SCENE_COLOR, D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0);
	stream_add(stream, STREAM_HEADER(1, 8, 5), 2, SCENE_DEPTH, D3DGPU_FMT_S8_UINT_Z24_UNORM, 0, 0);
	stream_add(stream, STREAM_HEADER(5, 0, 3), 1, 2, 1);
	/* blend 3: off; depth-stencil 4: less; rasterizer 5 */
	stream_add(stream, STREAM_HEADER(1, 1, 11), 3, 0, 0, write_all, write_all, write_all, write_all, write_all,
		   write_all, write_all, write_all);
	stream_add(stream, STREAM_HEADER(1, 3, 5), 4, 7, 0, 0, 0);
	stream_add(stream, STREAM_HEADER(1, 2, 9), 5, 0x20008002, bits(1), 0, 0, bits(1), 0, 0, 0);
	stream_add(stream, STREAM_HEADER(2, 1, 1), 3, STREAM_HEADER(2, 3, 1), 4, STREAM_HEADER(2, 2, 1), 5);
	/* shaders 6 and 7 */
	stream_shader(stream, 6, 0, vertex_shader);
	stream_shader(stream, 7, 1, fragment_shader);
	stream_add(stream, STREAM_HEADER(31, 0, 2), 6, 0, STREAM_HEADER(31, 0, 2), 7, 1);
	/* vertex elements 8: two R32G32B32A32_FLOAT of buffer 0 */
	stream_add(stream, STREAM_HEADER(1, 5, 9), 8, 0, 0, 0, D3DGPU_FMT_R32G32B32A32_FLOAT, 16, 0, 0,
		   D3DGPU_FMT_R32G32B32A32_FLOAT);
	stream_add(stream, STREAM_HEADER(2, 5, 1), 8);
	stream_add(stream, STREAM_HEADER(6, 0, 3), sizeof(corners[0]), 0, SCENE_VERTICES);
	/* viewport, clear of everything, draw */
	stream_add(stream, STREAM_HEADER(4, 0, 7), 0, half, bits(-(SCENE_SIZE / 2.0f)), bits(0.5f), half, half,
		   bits(0.5f));
	stream_add(stream, STREAM_HEADER(7, 0, 8), 7, bits(0.1f), bits(0.2f), bits(0.3f), bits(1), 0, 0x3ff00000, 0);
	stream_add(stream, STREAM_HEADER(8, 0, 12), 0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 2, 0);
}
