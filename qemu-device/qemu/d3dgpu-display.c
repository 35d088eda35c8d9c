/*
 * d3dgpu: consoles. Each head of the device is a console.
 *
 * The console's surface lies directly in VRAM as long as the head's surface,
 * as it is there, is the whole picture. Where planes, gamma or a transform
 * have a part in it, the core composes the picture into a canvas of ours, and
 * only where it changed.
 *
 * Two things tell what to redraw: the damage that the guest's driver reports,
 * and, as long as it reports none, QEMU's dirty log of what the guest's
 * processors write (what renderer workers write is seen by no log).
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
#define D3DGPU_REFRESH 60000    /* millihertz, unless the host's window says */

static pixman_format_code_t d3dgpu_pixman_format(uint32_t format)
{
    switch (format) {
    case D3DGPU_SCANOUT_XBGR8888:
    case D3DGPU_SCANOUT_ABGR8888:
        return PIXMAN_x8b8g8r8;
    case D3DGPU_SCANOUT_RGB565:
        return PIXMAN_r5g6b5;
    default:
        return PIXMAN_x8r8g8b8;
    }
}

/* Whether two pictures' surfaces lie in the same memory in the same way. */
static bool d3dgpu_same_surface(const struct d3dgpu_picture *a,
                                const struct d3dgpu_picture *b)
{
    const struct d3dgpu_scanout *s = &a->surface, *t = &b->surface;

    return s->enabled == t->enabled && s->width == t->width &&
           s->height == t->height && s->pitch == t->pitch &&
           s->format == t->format && s->offset == t->offset &&
           s->left == t->left && s->top == t->top &&
           s->surface_width == t->surface_width &&
           s->surface_height == t->surface_height;
}

/* The canvas has the cursor in it where the host has no pointer to show. */
static bool d3dgpu_head_draws_cursor(D3DGPUHead *h)
{
    return !dpy_cursor_define_supported(h->con);
}

static bool d3dgpu_head_composes(D3DGPUHead *h,
                                 const struct d3dgpu_picture *picture)
{
    return picture->surface.enabled &&
           (!d3dgpu_picture_is_surface(picture) ||
            (picture->cursor.enabled && d3dgpu_head_draws_cursor(h)));
}

/* What to redraw */

static void d3dgpu_rect_unite(D3DGPURect *a, const D3DGPURect *b)
{
    a->left = MIN(a->left, b->left);
    a->top = MIN(a->top, b->top);
    a->right = MAX(a->right, b->right);
    a->bottom = MAX(a->bottom, b->bottom);
}

/* More than fit in the list become one with the last of it. */
static void d3dgpu_head_add_damage(D3DGPUHead *h, int64_t left, int64_t top,
                                   int64_t right, int64_t bottom)
{
    D3DGPURect rect = { MAX(left, 0), MAX(top, 0), MAX(right, 0),
                        MAX(bottom, 0) };

    if (rect.left >= rect.right || rect.top >= rect.bottom) {
        return;
    }
    if (h->damage_count < D3DGPU_DAMAGE_MAX) {
        h->damage[h->damage_count++] = rect;
    } else {
        d3dgpu_rect_unite(&h->damage[D3DGPU_DAMAGE_MAX - 1], &rect);
    }
}

static void d3dgpu_head_damage_cursor(D3DGPUHead *h,
                                      const struct d3dgpu_cursor *cursor)
{
    if (cursor->enabled) {
        d3dgpu_head_add_damage(h, cursor->x, cursor->y,
                               (int64_t)cursor->x + cursor->width,
                               (int64_t)cursor->y + cursor->height);
    }
}

/* Draws a part of the picture, which must be inside it. */
static void d3dgpu_head_draw(D3DGPUHead *h, unsigned x, unsigned y,
                             unsigned width, unsigned height)
{
    trace_d3dgpu_update(h->index, x, y, width, height);
    if (h->composed) {
        DisplaySurface *canvas = qemu_console_surface(h->con);

        d3dgpu_picture_compose(&h->shown,
                               memory_region_get_ram_ptr(&h->gpu->vram),
                               d3dgpu_head_draws_cursor(h), x, y, width,
                               height, surface_data(canvas),
                               surface_stride(canvas));
    }
    dpy_gfx_update(h->con, x, y, width, height);
}

static void d3dgpu_head_draw_all(D3DGPUHead *h)
{
    if (h->shown.surface.enabled) {
        d3dgpu_head_draw(h, 0, 0, h->shown.surface.width,
                         h->shown.surface.height);
    } else {
        dpy_gfx_update_full(h->con);
    }
}

