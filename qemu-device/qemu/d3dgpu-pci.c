/*
 * d3dgpu: the PCI device. Properties, BARs, doorbells, and the core's
 * callbacks.
 *
 * BAR 0  VRAM, a memfd that QEMU, the core and the renderer workers share
 * BAR 2  registers, answered by the core (d3dgpu_regs.h)
 * BAR 4  MSI-X
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "hw/pci/msix.h"
#include "hw/pci/pcie.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "monitor/monitor.h"

#include "d3dgpu.h"
#include "trace.h"

/*
 * The device's properties are the core's: it parses them, so that QEMU and
 * the loopback library accept the same words and give the same messages.
 */
static const struct {
    const char *name;
    const char *description;
} d3dgpu_properties[] = {
    { "vram", "video memory: 64M to 16G, a power of two" },
    { "feature-level", "9_1, 9_2, 9_3, 10_0, 10_1, 11_0 or 11_1" },
    { "npot", "on/off: full non-power-of-two textures" },
    { "shadow", "on/off: depth textures with comparison" },
    { "instancing", "on/off: simple instancing" },
    { "cube-ds", "on/off: cube-face target with 2D depth-stencil" },
    { "max-texture", "largest texture in texels, 0: the engine's limit" },
    { "msaa", "highest sample count: 1, 2, 4, 8, 16; 0: the engine's" },
    { "ds-formats", "depth-stencil formats joined by '+'; empty: all" },
    { "heads", "display heads, 1 to 4" },
    { "hang-timeout", "milliseconds that a context's work may take" },
    { "warm-workers", "renderer workers started ahead of need, 0 to 16" },
    { "engines", "contexts whose engines work at once, 1 to 255; 0 for the host's processors" },
    { "xres", "width of the preferred display mode" },
    { "yres", "height of the preferred display mode" },
    { "worker", "path of the renderer worker program" },
    { "worker-socket", "descriptor of a manager that hands out workers" },
    { "shader-cache", "folder of the workers' shader cache" },
};

static void d3dgpu_get_property(Object *obj, Visitor *v, const char *name,
                                void *opaque, Error **errp)
{
    D3DGPUState *s = D3DGPU(obj);
    const char *text = g_hash_table_lookup(s->property_text, name);
    g_autofree char *value = g_strdup(text ?: "");

    visit_type_str(v, name, &value, errp);
}

static void d3dgpu_set_property(Object *obj, Visitor *v, const char *name,
                                void *opaque, Error **errp)
{
    D3DGPUState *s = D3DGPU(obj);
    g_autofree char *value = NULL;
    char message[256];

    if (DEVICE(obj)->realized) {
        error_setg(errp, "d3dgpu: %s cannot change at run time", name);
        return;
    }
    if (!visit_type_str(v, name, &value, errp)) {
        return;
    }
    if (!strcmp(name, "worker-socket")) {
        int fd = monitor_fd_param(monitor_cur(), value, errp);

        if (fd < 0) {
            return;
        }
        s->config.worker_socket = fd;
    } else if (d3dgpu_config_set(&s->config, name, value, message,
                                 sizeof(message)) < 0) {
        error_setg(errp, "d3dgpu: %s", message);
        return;
    }
    g_hash_table_insert(s->property_text, g_strdup(name),
                        g_steal_pointer(&value));
}

/* The core's callbacks. irq, log and trace come from any thread. */

static void d3dgpu_irq(void *opaque, unsigned vector)
{
    d3dgpu_irq_raise(opaque, vector);
}

static void d3dgpu_log(void *opaque, enum d3dgpu_log_level level,
                       const char *text)
{
    switch (level) {
    case D3DGPU_LOG_ERROR:
        error_report("d3dgpu: %s", text);
        break;
    case D3DGPU_LOG_GUEST:
        qemu_log_mask(LOG_GUEST_ERROR, "d3dgpu: %s\n", text);
        break;
    case D3DGPU_LOG_INFO:
        trace_d3dgpu_info(text);
        break;
    }
}

/*
 * Nothing to do when a head's mode or surface changes: each update of the
 * console asks the core what is shown, and only the main loop may touch the
 * host's window.
 */
static void d3dgpu_scanout(void *opaque, unsigned head)
{
}

static void d3dgpu_damage(void *opaque, unsigned head, uint32_t x, uint32_t y,
                          uint32_t width, uint32_t height)
{
    d3dgpu_display_damage(opaque, head, x, y, width, height);
}

static void d3dgpu_cursor(void *opaque, unsigned head)
{
    D3DGPUState *s = opaque;

    d3dgpu_cursor_changed(&s->heads[head]);
}

