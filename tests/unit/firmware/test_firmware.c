/* SPDX-License-Identifier: MIT */
/* The firmware on the host: what it makes of rings, events and faults, seen from the mock hardware. */
#include <string.h>

#include "context.h"
#include "firmware.h"
#include "mock.h"
#include "tap.h"

static struct d3dgpu_entry make(unsigned opcode, unsigned context, uint64_t fence)
{
	return (struct d3dgpu_entry){ .opcode = (uint8_t)opcode, .context = (uint16_t)context, .fence = fence,
				      .flags = D3DGPU_ENTRY_FENCE | D3DGPU_ENTRY_IRQ };
}

static void ring(unsigned index, unsigned opcode, unsigned context, uint64_t fence)
{
	struct d3dgpu_entry entry = make(opcode, context, fence);

	if (opcode == D3DGPU_OP_CTX_CREATE)
		entry.ctx_create.priority = D3DGPU_PRIORITY_NORMAL;
	if (opcode == D3DGPU_OP_EXEC)
		entry.exec.size = 64;
	mock_ring(index, &entry);
}

/* A context that is alive, its creation (fence 1) done. */
static void create(unsigned context)
{
	ring(0, D3DGPU_OP_CTX_CREATE, context, 1);
	mock_step();
	mock_event(D3DGPU_EVENT_DONE, context, 1, 0);
	mock_step();
}

/* Dispatches of a context after its creation, in order. */
static unsigned dispatches(unsigned context)
{
	unsigned count = 0;

	for (unsigned i = 0; i < mock.dispatch_count; i++)
		count += mock.dispatched[i].context == context;
	return count;
}

static void done(unsigned context, uint64_t fence)
{
	mock_event(D3DGPU_EVENT_DONE, context, fence, 0);
}

static void test_start(void)
{
	mock_start();
	tap_eq(mock.ready, FIRMWARE_VERSION, "the firmware reports its version when it is ready");
	tap_ok(!memcmp(mock.ctrl.log, "[0000000000000000] firmware 0.1.0 ready\n", 40), "its first log line says so");
	tap_eq(mock.ctrl.log_tail, 40, "log_tail counts the bytes");
}

static void test_entry_road(void)
{
	mock_start();
	create(3);
	tap_eq(mock.dispatched[0].opcode, D3DGPU_OP_CTX_CREATE, "a context's creation goes to the engine");
	tap_eq(mock.ctrl.fences[3].value, 1, "its completion writes the fence slot");
	ring(2, D3DGPU_OP_EXEC, 3, 2);
	mock_step();
	tap_eq(mock.dispatch_count, 2, "an entry goes to the engine in the same turn");
	tap_eq(mock.dispatched[1].exec.size, 64, "with its payload");
	tap_eq(mock.ctrl.rings[2].head, 1, "the ring's head moves when the entry is fetched");
	tap_eq(mock.ctrl.fences[3].value, 1, "its fence waits for the engine");
	done(3, 2);
	mock_step();
	tap_eq(mock.ctrl.fences[3].value, 2, "and is written on completion");
	tap_eq(mock.raised[D3DGPU_VECTOR_RING0 + 2], 1, "one interrupt on the ring it came from");
	tap_eq(mock.ctrl.counters.entries, 2, "entries are counted");
	tap_eq(mock.ctrl.counters.stream_bytes, 64, "bytes of streams are counted");
	tap_eq(mock.ctrl.counters.interrupts, 2, "interrupts are counted");
}

static void test_flags(void)
{
	struct d3dgpu_entry entry = make(D3DGPU_OP_EXEC, 1, 2);

	mock_start();
	create(1);
	entry.flags = 0;
	mock_ring(0, &entry);
	mock_step();
	done(1, 2);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 1, "an entry without the fence flag leaves the slot alone");
	tap_eq(mock.raised[0], 1, "and without the interrupt flag raises none");
}

static void test_interrupts_are_merged(void)
{
	mock_start();
	create(1);
	for (unsigned i = 0; i < 5; i++)
		ring(0, D3DGPU_OP_EXEC, 1, 2 + i);
	mock_step();
	for (unsigned i = 0; i < 5; i++)
		done(1, 2 + i);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 6, "five completions in one turn advance the fence to the last");
	tap_eq(mock.raised[0], 2, "and cost one interrupt");
}

