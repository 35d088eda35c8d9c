/* SPDX-License-Identifier: MIT */
/*
 * The Bochs DISPI window: a linear frame buffer at the start of VRAM, as much of it as a boot screen and a console need.
 * Values are kept as written and looked at when the picture is asked for; a mode that does not fit shows nothing.
 */
#include "core.h"

#define VRAM_UNIT 65536u

uint16_t core_dispi_read(struct d3dgpu_core *core, unsigned index)
{
	switch (index) {
	case D3DGPU_DISPI_ID:
		return D3DGPU_DISPI_ID_VALUE;
	case D3DGPU_DISPI_VRAM_64K: {
		uint64_t units = core->vram_size / VRAM_UNIT;

		return units > UINT16_MAX ? UINT16_MAX : (uint16_t)units;
	}
	default:
		return core->display.dispi[index];
	}
}

void core_dispi_write(struct d3dgpu_core *core, unsigned index, uint16_t value, struct core_notice *notice)
{
	if (index == D3DGPU_DISPI_ID || index == D3DGPU_DISPI_VRAM_64K) /* Bochs guests write the version they know */
		return;
	core->display.dispi[index] = value;
	if (index != D3DGPU_DISPI_BANK && !core->display.heads[0].shown.surface.enabled) {
		notice->scanout = true;
		notice->head = 0;
	}
}

void core_dispi_scanout(struct d3dgpu_core *core, struct d3dgpu_scanout *out)
{
	const uint16_t *dispi = core->display.dispi;
	uint32_t bpp = dispi[D3DGPU_DISPI_BPP];
	uint32_t bytes = bpp == 32 ? 4 : bpp == 16 ? 2 : 0;
	uint32_t width = dispi[D3DGPU_DISPI_XRES], height = dispi[D3DGPU_DISPI_YRES];
	uint32_t virtual_width = dispi[D3DGPU_DISPI_VIRT_WIDTH];
	struct d3dgpu_scanout shown = {
		.enabled = true,
		.width = width,
		.height = height,
		.surface_width = width,
		.surface_height = height,
	};

	*out = (struct d3dgpu_scanout){0};
	if (!(dispi[D3DGPU_DISPI_ENABLE] & D3DGPU_DISPI_ENABLED) || !bytes || !width || !height)
		return;
	shown.pitch = (virtual_width > width ? virtual_width : width) * bytes;
	shown.format = bytes == 4 ? D3DGPU_SCANOUT_XRGB8888 : D3DGPU_SCANOUT_RGB565;
	shown.offset = (uint64_t)dispi[D3DGPU_DISPI_X_OFFSET] * bytes +
		       (uint64_t)dispi[D3DGPU_DISPI_Y_OFFSET] * shown.pitch;
	if (core_scanout_good(core, &shown))
		*out = shown;
}
