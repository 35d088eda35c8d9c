/* SPDX-License-Identifier: MIT */
/* Who gets an engine slot, for how long, and how long the others wait: with a clock that the tests turn. */
#include "context.h"
#include "simulation.h"
#include "tap.h"

#define LOW D3DGPU_PRIORITY_LOW
#define NORMAL D3DGPU_PRIORITY_NORMAL
#define HIGH D3DGPU_PRIORITY_HIGH
#define BUDGET (2 * MS)			/* of the mock */

/* part / whole in percent */
static unsigned percent(uint64_t part, uint64_t whole)
{
	return whole ? (unsigned)(part * 100 / whole) : 0;
}

static void about(unsigned got, unsigned want, unsigned slack, const char *what)
{
	tap_ok(got + slack >= want && got <= want + slack, "%s: %u %%, expected %u", what, got, want);
}

static void test_free_slots(void)
{
	simulation_start(2);
	simulation_create(1, NORMAL);
	simulation_create(2, LOW);
	simulation_flood(1, MS, 20);
	simulation_flood(2, MS, 20);
	simulation_run(1000 * MS);
	about(percent(simulation_served(1), mock.time), 100, 1, "two contexts on two slots: the first has its engine all the time");
	about(percent(simulation_served(2), mock.time), 100, 1, "the second too, whatever its priority");
	tap_eq(mock.ctrl.counters.waits, 0, "nobody waits");
	tap_eq(mock.ctrl.counters.overruns, 0, "no slot is handed on");
}

static void test_equal_shares(void)
{
	simulation_start(1);
	simulation_create(1, NORMAL);
	simulation_create(2, NORMAL);
	simulation_flood(1, MS, 20);
	simulation_flood(2, 20 * US, 20);
	simulation_run(2000 * MS);
	about(percent(simulation_served(1), mock.time), 50, 5, "long entries against short ones on one slot: the long ones");
	about(percent(simulation_served(2), mock.time), 50, 5, "and the short ones");
	simulation_start(2);
	for (unsigned i = 1; i <= 3; i++) {
		simulation_create(i, NORMAL);
		simulation_flood(i, 300 * US, 20);
	}
	simulation_run(2000 * MS);
	for (unsigned i = 1; i <= 3; i++)
		about(percent(simulation_served(i), mock.time), 66, 5, "three contexts on two slots: two thirds each");
}

static void test_weighted_shares(void)
{
	simulation_start(1);
	for (unsigned i = LOW; i <= HIGH; i++) {
		simulation_create(1 + i, i);
		simulation_flood(1 + i, 200 * US, 20);
	}
	simulation_run(10000 * MS);
	about(percent(simulation_served(1 + LOW), mock.time), 5, 2, "three priorities on one slot: low has 1 of 21 parts");
	about(percent(simulation_served(1 + NORMAL), mock.time), 19, 3, "normal 4");
	about(percent(simulation_served(1 + HIGH), mock.time), 76, 5, "high 16");
}

static void test_starvation_bound(void)
{
	simulation_start(1);
	simulation_create(1, LOW);
	simulation_create(2, HIGH);
	simulation_flood(1, 100 * US, 20);
	simulation_flood(2, 100 * US, 20);
	simulation_run(100 * MS);
	simulation_longest_gap(1);
	simulation_run(5000 * MS);
	tap_ok(simulation_longest_gap(1) <= 24 * BUDGET, "a flood of high priority keeps a low one waiting for 24 budgets at most");
}

/* Small frames of context 9, every 7 ms, against what goes on: the longest that one took. */
static uint64_t worst_frame(unsigned frames, uint64_t duration)
{
	uint64_t worst = 0;

	for (unsigned i = 0; i < frames; i++) {
		uint64_t took;

		simulation_run(mock.time + 7 * MS);
		took = simulation_wait(9, simulation_submit(9, duration));
		worst = took > worst ? took : worst;
	}
	return worst;
}

static void flooded(unsigned engines, unsigned floods, unsigned flood_priority, uint64_t flood_entry, unsigned depth,
		    unsigned frame_priority, uint64_t bound, const char *what)
{
	const uint64_t frame = 200 * US, grain = 20 * US;
	uint64_t worst;

	simulation_start(engines);
	for (unsigned i = 1; i <= floods; i++) {
		simulation_create(i, flood_priority);
		simulation_flood(i, flood_entry, depth);
	}
	simulation_create(9, frame_priority);
	simulation_run(100 * MS);
	worst = worst_frame(50, frame);
	tap_ok(worst <= bound + frame + grain, "%s: a small frame takes %u us, bound %u + its own %u", what,
	       (unsigned)(worst / US), (unsigned)(bound / US), (unsigned)(frame / US));
}

