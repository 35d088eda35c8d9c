/* SPDX-License-Identifier: MIT */
/* Pictures composed of surface, overlay, cursor and gamma. */
#include <stdlib.h>
#include <string.h>

#include "d3dgpu_core.h"
#include "tap.h"

#define WIDTH 8u
#define HEIGHT 6u
#define OVERLAY_AT 4096u
#define CURSOR_AT 8192u

static uint8_t vram[16384];
static uint32_t canvas[HEIGHT][WIDTH];

/* A pixel of the surface that says where it lies in it. */
static uint32_t marked(uint32_t x, uint32_t y)
{
	return 0xff000000 | x << 16 | y << 8 | 0x55;
}

static void put(uint32_t at, uint32_t value)
{
	memcpy(vram + at, &value, sizeof(value));
}

/* A surface of width × height (as it lies in VRAM) with marked pixels. */
static struct d3dgpu_picture picture_of(uint32_t width, uint32_t height, uint32_t transform)
{
	bool turned = transform & 1;

	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++)
			put((y * 16 + x) * 4, marked(x, y));
	return (struct d3dgpu_picture){.surface = {.enabled = true,
						   .width = turned ? height : width,
						   .height = turned ? width : height,
						   .surface_width = turned ? height : width,
						   .surface_height = turned ? width : height,
						   .pitch = 64,
						   .format = D3DGPU_SCANOUT_XRGB8888,
						   .transform = transform}};
}

static void compose(const struct d3dgpu_picture *picture)
{
	memset(canvas, 0x11, sizeof(canvas));
	d3dgpu_picture_compose(picture, vram, true, 0, 0, picture->surface.width, picture->surface.height, canvas,
			       sizeof(canvas[0]));
}

static void surface(void)
{
	struct d3dgpu_picture picture = picture_of(WIDTH, HEIGHT, 0);
	uint16_t half = 31u << 11 | 32u << 5 | 1;

	compose(&picture);
	tap_ok(canvas[0][0] == marked(0, 0) && canvas[5][7] == marked(7, 5), "a surface is shown as it is");
	tap_ok(d3dgpu_picture_is_surface(&picture), "and needs no composing");
	memset(canvas, 0x11, sizeof(canvas));
	d3dgpu_picture_compose(&picture, vram, true, 2, 3, 4, 2, canvas, sizeof(canvas[0]));
	tap_ok(canvas[3][2] == marked(2, 3) && canvas[4][5] == marked(5, 4), "a part of it");
	tap_ok(canvas[2][2] == 0x11111111 && canvas[3][1] == 0x11111111 && canvas[3][6] == 0x11111111 &&
		       canvas[5][2] == 0x11111111,
	       "and nothing else");
	picture.surface.format = D3DGPU_SCANOUT_XBGR8888;
	compose(&picture);
	tap_eq(canvas[1][2], 0xff550102, "XBGR8888");
	memcpy(vram, &half, sizeof(half));
	picture.surface.format = D3DGPU_SCANOUT_RGB565;
	compose(&picture);
	tap_eq(canvas[0][0], 0xffff8208, "RGB565 with its bits spread to eight");
	picture.surface.enabled = false;
	compose(&picture);
	tap_eq(canvas[0][0], 0x11111111, "nothing is drawn of a head that is off");
}

/* Where the surface's pixel (1, 2) of 8 × 6 or 6 × 8 goes: reflected first, then turned counter-clockwise. */
static void place(void)
{
	struct d3dgpu_picture picture = picture_of(3, 2, 1);

	picture.surface.width = WIDTH;
	picture.surface.height = HEIGHT;
	picture.surface.left = 4;
	picture.surface.top = 1;
	compose(&picture);
	tap_ok(canvas[1][4] == marked(2, 0) && canvas[3][4] == marked(0, 0) && canvas[3][5] == marked(0, 1),
	       "a surface that is smaller than the screen, at its place, turned");
	tap_ok(canvas[0][4] == 0xff000000 && canvas[4][5] == 0xff000000 && canvas[2][3] == 0xff000000 &&
		       canvas[2][6] == 0xff000000 && canvas[5][7] == 0xff000000,
	       "with black around it");
	tap_ok(!d3dgpu_picture_is_surface(&picture), "so it has to be composed");
	memset(canvas, 0x11, sizeof(canvas));
	d3dgpu_picture_compose(&picture, vram, true, 5, 2, 3, 1, canvas, sizeof(canvas[0]));
	tap_ok(canvas[2][5] == marked(1, 1) && canvas[2][6] == 0xff000000 && canvas[2][4] == 0x11111111, "a part of that");
	picture.surface.format = D3DGPU_SCANOUT_NONE;
	compose(&picture);
	tap_ok(canvas[2][4] == 0xff000000 && canvas[5][7] == 0xff000000, "without a surface all is black");
}

