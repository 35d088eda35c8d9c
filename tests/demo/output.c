/* SPDX-License-Identifier: MIT */
#include "demo.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double demo_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int demo_failed(const char *call, int32_t result)
{
	fprintf(stderr, "demo: %s failed: 0x%08x\n", call, (unsigned)result);
	return -1;
}

int demo_write_png(const char *output, const char *name, const void *pixels, uint32_t width, uint32_t height, uint32_t pitch)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB };
	uint8_t *rgb = malloc((size_t)width * height * 3), *to = rgb;
	char path[4096];
	int written;

	if (!rgb)
		return demo_failed("malloc", 0);
	for (uint32_t y = 0; y < height; y++) {
		const uint8_t *from = (const uint8_t *)pixels + (size_t)y * pitch;

		for (uint32_t x = 0; x < width; x++, from += 4, to += 3) {
			to[0] = from[2];
			to[1] = from[1];
			to[2] = from[0];
		}
	}
	snprintf(path, sizeof(path), "%s/%s", output, name);
	written = png_image_write_to_file(&image, path, 0, rgb, 0, NULL);
	free(rgb);
	if (!written) {
		fprintf(stderr, "demo: %s: %s\n", path, image.message);
		return -1;
	}
	printf("picture: %s\n", path);
	return 0;
}

void demo_print_rate(const char *api, uint32_t frames, double seconds, const struct d3dgpu_statistics *before,
		     const struct d3dgpu_statistics *after)
{
	double n = frames;

	printf("%s: %u frames in %.2f s: %.1f frames per second\n", api, frames, seconds, n / seconds);
	printf("%s: per frame: %.2f ioctls, %.2f ring entries, %.2f interrupts, %.0f bytes of command stream, %.2f draws, "
	       "%.2f allocations\n",
	       api, (double)(after->ioctls - before->ioctls) / n, (double)(after->ring_entries - before->ring_entries) / n,
	       (double)(after->interrupts - before->interrupts) / n, (double)(after->stream_bytes - before->stream_bytes) / n,
	       (double)(after->draws - before->draws) / n, (double)(after->allocations - before->allocations) / n);
}
