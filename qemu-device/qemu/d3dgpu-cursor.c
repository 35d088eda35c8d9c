/*
 * d3dgpu: cursors. Where the host's window has a pointer that a device may
 * shape, it is the cursor, and moves without anything being redrawn. (Where
 * it has none, the cursor is drawn into the picture: d3dgpu-display.c.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"

#include "d3dgpu.h"
#include "trace.h"

/* The image is copied row by row out of VRAM, where the core has checked it. */
static void d3dgpu_cursor_define(D3DGPUHead *h,
                                 const struct d3dgpu_cursor *cursor)
{
    const uint8_t *pixels = memory_region_get_ram_ptr(&h->gpu->vram);
    QEMUCursor *image = cursor_alloc(cursor->width, cursor->height);

    image->hot_x = cursor->hot_x;
    image->hot_y = cursor->hot_y;
    for (unsigned y = 0; y < cursor->height; y++) {
        memcpy(image->data + (size_t)y * cursor->width,
               pixels + cursor->offset + (uint64_t)y * cursor->pitch,
               cursor->width * sizeof(uint32_t));
    }
    dpy_cursor_define(h->con, image);
    cursor_put(image);
}

/* Main loop: gives the host's pointer the shape and place that it has now. */
static void d3dgpu_cursor_bh(void *opaque)
{
    D3DGPUHead *h = opaque;
    struct d3dgpu_picture now;
    const struct d3dgpu_cursor *cursor = &now.cursor;

    if (!dpy_cursor_define_supported(h->con)) {
        return;
    }
    d3dgpu_core_picture(h->gpu->core, h->index, &now);
    trace_d3dgpu_cursor(h->index, cursor->enabled, cursor->x, cursor->y,
                        cursor->width, cursor->height, cursor->serial);
    if (cursor->enabled && cursor->serial != h->cursor_serial) {
        h->cursor_serial = cursor->serial;
        d3dgpu_cursor_define(h, cursor);
    }
    dpy_mouse_set(h->con, cursor->x + (int)cursor->hot_x,
                  cursor->y + (int)cursor->hot_y, cursor->enabled);
}

void d3dgpu_cursor_changed(D3DGPUHead *h)
{
    qemu_bh_schedule(h->cursor_bh);
}

void d3dgpu_cursor_realize(D3DGPUHead *h)
{
    h->cursor_bh = qemu_bh_new(d3dgpu_cursor_bh, h);
}

void d3dgpu_cursor_exit(D3DGPUHead *h)
{
    qemu_bh_delete(h->cursor_bh);
}
