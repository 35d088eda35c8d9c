/* SPDX-License-Identifier: MIT */
/*
 * Composes a picture of its planes, a row at a time: the surface, over it the overlay, over that the cursor; then gamma.
 * Colours are words 0xAARRGGBB.
 */
#include <string.h>

#include "d3dgpu_core.h"

#define OPAQUE 0xff000000u

/* A plane as it is read: where the pixel for a place on the screen lies in its buffer. Coordinates are 32.32 pixels. */
struct sampler {
	const uint8_t *pixels;
	uint32_t pitch, format;
	int64_t u, v;			/* of the centre of the pixel at the upper left corner of its place on the screen */
	int64_t u_right, v_right;	/* added with each pixel to the right */
	int64_t u_down, v_down;
	int32_t left, top, right, bottom; /* the pixels that may be read, all inclusive */
	bool linear;
};

/* Where along an axis of the source: a constant (in units of its length), and what the screen's x and y add. */
struct axis {
	int constant, by_x, by_y;
};

static void reflect(struct axis *axis)
{
	axis->constant = 1 - axis->constant;
	axis->by_x = -axis->by_x;
	axis->by_y = -axis->by_y;
}

/* The source is 16.16 pixels. */
static void set_mapping(struct sampler *s, uint32_t transform, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
			uint32_t screen_width, uint32_t screen_height)
{
	static const struct axis across[4] = {{0, 1, 0}, {1, 0, -1}, {1, -1, 0}, {0, 0, 1}};
	static const struct axis down[4] = {{0, 0, 1}, {0, 1, 0}, {1, 0, -1}, {1, -1, 0}};
	struct axis u = across[transform & D3DGPU_TRANSFORM_TURNS], v = down[transform & D3DGPU_TRANSFORM_TURNS];
	int64_t u_length = (int64_t)width << 16, v_length = (int64_t)height << 16;

	if (transform & D3DGPU_TRANSFORM_REFLECT_X)
		reflect(&u);
	if (transform & D3DGPU_TRANSFORM_REFLECT_Y)
		reflect(&v);
	s->u_right = u.by_x * u_length / screen_width;
	s->v_right = v.by_x * v_length / screen_width;
	s->u_down = u.by_y * u_length / screen_height;
	s->v_down = v.by_y * v_length / screen_height;
	s->u = ((int64_t)x << 16) + u.constant * u_length + (s->u_right + s->u_down) / 2;
	s->v = ((int64_t)y << 16) + v.constant * v_length + (s->v_right + s->v_down) / 2;
	s->left = (int32_t)(x >> 16);
	s->top = (int32_t)(y >> 16);
	s->right = (int32_t)((x + width - 1) >> 16);
	s->bottom = (int32_t)((y + height - 1) >> 16);
}

static struct sampler surface_sampler(const struct d3dgpu_scanout *surface, const uint8_t *vram)
{
	uint32_t across = surface->surface_width, down = surface->surface_height;
	bool turned = surface->transform & 1;
	struct sampler s = {.pixels = vram + surface->offset, .pitch = surface->pitch, .format = surface->format};

	set_mapping(&s, surface->transform, 0, 0, (turned ? down : across) << 16, (turned ? across : down) << 16, across, down);
	return s;
}

static struct sampler overlay_sampler(const struct d3dgpu_overlay *overlay, const uint8_t *vram)
{
	struct sampler s = {.pixels = vram + overlay->offset,
			    .pitch = overlay->pitch,
			    .format = overlay->format,
			    .linear = overlay->filter == D3DGPU_SCALING_LINEAR};

	set_mapping(&s, overlay->transform, overlay->src_x, overlay->src_y, overlay->src_width, overlay->src_height,
		    overlay->dst_width, overlay->dst_height);
	return s;
}

/* ---- pixels ---- */

static uint32_t from_565(uint16_t pixel)
{
	uint32_t r = pixel >> 11, g = pixel >> 5 & 63, b = pixel & 31;

	return OPAQUE | (r << 3 | r >> 2) << 16 | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2);
}

static uint32_t swapped(uint32_t pixel)
{
	return (pixel & 0xff00ff00) | (pixel & 0xff) << 16 | (pixel >> 16 & 0xff);
}

