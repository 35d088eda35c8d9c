/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_RESIDENCY_H
#define D3DGPU_RESIDENCY_H

#include <linux/types.h>

struct d3dgpu_context;
struct d3dgpu_job;
struct d3dgpu_job_bo;

/**
 * enum d3dgpu_residency_need - what a submit needs before it can be queued
 * @D3DGPU_RESIDENCY_STEADY: nothing: its worker has all it wants
 * @D3DGPU_RESIDENCY_CHANGES: something must be created, restored, loaded, or gets a new writer
 * @D3DGPU_RESIDENCY_RESERVE: the reservation of an object that is evicted, or synchronises
 */
enum d3dgpu_residency_need {
	D3DGPU_RESIDENCY_STEADY,
	D3DGPU_RESIDENCY_CHANGES,
	D3DGPU_RESIDENCY_RESERVE,
};

enum d3dgpu_residency_need d3dgpu_residency_check(struct d3dgpu_job *job);
int d3dgpu_residency_prepare(struct d3dgpu_job *job);
void d3dgpu_residency_commit(struct d3dgpu_job *job);
void d3dgpu_residency_cancel(struct d3dgpu_job_bo *entry, u32 id);
bool d3dgpu_residency_rescue(struct d3dgpu_context *context);
void d3dgpu_residency_forget(struct d3dgpu_context *context);

#endif
