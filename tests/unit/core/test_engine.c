/* SPDX-License-Identifier: MIT */
/* The engine port, driven without firmware: admission, order, loss, the copy engine. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"
#include "tap.h"

static uint8_t *vram(struct device *device)
{
	return d3dgpu_core_vram(device->core);
}

/* The entry is refused with this status, and that is this guest error, or none. */
static void refused_as(struct device *device, uint32_t status, uint32_t error, struct d3dgpu_entry entry, const char *what)
{
	uint32_t errors = device_read(device, D3DGPU_REG_GUEST_ERRORS);

	device_write(device, D3DGPU_REG_LAST_ERROR, 0);
	tap_eq(device_dispatch(device, &entry), status, "%s is refused", what);
	tap_ok(device_read(device, D3DGPU_REG_GUEST_ERRORS) - errors == !!error &&
		       device_read(device, D3DGPU_REG_LAST_ERROR) == error,
	       "%s: guest error %u", what, error);
}

static void malformed(struct device *device, struct d3dgpu_entry entry, const char *what)
{
	refused_as(device, D3DGPU_FAULT_BAD_ENTRY, D3DGPU_GUEST_ERROR_ENTRY, entry, what);
}

static void out_of_range(struct device *device, struct d3dgpu_entry entry, const char *what)
{
	refused_as(device, D3DGPU_FAULT_BAD_ENTRY, D3DGPU_GUEST_ERROR_RANGE, entry, what);
}

/* By the state of its context, not by what it is: no guest error but where the context does not exist. */
static void refused(struct device *device, uint32_t status, struct d3dgpu_entry entry, const char *what)
{
	bool unknown = status == D3DGPU_FAULT_NO_CONTEXT && entry.opcode != D3DGPU_OP_CTX_KILL;

	refused_as(device, status, unknown ? D3DGPU_GUEST_ERROR_CONTEXT : D3DGPU_GUEST_ERROR_NONE, entry, what);
}

/* An entry of context 1 with fence 2, and then what is said about it. */
#define ENTRY(op, ...) ({ \
		struct d3dgpu_entry e = {.opcode = D3DGPU_OP_##op, .context = 1, .fence = 2}; \
		__VA_ARGS__; \
		e; \
	})

static struct d3dgpu_entry good_resource(void)
{
	struct d3dgpu_entry entry = ENTRY(RES_CREATE);

	entry.res_create.resource = 5;
	entry.res_create.backing = 4096;
	entry.res_create.size = 65536;
	entry.res_create.desc = (struct d3dgpu_resource_desc){
		.format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D, .bind = D3DGPU_BIND_RENDER_TARGET,
		.width = 128, .height = 128, .depth = 1, .array_size = 1};
	return entry;
}

static void memory_admission(struct device *device)
{
	malformed(device, ENTRY(EVICT), "EVICT of resource 0");
	malformed(device, ENTRY(EVICT, e.evict.resource = 5, e.evict.flags = 2), "an unknown flag of EVICT");
	malformed(device, ENTRY(EVICT, e.context = 0, e.evict.resource = 5), "EVICT in context 0");
	malformed(device, ENTRY(RESTORE, e.restore.size = 4096), "RESTORE of resource 0");
	malformed(device, ENTRY(RESTORE, e.restore.resource = 5), "RESTORE into a range of nothing");
	malformed(device, ENTRY(RESTORE, e.restore.resource = 5, e.restore.flags = 2, e.restore.size = 4096),
		  "an unknown flag of RESTORE");
	out_of_range(device, ENTRY(RESTORE, e.restore.resource = 5, e.restore.backing = 256, e.restore.size = 4096),
		     "RESTORE into a misaligned range");
	out_of_range(device, ENTRY(RESTORE, e.restore.resource = 5, e.restore.backing = 64 << 20, e.restore.size = 4096),
		     "RESTORE behind VRAM");
	malformed(device, ENTRY(CTX_SAVE, e.ctx_save.size = 4095), "CTX_SAVE into less than a page");
	out_of_range(device, ENTRY(CTX_SAVE, e.ctx_save.offset = 8, e.ctx_save.size = 4096), "CTX_SAVE to a misaligned offset");
	out_of_range(device, ENTRY(CTX_SAVE, e.ctx_save.offset = 4096, e.ctx_save.size = 64 << 20), "CTX_SAVE across VRAM's end");
	malformed(device, ENTRY(FILL, e.fill.size = 6), "a fill of half words");
	malformed(device, ENTRY(FILL, e.payload[20] = 1), "a fill with more than a value");
	out_of_range(device, ENTRY(FILL, e.fill.offset = 2, e.fill.size = 4), "a misaligned fill");
	out_of_range(device, ENTRY(FILL, e.fill.offset = 4, e.fill.size = 64 << 20), "a fill across VRAM's end");
	out_of_range(device, ENTRY(FILL, e.fill.offset = 4, e.fill.size = -4), "a fill of nearly 2^64 bytes");
	malformed(device, ENTRY(CTX_DESTROY, e.ctx_destroy.flags = D3DGPU_DESTROY_NOW), "CTX_DESTROY with the firmware's flag");
}