static uint32_t fetch(const struct sampler *s, int32_t x, int32_t y)
{
	const uint8_t *row = s->pixels + (size_t)s->pitch * (size_t)y;
	uint16_t half;
	uint32_t word;

	if (s->format == D3DGPU_SCANOUT_RGB565) {
		memcpy(&half, row + (size_t)x * 2, sizeof(half));
		return from_565(half);
	}
	memcpy(&word, row + (size_t)x * 4, sizeof(word));
	switch (s->format) {
	case D3DGPU_SCANOUT_ARGB8888:
		return word;
	case D3DGPU_SCANOUT_ABGR8888:
		return swapped(word);
	case D3DGPU_SCANOUT_XBGR8888:
		return swapped(word) | OPAQUE;
	default:
		return word | OPAQUE;
	}
}

static int32_t clamp(int64_t value, int32_t low, int32_t high)
{
	return value < low ? low : value > high ? high : (int32_t)value;
}

/* Between two colours, with 8 bits of fraction; the bytes of a word two at a time. */
static uint32_t mix(uint32_t a, uint32_t b, uint32_t fraction)
{
	uint32_t low = (a & 0xff00ff) * (256 - fraction) + (b & 0xff00ff) * fraction + 0x800080;
	uint32_t high = (a >> 8 & 0xff00ff) * (256 - fraction) + (b >> 8 & 0xff00ff) * fraction + 0x800080;

	return (low >> 8 & 0xff00ff) | (high & 0xff00ff00);
}

static uint32_t sample(const struct sampler *s, int64_t u, int64_t v)
{
	int32_t x, y, x_next, y_next;
	uint32_t above, below;

	if (!s->linear)
		return fetch(s, clamp(u >> 32, s->left, s->right), clamp(v >> 32, s->top, s->bottom));
	u -= 1ll << 31;
	v -= 1ll << 31;
	x = clamp(u >> 32, s->left, s->right);
	y = clamp(v >> 32, s->top, s->bottom);
	x_next = clamp((u >> 32) + 1, s->left, s->right);
	y_next = clamp((v >> 32) + 1, s->top, s->bottom);
	above = mix(fetch(s, x, y), fetch(s, x_next, y), u >> 24 & 0xff);
	below = mix(fetch(s, x, y_next), fetch(s, x_next, y_next), u >> 24 & 0xff);
	return mix(above, below, v >> 24 & 0xff);
}

/* a * b / 255, rounded. */
static uint32_t scaled(uint32_t a, uint32_t b)
{
	uint32_t product = a * b + 128;

	return (product + (product >> 8)) >> 8;
}

/* One colour over another; `alpha` (0..255) is the whole plane's. Colours that are not pre-multiplied as they say are cut off. */
static uint32_t over(uint32_t top, uint32_t below, uint32_t alpha, uint32_t blend)
{
	uint32_t own = blend == D3DGPU_BLEND_NONE ? 255 : top >> 24;
	uint32_t cover = scaled(own, alpha);
	uint32_t factor = blend == D3DGPU_BLEND_COVERAGE ? cover : alpha, out = OPAQUE;

	if (cover == 255)
		return top | OPAQUE;
	for (unsigned shift = 0; shift < 24; shift += 8) {
		uint32_t sum = scaled(top >> shift & 0xff, factor) + scaled(below >> shift & 0xff, 255 - cover);

		out |= (sum > 255 ? 255 : sum) << shift;
	}
	return out;
}

/* ---- rows ---- */

/* A row of the screen, or the part of it from `x` to before `end`. */
struct row {
	uint32_t *pixels;		/* of the row's first pixel */
	int64_t x, end, y;
};

static void draw_black(const struct row *row, int64_t x, int64_t end)
{
	for (; x < end; x++)
		row->pixels[x] = OPAQUE;
}

