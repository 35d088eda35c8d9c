/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_PROGRESS_H
#define D3DGPU_PROGRESS_H

#include <linux/types.h>

struct d3dgpu_context;
struct file;
struct page;
struct vm_area_struct;

struct page *d3dgpu_progress_create(void);
void d3dgpu_progress_begin(struct d3dgpu_context *context, struct page *page);
void d3dgpu_progress_done(struct d3dgpu_context *context, u64 seqno);
bool d3dgpu_progress_lost(struct d3dgpu_context *context, u32 fault);
int d3dgpu_mmap(struct file *file, struct vm_area_struct *vma);

#endif
