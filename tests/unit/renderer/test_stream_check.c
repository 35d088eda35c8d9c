/* SPDX-License-Identifier: MIT */
/* The stream checker alone: what passes, what does not, and at which word. */
#include <string.h>

#include "client.h"
#include "stream_check.h"
#include "tap.h"

#define TEXTURE 1
#define BUFFER 2
#define STAGING 3
#define QUERY 4
#define VOLUME 5

static const struct d3dgpu_resource_desc resources[] = {
	[TEXTURE] = {.format = D3DGPU_FMT_R8G8B8A8_UNORM, .target = D3DGPU_TARGET_2D_ARRAY,
		     .bind = D3DGPU_BIND_SAMPLER_VIEW, .width = 64, .height = 32, .depth = 1,
		     .array_size = 4, .last_level = 3},
	[BUFFER] = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_VERTEX_BUFFER, .width = 1024, .height = 1,
		    .depth = 1, .array_size = 1},
	[STAGING] = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_STAGING, .width = 65536, .height = 1,
		     .depth = 1, .array_size = 1},
	[QUERY] = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_CUSTOM, .width = 16, .height = 1, .depth = 1,
		   .array_size = 1},
	[VOLUME] = {.format = D3DGPU_FMT_R8G8B8A8_UNORM, .target = D3DGPU_TARGET_3D, .bind = D3DGPU_BIND_SAMPLER_VIEW,
		    .width = 16, .height = 16, .depth = 8, .array_size = 1, .last_level = 2},
};

static const struct d3dgpu_resource_desc *find(void *opaque, uint32_t id)
{
	return id && id < sizeof(resources) / sizeof(resources[0]) ? &resources[id] : NULL;
}

static bool passes(const uint32_t *words, uint32_t count, struct stream_error *error)
{
	struct stream_check check;

	stream_check_init(&check, find, NULL);
	return stream_check(&check, words, count, error);
}

static void check_words(const char *name, bool want, const uint32_t *words, uint32_t count)
{
	struct stream_error error;
	bool got = passes(words, count, &error);

	tap_ok(got == want, "%s %s%s%s", name, want ? "passes" : "is refused", error.reason ? ": " : "",
	       error.reason ? error.reason : "");
}

#define good(name, ...) check_words(name, true, (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)
#define bad(name, ...) check_words(name, false, (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)
#define H STREAM_HEADER

static void test_framing(void)
{
	static const uint32_t second[] = {H(13, 0, 1), 0, H(19, 0, 1), 7, H(222, 0, 0)};
	static const uint32_t cut[] = {H(13, 0, 1), 0, H(14, 0, 4), 1, 2, 3};
	struct stream_error error;

	tap_ok(passes(NULL, 0, &error), "an empty stream passes");
	tap_ok(!passes(second, 5, &error) && error.word == 4, "an unknown command is found where it is");
	tap_ok(!passes(cut, 6, &error) && error.word == 2, "so is one that is cut off");
	good("NOP", H(0, 0, 0));
	bad("NOP with an object type", H(0, 1, 0));
	bad("a command of another length", H(13, 0, 2), 0, 0);
	bad("BIND_OBJECT of a shader", H(2, 4, 1), 1);
	bad("video", H(53, 0, 7), 0, 0, 0, 0, 0, 0, 0);
	bad("debug flags", H(41, 0, 2), 0, 0);
	bad("tweaks", H(46, 0, 2), 0, 0);
}

static void test_slots(void)
{
	good("the last sampler view", H(10, 0, 3), 1, 31, 0);
	bad("one beyond it", H(10, 0, 3), 1, 32, 0);
	bad("a start that wraps around", H(10, 0, 3), 1, UINT32_MAX, 0);
	bad("a seventh shader stage", H(10, 0, 3), 6, 0, 0);
	good("the last viewport", H(4, 0, 7), 15, 0, 0, 0, 0, 0, 0);
	bad("one beyond it", H(4, 0, 7), 16, 0, 0, 0, 0, 0, 0);
	bad("a framebuffer with another number than it has surfaces", H(5, 0, 3), 2, 0, 1);
	bad("five stream output targets", H(25, 0, 6), 0, 0, 0, 0, 0, 0);
}