static void test_depth_and_order(void)
{
	mock_start();
	create(1);
	for (unsigned i = 0; i < 20; i++)
		ring(0, D3DGPU_OP_EXEC, 1, 2 + i);
	mock_step();
	tap_eq(dispatches(1), 1 + ENGINE_DEPTH, "an engine has ENGINE_DEPTH entries of a context at most");
	tap_eq(mock.ctrl.rings[0].head, 21, "the others wait in the context's queue, not in the ring");
	done(1, 2);
	mock_step();
	tap_eq(dispatches(1), 2 + ENGINE_DEPTH, "one more per completion");
	for (unsigned i = 1; i < dispatches(1); i++)
		if (mock.dispatched[i].fence != 1 + i)
			tap_ok(false, "order within a context is kept");
	tap_ok(true, "order within a context is kept");
}

static void test_fence_only(void)
{
	mock_start();
	create(1);
	ring(0, D3DGPU_OP_FENCE, 1, 2);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 2, "a fence on an idle context completes without an engine");
	ring(0, D3DGPU_OP_EXEC, 1, 3);
	ring(0, D3DGPU_OP_FENCE, 1, 4);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 2, "behind work it waits");
	done(1, 3);
	mock_step();
	done(1, 4);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 4, "and follows it");
	ring(0, D3DGPU_OP_FENCE, 0, 9);
	mock_step();
	tap_eq(mock.ctrl.fences[0].value, 9, "context 0 is the device itself");
}

static void test_copies(void)
{
	mock_start();
	create(1);
	ring(0, D3DGPU_OP_EXEC, 1, 2);
	ring(0, D3DGPU_OP_COPY, 1, 3);
	ring(0, D3DGPU_OP_FILL, 0, 1);
	mock_step();
	tap_eq(dispatches(1), 3, "a copy goes to the engine port behind 3D work: it keeps the order");
	tap_eq(dispatches(0), 1, "a fill of the device itself goes there, too");
	done(0, 1);
	mock_step();
	tap_eq(mock.ctrl.fences[0].value, 1, "and signals its fence");
}

static void test_paging_ring(void)
{
	mock_start();
	create(1);
	ring(0, D3DGPU_OP_COPY, 0, 1);
	ring(D3DGPU_PAGING_RING, D3DGPU_OP_FILL, 0, 2);
	mock_step();
	tap_eq(mock.dispatched[1].opcode, D3DGPU_OP_FILL, "the paging ring is fetched before the others");
	ring(D3DGPU_PAGING_RING, D3DGPU_OP_EXEC, 1, 2);
	mock_step();
	tap_ok(mock.ctrl.fault_tail == 1 && mock.ctrl.faults[0].code == D3DGPU_FAULT_BAD_ENTRY && dispatches(1) == 1,
	       "a context's work in it is malformed");
	tap_eq(mock.ctrl.fences[1].status, 0, "and costs the context nothing");
}

/* Contexts that flood fill the pool; the paging ring has room of its own. */
static void test_paging_reserve(void)
{
	mock_start();
	for (unsigned context = 1; context < 9; context++) {
		create(context);
		for (unsigned i = 0; i < CONTEXT_QUEUE + ENGINE_DEPTH; i++) {
			ring(context % 3, D3DGPU_OP_EXEC, context, 2 + i);
			mock_step();
		}
	}
	tap_ok(mock.ctrl.rings[0].head != mock.ctrl.rings[0].tail, "the pool is used up, and a ring stops");
	ring(D3DGPU_PAGING_RING, D3DGPU_OP_FILL, 0, 1);
	mock_step();
	tap_eq(mock.dispatched[mock.dispatch_count - 1].opcode, D3DGPU_OP_FILL, "the paging ring does not");
}

