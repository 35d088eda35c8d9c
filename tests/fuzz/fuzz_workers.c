/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes what the core hears from workers and their manager, which are hostile here. Input: a byte of flags for the
 * first hello, then steps, each a byte (kind, modulo KIND_COUNT) and its operands. The firmware is not there: entries
 * are dispatched through the engine port. Promises: the device comes up or says why not; each accepted entry has at
 * most one answer, in order; a lost context is silent until it is created anew; nothing is left behind when all
 * contexts are gone; the device can always be destroyed.
 */
#include "stepped_device.h"

#include <sys/socket.h>
#include <unistd.h>

#include "capset_fixture.h"
#include "socket_worker.h"

#define CONTEXTS 6u /* 1.. */
#define WORKERS 24u /* worker sockets of one input */
#define STEPS 200

enum kind {
	KIND_DISPATCH,   /* u8 context, u8 opcode */
	KIND_HAND_OUT,   /* a good manager's answer */
	KIND_MANAGER,    /* u8 length, u8 descriptors, bytes */
	KIND_HELLO,      /* u8 worker: a good one */
	KIND_HELLO_BAD,  /* u8 worker, u16 offset, u32 value: a good one with a word changed */
	KIND_RAW,        /* u8 worker, u16 length, bytes */
	KIND_ANSWER,     /* u8 worker: of the oldest entry that it has been sent */
	KIND_ANSWER_BAD, /* u8 worker, u8 word, u32 value: the same with a word changed */
	KIND_CLOSE,      /* u8 worker */
	KIND_SHUT,       /* u8 worker, u8 side */
	KIND_TURN,
	KIND_POP,   /* events */
	KIND_FLOOD, /* u8 worker, u8 count: hellos and answers of zeros */
	KIND_RESET,
	KIND_CLOSE_MANAGER,
	KIND_DESCRIPTOR, /* u8 worker: a packet with a descriptor */
	KIND_COUNT,
};

static struct run {
	struct fuzz_device device;
	int manager;          /* our end; -1 once closed */
	int workers[WORKERS]; /* -1 once closed */
	unsigned count;
	/* what the engine port has promised, by context */
	struct promise {
		uint64_t given, heard; /* fences of accepted entries, and of their answers */
		bool lost;             /* an event has said so */
	} promises[CONTEXTS + 1];
	uint64_t fence;
} run;

static int worker_of(struct fuzz_tape *tape)
{
	uint8_t number = fuzz_take8(tape);

	return run.count ? run.workers[number % run.count] : -1;
}