static void test_latency(void)
{
	flooded(1, 1, NORMAL, 20 * US, 200, NORMAL, 2 * BUDGET, "a flood of many small entries");
	flooded(1, 1, NORMAL, 700 * MS, 8, NORMAL, 2 * BUDGET, "a flood of few huge ones");
	flooded(2, 8, NORMAL, 50 * US, 50, NORMAL, 2 * BUDGET, "eight floods on two slots");
	flooded(2, 8, NORMAL, 90 * MS, 4, NORMAL, 2 * BUDGET, "eight floods of huge entries on two slots");
	flooded(1, 1, LOW, 20 * US, 200, NORMAL, BUDGET, "a flood of low priority");
	flooded(1, 1, HIGH, 20 * US, 200, NORMAL, 4 * BUDGET, "a flood of high priority");
	flooded(1, 3, NORMAL, 20 * US, 200, HIGH, BUDGET, "a frame of high priority among floods");
	flooded(1, 3, NORMAL, 700 * MS, 8, HIGH, BUDGET, "a frame of high priority among huge entries");
}

/* Who comes back after a pause starts at once; two at once do not. */
static void test_slot_beyond(void)
{
	uint64_t first, second, took;

	simulation_start(1);
	for (unsigned i = 1; i <= 3; i++)
		simulation_create(i, NORMAL);
	simulation_flood(1, 100 * US, 20);
	simulation_run(100 * MS);
	first = simulation_submit(2, 1 * MS);
	simulation_run(mock.time + 10 * US);
	second = simulation_submit(3, 100 * US);
	took = simulation_wait(2, first);
	tap_ok(took <= 1 * MS + 20 * US, "who comes back after a pause does not wait: %u us for 1000", (unsigned)(took / US));
	took += simulation_wait(3, second);
	tap_ok(took <= 2 * BUDGET, "the second to do so is next: %u us", (unsigned)(took / US));
	simulation_flood(2, 100 * US, 20);
	simulation_run(1000 * MS);
	about(percent(simulation_served(1) + simulation_served(2), mock.time), 100, 2, "it is no slot to stay in");
}

static void test_no_credit(void)
{
	uint64_t before;

	simulation_start(1);
	simulation_create(1, NORMAL);
	simulation_create(2, NORMAL);
	simulation_flood(2, 100 * US, 20);
	simulation_run(3000 * MS);
	simulation_flood(1, 100 * US, 20);
	before = mock.time;
	simulation_run(before + 100 * MS);
	about(percent(simulation_served(1), mock.time - before), 50, 6, "who slept for three seconds gets no more than its share");
}

static void test_no_debt(void)
{
	uint64_t before, served;

	simulation_start(1);
	simulation_create(1, NORMAL);
	simulation_create(2, NORMAL);
	simulation_flood(2, 100 * US, 20);
	simulation_run(3000 * MS);
	simulation_flood(1, 100 * US, 20);
	before = mock.time;
	served = simulation_served(2);
	simulation_run(before + 100 * MS);
	about(percent(simulation_served(2) - served, mock.time - before), 50, 6, "nor does who used what nobody wanted pay for it");
}

static void test_budget(void)
{
	uint64_t turns;

	simulation_start(1);
	simulation_create(1, NORMAL);
	simulation_create(2, NORMAL);
	simulation_flood(1, 50 * US, 50);
	simulation_flood(2, 50 * US, 50);
	simulation_run(1000 * MS);
	turns = mock.ctrl.counters.turns;
	tap_ok(turns >= 400 && turns <= 560, "with a budget of 2 ms a second has about 500 turns: %u", (unsigned)turns);
	mock.turn_budget = 20000;
	simulation_run(2000 * MS);
	turns = mock.ctrl.counters.turns - turns;
	tap_ok(turns >= 40 && turns <= 56, "with one of 20 ms about 50: %u", (unsigned)turns);
	mock.turn_budget = 0;
	simulation_run(2100 * MS);
	turns = mock.ctrl.counters.turns;
	simulation_run(2200 * MS);
	turns = mock.ctrl.counters.turns - turns;
	tap_ok(turns >= 300 && turns <= 1000, "the shortest is 100 us, and the entry that runs then: %u in 100 ms", (unsigned)turns);
}

static void test_waiting_is_no_hang(void)
{
	simulation_start(1);
	mock.hang_timeout = 40;
	for (unsigned i = 1; i <= 40; i++) {
		simulation_create(i, NORMAL);
		simulation_flood(i, 1500 * US, 10);
	}
	simulation_run(1000 * MS);
	tap_ok(mock.ctrl.usage[7].waited / mock.ctrl.usage[7].turns > 40 * MS, "with forty contexts on one slot each waits for long");
	tap_eq(mock.ctrl.counters.faults, 0, "longer than the hang timeout, but that is no hang");
}