static void admission(struct device *device)
{
	struct d3dgpu_entry entry;

	refused(device, D3DGPU_FAULT_NO_CONTEXT, ENTRY(FENCE), "an entry for a context that is not there");
	malformed(device, ENTRY(COUNT), "an unknown opcode");
	malformed(device, ENTRY(FENCE, e.flags = 4), "an unknown flag");
	malformed(device, ENTRY(FENCE, e.reserved = 1), "a reserved field");
	malformed(device, ENTRY(FENCE, e.context = 256), "context 256");
	malformed(device, ENTRY(FENCE, e.payload[47] = 1), "payload that is not used");
	malformed(device, ENTRY(EXEC, e.context = 0), "EXEC in context 0");
	out_of_range(device, ENTRY(EXEC, e.exec.offset = 2, e.exec.size = 4), "a misaligned stream");
	malformed(device, ENTRY(EXEC, e.exec.offset = 0, e.exec.size = 6), "a stream of half words");
	malformed(device, ENTRY(EXEC, e.exec.offset = 4096), "a stream of nothing");
	out_of_range(device, ENTRY(EXEC, e.exec.offset = 64 << 20, e.exec.size = 4), "a stream behind VRAM");
	out_of_range(device, ENTRY(EXEC, e.exec.offset = -4, e.exec.size = 8), "a stream that wraps around");
	malformed(device, ENTRY(EXEC, e.exec.offset = 0, e.exec.size = (16 << 20) + 4), "a stream over 16 MiB");
	entry = good_resource(), entry.res_create.resource = 0;
	malformed(device, entry, "resource 0");
	entry = good_resource(), entry.res_create.size = 65535;
	malformed(device, entry, "a range smaller than the linear image");
	entry = good_resource(), entry.res_create.backing = 100;
	out_of_range(device, entry, "a misaligned range");
	entry = good_resource(), entry.res_create.backing = (64 << 20) - 4096;
	out_of_range(device, entry, "a range across VRAM's end");
	entry = good_resource(), entry.res_create.desc.samples = 3;
	malformed(device, entry, "a wrong descriptor");
	malformed(device, ENTRY(FLUSH), "FLUSH of resource 0");
	malformed(device, ENTRY(CTX_CREATE, e.ctx_create.priority = 3), "an unknown priority");
	entry = ENTRY(CTX_CREATE);
	memset(entry.ctx_create.name, 'x', sizeof(entry.ctx_create.name));
	malformed(device, entry, "a name without end");
	out_of_range(device, ENTRY(COPY, e.copy.source = 0, e.copy.destination = 64 << 20, e.copy.size = 1), "a copy out of VRAM");
	out_of_range(device, ENTRY(COPY, e.copy.source = 8, e.copy.size = ~0ull), "a copy of 2^64 bytes");
	refused(device, D3DGPU_FAULT_NO_CONTEXT, ENTRY(CTX_KILL), "CTX_KILL of nothing");
	memory_admission(device);
}