static void d3dgpu_head_draw_damage(D3DGPUHead *h)
{
    for (unsigned i = 0; i < h->damage_count; i++) {
        const D3DGPURect *rect = &h->damage[i];
        unsigned right = MIN(rect->right, h->shown.surface.width);
        unsigned bottom = MIN(rect->bottom, h->shown.surface.height);

        if (rect->left < right && rect->top < bottom) {
            d3dgpu_head_draw(h, rect->left, rect->top, right - rect->left,
                             bottom - rect->top);
        }
    }
    h->damage_count = 0;
}

static DirtyBitmapSnapshot *d3dgpu_take_dirty(D3DGPUHead *h, uint64_t offset,
                                              uint64_t size)
{
    return memory_region_snapshot_and_clear_dirty(&h->gpu->vram, offset, size,
                                                  DIRTY_MEMORY_VGA);
}

/* The runs of lines that processors wrote since the last time. */
static void d3dgpu_head_damage_lines(D3DGPUHead *h)
{
    const struct d3dgpu_scanout *s = &h->shown.surface;
    g_autofree DirtyBitmapSnapshot *snapshot =
        d3dgpu_take_dirty(h, s->offset, (uint64_t)s->pitch * s->height);
    unsigned first = 0, y;

    for (y = 0; y < s->height; y++) {
        if (memory_region_snapshot_get_dirty(&h->gpu->vram, snapshot,
                                             s->offset +
                                             (uint64_t)s->pitch * y,
                                             s->pitch)) {
            continue;
        }
        d3dgpu_head_add_damage(h, 0, first, s->width, y);
        first = y + 1;
    }
    d3dgpu_head_add_damage(h, 0, first, s->width, y);
}

/* All of a plane's place on the screen, if any of its buffer was written. */
static void d3dgpu_head_damage_plane(D3DGPUHead *h, uint64_t offset,
                                     uint64_t size, int64_t x, int64_t y,
                                     uint64_t width, uint64_t height)
{
    g_autofree DirtyBitmapSnapshot *snapshot =
        d3dgpu_take_dirty(h, offset, size);

    if (memory_region_snapshot_get_dirty(&h->gpu->vram, snapshot, offset,
                                         size)) {
        d3dgpu_head_add_damage(h, x, y, x + width, y + height);
    }
}

static void d3dgpu_head_damage_written(D3DGPUHead *h)
{
    const struct d3dgpu_scanout *s = &h->shown.surface;
    const struct d3dgpu_overlay *o = &h->shown.overlay;
    unsigned lines = s->transform & 1 ? s->surface_width : s->surface_height;

    if (d3dgpu_scanout_covers(s)) {
        d3dgpu_head_damage_lines(h);
    } else if (s->format != D3DGPU_SCANOUT_NONE) {
        d3dgpu_head_damage_plane(h, s->offset, (uint64_t)s->pitch * lines,
                                 s->left, s->top, s->surface_width,
                                 s->surface_height);
    }
    if (o->enabled) {
        d3dgpu_head_damage_plane(h, o->offset, (uint64_t)o->pitch * o->height,
                                 o->dst_x, o->dst_y, o->dst_width,
                                 o->dst_height);
    }
}

/* The console's surface */

static DisplaySurface *d3dgpu_head_surface(D3DGPUHead *h)
{
    const struct d3dgpu_scanout *s = &h->shown.surface;
    uint8_t *pixels = memory_region_get_ram_ptr(&h->gpu->vram);

    if (!s->enabled) {
        return qemu_create_placeholder_surface(D3DGPU_PLACEHOLDER_WIDTH,
                                               D3DGPU_PLACEHOLDER_HEIGHT,
                                               "This display is off.");
    }
    if (h->composed) {
        return qemu_create_displaysurface(s->width, s->height);
    }
    return qemu_create_displaysurface_from(s->width, s->height,
                                           d3dgpu_pixman_format(s->format),
                                           s->pitch, pixels + s->offset);
}

/* The driver is not at work: the window that gets such a size made it so. */
static void d3dgpu_head_remember_size(D3DGPUHead *h, DisplaySurface *surface)
{
    D3DGPUSize *size = &h->own_sizes[h->own_size_next];

    size->width = surface_width(surface);
    size->height = surface_height(surface);
    h->own_size_next = (h->own_size_next + 1) % ARRAY_SIZE(h->own_sizes);
}

static void d3dgpu_head_follow_cursor(D3DGPUHead *h,
                                      const struct d3dgpu_cursor *now)
{
    const struct d3dgpu_cursor *old = &h->shown.cursor;

    if (old->enabled == now->enabled && old->serial == now->serial &&
        old->x == now->x && old->y == now->y) {
        return;
    }
    if (d3dgpu_head_draws_cursor(h)) {
        d3dgpu_head_damage_cursor(h, old);
        d3dgpu_head_damage_cursor(h, now);
    } else {
        d3dgpu_cursor_changed(h);
    }
}

