/* SPDX-License-Identifier: MIT */
/* A minimal EDID 1.4 (VESA E-EDID release A, revision 2), for users that have no generator of their own. */
#include <stdio.h>
#include <string.h>

#include "display.h"

#define DPI 96u

/* Timing with reduced blanking, as far as a virtual display needs it. */
struct timing {
	uint32_t active, blank, front, sync;
};

/* Puts the low byte in one place and the high bits in another, as detailed timings want. */
static void put_timing(uint8_t *d, const struct timing *h, const struct timing *v, uint32_t clock, uint32_t mm_x,
		       uint32_t mm_y)
{
	d[0] = (uint8_t)clock;
	d[1] = (uint8_t)(clock >> 8);
	d[2] = (uint8_t)h->active;
	d[3] = (uint8_t)h->blank;
	d[4] = (uint8_t)((h->active >> 8 & 15) << 4 | (h->blank >> 8 & 15));
	d[5] = (uint8_t)v->active;
	d[6] = (uint8_t)v->blank;
	d[7] = (uint8_t)((v->active >> 8 & 15) << 4 | (v->blank >> 8 & 15));
	d[8] = (uint8_t)h->front;
	d[9] = (uint8_t)h->sync;
	d[10] = (uint8_t)((v->front & 15) << 4 | (v->sync & 15));
	d[11] = (uint8_t)((h->front >> 8 & 3) << 6 | (h->sync >> 8 & 3) << 4 | (v->front >> 4 & 3) << 2 | (v->sync >> 4 & 3));
	d[12] = (uint8_t)mm_x;
	d[13] = (uint8_t)mm_y;
	d[14] = (uint8_t)((mm_x >> 8 & 15) << 4 | (mm_y >> 8 & 15));
	d[17] = 0x1a; /* digital, separate sync, horizontal positive */
}

static void put_text(uint8_t *d, uint8_t tag, const char *text)
{
	size_t length = strlen(text);

	d[3] = tag;
	memset(d + 5, ' ', 13);
	if (length < 13)
		d[5 + length] = '\n';
	memcpy(d + 5, text, length < 13 ? length : 13);
}

void core_edid_make(uint8_t edid[128], unsigned head, uint32_t width, uint32_t height)
{
	static const uint8_t header[8] = {0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00};
	static const uint8_t srgb[10] = {0xee, 0x91, 0xa3, 0x54, 0x4c, 0x99, 0x26, 0x0f, 0x50, 0x54};
	/* 12 bits of pixels and 16 bits of 10 kHz are all a detailed timing has. */
	uint32_t w = width > 4095 ? 4095 : width, h = height > 4095 ? 4095 : height;
	struct timing across = {w, 160, 48, 32}, down = {h, 35, 3, 5};
	uint32_t clock = (w + across.blank) * (h + down.blank) / 1000 * 60 / 10;
	uint32_t mm_x = w * 254 / (DPI * 10), mm_y = h * 254 / (DPI * 10);
	char name[16];
	uint8_t sum = 0;

	memset(edid, 0, 128);
	memcpy(edid, header, sizeof(header));
	edid[8] = ('D' - '@') << 2; /* manufacturer "DTG": five bits a letter */
	edid[8] |= ('T' - '@') >> 3;
	edid[9] = (uint8_t)((('T' - '@') & 7) << 5 | ('G' - '@'));
	edid[10] = (uint8_t)(0xd9 + head);
	edid[17] = 2026 - 1990;
	edid[18] = 1;
	edid[19] = 4;
	edid[20] = 0xa5; /* digital, 8 bits per colour, DisplayPort */
	edid[21] = (uint8_t)(mm_x / 10 > 255 ? 255 : mm_x / 10);
	edid[22] = (uint8_t)(mm_y / 10 > 255 ? 255 : mm_y / 10);
	edid[23] = 120; /* gamma 2.2 */
	edid[24] = 0x06; /* sRGB, first timing is the native one */
	memcpy(edid + 25, srgb, sizeof(srgb));
	edid[35] = 0x21; /* 640x480 and 800x600 at 60 Hz */
	edid[36] = 0x08; /* 1024x768 at 60 Hz */
	memset(edid + 38, 0x01, 16);
	put_timing(edid + 54, &across, &down, clock > 0xffff ? 0xffff : clock, mm_x, mm_y);
	snprintf(name, sizeof(name), "d3dgpu-%u", head);
	put_text(edid + 72, 0xfc, name);
	put_text(edid + 90, 0xfe, "virtual");
	edid[108 + 3] = 0x10; /* no more */
	for (unsigned i = 0; i < 127; i++)
		sum = (uint8_t)(sum + edid[i]);
	edid[127] = (uint8_t)-sum;
}
