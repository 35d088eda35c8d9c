/*
 * d3dgpu: a virtual Direct3D GPU. What the files of the PCI device share.
 *
 * The device itself (registers, firmware core, rings, workers) is the core
 * library, see d3dgpu_core.h. Here is only what ties it to QEMU: PCI, memory
 * regions, interrupts, consoles, properties and migration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_DISPLAY_D3DGPU_H
#define HW_DISPLAY_D3DGPU_H

#include "hw/pci/pci.h"
#include "hw/display/edid.h"
#include "qemu/event_notifier.h"
#include "qom/object.h"
#include "ui/console.h"

#include "d3dgpu_core.h"

#define TYPE_D3DGPU "d3dgpu"
OBJECT_DECLARE_SIMPLE_TYPE(D3DGPUState, D3DGPU)

/* A part of the screen; right and bottom are outside */
typedef struct D3DGPURect {
    int64_t left, top, right, bottom;
} D3DGPURect;

typedef struct D3DGPUSize {
    unsigned width, height;
} D3DGPUSize;

#define D3DGPU_DAMAGE_MAX 16

/* One display head and the console that shows it. */
typedef struct D3DGPUHead {
    D3DGPUState *gpu;
    unsigned index;
    QemuConsole *con;
    qemu_edid_info edid;

    /* What the console's surface was made for */
    struct d3dgpu_picture shown;
    bool has_surface;
    bool composed;          /* the surface is a canvas, not VRAM */
    bool redraw;            /* next update draws everything */
    /* What was drawn since the last update */
    D3DGPURect damage[D3DGPU_DAMAGE_MAX];
    unsigned damage_count;
    /* The last sizes that the console had, for its window takes them */
    D3DGPUSize own_sizes[4];
    unsigned own_size_next;

    QEMUBH *cursor_bh;      /* the host's pointer has to follow the cursor */
    uint32_t cursor_serial; /* of the image that it has */
} D3DGPUHead;

/* One interrupt: the core's threads signal it, the main loop or KVM sends it */
typedef struct D3DGPUVector {
    D3DGPUState *gpu;
    unsigned index;
    EventNotifier notifier;
    int virq;               /* KVM's route, -1: the main loop sends it */
} D3DGPUVector;

struct D3DGPUState {
    /* parent */
    PCIDevice parent_obj;

    /* device elements */
    struct d3dgpu_core *core;
    MemoryRegion vram;
    MemoryRegion regs;
    EventNotifier doorbells[D3DGPU_MAX_RINGS];  /* fds are the core's */
    D3DGPUVector vectors[D3DGPU_VECTOR_COUNT];
    D3DGPUHead heads[D3DGPU_MAX_HEADS];

    /* device config */
    struct d3dgpu_config config;
    GHashTable *property_text;  /* name -> value as it was given */

    /* device registers, filled only while they are saved or loaded */
    uint8_t *registers;
    uint32_t registers_size;

    /* device state */
    QEMUBH *contexts_bh;        /* contexts came or went */
    Error *migration_blocker;   /* set while contexts are alive */
};

/* d3dgpu-irq.c */
bool d3dgpu_irq_realize(D3DGPUState *s, Error **errp);
void d3dgpu_irq_exit(D3DGPUState *s);
void d3dgpu_irq_raise(D3DGPUState *s, unsigned vector);     /* any thread */

/* d3dgpu-display.c */
void d3dgpu_display_realize(D3DGPUState *s);
void d3dgpu_display_exit(D3DGPUState *s);
void d3dgpu_display_damage(D3DGPUState *s, unsigned head, uint32_t x,
                           uint32_t y, uint32_t width, uint32_t height);
void d3dgpu_display_redraw_all(D3DGPUState *s);

/* d3dgpu-cursor.c */
void d3dgpu_cursor_realize(D3DGPUHead *h);
void d3dgpu_cursor_exit(D3DGPUHead *h);
void d3dgpu_cursor_changed(D3DGPUHead *h);

/* d3dgpu-migration.c */
extern const VMStateDescription vmstate_d3dgpu;
void d3dgpu_migration_realize(D3DGPUState *s);
void d3dgpu_migration_exit(D3DGPUState *s);
void d3dgpu_migration_contexts_changed(D3DGPUState *s);     /* any thread */

#endif