static void expect_event(struct device *device, uint32_t type, uint64_t fence, uint32_t status, uint32_t opcode, const char *what)
{
	struct d3dgpu_engine_event event = device_event(device);

	tap_ok(event.type == type && event.context == 1 && event.fence == fence && event.status == status &&
		       event.opcode == opcode,
	       "%s: event %u, fence %llu, status %u, opcode %u", what, event.type, (unsigned long long)event.fence,
	       event.status, event.opcode);
}

static void life(struct device *device)
{
	struct d3dgpu_entry exec = ENTRY(EXEC, e.fence = 3, e.exec.offset = 4096, e.exec.size = 8);
	struct d3dgpu_entry entry;

	tap_eq(device_create_context(device, 1), D3DGPU_FAULT_NONE, "a context is created");
	tap_eq(d3dgpu_core_contexts(device->core), 1, "there is one");
	tap_ok(d3dgpu_core_worker_pid(device->core, 1) > 0, "it has a worker process");
	refused_as(device, D3DGPU_FAULT_BAD_ENTRY, D3DGPU_GUEST_ERROR_CONTEXT, ENTRY(CTX_CREATE), "creating it again");
	memcpy(vram(device) + 4096, "streamed", 8);
	tap_eq(device_dispatch(device, &exec), D3DGPU_FAULT_NONE, "EXEC is accepted");
	expect_event(device, D3DGPU_EVENT_DONE, 3, 0, D3DGPU_OP_EXEC, "EXEC");
	tap_mem(vram(device), "streamed", 8, "the worker has seen VRAM");
	entry = good_resource();
	tap_eq(device_dispatch(device, &entry), D3DGPU_FAULT_NONE, "RES_CREATE is accepted");
	expect_event(device, D3DGPU_EVENT_DONE, 2, 0, D3DGPU_OP_RES_CREATE, "RES_CREATE");
	entry = ENTRY(CTX_DESTROY, e.fence = 9);
	tap_eq(device_dispatch(device, &entry), D3DGPU_FAULT_NONE, "CTX_DESTROY is accepted");
	refused(device, D3DGPU_FAULT_NO_CONTEXT, ENTRY(FENCE), "an entry behind CTX_DESTROY");
	expect_event(device, D3DGPU_EVENT_DONE, 9, 0, D3DGPU_OP_CTX_DESTROY, "CTX_DESTROY");
	tap_eq(d3dgpu_core_contexts(device->core), 0, "the context has gone");
	tap_eq(d3dgpu_core_worker_pid(device->core, 1), -1, "and its worker");
}

/* NOP and COPY run in the core, FENCE and EXEC in the worker: the order is that of the dispatch all the same. */
static void order(struct device *device)
{
	static const uint8_t opcodes[] = {D3DGPU_OP_FENCE, D3DGPU_OP_NOP, D3DGPU_OP_EXEC, D3DGPU_OP_COPY, D3DGPU_OP_EXEC,
					  D3DGPU_OP_NOP, D3DGPU_OP_COPY, D3DGPU_OP_FENCE};

	device_create_context(device, 1);
	memset(vram(device), 0, 64);
	memcpy(vram(device) + 8192, "ABCD", 4);
	for (unsigned i = 0; i < 8; i++) {
		struct d3dgpu_entry entry = {.opcode = opcodes[i], .context = 1, .fence = 10 + i};

		if (entry.opcode == D3DGPU_OP_EXEC) /* the fake worker copies it to VRAM's start */
			entry.exec.offset = 8192, entry.exec.size = 4;
		if (entry.opcode == D3DGPU_OP_COPY)
			entry.copy.source = 0, entry.copy.destination = 16 + 4 * i, entry.copy.size = 4;
		device_dispatch(device, &entry);
	}
	for (unsigned i = 0; i < 8; i++)
		expect_event(device, D3DGPU_EVENT_DONE, 10 + i, 0, opcodes[i], "mixed");
	tap_mem(vram(device) + 28, "ABCD", 4, "the copy saw what the worker had done before");
}

