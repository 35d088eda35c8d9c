/*
 * d3dgpu: migration and snapshots. Registers and the firmware core's state
 * travel as the core's versioned blob, VRAM as a RAM block. What lives in
 * renderer workers cannot travel yet: while there are 3D contexts, migration
 * is refused with a message that says so.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "qapi/error.h"
#include "hw/pci/msix.h"
#include "migration/blocker.h"
#include "migration/vmstate.h"

#include "d3dgpu.h"
#include "trace.h"

static int d3dgpu_pre_save(void *opaque)
{
    D3DGPUState *s = opaque;
    int64_t size;

    s->registers = g_malloc(D3DGPU_CORE_STATE_MAX);
    size = d3dgpu_core_save(s->core, s->registers, D3DGPU_CORE_STATE_MAX);
    if (size < 0) {
        error_report("d3dgpu: state cannot be saved: %s",
                     size == -EBUSY ? "3D contexts are alive"
                                    : strerror(-size));
        g_clear_pointer(&s->registers, g_free);
        return size;
    }
    s->registers_size = size;
    return 0;
}

static int d3dgpu_post_save(void *opaque)
{
    D3DGPUState *s = opaque;

    g_clear_pointer(&s->registers, g_free);
    return 0;
}

static bool d3dgpu_registers_fit(void *opaque, int version)
{
    D3DGPUState *s = opaque;

    return s->registers_size <= D3DGPU_CORE_STATE_MAX;
}

static int d3dgpu_post_load(void *opaque, int version)
{
    D3DGPUState *s = opaque;
    int ret = -EINVAL;

    if (s->registers) {
        ret = d3dgpu_core_load(s->core, s->registers, s->registers_size);
    }
    g_clear_pointer(&s->registers, g_free);
    if (ret < 0) {
        error_report("d3dgpu: the saved state does not fit this device");
        return ret;
    }
    d3dgpu_display_redraw_all(s);
    return 0;
}

const VMStateDescription vmstate_d3dgpu = {
    .name = "d3dgpu",
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = d3dgpu_pre_save,
    .post_save = d3dgpu_post_save,
    .post_load = d3dgpu_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, D3DGPUState),
        VMSTATE_MSIX(parent_obj, D3DGPUState),
        VMSTATE_UINT32(registers_size, D3DGPUState),
        VMSTATE_VBUFFER_ALLOC_UINT32(registers, D3DGPUState, 1,
                                     d3dgpu_registers_fit, registers_size),
        VMSTATE_END_OF_LIST()
    },
};

/* Main loop: blocks or unblocks as the number of contexts is now. */
static void d3dgpu_contexts_bh(void *opaque)
{
    D3DGPUState *s = opaque;
    unsigned contexts = d3dgpu_core_contexts(s->core);
    Error *error = NULL;

    trace_d3dgpu_contexts(contexts);
    if (contexts && !s->migration_blocker) {
        error_setg(&s->migration_blocker, "d3dgpu: 3D contexts are alive; "
                   "close the guest's 3D programs first");
        if (migrate_add_blocker(s->migration_blocker, &error) < 0) {
            /* A migration is under way: pre_save refuses to finish it. */
            warn_report_err(error);
            error_free(s->migration_blocker);
            s->migration_blocker = NULL;
        }
    } else if (!contexts && s->migration_blocker) {
        migrate_del_blocker(s->migration_blocker);
        error_free(s->migration_blocker);
        s->migration_blocker = NULL;
    }
}

void d3dgpu_migration_contexts_changed(D3DGPUState *s)
{
    qemu_bh_schedule(s->contexts_bh);
}

void d3dgpu_migration_realize(D3DGPUState *s)
{
    s->contexts_bh = qemu_bh_new(d3dgpu_contexts_bh, s);
}

/* After the core is gone: nobody schedules any more. */
void d3dgpu_migration_exit(D3DGPUState *s)
{
    qemu_bh_delete(s->contexts_bh);
    if (s->migration_blocker) {
        migrate_del_blocker(s->migration_blocker);
        error_free(s->migration_blocker);
        s->migration_blocker = NULL;
    }
}
