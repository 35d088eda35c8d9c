/*
 * d3dgpu: consoles. Each head of the device is a console whose surface lies
 * directly in VRAM.
 *
 * Two things tell what to redraw: QEMU's dirty log for what the guest's
 * processors wrote, and the damage that the guest's driver reports for what
 * the renderer workers wrote, which no log sees.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "exec/memory.h"
#include "ui/qemu-pixman.h"

#include "d3dgpu.h"
#include "trace.h"

#define D3DGPU_PLACEHOLDER_WIDTH 640
#define D3DGPU_PLACEHOLDER_HEIGHT 480

static pixman_format_code_t d3dgpu_pixman_format(uint32_t format)
{
    switch (format) {
    case D3DGPU_SCANOUT_XBGR8888:
        return PIXMAN_x8b8g8r8;
    case D3DGPU_SCANOUT_RGB565:
        return PIXMAN_r5g6b5;
    default:
        return PIXMAN_x8r8g8b8;
    }
}

static bool d3dgpu_same_surface(const struct d3dgpu_scanout *a,
                                const struct d3dgpu_scanout *b)
{
    return a->enabled == b->enabled && a->width == b->width &&
           a->height == b->height && a->pitch == b->pitch &&
           a->format == b->format && a->offset == b->offset;
}

/* Gives the console the surface for what the head shows now. */
static void d3dgpu_head_replace(D3DGPUHead *h, const struct d3dgpu_scanout *now)
{
    DisplaySurface *surface;

    trace_d3dgpu_scanout(h->index, now->enabled, now->width, now->height,
                         now->pitch, now->format, now->offset);
    if (now->enabled) {
        uint8_t *pixels = memory_region_get_ram_ptr(&h->gpu->vram);

        surface = qemu_create_displaysurface_from(
            now->width, now->height, d3dgpu_pixman_format(now->format),
            now->pitch, pixels + now->offset);
    } else {
        surface = qemu_create_placeholder_surface(D3DGPU_PLACEHOLDER_WIDTH,
                                                  D3DGPU_PLACEHOLDER_HEIGHT,
                                                  "This display is off.");
    }
    h->shown = *now;
    h->placeholder = !now->enabled;
    dpy_gfx_replace_surface(h->con, surface);
    h->redraw = true;
}

/* Redraws the runs of lines that the guest wrote since the last time. */
static void d3dgpu_head_update_dirty(D3DGPUHead *h)
{
    const struct d3dgpu_scanout *mode = &h->shown;
    MemoryRegion *vram = &h->gpu->vram;
    hwaddr size = (hwaddr)mode->pitch * mode->height;
    g_autofree DirtyBitmapSnapshot *snapshot = NULL;
    unsigned first = 0, y;

    snapshot = memory_region_snapshot_and_clear_dirty(vram, mode->offset, size,
                                                      DIRTY_MEMORY_VGA);
    for (y = 0; y < mode->height; y++) {
        hwaddr line = mode->offset + (hwaddr)mode->pitch * y;

        if (memory_region_snapshot_get_dirty(vram, snapshot, line,
                                             mode->pitch)) {
            continue;
        }
        if (y > first) {
            dpy_gfx_update(h->con, 0, first, mode->width, y - first);
        }
        first = y + 1;
    }
    if (y > first) {
        dpy_gfx_update(h->con, 0, first, mode->width, y - first);
    }
}

/* Redraws what the guest's driver reported, as far as it is in the mode. */
static void d3dgpu_head_update_damage(D3DGPUHead *h)
{
    unsigned right = MIN(h->damage_right, h->shown.width);
    unsigned bottom = MIN(h->damage_bottom, h->shown.height);

    if (h->damage_left < right && h->damage_top < bottom) {
        dpy_gfx_update(h->con, h->damage_left, h->damage_top,
                       right - h->damage_left, bottom - h->damage_top);
    }
    h->damage_left = h->damage_right = 0;
}