/* Takes over what the head shows now; sees to what has to be redrawn. */
static void d3dgpu_head_follow(D3DGPUHead *h, const struct d3dgpu_picture *now)
{
    const struct d3dgpu_scanout *s = &now->surface;
    bool composed = d3dgpu_head_composes(h, now);
    bool changed = composed != h->composed;     /* between canvas and VRAM */
    bool moved = !d3dgpu_same_surface(&h->shown, now);
    bool canvas_fits = composed && s->width == h->shown.surface.width &&
                       s->height == h->shown.surface.height;
    DisplaySurface *surface;

    d3dgpu_head_follow_cursor(h, &now->cursor);
    h->redraw |= now->serial != h->shown.serial || changed ||
                 (moved && !now->reports);
    h->shown = *now;
    h->composed = composed;
    if (h->has_surface && !changed && (!moved || canvas_fits)) {
        return;
    }
    trace_d3dgpu_scanout(h->index, s->enabled, s->width, s->height, s->pitch,
                         s->format, s->offset, composed);
    surface = d3dgpu_head_surface(h);
    h->redraw |= !h->has_surface;
    h->has_surface = true;
    d3dgpu_head_remember_size(h, surface);
    dpy_gfx_replace_surface(h->con, surface);
}

/* Main loop, at the pace of the host's window, or for a screen dump. */
static void d3dgpu_gfx_update(void *opaque)
{
    D3DGPUHead *h = opaque;
    bool reported = h->shown.reports;
    struct d3dgpu_picture now;

    d3dgpu_core_picture(h->gpu->core, h->index, &now);
    d3dgpu_head_follow(h, &now);
    /* Once more when the reports begin: not to lose what was before. */
    if (now.surface.enabled && (!reported || !now.reports)) {
        d3dgpu_head_damage_written(h);
    }
    if (h->redraw) {
        h->redraw = false;
        h->damage_count = 0;
        d3dgpu_head_draw_all(h);
    } else {
        d3dgpu_head_draw_damage(h);
    }
}

static void d3dgpu_invalidate(void *opaque)
{
    D3DGPUHead *h = opaque;

    h->redraw = true;
}

/* The host's window */

static void d3dgpu_head_set_edid(D3DGPUHead *h)
{
    uint8_t edid[256];

    qemu_edid_generate(edid, sizeof(edid), &h->edid);
    d3dgpu_core_set_edid(h->gpu->core, h->index, edid, sizeof(edid));
}

/*
 * A window that only took the size of what it shows says nothing about what
 * the user would like. What the guest's driver shows it may tell late, but
 * the driver follows it anyway; what is shown without a driver (placeholder,
 * boot screens) comes and goes quickly.
 */
static bool d3dgpu_head_own_size(D3DGPUHead *h, const QemuUIInfo *info)
{
    const struct d3dgpu_scanout *s = &h->shown.surface;
    bool driver = d3dgpu_core_read(h->gpu->core, D3DGPU_REG_HEAD(h->index) +
                                   D3DGPU_HEAD_ENABLE, 4) & 1;

    if (driver) {
        return info->width == s->width && info->height == s->height;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(h->own_sizes); i++) {
        if (info->width == h->own_sizes[i].width &&
            info->height == h->own_sizes[i].height) {
            return true;
        }
    }
    return false;
}

/* The host's window has another size: the guest may follow it. */
static void d3dgpu_ui_info(void *opaque, uint32_t idx, QemuUIInfo *info)
{
    D3DGPUHead *h = opaque;

    if (!info->width || !info->height || d3dgpu_head_own_size(h, info)) {
        return;
    }
    h->edid.prefx = info->width;
    h->edid.prefy = info->height;
    h->edid.width_mm = info->width_mm;
    h->edid.height_mm = info->height_mm;
    h->edid.refresh_rate = info->refresh_rate ?: D3DGPU_REFRESH;
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
    if (head >= s->config.heads) {
        return;
    }
    trace_d3dgpu_damage(head, x, y, width, height);
    d3dgpu_head_add_damage(&s->heads[head], x, y, (int64_t)x + width,
                           (int64_t)y + height);
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
            .refresh_rate = D3DGPU_REFRESH,
        };
        d3dgpu_head_set_edid(h);
        h->con = graphic_console_init(DEVICE(s), i, &d3dgpu_gfx_ops, h);
        d3dgpu_cursor_realize(h);
    }
}

void d3dgpu_display_exit(D3DGPUState *s)
{
    for (unsigned i = 0; i < s->config.heads; i++) {
        d3dgpu_cursor_exit(&s->heads[i]);
        graphic_console_close(s->heads[i].con);
    }
}