static void depth(struct device *device)
{
	struct d3dgpu_entry entry = ENTRY(FENCE);
	unsigned accepted = 0;

	while (accepted < 1000 && device_dispatch(device, &entry) == D3DGPU_FAULT_NONE)
		accepted++;
	tap_eq(accepted, CORE_ENGINE_DEPTH, "a context holds %u entries and unread events", CORE_ENGINE_DEPTH);
	tap_eq(device_dispatch(device, &entry), D3DGPU_FAULT_NO_MEMORY, "one more is refused, and does no harm");
	for (unsigned i = 0; i < accepted; i++)
		device_event(device);
	tap_eq(device_dispatch(device, &entry), D3DGPU_FAULT_NONE, "when the events are read there is room again");
	device_event(device);
}

static void killed(struct device *device)
{
	struct d3dgpu_entry entry = ENTRY(CTX_KILL, e.fence = 0);
	int pid = device_kill_worker(device, 1);

	expect_event(device, D3DGPU_EVENT_CONTEXT_LOST, 0, D3DGPU_FAULT_WORKER_DIED, 0, "kill -9 of the worker");
	refused(device, D3DGPU_FAULT_WORKER_DIED, ENTRY(FENCE), "an entry for a lost context");
	tap_eq(device_create_context(device, 1), D3DGPU_FAULT_NONE, "the context can be created anew");
	tap_ok(d3dgpu_core_worker_pid(device->core, 1) != pid, "with another worker");
	tap_eq(device_dispatch(device, &entry), D3DGPU_FAULT_NONE, "CTX_KILL is accepted");
	expect_event(device, D3DGPU_EVENT_CONTEXT_LOST, 0, D3DGPU_FAULT_HANG, 0, "CTX_KILL");
	refused(device, D3DGPU_FAULT_NO_CONTEXT, ENTRY(CTX_KILL), "a second CTX_KILL");
}

/* A worker in the given mode, entry 1 is CTX_CREATE; what becomes of a FENCE as entry 2? */
static void misbehaviour(struct device *device, const char *mode, uint32_t status, uint32_t info, const char *what)
{
	struct d3dgpu_entry entry = ENTRY(FENCE, e.fence = 40);
	struct d3dgpu_engine_event event;
	unsigned errors = device->error_lines;

	setenv("FAKE_WORKER", mode, 1);
	if (device_create_context(device, 1)) {
		tap_ok(false, "%s: no context", what);
		return;
	}
	device_dispatch(device, &entry);
	event = device_event(device);
	tap_ok(event.type == D3DGPU_EVENT_CONTEXT_LOST && event.fence == 40 && event.opcode == D3DGPU_OP_FENCE &&
		       event.status == status && event.info == info,
	       "%s: the context is lost at fence 40, status %u, detail %u", what, event.status, event.info);
	if (status == D3DGPU_FAULT_WORKER_DIED && info == 71)
		tap_eq(device->error_lines, errors + 1, "%s: the host is told", what);
	unsetenv("FAKE_WORKER");
}

static void misbehaving_workers(struct device *device)
{
	struct d3dgpu_entry entry = ENTRY(FENCE, e.fence = 41), kill = ENTRY(CTX_KILL, e.fence = 0);
	struct d3dgpu_engine_event event;

	misbehaviour(device, "crash=2", D3DGPU_FAULT_WORKER_DIED, SIGSEGV, "a crash");
	misbehaviour(device, "fault=2", D3DGPU_FAULT_BAD_STREAM, 77, "a fault that the worker reports");
	misbehaviour(device, "fence=2", D3DGPU_FAULT_WORKER_DIED, 71, "an answer with another fence");
	misbehaviour(device, "short=2", D3DGPU_FAULT_WORKER_DIED, 71, "an answer that is too short");

	setenv("FAKE_WORKER", "twice=2", 1);
	device_create_context(device, 1);
	device_dispatch(device, &entry);
	expect_event(device, D3DGPU_EVENT_DONE, 41, 0, D3DGPU_OP_FENCE, "answered twice: the first");
	expect_event(device, D3DGPU_EVENT_CONTEXT_LOST, 0, D3DGPU_FAULT_WORKER_DIED, 0, "answered twice: the second");

	setenv("FAKE_WORKER", "hang=2", 1);
	device_create_context(device, 1);
	device_dispatch(device, &entry);
	device_dispatch(device, &kill);
	event = device_event(device);
	tap_ok(event.type == D3DGPU_EVENT_CONTEXT_LOST && event.fence == 41 && event.status == D3DGPU_FAULT_HANG,
	       "a hang that is killed: lost at the entry that hung");
	unsetenv("FAKE_WORKER");
}