/* Main loop, at the pace of the host's window, or for a screen dump. */
static void d3dgpu_gfx_update(void *opaque)
{
    D3DGPUHead *h = opaque;
    struct d3dgpu_scanout now;

    d3dgpu_core_scanout(h->gpu->core, h->index, &now);
    if (!d3dgpu_same_surface(&h->shown, &now) ||
        (!now.enabled && !h->placeholder)) {
        d3dgpu_head_replace(h, &now);
    }
    if (h->redraw) {
        h->redraw = false;
        h->damage_left = h->damage_right = 0;
        dpy_gfx_update_full(h->con);
    } else if (h->shown.enabled) {
        d3dgpu_head_update_dirty(h);
        d3dgpu_head_update_damage(h);
    }
}

static void d3dgpu_invalidate(void *opaque)
{
    D3DGPUHead *h = opaque;

    h->redraw = true;
}

static void d3dgpu_head_set_edid(D3DGPUHead *h)
{
    uint8_t edid[256];

    qemu_edid_generate(edid, sizeof(edid), &h->edid);
    d3dgpu_core_set_edid(h->gpu->core, h->index, edid, sizeof(edid));
}

/* Whether the guest's driver, not DISPI, has set the head's mode. */
static bool d3dgpu_head_enabled(D3DGPUHead *h)
{
    return d3dgpu_core_read(h->gpu->core, D3DGPU_REG_HEAD(h->index) +
                            D3DGPU_HEAD_ENABLE, 4) & 1;
}

/*
 * The host's window has another size: the guest may follow it. A window that
 * only took the size of what it shows (placeholder, boot screen, the mode that
 * the guest chose) says nothing about what the user would like.
 */
static void d3dgpu_ui_info(void *opaque, uint32_t idx, QemuUIInfo *info)
{
    D3DGPUHead *h = opaque;

    if (!info->width || !info->height || !d3dgpu_head_enabled(h) ||
        (info->width == h->shown.width && info->height == h->shown.height)) {
        return;
    }
    h->edid.prefx = info->width;
    h->edid.prefy = info->height;
    h->edid.width_mm = info->width_mm;
    h->edid.height_mm = info->height_mm;
    d3dgpu_head_set_edid(h);
    d3dgpu_core_resize(h->gpu->core, h->index, info->width, info->height);
}

static const GraphicHwOps d3dgpu_gfx_ops = {
    .invalidate = d3dgpu_invalidate,
    .gfx_update = d3dgpu_gfx_update,
    .ui_info = d3dgpu_ui_info,
};

void d3dgpu_display_damage(D3DGPUState *s, unsigned head, uint32_t x,
                           uint32_t y, uint32_t width, uint32_t height)
{
    D3DGPUHead *h = &s->heads[head];
    unsigned right, bottom;

    if (head >= s->config.heads || x >= INT_MAX || y >= INT_MAX) {
        return;
    }
    right = MIN((uint64_t)x + width, INT_MAX);
    bottom = MIN((uint64_t)y + height, INT_MAX);
    trace_d3dgpu_damage(head, x, y, width, height);
    if (h->damage_right <= h->damage_left) {
        h->damage_left = x;
        h->damage_top = y;
        h->damage_right = right;
        h->damage_bottom = bottom;
    } else {
        h->damage_left = MIN(h->damage_left, x);
        h->damage_top = MIN(h->damage_top, y);
        h->damage_right = MAX(h->damage_right, right);
        h->damage_bottom = MAX(h->damage_bottom, bottom);
    }
}

void d3dgpu_display_redraw_all(D3DGPUState *s)
{
    for (unsigned i = 0; i < s->config.heads; i++) {
        s->heads[i].redraw = true;
    }
}

void d3dgpu_display_realize(D3DGPUState *s)
{
    for (unsigned i = 0; i < s->config.heads; i++) {
        D3DGPUHead *h = &s->heads[i];

        h->gpu = s;
        h->index = i;
        h->edid = (qemu_edid_info) {
            .vendor = "D3D",
            .name = "d3dgpu",
            .prefx = s->config.xres,
            .prefy = s->config.yres,
        };
        d3dgpu_head_set_edid(h);
        h->con = graphic_console_init(DEVICE(s), i, &d3dgpu_gfx_ops, h);
    }
}

void d3dgpu_display_exit(D3DGPUState *s)
{
    for (unsigned i = 0; i < s->config.heads; i++) {
        graphic_console_close(s->heads[i].con);
    }
}
