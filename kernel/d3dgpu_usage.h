/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_USAGE_H
#define D3DGPU_USAGE_H

#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/seq_file.h>

/**
 * struct d3dgpu_usage - what an open file has used; its contexts may outlive it and count on
 */
struct d3dgpu_usage {
	/** @refcount: One for the file, one for each of its contexts. */
	struct kref refcount;

	/** @id: Number of the file among all of the driver, from 1. */
	u64 id;

	/** @engine: Nanoseconds of 3D engine time. */
	atomic64_t engine;

	/** @vram: Bytes in VRAM of the objects that it made. */
	atomic64_t vram;
};

struct d3dgpu_usage *d3dgpu_usage_create(void);
struct d3dgpu_usage *d3dgpu_usage_get(struct d3dgpu_usage *usage);
void d3dgpu_usage_put(struct d3dgpu_usage *usage);
void d3dgpu_usage_add(struct d3dgpu_usage *usage, u64 nanoseconds);
void d3dgpu_usage_show_fdinfo(struct seq_file *m, struct file *f);

#endif
