/*
 * d3dgpu: interrupts. The core raises a vector from any of its threads by
 * writing an event descriptor. Where KVM can, the kernel turns that into the
 * guest's MSI-X message without QEMU; elsewhere, and while the guest masks the
 * vector, the main loop sends it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "qapi/error.h"
#include "hw/pci/msi.h"
#include "hw/pci/msix.h"
#include "sysemu/kvm.h"

#include "d3dgpu.h"

void d3dgpu_irq_raise(D3DGPUState *s, unsigned vector)
{
    event_notifier_set(&s->vectors[vector].notifier);
}

static void d3dgpu_vector_send(EventNotifier *notifier)
{
    D3DGPUVector *v = container_of(notifier, D3DGPUVector, notifier);

    if (event_notifier_test_and_clear(notifier)) {
        msix_notify(PCI_DEVICE(v->gpu), v->index);
    }
}

/* The guest unmasked a vector: hand it to KVM. */
static int d3dgpu_vector_use(PCIDevice *dev, unsigned int index,
                             MSIMessage message)
{
    D3DGPUVector *v = &D3DGPU(dev)->vectors[index];
    KVMRouteChange change = kvm_irqchip_begin_route_changes(kvm_state);
    int virq = kvm_irqchip_add_msi_route(&change, index, dev);

    if (virq < 0) {
        return 0;       /* out of routes: the main loop goes on with it */
    }
    kvm_irqchip_commit_route_changes(&change);
    event_notifier_set_handler(&v->notifier, NULL);
    if (kvm_irqchip_add_irqfd_notifier_gsi(kvm_state, &v->notifier, NULL,
                                           virq) < 0) {
        event_notifier_set_handler(&v->notifier, d3dgpu_vector_send);
        kvm_irqchip_release_virq(kvm_state, virq);
        return 0;
    }
    v->virq = virq;
    return 0;
}

/* The guest masked it: what comes now has to become pending in the table. */
static void d3dgpu_vector_release(PCIDevice *dev, unsigned int index)
{
    D3DGPUVector *v = &D3DGPU(dev)->vectors[index];

    if (v->virq < 0) {
        return;
    }
    kvm_irqchip_remove_irqfd_notifier_gsi(kvm_state, &v->notifier, v->virq);
    kvm_irqchip_release_virq(kvm_state, v->virq);
    v->virq = -1;
    event_notifier_set_handler(&v->notifier, d3dgpu_vector_send);
}

static void d3dgpu_vectors_close(D3DGPUState *s, unsigned count)
{
    while (count--) {
        event_notifier_set_handler(&s->vectors[count].notifier, NULL);
        event_notifier_cleanup(&s->vectors[count].notifier);
    }
}

bool d3dgpu_irq_realize(D3DGPUState *s, Error **errp)
{
    PCIDevice *dev = PCI_DEVICE(s);
    unsigned i;
    int ret;

    for (i = 0; i < D3DGPU_VECTOR_COUNT; i++) {
        D3DGPUVector *v = &s->vectors[i];

        v->gpu = s;
        v->index = i;
        v->virq = -1;
        ret = event_notifier_init(&v->notifier, 0);
        if (ret < 0) {
            error_setg_errno(errp, -ret, "d3dgpu: interrupt %u", i);
            d3dgpu_vectors_close(s, i);
            return false;
        }
        event_notifier_set_handler(&v->notifier, d3dgpu_vector_send);
    }
    if (msix_init_exclusive_bar(dev, D3DGPU_VECTOR_COUNT, D3DGPU_BAR_MSIX,
                                errp) < 0) {
        d3dgpu_vectors_close(s, D3DGPU_VECTOR_COUNT);
        return false;
    }
    for (i = 0; i < D3DGPU_VECTOR_COUNT; i++) {
        msix_vector_use(dev, i);
    }
    if (kvm_msi_via_irqfd_enabled()) {
        msix_set_vector_notifiers(dev, d3dgpu_vector_use,
                                  d3dgpu_vector_release, NULL);
    }
    return true;
}

void d3dgpu_irq_exit(D3DGPUState *s)
{
    PCIDevice *dev = PCI_DEVICE(s);

    if (dev->msix_vector_use_notifier) {
        msix_unset_vector_notifiers(dev);
    }
    msix_uninit_exclusive_bar(dev);
    d3dgpu_vectors_close(s, D3DGPU_VECTOR_COUNT);
}
