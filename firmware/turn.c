/* SPDX-License-Identifier: MIT */
#include "turn.h"

#include "fence.h"

#define NOBODY 0xffffu

/* The budget is for normal priority; virtual time is engine time at normal priority. */
struct priority_class {
	uint8_t weight_shift;		/* virtual time = engine time << 4 >> shift: weights 1, 4, 16 */
	uint8_t budget_shift;		/* budget << shift >> 1: a half, one, two budgets */
};
static const struct priority_class classes[D3DGPU_PRIORITY_COUNT] = {
	[D3DGPU_PRIORITY_LOW] = { .weight_shift = 2, .budget_shift = 0 },
	[D3DGPU_PRIORITY_NORMAL] = { .weight_shift = 4, .budget_shift = 1 },
	[D3DGPU_PRIORITY_HIGH] = { .weight_shift = 6, .budget_shift = 2 },
};

static uint16_t waiting[D3DGPU_PRIORITY_COUNT];	/* lists by virtual time, the furthest behind first */
static unsigned waiting_count;
static uint16_t running[D3DGPU_MAX_CONTEXTS];	/* contexts that have a slot */
static unsigned running_count, slots;
static uint32_t budget;			/* of normal priority, nanoseconds; as it was when a context last asked for a slot */
static uint64_t virtual_clock;		/* virtual time at which the latest turn began */

static uint16_t id_of(const struct context *context)
{
	return (uint16_t)(context - context_get(0));
}

void turns_init(void)
{
	for (unsigned i = 0; i < D3DGPU_PRIORITY_COUNT; i++)
		waiting[i] = NOBODY;
	waiting_count = running_count = 0;
	virtual_clock = 0;
	slots = port_read(D3DGPU_GCP_ENGINES);
	if (!slots)
		slots = 1;
}

static void read_budget(void)
{
	uint32_t us = port_read(D3DGPU_GCP_TURN_BUDGET);

	if (us < TURN_BUDGET_MIN_US)
		us = TURN_BUDGET_MIN_US;
	budget = us < UINT32_MAX / 4000 ? us * 1000 : UINT32_MAX / 4;
}

static uint32_t budget_of(const struct context *context)
{
	return budget << classes[context->priority].budget_shift >> 1;
}

/* ---- accounts ---- */

static void publish_usage(const struct context *context)
{
	struct d3dgpu_context_usage *usage = &port_ctrl()->usage[id_of(context)];

	shared_store_rising(&usage->engine_time, context->engine_time);
	shared_store_rising(&usage->waited, context->waited);
	shared_store_rising(&usage->turns, context->turns);
}

void turn_charge(struct context *context, uint64_t spent)
{
	int32_t sample = (int32_t)(spent < INT32_MAX ? spent : INT32_MAX);

	context->engine_time += spent;
	context->virtual_time += spent << 4 >> classes[context->priority].weight_shift;
	context->typical += (uint32_t)((sample - (int32_t)context->typical) / 8);
}

/* ---- waiting ---- */

/* Somebody who has slept may be one budget behind, and no more. */
static void forgive(struct context *context)
{
	uint64_t oldest = virtual_clock > budget ? virtual_clock - budget : 0;

	if (context->virtual_time < oldest)
		context->virtual_time = oldest;
}

static void wait_for_slot(struct context *context)
{
	uint16_t *link = &waiting[context->priority];

	while (*link != NOBODY && context_get(*link)->virtual_time <= context->virtual_time)
		link = &context_get(*link)->next_waiting;
	context->next_waiting = *link;
	*link = id_of(context);
	waiting_count++;
	context->place = TURN_WAITING;
	context->since = device_time();
}

static void wait_no_more(struct context *context)
{
	uint16_t *link = &waiting[context->priority];

	while (*link != id_of(context))
		link = &context_get(*link)->next_waiting;
	*link = context->next_waiting;
	waiting_count--;
	context->place = TURN_NONE;
	context->waited += device_time() - context->since;
	counters.waits += device_time() != context->since;
}

/* Who is next of those that wait. There must be one. */
static struct context *best_waiting(void)
{
	uint64_t behind = UINT64_MAX;
	uint16_t best = NOBODY;

	for (unsigned i = 0; i < D3DGPU_PRIORITY_COUNT; i++)
		if (waiting[i] != NOBODY && context_get(waiting[i])->virtual_time < behind)
			behind = context_get(waiting[i])->virtual_time;
	for (unsigned i = 0; i < D3DGPU_PRIORITY_COUNT; i++)
		if (waiting[i] != NOBODY && context_get(waiting[i])->virtual_time - behind <= budget)
			best = waiting[i];
	return context_get(best);
}

/* ---- having a slot ---- */

static void start_turn(struct context *context)
{
	if (virtual_clock < context->virtual_time)
		virtual_clock = context->virtual_time;
	context->since = device_time();
	context->turn_end = context->since + budget_of(context);
	context->turns++;
	counters.turns++;
}