static bool is_gone(int pid)
{
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == pid;
}

/*
 * A worker reports a fault at its entry 3 and ends before the core has read a word of it: the device's thread waits for its lock.
 * `early` entries are sent before that, `late` ones to the worker that has ended.
 */
static void last_answers(struct device *device, unsigned early, unsigned late, const char *what)
{
	struct d3dgpu_entry entry = ENTRY(FENCE);
	int pid;

	setenv("FAKE_WORKER", "fault=3", 1);
	device_create_context(device, 1);
	unsetenv("FAKE_WORKER");
	pid = d3dgpu_core_worker_pid(device->core, 1);
	core_lock(device->core);
	for (entry.fence = 60; entry.fence < 60 + early; entry.fence++)
		core_engine_dispatch(device->core, &entry);
	for (unsigned waits = 0; waits < 60000 && !is_gone(pid); waits++)
		usleep(1000);
	for (; entry.fence < 60 + early + late; entry.fence++)
		core_engine_dispatch(device->core, &entry);
	core_unlock(device->core);
	expect_event(device, D3DGPU_EVENT_DONE, 60, 0, D3DGPU_OP_FENCE, what);
	expect_event(device, D3DGPU_EVENT_CONTEXT_LOST, 61, D3DGPU_FAULT_BAD_STREAM, D3DGPU_OP_FENCE, what);
}

static void last_answers_count(struct device *device)
{
	last_answers(device, 2, 0, "a worker that reports a fault and ends");
	last_answers(device, 2, 2, "one that is sent more after its end");
	last_answers(device, 4, 0, "one that has not read all it was sent");
	last_answers(device, 4, 2, "one that has not read all, and is sent more");
}

static void others_go_on(struct device *device)
{
	struct d3dgpu_entry entry = ENTRY(FENCE, e.context = 2, e.fence = 50);

	setenv("FAKE_WORKER", "crash=2", 1);
	device_create_context(device, 1);
	unsetenv("FAKE_WORKER");
	device_create_context(device, 2);
	entry.context = 1;
	device_dispatch(device, &entry);
	expect_event(device, D3DGPU_EVENT_CONTEXT_LOST, 50, D3DGPU_FAULT_WORKER_DIED, D3DGPU_OP_FENCE, "context 1 crashes");
	entry.context = 2;
	device_dispatch(device, &entry);
	tap_eq(device_event(device).context, 2, "context 2 goes on");
	entry = ENTRY(CTX_KILL, e.context = 2);
	device_dispatch(device, &entry);
	device_event(device);
}

static void copy(struct device *device, uint64_t source, uint64_t destination, uint64_t size)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_COPY, .fence = 60,
				     .copy = {.source = source, .destination = destination, .size = size}};

	tap_eq(device_dispatch(device, &entry), D3DGPU_FAULT_NONE, "a copy of %llu bytes is accepted", (unsigned long long)size);
	tap_eq(device_event(device).fence, 60, "and done");
}

static void copies(struct device *device)
{
	const size_t size = 5 << 20;
	uint8_t *memory = vram(device) + (8 << 20), *want = malloc(size);

	for (size_t i = 0; i < size; i++)
		memory[i] = (uint8_t)(i * 7 + (i >> 12));
	memcpy(want, memory, size);
	copy(device, 8 << 20, 32 << 20, size);
	tap_mem(vram(device) + (32 << 20), want, size, "5 MiB elsewhere");
	copy(device, 8 << 20, (8 << 20) + 1000, size);
	tap_mem(memory + 1000, want, size, "overlapping, upwards");
	copy(device, (8 << 20) + 1000, (8 << 20) + 3, size);
	tap_mem(memory + 3, want, size, "overlapping, downwards");
	copy(device, 100, 200, 0);
	copy(device, 4096, 4096, 8192);
	free(want);
}

