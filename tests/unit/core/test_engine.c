/* SPDX-License-Identifier: MIT */
/* The engine port, driven without firmware: admission, order, loss, the copy engine. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "tap.h"

static uint8_t *vram(struct device *device)
{
	return d3dgpu_core_vram(device->core);
}

static void refused(struct device *device, uint32_t status, struct d3dgpu_entry entry, const char *what)
{
	uint32_t errors = device_read(device, D3DGPU_REG_GUEST_ERRORS);
	bool malformed = status == D3DGPU_FAULT_BAD_ENTRY;

	tap_eq(device_dispatch(device, &entry), status, "%s is refused", what);
	tap_eq(device_read(device, D3DGPU_REG_GUEST_ERRORS) - errors, malformed, "%s: %s", what,
	       malformed ? "a guest error" : "no guest error");
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

static void admission(struct device *device)
{
	struct d3dgpu_entry entry;

	refused(device, D3DGPU_FAULT_NO_CONTEXT, ENTRY(FENCE), "an entry for a context that is not there");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(COUNT), "an unknown opcode");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(FENCE, e.flags = 4), "an unknown flag");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(FENCE, e.reserved = 1), "a reserved field");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(FENCE, e.context = 256), "context 256");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(FENCE, e.payload[47] = 1), "payload that is not used");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(EXEC, e.context = 0), "EXEC in context 0");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(EXEC, e.exec.offset = 2, e.exec.size = 4), "a misaligned stream");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(EXEC, e.exec.offset = 0, e.exec.size = 6), "a stream of half words");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(EXEC, e.exec.offset = 4096), "a stream of nothing");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(EXEC, e.exec.offset = 64 << 20, e.exec.size = 4), "a stream behind VRAM");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(EXEC, e.exec.offset = -4, e.exec.size = 8), "a stream that wraps around");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(EXEC, e.exec.offset = 0, e.exec.size = (16 << 20) + 4), "a stream over 16 MiB");
	entry = good_resource(), entry.res_create.resource = 0;
	refused(device, D3DGPU_FAULT_BAD_ENTRY, entry, "resource 0");
	entry = good_resource(), entry.res_create.size = 65535;
	refused(device, D3DGPU_FAULT_BAD_ENTRY, entry, "a range smaller than the linear image");
	entry = good_resource(), entry.res_create.backing = 100;
	refused(device, D3DGPU_FAULT_BAD_ENTRY, entry, "a misaligned range");
	entry = good_resource(), entry.res_create.backing = (64 << 20) - 4096;
	refused(device, D3DGPU_FAULT_BAD_ENTRY, entry, "a range across VRAM's end");
	entry = good_resource(), entry.res_create.desc.samples = 3;
	refused(device, D3DGPU_FAULT_BAD_ENTRY, entry, "a malformed descriptor");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(FLUSH), "FLUSH of resource 0");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(CTX_CREATE, e.ctx_create.priority = 3), "an unknown priority");
	entry = ENTRY(CTX_CREATE);
	memset(entry.ctx_create.name, 'x', sizeof(entry.ctx_create.name));
	refused(device, D3DGPU_FAULT_BAD_ENTRY, entry, "a name without end");
	refused(device, D3DGPU_FAULT_BAD_ENTRY,
		ENTRY(COPY, e.copy.source = 0, e.copy.destination = 64 << 20, e.copy.size = 1), "a copy out of VRAM");
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(COPY, e.copy.source = 8, e.copy.size = ~0ull), "a copy of 2^64 bytes");
	refused(device, D3DGPU_FAULT_NO_CONTEXT, ENTRY(CTX_KILL), "CTX_KILL of nothing");
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
	refused(device, D3DGPU_FAULT_BAD_ENTRY, ENTRY(CTX_CREATE), "creating it again");
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
	others_go_on(&device);
	copies(&device);
	others_answer_meanwhile(&device);
	reset(&device);
	device_destroy(&device);
	return tap_done();
}
