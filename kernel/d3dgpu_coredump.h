/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_COREDUMP_H
#define D3DGPU_COREDUMP_H

struct d3dgpu_context;
struct d3dgpu_device;

int d3dgpu_coredump_init(struct d3dgpu_device *gdev);
void d3dgpu_coredump(struct d3dgpu_device *gdev, struct d3dgpu_context *context,
		     const char *reason);

#endif