static void fills(struct device *device)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_FILL, .fence = 61,
				     .fill = {.offset = (40 << 20) + 4, .size = (3 << 20) - 8, .value = 0x12345678}};
	uint32_t *words = (uint32_t *)(vram(device) + (40 << 20));
	const size_t count = (3 << 20) / 4;
	size_t wrong = 0;

	memset(words, 0xee, 4 * count);
	tap_eq(device_dispatch(device, &entry), D3DGPU_FAULT_NONE, "a fill is accepted");
	tap_eq(device_event(device).fence, 61, "and done");
	for (size_t i = 1; i < count - 1; i++)
		wrong += words[i] != 0x12345678;
	tap_eq(wrong, 0, "each word of its range has the value");
	tap_ok(words[0] == 0xeeeeeeee && words[count - 1] == 0xeeeeeeee, "and none beside it");
	entry.fill.size = 0;
	device_dispatch(device, &entry);
	tap_eq(device_event(device).opcode, D3DGPU_OP_FILL, "a fill of nothing is done at once");
}

/* What the core only hands on. */
static void memory_entries(struct device *device)
{
	struct d3dgpu_entry entries[] = {
		ENTRY(EVICT, e.evict.resource = 5, e.evict.flags = D3DGPU_EVICT_FLUSH),
		ENTRY(RESTORE, e.restore.resource = 5, e.restore.flags = D3DGPU_RESTORE_LOAD, e.restore.backing = 8192,
		      e.restore.size = 65536),
		ENTRY(CTX_SAVE, e.ctx_save.offset = 4096, e.ctx_save.size = 4096),
	};

	device_create_context(device, 1);
	for (unsigned i = 0; i < 3; i++) {
		tap_eq(device_dispatch(device, &entries[i]), D3DGPU_FAULT_NONE, "opcode %u is accepted", entries[i].opcode);
		expect_event(device, D3DGPU_EVENT_DONE, 2, 0, entries[i].opcode, "and goes to the worker");
	}
	entries[0] = ENTRY(CTX_KILL);
	device_dispatch(device, &entries[0]);
	device_event(device);
}

static bool process_exists(int pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return !access(path, F_OK);
}

static void reset(struct device *device)
{
	struct d3dgpu_entry entry = ENTRY(FENCE);
	int pid;

	device_create_context(device, 1);
	pid = d3dgpu_core_worker_pid(device->core, 1);
	device_write(device, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
	tap_eq(d3dgpu_core_contexts(device->core), 0, "a reset ends all contexts");
	for (unsigned i = 0; i < 5000 && process_exists(pid); i++)
		usleep(1000);
	tap_ok(!process_exists(pid), "its worker is gone, and reaped");
	refused(device, D3DGPU_FAULT_NO_CONTEXT, entry, "an entry for it");
	tap_eq(device_create_context(device, 1), D3DGPU_FAULT_NONE, "a new one can be created");
}

/* Nearly a gigabyte of copies in context 0, and one entry for a worker. */
static void others_answer_meanwhile(struct device *device)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_COPY,
				     .copy = {.destination = 4096, .size = 60 << 20}};
	unsigned copied = 0;

	device_create_context(device, 1);
	for (entry.fence = 1; entry.fence <= CORE_ENGINE_DEPTH; entry.fence++)
		device_dispatch(device, &entry);
	entry = ENTRY(FENCE);
	device_dispatch(device, &entry);
	while (copied < CORE_ENGINE_DEPTH && device_event(device).context == 0)
		copied++;
	tap_ok(copied < CORE_ENGINE_DEPTH, "a worker's answer does not wait for long copies (%u of %u)", copied,
	       CORE_ENGINE_DEPTH);
	device_write(device, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
}

int main(int argc, char **argv)
{
	struct device device;

	device_arguments(argc, argv);
	device_create(&device, "warm-workers=0");
	admission(&device);
	life(&device);
	order(&device);
	depth(&device);
	killed(&device);
	misbehaving_workers(&device);
	last_answers_count(&device);
	others_go_on(&device);
	copies(&device);
	fills(&device);
	memory_entries(&device);
	others_answer_meanwhile(&device);
	reset(&device);
	device_destroy(&device);
	return tap_done();
}
