/* SPDX-License-Identifier: MIT */
/* The encoder against words that are known to work, and the decoder against what the encoder writes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "stream.h"
#include "tap.h"

static uint32_t words[8192];
static struct stream s;

static void start(void)
{
	memset(words, 0xee, sizeof(words));
	stream_set_buffer(&s, words, sizeof(words) / sizeof(words[0]));
}

static void expect(const char *name, const uint32_t *want, uint32_t count)
{
	tap_eq(s.used, count, "%s: length", name);
	tap_mem(words, want, count * 4, "%s: words", name);
}

#define WORDS(...) ((const uint32_t[]){__VA_ARGS__}), sizeof((const uint32_t[]){__VA_ARGS__}) / 4

static void test_objects(void)
{
	start();
	stream_create_surface(&s, 2, 3, 20, 0, 0, 0);
	expect("surface of a depth buffer", WORDS(0x00050801, 2, 3, 20, 0, 0));

	start();
	stream_create_blend(&s, 3,
			    &(struct stream_blend){.targets = {0x78000000, 0x78000000, 0x78000000, 0x78000000,
							       0x78000000, 0x78000000, 0x78000000, 0x78000000}});
	expect("blend state without blending", WORDS(0x000b0101, 3, 0, 0, 0x78000000, 0x78000000, 0x78000000,
						     0x78000000, 0x78000000, 0x78000000, 0x78000000, 0x78000000));

	start();
	stream_create_dsa(&s, 4,
			  &(struct stream_dsa){.depth = d3dgpu_put(D3DGPU_DSA_DEPTH_ENABLE, 1) |
							d3dgpu_put(D3DGPU_DSA_DEPTH_WRITE, 1) |
							d3dgpu_put(D3DGPU_DSA_DEPTH_FUNC, D3DGPU_COMPARE_LESS)});
	expect("depth test: less, write", WORDS(0x00050301, 4, 7, 0, 0, 0));

	start();
	stream_create_rasterizer(&s, 5,
				 &(struct stream_rasterizer){.flags = d3dgpu_put(D3DGPU_RAST_DEPTH_CLIP, 1) |
								      d3dgpu_put(D3DGPU_RAST_FRONT_CCW, 1) |
								      d3dgpu_put(D3DGPU_RAST_HALF_PIXEL_CENTER, 1),
							     .point_size = 1,
							     .line_width = 1});
	expect("rasterizer", WORDS(0x00090201, 5, 0x20008002, 0x3f800000, 0, 0, 0x3f800000, 0, 0, 0));

	start();
	stream_create_vertex_elements(&s, 8, 2, (struct stream_element[]){{0, 0, 0, 31}, {16, 0, 0, 31}});
	expect("vertex elements", WORDS(0x00090501, 8, 0, 0, 0, 0x1f, 0x10, 0, 0, 0x1f));

	start();
	stream_create_query(&s, 9, D3DGPU_QUERY_TIMESTAMP, 0, 7);
	expect("query", WORDS(0x00040901, 9, 2, 0, 7));

	start();
	stream_create_view(&s, 10,
			   &(struct stream_view){.resource = 6,
						 .format = 67,
						 .target = D3DGPU_TARGET_2D_ARRAY,
						 .first = 1,
						 .last = 3,
						 .first_level = 2,
						 .last_level = 4,
						 .swizzle = {2, 1, 0, 5}});
	expect("sampler view", WORDS(0x00060601, 10, 6, 0x07000043, 0x00030001, 0x00000402, 0x00000a0a));

	start();
	stream_create_view(&s, 10,
			   &(struct stream_view){
				   .resource = 6, .format = 31, .first = 16, .last = 70000, .swizzle = {0, 1, 2, 3}});
	expect("view of a buffer: elements are whole words", WORDS(0x00060601, 10, 6, 31, 16, 70000, 0x688));
}

static void test_state(void)
{
	static const uint32_t color = 1;

	start();
	stream_set_framebuffer(&s, 1, &color, 2);
	expect("framebuffer", WORDS(0x00030005, 1, 2, 1));

	start();
	stream_bind_object(&s, D3DGPU_OBJ_BLEND, 3);
	stream_bind_object(&s, D3DGPU_OBJ_DSA, 4);
	stream_bind_object(&s, D3DGPU_OBJ_RASTERIZER, 5);
	stream_bind_object(&s, D3DGPU_OBJ_VERTEX_ELEMENTS, 8);
	stream_bind_shader(&s, D3DGPU_STAGE_PIXEL, 7);
	expect("bindings", WORDS(0x00010102, 3, 0x00010302, 4, 0x00010202, 5, 0x00010502, 8, 0x0002001f, 7, 1));

	start();
	stream_set_vertex_buffers(&s, 1, &(struct stream_vertex_buffer){32, 0, 4});
	stream_set_index_buffer(&s, 5, 2, 12);
	stream_set_index_buffer(&s, 0, 0, 0);
	expect("vertex and index buffers", WORDS(0x00030006, 32, 0, 4, 0x0003000b, 5, 2, 12, 0x0001000b, 0));

	start();
	stream_set_viewports(&s, 0, 1, &(struct stream_viewport){{128, -128, 0.5f}, {128, 128, 0.5f}});
	expect("viewport",
	       WORDS(0x00070004, 0, 0x43000000, 0xc3000000, 0x3f000000, 0x43000000, 0x43000000, 0x3f000000));

	start();
	stream_set_scissors(&s, 0, 1, &(struct stream_scissor){1, 2, 3, 4});
	stream_set_stencil_ref(&s, 0x12, 0x34);
	stream_set_sample_mask(&s, 0xf);
	expect("scissor, stencil reference, sample mask",
	       WORDS(0x0003000f, 0, 0x00020001, 0x00040003, 0x0001000d, 0x3412, 0x00010018, 0xf));

	start();
	stream_set_uniform_buffer(&s, D3DGPU_STAGE_VERTEX, 1, 256, 64, 9);
	expect("uniform buffer", WORDS(0x0005001b, 0, 1, 256, 64, 9));
}

static void test_work(void)
{
	static const float rgba[4] = {0.1f, 0.2f, 0.3f, 1};
	uint32_t color[4];

	memcpy(color, rgba, sizeof(color));
	start();
	stream_clear(&s, D3DGPU_CLEAR_DEPTH | D3DGPU_CLEAR_STENCIL | D3DGPU_CLEAR_COLOR(0), color, 1.0, 0);
	expect("clear", WORDS(0x00080007, 7, 0x3dcccccd, 0x3e4ccccd, 0x3e99999a, 0x3f800000, 0, 0x3ff00000, 0));

	start();
	stream_draw(&s, &(struct stream_draw){.count = 3, .mode = D3DGPU_PRIM_TRIANGLES, .instances = 1});
	expect("draw", WORDS(0x000c0008, 0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 0xffffffff, 0));

	start();
	stream_transfer(&s, &(struct stream_transfer){.resource = 3,
						      .level = 1,
						      .stride = 256,
						      .layer_stride = 4096,
						      .box = {1, 2, 3, 4, 5, 6},
						      .staging = 8,
						      .offset = 512,
						      .from_resource = true,
						      .synchronized = true});
	expect("read-back through a staging buffer",
	       WORDS(0x000e002d, 3, 1, 0, 256, 4096, 1, 2, 3, 4, 5, 6, 8, 512, 3));

	start();
	stream_copy_region(&s, 1, 2, 3, 4, 5, 6, 7, &(struct stream_box){8, 9, 10, 11, 12, 13});
	expect("copy", WORDS(0x000d0011, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));

	start();
	stream_blit(&s, D3DGPU_MASK_RGBA, D3DGPU_FILTER_LINEAR, &(struct stream_blit_end){1, 0, 67, 0, 0, 0, 8, -8, 1},
		    &(struct stream_blit_end){2, 1, 1, 4, 4, 0, 2, 2, 1});
	expect("blit, mirrored",
	       WORDS(0x00150010, 0x10f, 0, 0, 1, 0, 67, 0, 0, 0, 8, 0xfffffff8, 1, 2, 1, 1, 4, 4, 0, 2, 2, 1));
}

static void test_shader_pieces(void)
{
	enum { SIZE = 20001 };
	char *text = malloc(SIZE);
	struct decode_command c;
	uint32_t position = 0, pieces = 0, bytes = 0;

	memset(text, 'x', SIZE - 1);
	text[SIZE - 1] = 0;
	start();
	stream_create_shader(&s, 5, D3DGPU_STAGE_PIXEL, text, SIZE, 900);
	while (decode_next(words, s.used, &position, &c)) {
		uint32_t offset = d3dgpu_get(D3DGPU_SHADER_OFFSET, c.payload[2]);

		if (!pieces) {
			tap_eq(offset, SIZE, "the first piece has the whole length");
			tap_eq(c.payload[3], 900, "and the token bound");
		} else if (offset != bytes || !d3dgpu_get(D3DGPU_SHADER_CONTINUATION, c.payload[2])) {
			tap_ok(false, "piece %u says where it goes on", pieces);
		}
		bytes += (c.length - D3DGPU_SHADER_HEADER_WORDS) * 4;
		pieces++;
	}
	tap_eq(pieces, 2, "20001 bytes take two pieces");
	tap_ok(bytes >= SIZE && bytes < SIZE + 4, "with all of the text");
	tap_eq(position, s.used, "and are well-formed");
	tap_eq(words[s.used - 1] >> 24, 0, "the last word is zero-padded");
	free(text);
}

static uint32_t second[64];
static unsigned calls;

static int next_buffer(struct stream *stream, uint32_t need)
{
	calls++;
	stream_set_buffer(stream, second, 64);
	return 0;
}

static int no_buffer(struct stream *stream, uint32_t need)
{
	return -EIO;
}

static void test_room(void)
{
	uint32_t first[16];

	memset(&s, 0, sizeof(s));
	stream_set_buffer(&s, first, 16);
	stream_draw(&s, &(struct stream_draw){.count = 1});
	stream_draw(&s, &(struct stream_draw){.count = 2});
	tap_eq(s.used, 13, "a command that does not fit is not begun");
	tap_eq(s.error, -ENOSPC, "and is an error without a callback");
	stream_nop(&s);
	tap_eq(s.used, 13, "after which nothing is written");

	s.full = next_buffer;
	stream_set_buffer(&s, first, 16);
	stream_draw(&s, &(struct stream_draw){.count = 1});
	stream_draw(&s, &(struct stream_draw){.count = 2});
	tap_eq(calls, 1, "the callback is asked once");
	tap_eq(second[2], 2, "and the command goes into the new buffer, whole");

	s.full = no_buffer;
	stream_set_buffer(&s, first, 4);
	tap_eq(stream_reserve(&s, 5), -EIO, "a failing callback is the stream's error");
	s.full = NULL;
}

static void test_decoder(void)
{
	static const uint32_t overrun[] = {0x000c0008, 0, 0}, unknown[] = {0x000000fe};
	static const uint32_t wrong[] = {0x00050001, 0, 0, 0, 0, 0};
	static const uint32_t object[] = {0x000c0108, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	static const uint32_t nothing[4];
	struct decode_command c;
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	uint32_t position = 0;

	start();
	stream_create_surface(&s, 2, 3, 20, 0, 0, 0);
	stream_clear(&s, 1, nothing, 0.5, 3);
	stream_create_shader(&s, 4, D3DGPU_STAGE_VERTEX, "VERT\nEND\n", 10, 300);
	tap_ok(decode_print(file, words, s.used), "a stream of the encoder is well-formed");
	fclose(file);
	tap_str(text,
		"CREATE_OBJECT SURFACE handle=2 resource=3 format=S8_UINT_Z24_UNORM level=0 layers=0x0\n"
		"CLEAR buffers=0x1 r=0 g=0 b=0 a=0 depth=0.5 stencil=3\n"
		"CREATE_OBJECT SHADER handle=4 stage=0 offset=0xa tokens=300 outputs=0 text=\"VERT|END|\"\n",
		"and is printed");
	free(text);
	tap_ok(!decode_next(overrun, 3, &position, &c), "a command that runs past the end is malformed");
	tap_ok(!decode_next(unknown, 1, &position, &c), "so is an unknown opcode");
	tap_ok(!decode_next(wrong, 6, &position, &c), "and a creation of no object");
	tap_ok(!decode_next(object, 13, &position, &c), "and an object type where none belongs");
	tap_eq(position, 0, "the position stays at it");
}

int main(void)
{
	test_objects();
	test_state();
	test_work();
	test_shader_pieces();
	test_room();
	test_decoder();
	return tap_done();
}