static void take_slot(struct context *context)
{
	running[running_count++] = id_of(context);
	context->place = TURN_RUNNING;
	start_turn(context);
}

/*
 * Who comes back after a pause is a whole budget behind, as far as one can be. For one of those there is a slot beyond the others: a
 * small frame does not wait for the turns of those that have much to do.
 */
static bool is_express(const struct context *context)
{
	return running_count == slots && context->virtual_time + budget <= virtual_clock;
}

/* Where nobody waits and a slot is free, it is the context's. */
static void ask_for_slot(struct context *context)
{
	read_budget();
	forgive(context);
	if ((running_count < slots && !waiting_count) || is_express(context))
		take_slot(context);
	else
		wait_for_slot(context);
}

static void drop_slot(struct context *context, enum turn_place place)
{
	unsigned i = 0;

	while (running[i] != id_of(context))
		i++;
	running[i] = running[--running_count];
	context->place = (uint8_t)place;
	publish_usage(context);
}

void turn_leave(struct context *context)
{
	if (context->place == TURN_WAITING)
		wait_no_more(context);
	else if (context->place == TURN_RUNNING)
		drop_slot(context, TURN_NONE);
	else if (context->place == TURN_OVERRUN)
		publish_usage(context);
	context->place = TURN_NONE;
}

void turn_begin(struct context *context, uint32_t priority)
{
	struct d3dgpu_context_usage *usage = &port_ctrl()->usage[id_of(context)];

	turn_leave(context); /* while it has its old priority, by which it may wait */
	context->priority = (uint8_t)(priority < D3DGPU_PRIORITY_COUNT ? priority : D3DGPU_PRIORITY_NORMAL);
	context->virtual_time = context->engine_time = context->waited = context->turns = 0;
	context->typical = 0;
	shared_store_rising(&usage->engine_time, 0);
	shared_store_rising(&usage->waited, 0);
	shared_store_rising(&usage->turns, 0);
}

/* Whether somebody of higher priority waits who would go first if the context waited, too. */
static bool is_outranked(const struct context *context)
{
	const struct context *best = best_waiting();

	return best->priority > context->priority && best->virtual_time <= context->virtual_time + budget;
}

/*
 * The turn is over when the budget is used up and somebody waits, or one slot too many is in use; at once when it is somebody who
 * goes first.
 */
static bool is_over(struct context *context, uint64_t now)
{
	if (!waiting_count)
		return running_count > slots && now >= context->turn_end;
	if (now < context->turn_end && is_outranked(context))
		context->turn_end = now;
	return now >= context->turn_end;
}

bool turn_may_dispatch(struct context *context)
{
	uint64_t now = device_time();

	if (context->place == TURN_RUNNING && is_over(context, now)) {
		if (context->inflight_count)
			return false;
		turn_leave(context);
	}
	if (context->place == TURN_OVERRUN && !context->inflight_count)
		turn_leave(context);
	if (context->place == TURN_NONE)
		ask_for_slot(context);
	if (context->place != TURN_RUNNING)
		return false;
	if (now >= context->turn_end) { /* nobody minds */
		publish_usage(context);
		start_turn(context);
	}
	/* The one that runs and the one behind it; more only as long as they are short. */
	return context->inflight_count < 2 ||
	       (uint64_t)context->inflight_count * context->typical <= context->turn_end - context->since;
}

/* When a turn that is over has not ended for this long, its slot is handed on. */
static uint64_t hand_on_at(const struct context *context)
{
	return context->turn_end + budget_of(context);
}

static void hand_slots_on(void)
{
	uint64_t now = device_time();

	for (unsigned i = running_count; i--;) {
		struct context *context = context_get(running[i]);

		if (!is_over(context, now) || now < hand_on_at(context))
			continue;
		drop_slot(context, TURN_OVERRUN);
		counters.overruns++;
	}
}

/* Out of line, and so the next: mostly nobody waits, and the main loop asks often. */
static __attribute__((noinline)) struct context *give_slot(void)
{
	struct context *context;

	if (running_count >= slots)
		hand_slots_on();
	if (running_count >= slots)
		return NULL;
	context = best_waiting();
	wait_no_more(context);
	take_slot(context);
	return context;
}

struct context *turn_next(void)
{
	return waiting_count ? give_slot() : NULL;
}

static __attribute__((noinline)) uint64_t first_deadline(void)
{
	uint64_t deadline = UINT64_MAX;

	for (unsigned i = 0; i < running_count; i++) {
		uint64_t at = hand_on_at(context_get(running[i]));

		deadline = at < deadline ? at : deadline;
	}
	return deadline;
}

uint64_t turn_deadline(void)
{
	return waiting_count ? first_deadline() : UINT64_MAX;
}