static void test_resources(void)
{
	good("a vertex buffer", H(6, 0, 3), 16, 0, BUFFER);
	bad("a staging buffer as a vertex buffer", H(6, 0, 3), 16, 0, STAGING);
	bad("a texture as a vertex buffer", H(6, 0, 3), 16, 0, TEXTURE);
	bad("a vertex stride that is too large", H(6, 0, 3), 4096, 0, BUFFER);
	good("a storage buffer range to the end", H(34, 0, 5), 1, 0, 512, 512, BUFFER);
	bad("one beyond the end", H(34, 0, 5), 1, 0, 512, 513, BUFFER);
	bad("one that wraps around", H(34, 0, 5), 1, 0, 512, UINT32_MAX - 100, BUFFER);
	good("a uniform buffer", H(27, 0, 5), 0, 1, 0, 1024, BUFFER);
	bad("a uniform buffer beyond the end", H(27, 0, 5), 0, 1, 256, 1024, BUFFER);
	good("a copy to a staging buffer", H(45, 0, 14), TEXTURE, 0, 0, 256, 0, 0, 0, 3, 64, 32, 1, STAGING, 0, 3);
	bad("a copy to a buffer that is none", H(45, 0, 14), TEXTURE, 0, 0, 256, 0, 0, 0, 3, 64, 32, 1, BUFFER, 0, 3);
	bad("a copy of a layer that is not", H(45, 0, 14), TEXTURE, 0, 0, 256, 0, 0, 0, 4, 64, 32, 1, STAGING, 0, 3);
	bad("a copy of a level that is not", H(45, 0, 14), TEXTURE, 4, 0, 256, 0, 0, 0, 0, 4, 2, 1, STAGING, 0, 3);
	bad("a box beyond the level", H(45, 0, 14), TEXTURE, 1, 0, 256, 0, 1, 0, 0, 32, 16, 1, STAGING, 0, 3);
	good("a region between layers", H(17, 0, 13), TEXTURE, 0, 0, 0, 1, TEXTURE, 0, 0, 0, 0, 64, 32, 1);
	bad("a region beyond the destination", H(17, 0, 13), TEXTURE, 0, 1, 0, 1, TEXTURE, 0, 0, 0, 0, 64, 32, 1);
	bad("a region from a texture to a buffer", H(17, 0, 13), BUFFER, 0, 0, 0, 0, TEXTURE, 0, 0, 0, 0, 64, 1, 1);
	good("an inline write", H(9, 0, 12), BUFFER, 0, 0, 0, 0, 1020, 0, 0, 4, 1, 1, 99);
	bad("an inline write beyond the end", H(9, 0, 12), BUFFER, 0, 0, 0, 0, 1021, 0, 0, 4, 1, 1, 99);
}

static void test_objects(void)
{
	good("a sampler view", H(1, 6, 6), 9, TEXTURE, D3DGPU_FMT_R8G8B8A8_UNORM, 3u << 16, 3u << 8, 0x688);
	bad("a swizzle of 6", H(1, 6, 6), 9, TEXTURE, D3DGPU_FMT_R8G8B8A8_UNORM, 3u << 16, 3u << 8, 0x68e);
	bad("layers in reverse", H(1, 6, 6), 9, TEXTURE, D3DGPU_FMT_R8G8B8A8_UNORM, 1, 0, 0x688);
	bad("a level that is not there", H(1, 6, 6), 9, TEXTURE, D3DGPU_FMT_R8G8B8A8_UNORM, 0, 4u << 8, 0x688);
	bad("a view's unknown format", H(1, 6, 6), 9, TEXTURE, 999, 0, 0, 0x688);
	good("a texel buffer view", H(1, 6, 6), 9, BUFFER, D3DGPU_FMT_R32_FLOAT, 0, 255, 0x688);
	bad("one element too many", H(1, 6, 6), 9, BUFFER, D3DGPU_FMT_R32_FLOAT, 0, 256, 0x688);
	good("a surface of a volume's slice", H(1, 8, 5), 9, VOLUME, D3DGPU_FMT_R8G8B8A8_UNORM, 1, 3 | 3u << 16);
	bad("one that the level does not have", H(1, 8, 5), 9, VOLUME, D3DGPU_FMT_R8G8B8A8_UNORM, 1, 4 | 4u << 16);
	good("the highest handle", H(1, 3, 5), D3DGPU_STREAM_MAX_HANDLE, 0, 0, 0, 0);
	bad("a handle of the engine's own", H(1, 3, 5), D3DGPU_STREAM_MAX_HANDLE + 1, 0, 0, 0, 0);
	bad("destroying one of those", H(3, 3, 1), D3DGPU_STREAM_MAX_HANDLE + 1);
	bad("an object without a handle", H(1, 8, 5), 0, TEXTURE, D3DGPU_FMT_R8G8B8A8_UNORM, 0, 0);
	bad("a mip filter that is none", H(1, 7, 9), 9, 3u << 11, 0, 0, 0, 0, 0, 0, 0);
	bad("a blend factor that is none", H(1, 1, 11), 9, 0, 0, 1 | 0x16u << 4, 0, 0, 0, 0, 0, 0, 0);
	good("an occlusion query", H(1, 9, 4), 9, 0, 0, QUERY);
	bad("a query into a staging buffer", H(1, 9, 4), 9, 0, 0, STAGING);
	bad("a query of stream 4", H(1, 9, 4), 9, 5 | 4u << 16, 0, QUERY);
	bad("seventeen vertex elements", H(1, 5, 69), [69] = 31);
	bad("a stream output target beyond the buffer", H(1, 10, 4), 9, BUFFER, 512, 1024);
	bad("quads", H(8, 0, 12), 0, 4, 7, 0, 1, 0, 0, 0, 0, 0, 3, 0);
	bad("patches without a number of vertices", H(8, 0, 12), 0, 4, 14, 0, 1, 0, 0, 0, 0, 0, 3, 0);
}