static void test_stuck_engine(void)
{
	uint64_t stuck, took;

	simulation_start(1);
	simulation_create(1, NORMAL);
	simulation_create(2, NORMAL);
	stuck = simulation_submit(1, FOREVER);
	simulation_run(10 * MS);
	took = simulation_wait(2, simulation_submit(2, 100 * US));
	tap_ok(took <= 2 * BUDGET, "an engine that is stuck keeps its slot for two budgets at most: %u us", (unsigned)(took / US));
	tap_eq(mock.ctrl.counters.overruns, 1, "then it is handed on");
	simulation_flood(2, 100 * US, 10);
	simulation_run(4000 * MS);
	tap_ok(mock.ctrl.fences[1].status == D3DGPU_FAULT_HANG && mock.ctrl.fences[1].value == stuck,
	       "the hang watch finds it all the same");
	tap_eq(mock.ctrl.fences[2].status, 0, "and nobody else");
}

/* A context that is lost while it has a slot, or waits for one, leaves nothing behind. */
static void test_lost_contexts(void)
{
	simulation_start(1);
	for (unsigned i = 1; i <= 3; i++) {
		simulation_create(i, NORMAL);
		simulation_flood(i, 100 * US, 10);
	}
	simulation_run(50 * MS);
	for (unsigned i = 1; i <= 2; i++) {
		simulation_flood(i, 0, 0);
		mock_event(D3DGPU_EVENT_CONTEXT_LOST, i, 0, D3DGPU_FAULT_WORKER_DIED);
		mock_step();
	}
	tap_ok(mock.ctrl.fences[1].status && mock.ctrl.fences[2].status, "two of three contexts are lost");
	simulation_flood(3, 0, 0);
	simulation_run(100 * MS);
	tap_eq(simulation_wait(3, simulation_submit(3, 100 * US)) / MS, 0, "the third goes on");
}

/* While it waits for a slot, a context is lost, destroyed, and made again with another priority, all in one turn of the firmware. */
static void test_new_life_while_waiting(void)
{
	struct d3dgpu_entry destroy = { .opcode = D3DGPU_OP_CTX_DESTROY, .context = 2, .fence = 9000 };
	struct d3dgpu_entry create = { .opcode = D3DGPU_OP_CTX_CREATE, .context = 2, .fence = 9001, .flags = D3DGPU_ENTRY_FENCE,
				       .ctx_create.priority = HIGH };

	simulation_start(1);
	for (unsigned i = 1; i <= 3; i++) {
		simulation_create(i, LOW);
		simulation_flood(i, 100 * US, 10);
	}
	do
		simulation_run(mock.time + 100 * US);
	while (context_get(2)->place != TURN_WAITING);
	mock_ring(2, &destroy);
	mock_ring(2, &create);
	mock_step();
	mock_event(D3DGPU_EVENT_CONTEXT_LOST, 2, 0, D3DGPU_FAULT_WORKER_DIED);
	mock_step();
	mock_event(D3DGPU_EVENT_DONE, 2, 9001, 0);
	mock_step();
	tap_ok(mock.ctrl.fences[2].value == 9001 && !mock.ctrl.fences[2].status, "a new life begins while the old one waits for a slot");
	mock_event(D3DGPU_EVENT_CONTEXT_LOST, 2, 0, D3DGPU_FAULT_WORKER_DIED);
	mock_step();
	tap_eq(mock.ctrl.fences[2].status, D3DGPU_FAULT_WORKER_DIED, "and ends as any other");
}

static void test_usage(void)
{
	simulation_start(1);
	simulation_create(1, NORMAL);
	simulation_create(2, NORMAL);
	simulation_submit(1, 3 * MS);
	simulation_submit(2, 1 * MS);
	simulation_run(100 * MS);
	tap_eq(mock.ctrl.usage[1].engine_time, 3 * MS, "the engine time of each context is told");
	tap_eq(mock.ctrl.usage[2].engine_time, 1 * MS, "to the nanosecond");
	tap_eq(mock.ctrl.usage[1].waited + mock.ctrl.usage[2].waited, 3 * MS, "and the time that it waited for a slot");
	tap_eq(mock.ctrl.usage[2].turns, 1, "and its turns");
	tap_eq(mock.ctrl.counters.waits, 1, "one of which had to be waited for");
	simulation_submit(1, 50 * MS);
	simulation_run(110 * MS);
	simulation_flood(2, 100 * US, 10);
	simulation_run(300 * MS);
	tap_ok(mock.ctrl.counters.overruns == 1 && mock.ctrl.usage[1].engine_time == 53 * MS, "an overrun is counted, and told at its end");
}

int main(void)
{
	test_free_slots();
	test_equal_shares();
	test_weighted_shares();
	test_starvation_bound();
	test_latency();
	test_slot_beyond();
	test_no_credit();
	test_no_debt();
	test_budget();
	test_waiting_is_no_hang();
	test_stuck_engine();
	test_lost_contexts();
	test_new_life_while_waiting();
	test_usage();
	return tap_done();
}