static void test_engine_fault(void)
{
	mock_start();
	create(1);
	create(2);
	for (unsigned i = 0; i < 3; i++)
		ring(0, D3DGPU_OP_EXEC, 1, 2 + i);
	ring(0, D3DGPU_OP_EXEC, 2, 2);
	mock_step();
	mock_event(D3DGPU_EVENT_DONE, 1, 2, D3DGPU_FAULT_BAD_STREAM);
	mock_step();
	tap_eq(mock.ctrl.fences[1].status, D3DGPU_FAULT_BAD_STREAM, "a refused stream marks its context lost");
	tap_eq(mock.ctrl.fences[1].guilty, 2, "with the guilty fence");
	tap_eq(mock.ctrl.fences[1].value, 4, "all its fences complete");
	tap_eq(mock.ctrl.faults[0].code, D3DGPU_FAULT_BAD_STREAM, "a fault entry tells the kernel");
	tap_ok(mock.ctrl.faults[0].context == 1 && mock.ctrl.faults[0].fence == 2 &&
	       mock.ctrl.faults[0].opcode == D3DGPU_OP_EXEC, "which context, fence and opcode");
	tap_eq(mock.raised[D3DGPU_VECTOR_FAULT], 1, "and the fault interrupt comes");
	tap_eq(mock.dispatched[mock.dispatch_count - 1].opcode, D3DGPU_OP_CTX_KILL, "its worker is ended");
	tap_eq(mock.ctrl.fences[2].status, 0, "another context is not touched");
	done(2, 2);
	mock_step();
	tap_eq(mock.ctrl.fences[2].value, 2, "and goes on");
	ring(0, D3DGPU_OP_EXEC, 1, 5);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 5, "later entries of a lost context complete at once");
	tap_eq(mock.ctrl.fences[1].status, D3DGPU_FAULT_BAD_STREAM, "with its status");
}

static void test_worker_death(void)
{
	mock_start();
	create(1);
	ring(0, D3DGPU_OP_EXEC, 1, 2);
	ring(0, D3DGPU_OP_EXEC, 1, 3);
	mock_step();
	mock_event(D3DGPU_EVENT_CONTEXT_LOST, 1, 0, D3DGPU_FAULT_WORKER_DIED);
	mock_step();
	tap_eq(mock.ctrl.fences[1].status, D3DGPU_FAULT_WORKER_DIED, "a dead worker loses its context");
	tap_eq(mock.ctrl.fences[1].guilty, 2, "the oldest entry it had is the guilty one");
	tap_eq(mock.ctrl.fences[1].value, 3, "and nothing is left waiting");
	ring(0, D3DGPU_OP_CTX_DESTROY, 1, 4);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 4, "a lost context can be destroyed");
	create(1);
	tap_eq(mock.ctrl.fences[1].status, 0, "and its id begins a new life without a fault");
	tap_eq(mock.ctrl.fences[1].value, 1, "with new fences");
}

static void test_hang(void)
{
	mock_start();
	create(1);
	create(2);
	ring(0, D3DGPU_OP_EXEC, 1, 2);
	mock_step();
	tap_eq(mock.alarm, 500000000u, "with work in an engine the alarm is set to a quarter of the timeout");
	mock.time = 1999999999u;
	ring(0, D3DGPU_OP_EXEC, 2, 2);
	mock.pending |= D3DGPU_GCP_INT_ALARM;
	mock_step();
	tap_eq(mock.ctrl.fences[1].status, 0, "just before the timeout nothing happens");
	mock.time = mock.alarm;
	mock.pending |= D3DGPU_GCP_INT_ALARM;
	mock_step();
	tap_eq(mock.ctrl.fences[1].status, D3DGPU_FAULT_HANG, "at the first look after it the context is lost");
	tap_eq(mock.dispatched[mock.dispatch_count - 1].opcode, D3DGPU_OP_CTX_KILL, "and its worker is ended");
	tap_eq(mock.ctrl.fences[2].status, 0, "younger work of others is not");
	mock.hang_timeout = 0;
	mock.time = 90000000000u;
	mock.pending |= D3DGPU_GCP_INT_ALARM;
	mock_step();
	tap_eq(mock.ctrl.fences[2].status, 0, "timeout 0 switches the watch off");
}

static void look_at(uint64_t time)
{
	mock.time = time;
	mock.pending |= D3DGPU_GCP_INT_ALARM;
	mock_step();
}

