/* SPDX-License-Identifier: MIT */
#include "simulation.h"

#include <string.h>

#include "context.h"

#define CONTEXTS 64			/* numbers below this are simulated */
#define ENTRIES 1024			/* submitted by one context and not done */
#define EVENTS 32			/* put into the mock before the firmware looks */

static struct engine {
	uint64_t durations[ENTRIES];	/* by fence */
	uint64_t submitted, completed;	/* fences */
	unsigned has;			/* entries dispatched and not done */
	uint64_t begun;			/* device time at which it could begin with the oldest */
	uint64_t served, last_done, gap;
	uint64_t flood_duration;
	unsigned flood_depth;
} engines[CONTEXTS];

static uint64_t duration_of(const struct engine *engine, uint64_t fence)
{
	return engine->durations[fence % ENTRIES];
}

/* Device time at which the engine is done with its oldest entry. */
static uint64_t done_at(const struct engine *engine)
{
	uint64_t duration = duration_of(engine, engine->completed + 1);

	return !engine->has || duration == FOREVER ? UINT64_MAX : engine->begun + duration;
}

/* Takes what the firmware has dispatched. */
static void take_dispatches(void)
{
	for (unsigned i = 0; i < mock.dispatch_count; i++) {
		const struct d3dgpu_entry *entry = &mock.dispatched[i];
		struct engine *engine = &engines[entry->context];

		if (entry->opcode == D3DGPU_OP_CTX_KILL) {
			engine->completed += engine->has;
			engine->has = 0;
		} else if (!engine->has++) {
			engine->begun = mock.time;
		}
	}
	mock.dispatch_count = 0;
}

static void finish_oldest(unsigned context)
{
	struct engine *engine = &engines[context];
	uint64_t at = done_at(engine);

	engine->completed++;
	engine->served += at - engine->begun;
	engine->begun = at;
	engine->has--;
	if (at - engine->last_done > engine->gap)
		engine->gap = at - engine->last_done;
	engine->last_done = at;
	mock_event(D3DGPU_EVENT_DONE, context, engine->completed, 0);
}

uint64_t simulation_submit(unsigned context, uint64_t duration)
{
	struct engine *engine = &engines[context];
	struct d3dgpu_entry entry = { .opcode = D3DGPU_OP_EXEC, .context = (uint16_t)context,
				      .fence = ++engine->submitted, .flags = D3DGPU_ENTRY_FENCE };

	engine->durations[entry.fence % ENTRIES] = duration;
	mock_ring(context % 3, &entry);
	return entry.fence;
}

static void keep_flooding(void)
{
	for (unsigned i = 1; i < CONTEXTS; i++)
		while (engines[i].submitted - engines[i].completed < engines[i].flood_depth)
			simulation_submit(i, engines[i].flood_duration);
}

static void step(void)
{
	keep_flooding();
	if (mock.pending)
		mock_step();
	take_dispatches();
}

void simulation_run(uint64_t until)
{
	for (;;) {
		uint64_t next = until;

		step();
		for (unsigned i = 1; i < CONTEXTS; i++)
			if (done_at(&engines[i]) < next)
				next = done_at(&engines[i]);
		if (mock.alarm && mock.alarm < next)
			next = mock.alarm;
		mock.time = next > mock.time ? next : mock.time;
		for (unsigned i = 1; i < CONTEXTS; i++)
			while (mock.event_count < EVENTS && done_at(&engines[i]) <= mock.time)
				finish_oldest(i);
		if (mock.alarm && mock.alarm <= mock.time) {
			mock.alarm = 0;
			mock.pending |= D3DGPU_GCP_INT_ALARM;
		}
		if (mock.time >= until && !mock.pending)
			return;
	}
}

uint64_t simulation_wait(unsigned context, uint64_t fence)
{
	uint64_t start = mock.time;

	while (mock.ctrl.fences[context].value < fence && mock.time - start < 60000 * MS)
		simulation_run(mock.time + 10 * US);
	return mock.time - start;
}

void simulation_start(unsigned count)
{
	mock_start_with(count);
	memset(engines, 0, sizeof(engines));
}

void simulation_create(unsigned context, unsigned priority)
{
	struct engine *engine = &engines[context];
	struct d3dgpu_entry entry = { .opcode = D3DGPU_OP_CTX_CREATE, .context = (uint16_t)context,
				      .fence = ++engine->submitted, .flags = D3DGPU_ENTRY_FENCE,
				      .ctx_create.priority = priority };

	mock_ring(0, &entry);
	simulation_run(mock.time);
}

void simulation_flood(unsigned context, uint64_t duration, unsigned depth)
{
	engines[context].flood_duration = duration;
	engines[context].flood_depth = depth;
}

uint64_t simulation_served(unsigned context)
{
	return engines[context].served;
}

uint64_t simulation_longest_gap(unsigned context)
{
	uint64_t gap = engines[context].gap;

	engines[context].gap = 0;
	return gap;
}