static void d3dgpu_trace(void *opaque, enum d3dgpu_trace_point point,
                         uint32_t context, uint64_t fence,
                         uint64_t a, uint64_t b)
{
    switch (point) {
    case D3DGPU_TRACE_DOORBELL:
        trace_d3dgpu_doorbell(a);
        break;
    case D3DGPU_TRACE_DISPATCH:
        trace_d3dgpu_dispatch(context, fence, a);
        break;
    case D3DGPU_TRACE_COMPLETE:
        trace_d3dgpu_complete(context, fence, a, b);
        break;
    case D3DGPU_TRACE_INTERRUPT:
        trace_d3dgpu_interrupt(a);
        break;
    case D3DGPU_TRACE_WORKER_START:
        trace_d3dgpu_worker_start(context, a);
        d3dgpu_migration_contexts_changed(opaque);
        break;
    case D3DGPU_TRACE_WORKER_END:
        trace_d3dgpu_worker_end(context, a, b);
        d3dgpu_migration_contexts_changed(opaque);
        break;
    case D3DGPU_TRACE_DSU:
        trace_d3dgpu_dsu(a, b);
        break;
    }
}

/* Registers: the core judges widths and alignment, and counts the mistakes. */

static uint64_t d3dgpu_regs_read(void *opaque, hwaddr offset, unsigned size)
{
    D3DGPUState *s = opaque;
    uint64_t value = d3dgpu_core_read(s->core, offset, size);

    trace_d3dgpu_read(offset, size, value);
    return value;
}

static void d3dgpu_regs_write(void *opaque, hwaddr offset, uint64_t value,
                              unsigned size)
{
    D3DGPUState *s = opaque;

    trace_d3dgpu_write(offset, size, value);
    d3dgpu_core_write(s->core, offset, value, size);
}

static const MemoryRegionOps d3dgpu_regs_ops = {
    .read = d3dgpu_regs_read,
    .write = d3dgpu_regs_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid.min_access_size = 1,
    .valid.max_access_size = 8,
    .valid.unaligned = true,
    .impl.min_access_size = 1,
    .impl.max_access_size = 8,
    .impl.unaligned = true,
};

static bool d3dgpu_realize_vram(D3DGPUState *s, Error **errp)
{
    ERRP_GUARD();
    int fd = dup(d3dgpu_core_vram_fd(s->core));     /* the region owns it */

    if (fd < 0) {
        error_setg_errno(errp, errno, "d3dgpu: video memory");
        return false;
    }
    memory_region_init_ram_from_fd(&s->vram, OBJECT(s), "d3dgpu.vram",
                                   d3dgpu_core_vram_size(s->core), RAM_SHARED,
                                   fd, 0, errp);
    if (*errp) {
        return false;
    }
    vmstate_register_ram(&s->vram, DEVICE(s));
    memory_region_set_log(&s->vram, true, DIRTY_MEMORY_VGA);
    return true;
}

/* A doorbell's write becomes an eventfd's: no exit to QEMU under KVM. */
static void d3dgpu_realize_doorbells(D3DGPUState *s)
{
    for (unsigned ring = 0; ring < D3DGPU_MAX_RINGS; ring++) {
        event_notifier_init_fd(&s->doorbells[ring],
                               d3dgpu_core_doorbell_fd(s->core, ring));
        memory_region_add_eventfd(&s->regs, D3DGPU_REG_DOORBELL(ring), 4,
                                  false, 0, &s->doorbells[ring]);
    }
}

static void d3dgpu_exit_doorbells(D3DGPUState *s)
{
    for (unsigned ring = 0; ring < D3DGPU_MAX_RINGS; ring++) {
        memory_region_del_eventfd(&s->regs, D3DGPU_REG_DOORBELL(ring), 4,
                                  false, 0, &s->doorbells[ring]);
    }
}

static bool d3dgpu_realize_core(D3DGPUState *s, Error **errp)
{
    const struct d3dgpu_callbacks callbacks = {
        .opaque = s,
        .irq = d3dgpu_irq,
        .log = d3dgpu_log,
        .scanout = d3dgpu_scanout,
        .damage = d3dgpu_damage,
        .cursor = d3dgpu_cursor,
        .trace = d3dgpu_trace,
    };
    char message[512] = "";
    int ret = d3dgpu_core_create(&s->config, &callbacks, &s->core, message,
                                 sizeof(message));

    if (ret < 0) {
        s->core = NULL;
        error_setg(errp, "d3dgpu: %s", message[0] ? message : strerror(-ret));
        return false;
    }
    return true;
}