static void test_slow_is_no_hang(void)
{
	mock_start();
	create(1);
	ring(0, D3DGPU_OP_EXEC, 1, 2);
	ring(0, D3DGPU_OP_EXEC, 1, 3);
	mock_step();
	mock.time = 1500000000u;
	done(1, 2);
	mock_step();
	look_at(3000000000u);
	tap_eq(mock.ctrl.fences[1].status, 0, "the time that an entry waited for another is not counted");
	look_at(3500000001u);
	tap_eq(mock.ctrl.fences[1].status, D3DGPU_FAULT_HANG, "its own is");
}

static void test_reuse_waits_for_death(void)
{
	mock_start();
	create(1);
	ring(0, D3DGPU_OP_EXEC, 1, 2);
	mock_step();
	mock_event(D3DGPU_EVENT_DONE, 1, 2, D3DGPU_FAULT_BAD_STREAM);
	mock_step();
	ring(0, D3DGPU_OP_CTX_DESTROY, 1, 3);
	ring(0, D3DGPU_OP_CTX_CREATE, 1, 4);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 2, "destroying a lost context waits until its worker is reported dead");
	mock_event(D3DGPU_EVENT_CONTEXT_LOST, 1, 0, D3DGPU_FAULT_BAD_STREAM);
	mock_step();
	tap_eq(mock.dispatched[mock.dispatch_count - 1].opcode, D3DGPU_OP_CTX_CREATE, "then the id is used again");
	tap_eq(mock.ctrl.fences[1].status, 0, "by a context without a fault");
}

/* A program that is closed in the middle of an endless stream: the engine has the destruction too when the watch acts. */
static void test_destruction_in_flight(void)
{
	mock_start();
	create(1);
	ring(0, D3DGPU_OP_EXEC, 1, 2);
	ring(0, D3DGPU_OP_CTX_DESTROY, 1, 3);
	mock_step();
	mock.time = 2000000001u;
	mock.pending |= D3DGPU_GCP_INT_ALARM;
	mock_step();
	tap_eq(mock.ctrl.fences[1].status, D3DGPU_FAULT_HANG, "a context that hangs with its destruction behind it is lost");
	tap_eq(mock.ctrl.fences[1].value, 2, "what hung completes, the destruction does not: the worker still lives");
	mock_event(D3DGPU_EVENT_CONTEXT_LOST, 1, 0, D3DGPU_FAULT_HANG);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 3, "it does when the worker is reported dead");
	create(1);
	tap_eq(mock.ctrl.fences[1].value, 1, "and the id is used again");
	tap_eq(mock.ctrl.fences[1].status, 0, "by a context without a fault");

	ring(0, D3DGPU_OP_CTX_DESTROY, 1, 2);
	mock_step();
	mock_event(D3DGPU_EVENT_CONTEXT_LOST, 1, 0, D3DGPU_FAULT_WORKER_DIED);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 2, "a worker that dies of its destruction is destroyed");
	create(1);
	tap_eq(mock.ctrl.fences[1].value, 1, "and its id is used again");
}

static void destroy_now(unsigned index, unsigned context, uint64_t fence)
{
	struct d3dgpu_entry entry = make(D3DGPU_OP_CTX_DESTROY, context, fence);

	entry.ctx_destroy.flags = D3DGPU_DESTROY_NOW;
	mock_ring(index, &entry);
}

static void test_destroy_now(void)
{
	mock_start();
	create(1);
	for (unsigned i = 0; i < 20; i++)
		ring(0, D3DGPU_OP_EXEC, 1, 2 + i);
	mock_step();
	destroy_now(0, 1, 22);
	mock_step();
	tap_eq(mock.dispatched[mock.dispatch_count - 1].opcode, D3DGPU_OP_CTX_KILL, "DESTROY_NOW ends the worker at once");
	tap_eq(mock.ctrl.fences[1].value, 21, "what it had and what was queued completes");
	tap_ok(mock.ctrl.fences[1].status == D3DGPU_FAULT_ENDED && mock.ctrl.fences[1].guilty == 2, "with ENDED, from the oldest on");
	tap_eq(mock.ctrl.fault_tail, 0, "that is no fault");
	mock_event(D3DGPU_EVENT_CONTEXT_LOST, 1, 2, D3DGPU_FAULT_HANG);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 22, "the destruction completes when the worker is dead");
	tap_eq(mock.ctrl.fault_tail, 0, "and still there is no fault");
	create(1);
	tap_ok(mock.ctrl.fences[1].value == 1 && !mock.ctrl.fences[1].status, "the number can be used again");

	destroy_now(D3DGPU_PAGING_RING, 1, 2);
	mock_step();
	tap_eq(mock.ctrl.fences[1].status, 0, "an idle context has nothing that fails");
	mock_event(D3DGPU_EVENT_CONTEXT_LOST, 1, 0, D3DGPU_FAULT_HANG);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 2, "by the paging ring it is destroyed all the same");
}

