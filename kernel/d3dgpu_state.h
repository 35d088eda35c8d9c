/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_STATE_H
#define D3DGPU_STATE_H

#include <linux/types.h>

struct d3dgpu_device;
struct drm_printer;

const char *d3dgpu_fault_text(u32 fault);
void d3dgpu_state_print_registers(struct d3dgpu_device *gdev, struct drm_printer *p);
void d3dgpu_state_print_rings(struct d3dgpu_device *gdev, struct drm_printer *p);
void d3dgpu_state_print_contexts(struct d3dgpu_device *gdev, struct drm_printer *p);
void d3dgpu_state_print_faults(struct d3dgpu_device *gdev, struct drm_printer *p);
void d3dgpu_state_print_counters(struct d3dgpu_device *gdev, struct drm_printer *p);
void d3dgpu_state_print_log(struct d3dgpu_device *gdev, struct drm_printer *p);

#endif
