/* SPDX-License-Identifier: MIT */
/*
 * The rules of the interface, for every ioctl in the table of abi_calls.c: each field wrong once; answers that do not depend on
 * what their fields held before; structures of older and newer programs, which are shorter and longer than the kernel's.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "abi.h"
#include "tap.h"

#define GARBAGE 0xa5
#define LONGER 8	/* bytes that a newer program's structure has more */

static void put(union abi_memory *memory, const struct abi_field *field, uint64_t value)
{
	memcpy(memory->bytes + field->offset, &value, field->size);	/* little-endian, as all that run this */
}

/* Inputs that are right, and garbage wherever the kernel only writes. */
static void prepare(const struct abi_call *call, struct abi_world *world, union abi_memory *memory)
{
	memset(memory, GARBAGE, sizeof(*memory));
	call->prepare(world, memory);
	for (size_t i = 0; i < call->field_count; i++)
		if (call->fields[i].role == ABI_OUT)
			memset(memory->bytes + call->fields[i].offset, GARBAGE, call->fields[i].size);
}

/* Whether a call has left its inputs, and all that is behind its structure, alone. */
static bool same_inputs(const struct abi_call *call, const union abi_memory *before, union abi_memory after)
{
	for (size_t i = 0; i < call->field_count; i++) {
		const struct abi_field *field = &call->fields[i];

		if (field->role == ABI_OUT)
			memcpy(after.bytes + field->offset, before->bytes + field->offset, field->size);
	}
	return !memcmp(before, &after, sizeof(after));
}

static uint64_t submitted(const struct abi_world *world)
{
	struct drm_d3dgpu_ctx_query args = {.ctx_id = world->ctx};

	abi_need(world->fd, DRM_IOCTL_D3DGPU_CTX_QUERY, &args, "CTX_QUERY");
	return args.submitted;
}

static uint64_t vram_free(const struct abi_world *world)
{
	struct drm_d3dgpu_get_param args = {.param = D3DGPU_PARAM_VRAM_FREE};

	abi_need(world->fd, DRM_IOCTL_D3DGPU_GET_PARAM, &args, "GET_PARAM");
	return args.value;
}

/* The same call with a structure of another size. */
static unsigned long resized(unsigned long request, size_t size)
{
	return _IOC(_IOC_DIR(request), _IOC_TYPE(request), _IOC_NR(request), size);
}

/* ---- one call ---- */

static void test_rows(const struct abi_call *call)
{
	bool known[ABI_MEMORY] = {false};
	size_t count = 0;

	for (size_t i = 0; i < call->field_count; i++)
		memset(known + call->fields[i].offset, true, call->fields[i].size);
	for (size_t i = 0; i < call->size; i++)
		count += known[i];
	tap_eq(count, call->size, "%s: every byte of the structure has a row", call->name);
}

static void test_wrong_values(const struct abi_call *call, struct abi_world *world)
{
	uint64_t submits = submitted(world);

	tap_eq(abi_ioctl(world->fd, call->request, (void *)8), -EFAULT, "%s: bad pointer: -EFAULT", call->name);
	for (size_t i = 0; i < call->field_count; i++) {
		const struct abi_field *field = &call->fields[i];
		union abi_memory memory, before;

		if (field->role != ABI_IN)
			continue;
		prepare(call, world, &memory);
		put(&memory, field, field->wrong);
		before = memory;
		tap_eq(abi_ioctl(world->fd, call->request, &memory), field->error, "%s: %s = 0x%llx: %s", call->name, field->name,
		       (unsigned long long)field->wrong, strerror(-field->error));
		tap_ok(same_inputs(call, &before, memory), "%s: %s: the inputs stay as they were", call->name, field->name);
	}
	tap_eq(submitted(world), submits, "%s: no wrong value queued anything", call->name);
}

static void test_right_values(const struct abi_call *call, struct abi_world *world)
{
	union abi_memory memory;

	prepare(call, world, &memory);
	if (!tap_eq(abi_ioctl(world->fd, call->request, &memory), 0, "%s: the right values, answers full of garbage", call->name))
		return;
	call->check(world, &memory);
	if (call->undo)
		call->undo(world, &memory);
}

/* An older program does not know the last field. */
static void test_shorter(const struct abi_call *call, struct abi_world *world)
{
	size_t size = _IOC_SIZE(call->request), cut = 0;
	union abi_memory memory, before;

	for (size_t i = 0; i < call->field_count; i++)
		if (call->fields[i].offset + call->fields[i].size == size)
			cut = call->fields[i].offset;
	prepare(call, world, &memory);
	before = memory;
	if (!tap_eq(abi_ioctl(world->fd, resized(call->request, cut), &memory), 0, "%s: a structure of %zu bytes", call->name, cut))
		return;
	tap_mem(memory.bytes + cut, before.bytes + cut, sizeof(memory) - cut, "%s: nothing is written behind it", call->name);
	if (call->undo)
		call->undo(world, &memory);
}

/* A newer program knows one field more, and this kernel does not. */
static void test_longer(const struct abi_call *call, struct abi_world *world)
{
	size_t size = _IOC_SIZE(call->request);
	union abi_memory memory, before;

	prepare(call, world, &memory);
	before = memory;
	if (!tap_eq(abi_ioctl(world->fd, resized(call->request, size + LONGER), &memory), 0, "%s: a structure of %zu bytes",
		    call->name, size + LONGER))
		return;
	tap_mem(memory.bytes + size, before.bytes + size, sizeof(memory) - size, "%s: what is behind comes back unchanged",
		call->name);
	call->check(world, &memory);
	if (call->undo)
		call->undo(world, &memory);
}

/* ---- the whole ---- */

static bool is_call(unsigned nr)
{
	for (size_t i = 0; i < abi_call_count; i++)
		if (_IOC_NR(abi_calls[i].request) == DRM_COMMAND_BASE + nr)
			return true;
	return false;
}

/* Also those that the driver has and the table forgot. */
static void test_unknown_calls(struct abi_world *world)
{
	unsigned strange = 0;

	for (unsigned nr = 0; nr < DRM_COMMAND_END - DRM_COMMAND_BASE; nr++) {
		union abi_memory memory = {{0}};

		if (is_call(nr) || abi_ioctl(world->fd, DRM_IOWR(DRM_COMMAND_BASE + nr, memory), &memory) == -EINVAL)
			continue;
		tap_diag("ioctl 0x%02x is not in the table", nr);
		strange++;
	}
	tap_eq(strange, 0, "numbers that no call has: -EINVAL");
}

/* Memory comes back a little after the last handle is closed. */
static void test_no_leak(struct abi_world *world, uint64_t before)
{
	const struct timespec pause = {.tv_nsec = 10000000};

	for (unsigned i = 0; i < 1000 && vram_free(world) != before; i++)
		nanosleep(&pause, NULL);
	tap_eq(vram_free(world), before, "no call has kept memory");
}

int main(void)
{
	struct abi_world world;
	uint64_t before;

	abi_world_open(&world);
	before = vram_free(&world);
	tap_diag("pointers of %zu bits", 8 * sizeof(void *));
	for (size_t i = 0; i < abi_call_count; i++) {
		const struct abi_call *call = &abi_calls[i];

		test_rows(call);
		test_wrong_values(call, &world);
		test_right_values(call, &world);
		test_shorter(call, &world);
		test_longer(call, &world);
	}
	test_unknown_calls(&world);
	test_no_leak(&world, before);
	abi_world_close(&world);
	return tap_done();
}