static void transforms(void)
{
	static const struct {
		uint32_t transform, x, y;
		const char *what;
	} cases[] = {
		{1, 2, 4, "a quarter turn"},
		{2, 6, 3, "half a turn"},
		{3, 5, 1, "three quarters"},
		{D3DGPU_TRANSFORM_REFLECT_X, 6, 2, "left and right reflected"},
		{D3DGPU_TRANSFORM_REFLECT_Y, 1, 3, "top and bottom reflected"},
		{D3DGPU_TRANSFORM_REFLECT_X | D3DGPU_TRANSFORM_REFLECT_Y, 6, 3, "both"},
		{1 | D3DGPU_TRANSFORM_REFLECT_X, 2, 1, "left and right reflected, then a quarter turn"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool turned = cases[i].transform & 1;
		struct d3dgpu_picture picture = picture_of(turned ? 6 : 8, turned ? 8 : 6, cases[i].transform);

		compose(&picture);
		tap_ok(canvas[cases[i].y][cases[i].x] == marked(1, 2) && !d3dgpu_picture_is_surface(&picture), "%s",
		       cases[i].what);
	}
}

/* An overlay of 2 × 2 pixels, as large on the screen as it is. */
static struct d3dgpu_overlay overlay_of(uint32_t upper_left, uint32_t upper_right, uint32_t lower_left, uint32_t lower_right)
{
	put(OVERLAY_AT, upper_left);
	put(OVERLAY_AT + 4, upper_right);
	put(OVERLAY_AT + 64, lower_left);
	put(OVERLAY_AT + 68, lower_right);
	return (struct d3dgpu_overlay){.enabled = true,
				       .format = D3DGPU_SCANOUT_ARGB8888,
				       .pitch = 64,
				       .width = 2,
				       .height = 2,
				       .offset = OVERLAY_AT,
				       .src_width = 2 << 16,
				       .src_height = 2 << 16,
				       .dst_width = 2,
				       .dst_height = 2,
				       .alpha = 0xffff,
				       .blend = D3DGPU_BLEND_PREMULTIPLIED};
}

static void overlay(void)
{
	struct d3dgpu_picture picture = picture_of(WIDTH, HEIGHT, 0);

	picture.overlay = overlay_of(0xffff0000, 0xff00ff00, 0x00000000, 0xff0000ff);
	picture.overlay.dst_x = 3;
	picture.overlay.dst_y = 2;
	compose(&picture);
	tap_ok(canvas[2][3] == 0xffff0000 && canvas[2][4] == 0xff00ff00 && canvas[3][4] == 0xff0000ff,
	       "an overlay covers the surface");
	tap_eq(canvas[3][3], marked(3, 3), "but where it is transparent");
	tap_ok(canvas[1][3] == marked(3, 1) && canvas[2][5] == marked(5, 2), "and around it");
	picture.overlay.dst_x = -1;
	picture.overlay.dst_y = 5;
	compose(&picture);
	tap_ok(canvas[5][0] == 0xff00ff00 && canvas[5][1] == marked(1, 5), "one that hangs over the edges");
	picture.overlay.dst_x = 0;
	picture.overlay.dst_y = 0;
	picture.overlay.dst_width = 8;
	picture.overlay.dst_height = 6;
	picture.overlay.blend = D3DGPU_BLEND_NONE;
	compose(&picture);
	tap_ok(canvas[0][3] == 0xffff0000 && canvas[0][4] == 0xff00ff00 && canvas[2][0] == 0xffff0000 &&
		       canvas[3][0] == 0xff000000 && canvas[5][7] == 0xff0000ff,
	       "scaled to the whole screen");
	picture.overlay.transform = 1;
	compose(&picture);
	tap_ok(canvas[0][0] == 0xff00ff00 && canvas[0][7] == 0xff0000ff && canvas[5][0] == 0xffff0000,
	       "and turned by a quarter");
	picture.overlay.transform = 0;
	picture.overlay.src_x = 1 << 16;
	picture.overlay.src_width = 1 << 16;
	compose(&picture);
	tap_ok(canvas[0][0] == 0xff00ff00 && canvas[5][0] == 0xff0000ff, "a part of the buffer");
}

static void filter(void)
{
	struct d3dgpu_picture picture = picture_of(WIDTH, HEIGHT, 0);

	picture.overlay = overlay_of(0xff000000, 0xff0000ff, 0xff000000, 0xff0000ff);
	picture.overlay.dst_width = 8;
	picture.overlay.filter = D3DGPU_SCALING_LINEAR;
	compose(&picture);
	tap_ok(canvas[0][0] == 0xff000000 && canvas[0][1] == 0xff000000 && canvas[0][7] == 0xff0000ff,
	       "a linear filter keeps the edges");
	tap_near(canvas[0][3] & 0xff, 255 * 3 / 8.0, 1.0, "between the pixels: three eighths of the way");
	tap_near(canvas[0][5] & 0xff, 255 * 7 / 8.0, 1.0, "and seven");
}

static void blending(void)
{
	struct d3dgpu_picture picture = picture_of(WIDTH, HEIGHT, 0);

	put(0, 0xff204060);
	picture.overlay = overlay_of(0x80400000, 0, 0, 0);
	compose(&picture);
	tap_eq(canvas[0][0], 0xff502030, "half covered, pre-multiplied: the colour and half of what is below");
	picture.overlay.blend = D3DGPU_BLEND_COVERAGE;
	compose(&picture);
	tap_eq(canvas[0][0], 0xff302030, "half covered, not pre-multiplied: half of the colour");
	picture.overlay.alpha = 0x7fff;
	picture.overlay.blend = D3DGPU_BLEND_NONE;
	compose(&picture);
	tap_eq(canvas[0][0], 0xff302030, "no alpha but the plane's: half of each");
	picture.overlay.alpha = 0;
	compose(&picture);
	tap_eq(canvas[0][0], 0xff204060, "a plane with alpha 0 is not seen");
	picture.overlay = overlay_of(0x10ffffff, 0, 0, 0);
	compose(&picture);
	tap_eq(canvas[0][0], 0xffffffff, "colours above their alpha are cut off");
}

static void cursor(void)
{
	struct d3dgpu_picture picture = picture_of(WIDTH, HEIGHT, 0);

	for (uint32_t i = 0; i < 16; i++)
		put(CURSOR_AT + i * 4, i == 5 ? 0 : 0xffffffff);
	picture.cursor = (struct d3dgpu_cursor){
		.enabled = true, .width = 4, .height = 4, .pitch = 16, .offset = CURSOR_AT, .x = 2, .y = 1};
	compose(&picture);
	tap_ok(canvas[1][2] == 0xffffffff && canvas[4][5] == 0xffffffff && canvas[2][3] == marked(3, 2) &&
		       canvas[1][6] == marked(6, 1),
	       "a cursor lies over the surface");
	picture.cursor.x = -2;
	picture.cursor.y = -3;
	compose(&picture);
	tap_ok(canvas[0][1] == 0xffffffff && canvas[0][2] == marked(2, 0) && canvas[1][0] == marked(0, 1),
	       "over the corner, too");
	d3dgpu_picture_compose(&picture, vram, false, 0, 0, WIDTH, 1, canvas, sizeof(canvas[0]));
	tap_eq(canvas[0][0], marked(0, 0), "and is left out when the host shows it");
}

static void gamma_table(void)
{
	struct d3dgpu_picture picture = picture_of(WIDTH, HEIGHT, 0);

	picture.gamma = true;
	for (unsigned i = 0; i < 256; i++) {
		picture.lut[0][i] = (uint8_t)(255 - i);
		picture.lut[1][i] = (uint8_t)(i / 2);
		picture.lut[2][i] = 7;
	}
	compose(&picture);
	tap_eq(canvas[4][3], 0xfffc0207, "gamma goes through a table for each colour");
	tap_ok(!d3dgpu_picture_is_surface(&picture), "and needs composing");
}

int main(void)
{
	surface();
	place();
	transforms();
	overlay();
	filter();
	blending();
	cursor();
	gamma_table();
	return tap_done();
}
