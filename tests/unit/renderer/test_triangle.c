/* SPDX-License-Identifier: MIT */
/* The road that every frame takes: hello, resources, a command stream, and the picture by both ways of reading it. */
#include <string.h>

#include "client.h"
#include "tap.h"

#define STAGING 9
#define STAGING_AT 0x500000u

static uint32_t pixel(const struct client *client, uint64_t image, uint32_t x, uint32_t y)
{
	uint32_t value;

	memcpy(&value, client->vram + image + (y * SCENE_SIZE + x) * 4, 4);
	return value;
}

static void check_hello(const struct client *client)
{
	uint32_t value;

	tap_eq(client->hello.version, WORKER_PROTOCOL_VERSION, "hello has the protocol's version");
	tap_ok(client->hello.engine_version >= 0x000a00, "hello names the engine's version (0x%06x)",
	       client->hello.engine_version);
	tap_ok(client->hello.capset_size >= 1376, "capability set 2 has its fields (%u bytes)",
	       client->hello.capset_size);
	memcpy(&value, client->hello.capset + 280, 4);
	tap_eq(value, 8, "the capability set says 8 render targets");
	memcpy(&value, client->hello.capset + 484, 4);
	tap_ok(value >= 4096, "and textures of at least 4096 texels (%u)", value);
	tap_ok(client->hello.capset[696] != 0, "and a renderer: %.64s", (const char *)client->hello.capset + 696);
}

static void check_picture(const struct client *client, uint64_t image, const char *way)
{
	tap_eq(pixel(client, image, 0, 0), 0xff1a334c, "%s: the corner has the clear colour", way);
	tap_eq(pixel(client, image, 70, 66), 0xff1a334c, "%s: left of the triangle too", way);
	tap_eq(pixel(client, image, 128, 60), 0xff1a1cca, "%s: near the top it is mostly blue", way);
	tap_eq(pixel(client, image, 128, 180), 0xff767812, "%s: lower down red and green mix", way);
	tap_eq(pixel(client, image, 70, 190), 0xfff10c02, "%s: in the left corner it is red", way);
}

static void check_depth(const struct client *client)
{
	tap_eq(pixel(client, SCENE_DEPTH_AT, 0, 0), 0xffffff00,
	       "the depth image is 1.0 where nothing was drawn, stencil 0");
	tap_near(pixel(client, SCENE_DEPTH_AT, 128, 180) >> 8, 0x7fffff, 1, "and 0.5 inside the triangle");
}

int main(void)
{
	struct d3dgpu_resource_desc staging = client_buffer(D3DGPU_BIND_STAGING, SCENE_SIZE * SCENE_SIZE * 4);
	struct stream stream = {0};
	struct client client;

	client_start(&client, NULL);
	check_hello(&client);
	scene_create(&client);
	scene_stream(&stream);
	tap_eq(client_exec(&client, SCENE_STREAM_AT, stream.dwords, stream.count), D3DGPU_FAULT_NONE,
	       "the stream is executed");

	tap_eq(client_transfer(&client, D3DGPU_OP_FLUSH, SCENE_COLOR, 0, 0), D3DGPU_FAULT_NONE,
	       "the target can be flushed");
	check_picture(&client, SCENE_COLOR_AT, "flush");
	tap_eq(client_transfer(&client, D3DGPU_OP_FLUSH, SCENE_DEPTH, 0, 0), D3DGPU_FAULT_NONE,
	       "so can the depth buffer");
	check_depth(&client);

	/* COPY_TRANSFER3D of the whole target to a staging buffer */
	tap_eq(client_create(&client, STAGING, &staging, STAGING_AT), D3DGPU_FAULT_NONE, "a staging buffer is created");
	stream.count = 0;
	stream_add(&stream, STREAM_HEADER(45, 0, 14), SCENE_COLOR, 0, 0, SCENE_SIZE * 4, 0, 0, 0, 0, SCENE_SIZE,
		   SCENE_SIZE, 1, STAGING, 0, 3);
	tap_eq(client_exec(&client, SCENE_STREAM_AT, stream.dwords, stream.count), D3DGPU_FAULT_NONE,
	       "the target is copied to it");
	check_picture(&client, STAGING_AT, "staging");

	tap_eq(client_end(&client), 0, "the worker ends when the socket closes");
	return tap_done();
}