static void send_to_core(int socket, const void *bytes, size_t size)
{
	send(socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* ---- manager ---- */

static void hand_out(void)
{
	uint8_t good = 0;
	int pair[2];

	if (run.count == WORKERS || run.manager < 0)
		return;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		abort();
	if (fuzz_manager_answer(run.manager, &good, sizeof(good), &pair[0], 1))
		run.workers[run.count++] = pair[1];
	else
		close(pair[1]);
	close(pair[0]);
}

static void manager_speaks(struct fuzz_tape *tape)
{
	size_t length = fuzz_take8(tape) % 8u;
	unsigned count = fuzz_take8(tape) % 5u;
	uint8_t bytes[8];
	int some[4] = {0, 1, 2, 0};

	fuzz_take(tape, bytes, length);
	if (run.manager >= 0)
		fuzz_manager_answer(run.manager, bytes, length, some, count);
}

/* ---- workers ---- */

static void hello_bad(int worker, struct fuzz_tape *tape)
{
	struct worker_hello hello;
	uint32_t offset = fuzz_take16(tape) % (sizeof(hello) - 3), value = fuzz_take32(tape);

	fixture_hello(&hello);
	memcpy((uint8_t *)&hello + offset, &value, sizeof(value));
	send_to_core(worker, &hello, sizeof(hello));
}

static void say_raw(int worker, struct fuzz_tape *tape)
{
	uint8_t bytes[sizeof(struct worker_hello) + 64];
	size_t length = fuzz_take16(tape) % (sizeof(bytes) + 1);

	fuzz_take(tape, bytes, length);
	send_to_core(worker, bytes, length);
}

/* word: the one of the answer to be changed, or behind its end. */
static void answer(int worker, uint32_t word, uint32_t value)
{
	struct d3dgpu_entry entry;
	struct worker_done done;

	do { /* the set-up is shorter */
		if (recv(worker, &entry, sizeof(entry), MSG_DONTWAIT) <= 0)
			return;
	} while (!entry.fence);
	done = (struct worker_done){.fence = entry.fence, .opcode = entry.opcode};
	if (word < sizeof(done) / 4)
		memcpy((uint32_t *)&done + word, &value, sizeof(value));
	send_to_core(worker, &done, sizeof(done));
}

static void close_worker(int worker)
{
	for (unsigned i = 0; i < run.count; i++) {
		if (run.workers[i] != worker || worker < 0)
			continue;
		close(worker);
		run.workers[i] = -1;
	}
}

static void flood(int worker, struct fuzz_tape *tape)
{
	struct worker_done zeros = {0};

	fuzz_worker_hello(worker);
	for (unsigned i = fuzz_take8(tape); i; i--)
		send_to_core(worker, &zeros, sizeof(zeros));
}

/* ---- engine port ---- */

/* What makes the entry one that the port takes. */
static void fill_payload(struct d3dgpu_entry *entry)
{
	switch (entry->opcode) {
	case D3DGPU_OP_EXEC:
		entry->exec.size = 64;
		break;
	case D3DGPU_OP_COPY:
		entry->copy.source = 0x100000, entry->copy.destination = 0x200000, entry->copy.size = 0x60000;
		break;
	case D3DGPU_OP_FILL:
		entry->fill.offset = 0x200000, entry->fill.size = 0x60000;
		break;
	case D3DGPU_OP_RES_DESTROY:
	case D3DGPU_OP_EVICT:
		entry->res_destroy.resource = 7;
		break;
	case D3DGPU_OP_RESTORE:
		entry->restore.resource = 7, entry->restore.size = 4096;
		break;
	case D3DGPU_OP_CTX_SAVE:
		entry->ctx_save.size = 4096;
		break;
	}
}

static void dispatch(struct fuzz_tape *tape)
{
	struct d3dgpu_entry entry = {.context = fuzz_take8(tape) % (CONTEXTS + 1), .fence = ++run.fence};
	struct promise *promise = &run.promises[entry.context];
	uint32_t status;

	entry.opcode = fuzz_take8(tape) % D3DGPU_OP_COUNT;
	fill_payload(&entry);
	core_lock(run.device.core);
	status = core_engine_dispatch(run.device.core, &entry);
	core_unlock(run.device.core);
	fuzz_check(status <= D3DGPU_FAULT_RESET, "dispatch: %u", status);
	if (status || entry.opcode == D3DGPU_OP_CTX_KILL)
		return;
	if (entry.opcode == D3DGPU_OP_CTX_CREATE)
		promise->lost = false;
	fuzz_check(!promise->lost, "context %u: takes opcode %u though it is lost", entry.context, entry.opcode);
	promise->given = entry.fence;
}

static void pop(void)
{
	struct d3dgpu_engine_event event;

	for (;;) {
		struct promise *promise;

		core_lock(run.device.core);
		core_engine_pop(run.device.core, &event);
		core_unlock(run.device.core);
		if (!event.type)
			return;
		fuzz_check(event.context <= CONTEXTS, "event of context %u", event.context);
		promise = &run.promises[event.context];
		if (event.type == D3DGPU_EVENT_CONTEXT_LOST) {
			fuzz_check(event.status && event.context, "context %u: lost without a reason", event.context);
			promise->lost = true;
			continue;
		}
		fuzz_check(event.type == D3DGPU_EVENT_DONE && !event.status, "event %u, status %u", event.type,
			   event.status);
		fuzz_check(!promise->lost, "context %u: speaks though it is lost", event.context);
		fuzz_check(event.fence > promise->heard && event.fence <= promise->given,
			   "context %u: fence %llu; given up to %llu, heard up to %llu", event.context,
			   (unsigned long long)event.fence, (unsigned long long)promise->given,
			   (unsigned long long)promise->heard);
		promise->heard = event.fence;
	}
}

static void reset(void)
{
	d3dgpu_core_reset(run.device.core);
	memset(run.promises, 0, sizeof(run.promises));
}

/* ---- life ---- */

static void step(struct fuzz_tape *tape)
{
	uint8_t kind = fuzz_take8(tape) % KIND_COUNT, word;
	int worker = -1, zero = 0;

	if (kind == KIND_HELLO || kind == KIND_HELLO_BAD || kind == KIND_RAW || kind == KIND_ANSWER ||
	    kind == KIND_ANSWER_BAD || kind == KIND_CLOSE || kind == KIND_SHUT || kind == KIND_FLOOD ||
	    kind == KIND_DESCRIPTOR)
		worker = worker_of(tape);
	switch (kind) {
	case KIND_DISPATCH:
		dispatch(tape);
		break;
	case KIND_HAND_OUT:
		hand_out();
		break;
	case KIND_MANAGER:
		manager_speaks(tape);
		break;
	case KIND_HELLO:
		fuzz_worker_hello(worker);
		break;
	case KIND_HELLO_BAD:
		hello_bad(worker, tape);
		break;
	case KIND_RAW:
		say_raw(worker, tape);
		break;
	case KIND_ANSWER:
		answer(worker, ~0u, 0);
		break;
	case KIND_ANSWER_BAD:
		word = fuzz_take8(tape);
		answer(worker, word, fuzz_take32(tape));
		break;
	case KIND_CLOSE:
		close_worker(worker);
		break;
	case KIND_SHUT:
		shutdown(worker, fuzz_take8(tape) % 3);
		break;
	case KIND_FLOOD:
		flood(worker, tape);
		break;
	case KIND_TURN:
		fuzz_turn(&run.device);
		fuzz_check_device(&run.device);
		break;
	case KIND_POP:
		pop();
		break;
	case KIND_RESET:
		reset();
		break;
	case KIND_CLOSE_MANAGER:
		if (run.manager >= 0)
			shutdown(run.manager, SHUT_RDWR);
		break;
	case KIND_DESCRIPTOR:
		fuzz_manager_answer(worker, "x", 1, &zero, 1);
		break;
	}
}

/* The first worker, whose hello the input may change: (flags & 3) 0 good, 1 one word changed, 2 raw, 3 closes. */
static void first_worker(struct fuzz_tape *tape)
{
	uint8_t flags = fuzz_take8(tape);

	hand_out();
	if ((flags & 3) == 0)
		fuzz_worker_hello(run.workers[0]);
	else if ((flags & 3) == 1)
		hello_bad(run.workers[0], tape);
	else if ((flags & 3) == 2)
		say_raw(run.workers[0], tape);
	else
		close_worker(run.workers[0]);
}

/* Everything goes: nothing may be left. */
static void end(void)
{
	struct d3dgpu_entry kill = {.opcode = D3DGPU_OP_CTX_KILL};

	for (unsigned i = 0; i < 16; i++)
		fuzz_turn(&run.device);
	pop();
	for (kill.context = 1; kill.context <= CONTEXTS; kill.context++) {
		core_lock(run.device.core);
		core_engine_dispatch(run.device.core, &kill);
		core_unlock(run.device.core);
	}
	pop();
	fuzz_check_device(&run.device);
	fuzz_check(d3dgpu_core_contexts(run.device.core) == 0, "contexts that cannot be killed");
	for (unsigned id = 0; id <= CONTEXTS; id++)
		fuzz_check(!run.device.core->engine.contexts[id].credits, "context %u keeps %u credits", id,
			   run.device.core->engine.contexts[id].credits);
	fuzz_device_destroy(&run.device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_tape tape = {data, size};
	char message[256] = "";
	int pair[2], error;

	memset(&run, 0, sizeof(run));
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		abort();
	run.manager = pair[1];
	first_worker(&tape);
	error = fuzz_device_create(&run.device, pair[0], message, sizeof(message));
	fuzz_check(!error || *message, "no device (%d), and no word why", error);
	for (unsigned i = 0; !error && i < STEPS && tape.left; i++)
		step(&tape);
	if (!error)
		end();
	for (unsigned i = 0; i < run.count; i++)
		if (run.workers[i] >= 0)
			close(run.workers[i]);
	close(pair[0]);
	close(pair[1]);
	return 0;
}
