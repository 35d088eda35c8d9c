/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the firmware's scheduler, compiled for the host: here a fuzzer sees its branches, which it does not through
 * the hart (fuzz_rings). Under it is a model of the engine port. Input: steps, each a byte (kind, modulo KIND_COUNT)
 * and its operands. Promises: no panic; engines get no more than they take; fences only rise within a life of a
 * context; once the engines have answered, every ring is empty and no engine has anything left.
 */
#include "firmware.h"
#include "fuzz.h"
#include "port.h"

#define STEPS 1024
#define SLOTS 2u  /* fewer than there are contexts */
#define DEPTH 16u /* of the engine's queue, per context */
#define EVENTS (D3DGPU_MAX_CONTEXTS * (DEPTH + 1))
#define DRAIN 20000 /* turns after which everything must be done */

enum kind {
	KIND_ENTRY, /* u8 ring, u8 opcode, u8 flags (bit 7: DESTROY_NOW; 4, 5: priority), u8 context, u8 fence step */
	KIND_RAW,   /* u8 ring, 64 bytes */
	KIND_TAIL,  /* u8 ring, u32 */
	KIND_STEP,
	KIND_DONE,   /* u8 context: the engine finishes its oldest entry */
	KIND_LOSE,   /* u8 context, u8 status */
	KIND_TIME,   /* u32 microseconds */
	KIND_REFUSE, /* u8 status: the next dispatch is refused */
	KIND_COUNT,
};

enum life { NONE, LIVE, ENDING, LOST };

static struct engine {
	struct place {
		enum life life;
		bool loss_unread;
		unsigned count, unread; /* entries; events of finished ones */
		struct d3dgpu_entry queue[DEPTH];
	} places[D3DGPU_MAX_CONTEXTS];
	struct d3dgpu_engine_event events[EVENTS];
	unsigned count;
	uint32_t refuse;
} engine;

static struct d3dgpu_ctrl ctrl;
static uint64_t now, alarm_at, fence, fences[D3DGPU_MAX_CONTEXTS];
static bool created[D3DGPU_MAX_CONTEXTS];
static uint32_t pending;

/* ---- the engine port ---- */

static void push(struct d3dgpu_engine_event event)
{
	fuzz_check(engine.count < EVENTS, "the engine port overflows");
	engine.events[engine.count++] = event;
	pending |= D3DGPU_GCP_INT_EVENT;
}

static void lose(uint32_t id, uint32_t status)
{
	struct place *place = &engine.places[id];

	if (!id || (place->life != LIVE && place->life != ENDING))
		return;
	place->life = LOST;
	place->loss_unread = true;
	place->count = 0;
	push((struct d3dgpu_engine_event){.type = D3DGPU_EVENT_CONTEXT_LOST, .context = id, .status = status});
}

static void finish(uint32_t id)
{
	struct place *place = &engine.places[id];
	struct d3dgpu_entry entry = place->queue[0];

	if (!place->count)
		return;
	memmove(place->queue, place->queue + 1, --place->count * sizeof(entry));
	place->unread++;
	if (entry.opcode == D3DGPU_OP_CTX_DESTROY)
		place->life = NONE;
	push((struct d3dgpu_engine_event){
		.type = D3DGPU_EVENT_DONE, .context = id, .fence = entry.fence, .opcode = entry.opcode});
}

static uint32_t admit(struct place *place, const struct d3dgpu_entry *entry)
{
	if (!entry->context)
		return D3DGPU_FAULT_NONE;
	if (entry->opcode == D3DGPU_OP_CTX_CREATE) {
		if (place->life == LIVE || place->life == ENDING)
			return D3DGPU_FAULT_BAD_ENTRY;
		if (place->loss_unread)
			return D3DGPU_FAULT_WORKER_DIED;
		place->life = LIVE;
	}
	if (place->life == LOST)
		return D3DGPU_FAULT_WORKER_DIED;
	return place->life == LIVE ? D3DGPU_FAULT_NONE : D3DGPU_FAULT_NO_CONTEXT;
}

