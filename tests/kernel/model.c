/* SPDX-License-Identifier: MIT */
#include "model.h"

struct model model;

uint32_t *model_pixel(uint32_t x, uint32_t y)
{
	return model.pixels + (size_t)y * model.width + x;
}

void model_copy(const struct picture *picture)
{
	for (uint32_t y = 0; y < model.height; y++)
		for (uint32_t x = 0; x < model.width; x++)
			*model_pixel(x, y) = *display_pixel(picture, x, y) & 0xffffff;
}