static void d3dgpu_realize(PCIDevice *dev, Error **errp)
{
    D3DGPUState *s = D3DGPU(dev);

    /* The core may signal from its threads as soon as it exists. */
    d3dgpu_migration_realize(s);
    if (!d3dgpu_irq_realize(s, errp)) {
        goto fail_irq;
    }
    if (!d3dgpu_realize_core(s, errp)) {
        goto fail_core;
    }
    if (!d3dgpu_realize_vram(s, errp)) {
        goto fail_vram;
    }
    pci_register_bar(dev, D3DGPU_BAR_VRAM,
                     PCI_BASE_ADDRESS_MEM_PREFETCH |
                     PCI_BASE_ADDRESS_MEM_TYPE_64, &s->vram);

    memory_region_init_io(&s->regs, OBJECT(s), &d3dgpu_regs_ops, s,
                          "d3dgpu.regs", D3DGPU_BAR_REGS_SIZE);
    d3dgpu_realize_doorbells(s);
    pci_register_bar(dev, D3DGPU_BAR_REGS, PCI_BASE_ADDRESS_SPACE_MEMORY,
                     &s->regs);

    if (pci_bus_is_express(pci_get_bus(dev))) {
        pcie_endpoint_cap_init(dev, 0x80);
    } else {
        dev->cap_present &= ~QEMU_PCI_CAP_EXPRESS;
    }
    d3dgpu_display_realize(s);
    return;

fail_vram:
    d3dgpu_core_destroy(s->core);
    s->core = NULL;
fail_core:
    d3dgpu_irq_exit(s);
fail_irq:
    d3dgpu_migration_exit(s);
}

static void d3dgpu_exit(PCIDevice *dev)
{
    D3DGPUState *s = D3DGPU(dev);

    d3dgpu_display_exit(s);
    d3dgpu_exit_doorbells(s);
    d3dgpu_core_destroy(s->core);
    s->core = NULL;
    d3dgpu_irq_exit(s);
    d3dgpu_migration_exit(s);
    vmstate_unregister_ram(&s->vram, DEVICE(s));
}

static void d3dgpu_reset(DeviceState *dev)
{
    D3DGPUState *s = D3DGPU(dev);

    d3dgpu_core_reset(s->core);
    d3dgpu_display_redraw_all(s);
}

static void d3dgpu_init(Object *obj)
{
    D3DGPUState *s = D3DGPU(obj);

    PCI_DEVICE(obj)->cap_present |= QEMU_PCI_CAP_EXPRESS;
    d3dgpu_config_defaults(&s->config);
    s->property_text = g_hash_table_new_full(g_str_hash, g_str_equal,
                                             g_free, g_free);
}

static void d3dgpu_finalize(Object *obj)
{
    g_hash_table_unref(D3DGPU(obj)->property_text);
}

static void d3dgpu_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);

    k->vendor_id = D3DGPU_PCI_VENDOR;
    k->device_id = D3DGPU_PCI_DEVICE;
    k->revision = D3DGPU_PCI_REVISION;
    k->class_id = PCI_CLASS_DISPLAY_OTHER;
    k->realize = d3dgpu_realize;
    k->exit = d3dgpu_exit;
    /* It finds its registers at the places where bochs-display has them. */
    k->romfile = "vgabios-bochs-display.bin";
    dc->desc = "virtual Direct3D GPU";
    dc->reset = d3dgpu_reset;
    dc->vmsd = &vmstate_d3dgpu;
    dc->hotpluggable = false;   /* consoles stay for the VM's life */
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);

    for (unsigned i = 0; i < ARRAY_SIZE(d3dgpu_properties); i++) {
        object_class_property_add(klass, d3dgpu_properties[i].name, "str",
                                  d3dgpu_get_property, d3dgpu_set_property,
                                  NULL, NULL);
        object_class_property_set_description(klass,
                                              d3dgpu_properties[i].name,
                                              d3dgpu_properties[i].description);
    }
}

static const TypeInfo d3dgpu_type_info = {
    .name = TYPE_D3DGPU,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(D3DGPUState),
    .instance_init = d3dgpu_init,
    .instance_finalize = d3dgpu_finalize,
    .class_init = d3dgpu_class_init,
    .interfaces = (InterfaceInfo[]) {
        { INTERFACE_PCIE_DEVICE },
        { INTERFACE_CONVENTIONAL_PCI_DEVICE },
        { },
    },
};

static void d3dgpu_register_types(void)
{
    type_register_static(&d3dgpu_type_info);
}

type_init(d3dgpu_register_types)
