/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace points. Context and fence numbers are those that the device and the host's trace events
 * use, so that one frame can be followed through all layers.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM d3dgpu

#if !defined(D3DGPU_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define D3DGPU_TRACE_H

#include <linux/tracepoint.h>

/* A submit was queued. Its number is not that of a fence: see the dispatch that has both. */
TRACE_EVENT(d3dgpu_submit,
	TP_PROTO(u32 context, u64 submit, u32 size, u32 bos),
	TP_ARGS(context, submit, size, bos),
	TP_STRUCT__entry(
		__field(u32, context)
		__field(u64, submit)
		__field(u32, size)
		__field(u32, bos)
	),
	TP_fast_assign(
		__entry->context = context;
		__entry->submit = submit;
		__entry->size = size;
		__entry->bos = bos;
	),
	TP_printk("context=%u submit=%llu size=%u bos=%u", __entry->context, __entry->submit,
		  __entry->size, __entry->bos)
);

/* An entry goes into a ring; the last one of a submit has its number, others have 0. */
TRACE_EVENT(d3dgpu_dispatch,
	TP_PROTO(u32 context, u64 fence, u32 opcode, u64 submit),
	TP_ARGS(context, fence, opcode, submit),
	TP_STRUCT__entry(
		__field(u32, context)
		__field(u64, fence)
		__field(u32, opcode)
		__field(u64, submit)
	),
	TP_fast_assign(
		__entry->context = context;
		__entry->fence = fence;
		__entry->opcode = opcode;
		__entry->submit = submit;
	),
	TP_printk("context=%u fence=%llu opcode=%u submit=%llu", __entry->context, __entry->fence,
		  __entry->opcode, __entry->submit)
);

/* A fence is signalled. */
TRACE_EVENT(d3dgpu_complete,
	TP_PROTO(u32 context, u64 fence, int error),
	TP_ARGS(context, fence, error),
	TP_STRUCT__entry(
		__field(u32, context)
		__field(u64, fence)
		__field(int, error)
	),
	TP_fast_assign(
		__entry->context = context;
		__entry->fence = fence;
		__entry->error = error;
	),
	TP_printk("context=%u fence=%llu error=%d", __entry->context, __entry->fence,
		  __entry->error)
);

/* A vector was raised. */
TRACE_EVENT(d3dgpu_irq,
	TP_PROTO(u32 vector),
	TP_ARGS(vector),
	TP_STRUCT__entry(
		__field(u32, vector)
	),
	TP_fast_assign(
		__entry->vector = vector;
	),
	TP_printk("vector=%u", __entry->vector)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE d3dgpu_trace
#include <trace/define_trace.h>