static void check_shader(const char *name, bool want, uint32_t stage, const char *text)
{
	struct stream stream = {0};

	stream_shader(&stream, 5, stage, text);
	check_words(name, want, stream.dwords, stream.count);
}

static void test_shaders(void)
{
	static const uint32_t first[] = {H(1, 4, 6), 5, 0, 12, 300, 0, 0x54524556 /* VERT */};
	static const uint32_t second[] = {H(1, 4, 7), 5, 0, 0x80000004, 300, 0, 0x444e450a /* \nEND */, 0};
	static const uint32_t gap[] = {H(1, 4, 6), 5, 0, 0x80000008, 300, 0, 0};
	struct stream_error error;
	struct stream_check check;

	check_shader("the highest GENERIC", true, 0, "VERT\nDCL OUT[1], GENERIC[63]\nEND");
	check_shader("one beyond it", false, 0, "VERT\nDCL OUT[1], GENERIC[64]\nEND");
	check_shader("the same in lower case and with spaces", false, 0, "vert\ndcl out[1], generic [ 64 ]\nend");
	check_shader("TEXCOORD[8]", false, 0, "VERT\nDCL OUT[1], TEXCOORD[8]\nEND");
	check_shader("a range of registers", true, 0, "VERT\nDCL TEMP[0..4095]\nEND");
	check_shader("a range that ends too far", false, 0, "VERT\nDCL TEMP[0..4096]\nEND");
	check_shader("the second dimension", false, 2, "GEOM\nDCL IN[][64], GENERIC[0]\nEND");
	check_shader("an indirect constant", true, 0, "VERT\n0: MOV OUT[0], CONST[1][ADDR[0].x+2]\n1: END");
	check_shader("an address register too many", false, 0, "VERT\n0: MOV OUT[0], CONST[ADDR[4].x+2]\n1: END");
	check_shader("a number that does not fit 32 bits", false, 0, "VERT\nDCL OUT[4294967296]\nEND");
	check_shader("a pixel shader as a vertex shader", false, 0, "FRAG\nEND");
	check_shader("a hull shader", true, 3, "TESS_CTRL\nEND");
	check_shader("nothing", true, 0, "");

	stream_check_init(&check, find, NULL);
	tap_ok(stream_check(&check, first, 7, &error), "the first piece of a text passes");
	tap_ok(stream_check(&check, second, 8, &error), "the rest can come with the next stream");
	stream_check_init(&check, find, NULL);
	stream_check(&check, first, 7, &error);
	tap_ok(!stream_check(&check, gap, 7, &error), "a piece that does not follow is refused: %s", error.reason);
	stream_check_init(&check, find, NULL);
	stream_check(&check, first, 7, &error);
	tap_ok(!stream_check(&check, first, 7, &error), "another shader of its stage is refused: %s", error.reason);
	tap_ok(!passes(second, 8, &error), "so is a rest without a beginning");
}

int main(void)
{
	test_framing();
	test_slots();
	test_resources();
	test_objects();
	test_shaders();
	return tap_done();
}