uint32_t port_dispatch(const struct d3dgpu_entry *entry)
{
	struct place *place = &engine.places[entry->context % D3DGPU_MAX_CONTEXTS];
	uint32_t status = engine.refuse;

	fuzz_check(entry->context < D3DGPU_MAX_CONTEXTS && entry->opcode < D3DGPU_OP_COUNT, "dispatch of nonsense");
	if (entry->opcode == D3DGPU_OP_CTX_KILL) {
		status = place->life == LIVE || place->life == ENDING ? D3DGPU_FAULT_NONE : D3DGPU_FAULT_NO_CONTEXT;
		lose(entry->context, D3DGPU_FAULT_HANG);
		return status;
	}
	fuzz_check(place->count + place->unread < DEPTH, "context %u: more than its engine takes", entry->context);
	engine.refuse = D3DGPU_FAULT_NONE;
	if (!status)
		status = admit(place, entry);
	if (status)
		return status;
	place->queue[place->count++] = *entry;
	if (entry->opcode == D3DGPU_OP_CTX_DESTROY)
		place->life = ENDING;
	return D3DGPU_FAULT_NONE;
}

void port_pop_event(struct d3dgpu_engine_event *event)
{
	fuzz_check(engine.count, "pop of no event");
	*event = engine.events[0];
	memmove(engine.events, engine.events + 1, --engine.count * sizeof(*event));
	if (event->type == D3DGPU_EVENT_CONTEXT_LOST)
		engine.places[event->context].loss_unread = false;
	else
		engine.places[event->context].unread--;
}

/* ---- the other ports ---- */

uint32_t port_read(uint32_t offset)
{
	switch (offset) {
	case D3DGPU_GCP_INT_PENDING:
		return pending;
	case D3DGPU_GCP_TIME_LO:
		return (uint32_t)now;
	case D3DGPU_GCP_TIME_HI:
		return (uint32_t)(now >> 32);
	case D3DGPU_GCP_EVENT_COUNT:
		return engine.count;
	case D3DGPU_GCP_HANG_TIMEOUT:
		return 2000;
	case D3DGPU_GCP_ENGINES:
		return SLOTS;
	case D3DGPU_GCP_TURN_BUDGET:
		return 2000;
	default:
		return 0;
	}
}

void port_write(uint32_t offset, uint32_t value)
{
	switch (offset) {
	case D3DGPU_GCP_INT_ACK:
		pending &= ~value;
		break;
	case D3DGPU_GCP_ALARM_LO:
		alarm_at = value;
		break;
	case D3DGPU_GCP_ALARM_HI:
		alarm_at |= (uint64_t)value << 32;
		break;
	case D3DGPU_GCP_RAISE:
		fuzz_check(value < D3DGPU_VECTOR_COUNT, "vector %u", value);
		break;
	case D3DGPU_GCP_PANIC_CODE:
		fuzz_check(false, "panic 0x%x", value);
		break;
	}
}

struct d3dgpu_ctrl *port_ctrl(void)
{
	return &ctrl;
}

void port_sleep(void)
{
}

/* ---- steps ---- */

static void put(unsigned ring, const struct d3dgpu_entry *entry)
{
	struct d3dgpu_ring_state *state = &ctrl.rings[ring];

	if (state->tail - state->head >= D3DGPU_RING_ENTRIES)
		return;
	if (entry->context < D3DGPU_MAX_CONTEXTS && entry->opcode == D3DGPU_OP_CTX_CREATE)
		created[entry->context] = true;
	ctrl.entries[ring][state->tail++ % D3DGPU_RING_ENTRIES] = *entry;
	pending |= D3DGPU_GCP_INT_DOORBELL;
}