static void draw_surface(const struct d3dgpu_scanout *surface, const struct sampler *s, const struct row *row)
{
	int64_t left = surface->left, right = left + surface->surface_width, down = row->y - surface->top;
	int64_t start = row->x > left ? row->x : left, end = row->end < right ? row->end : right;
	int64_t u = s->u + (start - left) * s->u_right + down * s->u_down;
	int64_t v = s->v + (start - left) * s->v_right + down * s->v_down;

	if (surface->format == D3DGPU_SCANOUT_NONE || down < 0 || down >= surface->surface_height || start >= end) {
		draw_black(row, row->x, row->end);
		return;
	}
	draw_black(row, row->x, start);
	if (!surface->transform && surface->format == D3DGPU_SCANOUT_XRGB8888)
		memcpy(row->pixels + start, s->pixels + (size_t)s->pitch * (size_t)down + (size_t)(start - left) * 4,
		       (size_t)(end - start) * 4);
	else
		for (int64_t x = start; x < end; x++, u += s->u_right, v += s->v_right)
			row->pixels[x] = sample(s, u, v);
	draw_black(row, end, row->end);
}

static void draw_overlay(const struct d3dgpu_overlay *overlay, const struct sampler *s, const struct row *row)
{
	int64_t start = row->x > overlay->dst_x ? row->x : overlay->dst_x;
	int64_t end = (int64_t)overlay->dst_x + overlay->dst_width, down = row->y - overlay->dst_y;
	int64_t u = s->u + (start - overlay->dst_x) * s->u_right + down * s->u_down;
	int64_t v = s->v + (start - overlay->dst_x) * s->v_right + down * s->v_down;

	if (down < 0 || down >= overlay->dst_height)
		return;
	end = end < row->end ? end : row->end;
	for (int64_t x = start; x < end; x++, u += s->u_right, v += s->v_right)
		row->pixels[x] = over(sample(s, u, v), row->pixels[x], overlay->alpha >> 8, overlay->blend);
}

static void draw_cursor(const struct d3dgpu_cursor *cursor, const uint8_t *vram, const struct row *row)
{
	struct sampler s = {.pixels = vram + cursor->offset, .pitch = cursor->pitch, .format = D3DGPU_SCANOUT_ARGB8888};
	int64_t start = row->x > cursor->x ? row->x : cursor->x, end = (int64_t)cursor->x + cursor->width;
	int64_t down = row->y - cursor->y;

	if (down < 0 || down >= cursor->height)
		return;
	end = end < row->end ? end : row->end;
	for (int64_t x = start; x < end; x++)
		row->pixels[x] = over(fetch(&s, (int32_t)(x - cursor->x), (int32_t)down), row->pixels[x], 255,
				      D3DGPU_BLEND_PREMULTIPLIED);
}

static void apply_gamma(const uint8_t lut[3][256], const struct row *row)
{
	for (int64_t x = row->x; x < row->end; x++) {
		uint32_t pixel = row->pixels[x];

		row->pixels[x] = OPAQUE | (uint32_t)lut[0][pixel >> 16 & 0xff] << 16 |
				 (uint32_t)lut[1][pixel >> 8 & 0xff] << 8 | lut[2][pixel & 0xff];
	}
}

bool d3dgpu_scanout_covers(const struct d3dgpu_scanout *scanout)
{
	return scanout->format != D3DGPU_SCANOUT_NONE && !scanout->transform && scanout->surface_width == scanout->width &&
	       scanout->surface_height == scanout->height;
}

bool d3dgpu_picture_is_surface(const struct d3dgpu_picture *picture)
{
	return d3dgpu_scanout_covers(&picture->surface) && !picture->overlay.enabled && !picture->gamma;
}

void d3dgpu_picture_compose(const struct d3dgpu_picture *picture, const void *vram, bool with_cursor, uint32_t x, uint32_t y,
			    uint32_t width, uint32_t height, void *pixels, size_t pitch)
{
	struct sampler surface = {0}, overlay = {0};

	if (!picture->surface.enabled)
		return;
	if (picture->surface.format != D3DGPU_SCANOUT_NONE)
		surface = surface_sampler(&picture->surface, vram);
	if (picture->overlay.enabled)
		overlay = overlay_sampler(&picture->overlay, vram);
	for (uint32_t i = y; i < y + height; i++) {
		struct row row = {(uint32_t *)((uint8_t *)pixels + pitch * i), x, (int64_t)x + width, i};

		draw_surface(&picture->surface, &surface, &row);
		if (picture->overlay.enabled)
			draw_overlay(&picture->overlay, &overlay, &row);
		if (with_cursor && picture->cursor.enabled)
			draw_cursor(&picture->cursor, vram, &row);
		if (picture->gamma)
			apply_gamma(picture->lut, &row);
	}
}
