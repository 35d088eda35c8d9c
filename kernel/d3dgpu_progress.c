// SPDX-License-Identifier: GPL-2.0-only
#include <linux/gfp.h>
#include <linux/mm.h>

#include <drm/drm_file.h>
#include <drm/drm_gem.h>

#include "d3dgpu_context.h"
#include "d3dgpu_progress.h"

/**
 * DOC: Progress
 *
 * A program asks many times a frame what is done, and whether its context is alive. The answers
 * lie in a page per file that it maps, so that asking is no system call. The page is the kernel's
 * own memory and can be read only: what is read there was written here, never by the device.
 *
 * A context's slot in the page is that of its id, which no other context has until it has ended.
 * The file, its contexts and the mappings each hold a reference of the page: contexts outlive the
 * file, and mappings the device.
 */

static_assert(sizeof(struct drm_d3dgpu_progress) * D3DGPU_MAX_CONTEXTS <= PAGE_SIZE);

/**
 * d3dgpu_progress_create() - the page of a file
 *
 * Return: the page, or NULL. Give it back with put_page().
 */
struct page *d3dgpu_progress_create(void)
{
	return alloc_page(GFP_KERNEL | __GFP_ZERO);
}

static struct drm_d3dgpu_progress *d3dgpu_progress_slot(struct d3dgpu_context *context)
{
	return (struct drm_d3dgpu_progress *)page_address(context->progress) + context->id;
}

/**
 * d3dgpu_progress_begin() - take a new context's slot
 * @context: the context, which has its id; it holds a reference of the page from now on
 * @page: the page of its file
 */
void d3dgpu_progress_begin(struct d3dgpu_context *context, struct page *page)
{
	get_page(page);
	context->progress = page;
	memset(d3dgpu_progress_slot(context), 0, sizeof(struct drm_d3dgpu_progress));
}

/**
 * d3dgpu_progress_done() - a submit is done
 * @context: the context; its ring's fence lock is held
 * @seqno: the submit; what is older than one noted before changes nothing
 */
void d3dgpu_progress_done(struct d3dgpu_context *context, u64 seqno)
{
	lockdep_assert_held(&context->ring->fence_lock);
	if (seqno <= context->completed)
		return;
	WRITE_ONCE(context->completed, seqno);
	smp_wmb(); /* whoever sees it also sees the status and what the submit wrote */
	WRITE_ONCE(d3dgpu_progress_slot(context)->completed, seqno);
}

/**
 * d3dgpu_progress_lost() - a context is lost, if it was not before
 * @context: the context
 * @fault: why: enum d3dgpu_fault
 *
 * Return: false if it was lost already; the first reason stays.
 */
bool d3dgpu_progress_lost(struct d3dgpu_context *context, u32 fault)
{
	if (cmpxchg(&context->lost, D3DGPU_FAULT_NONE, fault) != D3DGPU_FAULT_NONE)
		return false;
	WRITE_ONCE(d3dgpu_progress_slot(context)->status, fault);
	return true;
}

/* mmap of D3DGPU_PROGRESS_OFFSET: one page, to be read. */
static int d3dgpu_progress_mmap(struct d3dgpu_file *dfile, struct vm_area_struct *vma)
{
	if (vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EACCES;
	d3dgpu_compat_vm_flags_mod(vma, VM_DONTEXPAND, VM_MAYWRITE | VM_MAYEXEC);
	return vm_insert_page(vma, vma->vm_start, dfile->progress);
}

/**
 * d3dgpu_mmap() - map a file's progress, or a buffer
 * @file: the open file
 * @vma: where, and the offset that says what
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct drm_file *drm_file = file->private_data;

	if (vma->vm_pgoff == D3DGPU_PROGRESS_OFFSET >> PAGE_SHIFT)
		return d3dgpu_progress_mmap(drm_file->driver_priv, vma);
	return drm_gem_mmap(file, vma);
}