static void check_fences(void)
{
	for (unsigned id = 0; id < D3DGPU_MAX_CONTEXTS; id++) {
		fuzz_check(ctrl.fences[id].value >= fences[id] || created[id], "context %u: fence %llu, then %llu", id,
			   (unsigned long long)fences[id], (unsigned long long)ctrl.fences[id].value);
		fences[id] = ctrl.fences[id].value;
	}
}

static void pass_time(uint64_t nanoseconds)
{
	now += nanoseconds;
	if (!alarm_at || now < alarm_at)
		return;
	alarm_at = 0;
	pending |= D3DGPU_GCP_INT_ALARM;
}

static void step(struct fuzz_tape *tape)
{
	uint8_t kind = fuzz_take8(tape) % KIND_COUNT, ring = 0, id, flags;
	struct d3dgpu_entry entry = {0};

	if (kind <= KIND_TAIL)
		ring = fuzz_take8(tape) % D3DGPU_MAX_RINGS;
	switch (kind) {
	case KIND_ENTRY:
		entry.opcode = fuzz_take8(tape) % D3DGPU_OP_COUNT;
		flags = fuzz_take8(tape);
		entry.flags = flags & D3DGPU_ENTRY_FLAGS;
		entry.context = fuzz_take8(tape) % 6;
		entry.fence = fence += fuzz_take8(tape);
		if (entry.opcode == D3DGPU_OP_CTX_CREATE)
			entry.ctx_create.priority = flags >> 4 & 3;
		if (entry.opcode == D3DGPU_OP_CTX_DESTROY)
			entry.ctx_destroy.flags = flags & 0x80 ? D3DGPU_DESTROY_NOW : 0;
		put(ring, &entry);
		break;
	case KIND_RAW:
		fuzz_take(tape, &entry, sizeof(entry));
		put(ring, &entry);
		break;
	case KIND_TAIL:
		ctrl.rings[ring].tail = fuzz_take32(tape);
		memset(created, true, sizeof(created)); /* old entries run again */
		pending |= D3DGPU_GCP_INT_DOORBELL;
		break;
	case KIND_STEP:
		firmware_step();
		break;
	case KIND_DONE:
		finish(fuzz_take8(tape));
		break;
	case KIND_LOSE:
		id = fuzz_take8(tape);
		lose(id, fuzz_take8(tape) % (D3DGPU_FAULT_RESET + 1));
		break;
	case KIND_TIME:
		pass_time(fuzz_take32(tape) * 1000ull);
		break;
	case KIND_REFUSE:
		engine.refuse = fuzz_take8(tape) % (D3DGPU_FAULT_RESET + 1);
		break;
	}
}

static bool at_rest(void)
{
	for (unsigned ring = 0; ring < D3DGPU_MAX_RINGS; ring++)
		if (ctrl.rings[ring].head != ctrl.rings[ring].tail)
			return false;
	for (unsigned id = 0; id < D3DGPU_MAX_CONTEXTS; id++)
		if (engine.places[id].count)
			return false;
	return !engine.count;
}

/* Engines that answer everything: the firmware must come to rest. */
static void drain(void)
{
	unsigned turns = 0;

	engine.refuse = D3DGPU_FAULT_NONE;
	do {
		firmware_step();
		for (unsigned id = 0; id < D3DGPU_MAX_CONTEXTS; id++)
			finish(id);
		fuzz_check(++turns < DRAIN, "ring 0: %u of %u; the firmware does not come to rest", ctrl.rings[0].head,
			   ctrl.rings[0].tail);
	} while (!at_rest());
	check_fences();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_tape tape = {data, size};

	memset(&engine, 0, sizeof(engine));
	memset(&ctrl, 0, sizeof(ctrl));
	memset(fences, 0, sizeof(fences));
	memset(created, 0, sizeof(created));
	now = alarm_at = fence = pending = 0;
	firmware_init();
	for (unsigned i = 0; i < STEPS && tape.left; i++) {
		step(&tape);
		if (i % 16 == 15)
			check_fences();
	}
	drain();
	return 0;
}