/* Its queue is full: the destruction itself has no room until what it ends has gone. */
static void test_destroy_now_full(void)
{
	mock_start();
	create(1);
	for (unsigned i = 0; i < CONTEXT_QUEUE + ENGINE_DEPTH; i++)
		ring(0, D3DGPU_OP_EXEC, 1, 2 + i);
	mock_step();
	destroy_now(D3DGPU_PAGING_RING, 1, 900);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 1 + CONTEXT_QUEUE + ENGINE_DEPTH, "a full queue does not keep DESTROY_NOW");
	tap_eq(mock.ctrl.rings[D3DGPU_PAGING_RING].head, 1, "nor the paging ring");
}

static void test_destroy_now_before_birth(void)
{
	mock_start();
	create(1);
	ring(0, D3DGPU_OP_CTX_DESTROY, 1, 2);
	ring(0, D3DGPU_OP_CTX_CREATE, 1, 3);
	ring(0, D3DGPU_OP_EXEC, 1, 4);
	destroy_now(0, 1, 5);
	mock_step();
	tap_eq(mock.dispatched[mock.dispatch_count - 1].opcode, D3DGPU_OP_CTX_KILL, "a life that ends already is not waited for");
	mock_event(D3DGPU_EVENT_CONTEXT_LOST, 1, 0, D3DGPU_FAULT_HANG);
	mock_step();
	tap_eq(dispatches(1), 2, "the one behind it never begins: creation and kill of the first are all that engines saw");
	tap_ok(mock.ctrl.fences[1].value == 5 && mock.ctrl.fences[1].status == D3DGPU_FAULT_ENDED &&
	       mock.ctrl.fences[1].guilty == 3, "its fences complete with ENDED");
	create(1);
	tap_eq(mock.ctrl.fences[1].status, 0, "the one after it does");
}

static void test_refused_dispatch(void)
{
	mock_start();
	mock.refuse = D3DGPU_FAULT_NO_WORKER;
	ring(0, D3DGPU_OP_CTX_CREATE, 1, 1);
	mock_step();
	tap_eq(mock.ctrl.fences[1].status, D3DGPU_FAULT_NO_WORKER, "a worker that cannot start loses the context");
	tap_eq(mock.ctrl.fences[1].value, 1, "and completes its creation with the error");
	mock.refuse = 0;
	ring(0, D3DGPU_OP_CTX_DESTROY, 1, 2);
	mock_step();
	create(1);
	tap_eq(mock.ctrl.fences[1].status, 0, "it can be created later");
}

static void test_malformed_entries(void)
{
	static const struct { const char *name; struct d3dgpu_entry entry; } cases[] = {
		{ "an unknown opcode", { .opcode = 200, .context = 1, .fence = 2 } },
		{ "the firmware's own opcode", { .opcode = D3DGPU_OP_CTX_KILL, .context = 1, .fence = 2 } },
		{ "an unknown flag", { .opcode = D3DGPU_OP_NOP, .flags = 0x80, .context = 1, .fence = 2 } },
		{ "a reserved field", { .opcode = D3DGPU_OP_NOP, .reserved = 1, .context = 1, .fence = 2 } },
		{ "a context id beyond the last", { .opcode = D3DGPU_OP_NOP, .context = 256, .fence = 2 } },
		{ "3D work on the device itself", { .opcode = D3DGPU_OP_EXEC, .context = 0, .fence = 2 } },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		mock_start();
		create(1);
		mock_ring(0, &cases[i].entry);
		mock_step();
		tap_ok(mock.ctrl.faults[0].code == D3DGPU_FAULT_BAD_ENTRY && mock.ctrl.fault_tail == 1 && dispatches(1) == 1,
		       "%s is a fault entry, and reaches no engine", cases[i].name);
		tap_eq(mock.ctrl.rings[0].head, mock.ctrl.rings[0].tail, "and the ring goes on");
	}
}

static void test_unknown_context(void)
{
	mock_start();
	ring(0, D3DGPU_OP_EXEC, 7, 5);
	mock_step();
	tap_eq(mock.ctrl.fences[7].status, D3DGPU_FAULT_NO_CONTEXT, "work for a context that does not exist is a fault");
	tap_eq(mock.ctrl.fences[7].value, 5, "whose fence completes with it");
	tap_eq(mock.dispatch_count, 0, "and reaches no engine");
}

static void test_broken_tail(void)
{
	mock_start();
	mock.ctrl.rings[1].tail = 5000;
	mock.pending |= D3DGPU_GCP_INT_DOORBELL;
	mock_step();
	tap_eq(mock.ctrl.faults[0].code, D3DGPU_FAULT_BAD_ENTRY, "a tail further than the ring is long is a fault");
	tap_eq(mock.ctrl.rings[1].head, 5000, "and drops what cannot be told apart");
}

static void test_index_wrap(void)
{
	mock_start();
	mock.ctrl.rings[0].tail = 0xfffffffeu;
	firmware_init();
	create(1);
	for (unsigned i = 0; i < 4; i++)
		ring(0, D3DGPU_OP_EXEC, 1, 2 + i);
	mock_step();
	tap_eq(mock.ctrl.rings[0].head, 3, "ring indices wrap at 2^32");
	tap_eq(dispatches(1), 5, "without losing an entry");
}

static void test_flood(void)
{
	mock_start();
	create(1);
	create(2);
	for (unsigned i = 0; i < 900; i++)
		ring(0, D3DGPU_OP_EXEC, 1, 2 + i);
	ring(1, D3DGPU_OP_EXEC, 2, 2);
	mock_step();
	tap_eq(mock.ctrl.rings[0].tail - mock.ctrl.rings[0].head, 900 - CONTEXT_QUEUE - ENGINE_DEPTH,
	       "a context that floods fills its queue and then stops its own ring");
	tap_eq(dispatches(2), 2, "the other rings go on");
	for (unsigned i = 0; i < 900; i++) {
		done(1, 2 + i);
		mock_step();
	}
	tap_eq(mock.ctrl.fences[1].value, 901, "and everything completes in the end");
}

static void test_flood_of_lost_context(void)
{
	mock_start();
	create(1);
	mock_event(D3DGPU_EVENT_CONTEXT_LOST, 1, 0, D3DGPU_FAULT_WORKER_DIED);
	mock_step();
	for (unsigned i = 0; i < 900; i++)
		ring(0, D3DGPU_OP_EXEC, 1, 2 + i);
	mock_step();
	tap_eq(mock.ctrl.fences[1].value, 901, "a lost context's flood completes in one turn, though its queue is shorter");
}

static void test_fault_queue_full(void)
{
	struct d3dgpu_entry bad = { .opcode = 99 };

	mock_start();
	for (unsigned i = 0; i < D3DGPU_FAULT_ENTRIES + 3; i++)
		mock_ring(0, &bad);
	mock_step();
	tap_eq(mock.ctrl.fault_tail, D3DGPU_FAULT_ENTRIES, "a full fault queue takes no more");
	tap_eq(mock.ctrl.faults_dropped, 3, "and counts what it dropped");
}

int main(void)
{
	test_start();
	test_entry_road();
	test_flags();
	test_interrupts_are_merged();
	test_depth_and_order();
	test_fence_only();
	test_copies();
	test_paging_ring();
	test_paging_reserve();
	test_engine_fault();
	test_worker_death();
	test_hang();
	test_slow_is_no_hang();
	test_reuse_waits_for_death();
	test_destruction_in_flight();
	test_destroy_now();
	test_destroy_now_full();
	test_destroy_now_before_birth();
	test_refused_dispatch();
	test_malformed_entries();
	test_unknown_context();
	test_broken_tail();
	test_index_wrap();
	test_flood();
	test_flood_of_lost_context();
	test_fault_queue_full();
	return tap_done();
}
