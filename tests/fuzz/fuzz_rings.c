/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the rings under the real firmware. Input: steps, each a byte (kind, modulo KIND_COUNT), a byte (ring) and its
 * operands. Ring 2 and context 200 are the witness's: whatever happens elsewhere, its fences must come, its slot must
 * stay clean, and the firmware must live. Fences of a context only rise, but for a new life of the context; a context
 * that no entry names has an untouched slot; VRAM outside the control block changes only where a COPY or FILL says so.
 */
#include "stepped_device.h"

#define WITNESS 200u
#define WITNESS_RING 2u
#define PATIENCE 100000u /* turns */
#define STEPS 256
#define CANARIES 64u                              /* one word in each MiB */
#define CANARY_AT(n) ((n) * (1u << 20) + 0x80000) /* beside the firmware image */
#define CANARY 0x5ca1ab1eu

enum kind {
	KIND_ENTRY,     /* 64 bytes, put into the ring, tail moved, doorbell */
	KIND_QUEUED,    /* the same without the doorbell */
	KIND_PLAUSIBLE, /* u8 opcode, u8 flags, u8 context, u32 x 4: an entry that is close to good */
	KIND_TAIL,      /* u32: the tail as it must not be */
	KIND_SETTLE,
	KIND_SCRIBBLE, /* u16 offset, u32: a word of the control block but its rings, written by a broken kernel */
	KIND_COUNT,
};

static struct run {
	bool named[D3DGPU_MAX_CONTEXTS];   /* an entry names it, or the slot may be scribbled over */
	bool created[D3DGPU_MAX_CONTEXTS]; /* since the fences were looked at */
	uint64_t fences[D3DGPU_MAX_CONTEXTS];
	bool canaries[CANARIES]; /* may have been overwritten */
	bool scribbled;
	uint64_t witness_fence;
} run;

static bool overlaps(uint64_t start, uint64_t size, uint64_t at)
{
	return size && at + 4 > start && at < start + size;
}

/* Where the entry lets the copy engine write. */
static void written_range(const struct d3dgpu_entry *entry, uint64_t *start, uint64_t *size)
{
	bool copy = entry->opcode == D3DGPU_OP_COPY, fill = entry->opcode == D3DGPU_OP_FILL;

	*start = copy ? entry->copy.destination : entry->fill.offset;
	*size = copy ? entry->copy.size : fill ? entry->fill.size : 0;
}

static void note_entry(const struct d3dgpu_entry *entry)
{
	uint64_t start, size;

	if (entry->context < D3DGPU_MAX_CONTEXTS) {
		run.named[entry->context] = true;
		run.created[entry->context] |= entry->opcode == D3DGPU_OP_CTX_CREATE;
	}
	written_range(entry, &start, &size);
	for (unsigned i = 0; i < CANARIES; i++)
		run.canaries[i] |= overlaps(start, size, CANARY_AT(i));
}

static void put(struct fuzz_device *device, unsigned ring, const struct d3dgpu_entry *entry)
{
	struct d3dgpu_ring_state *state = &device->ctrl->rings[ring];
	uint32_t tail = __atomic_load_n(&state->tail, __ATOMIC_RELAXED);

	device->ctrl->entries[ring][tail % D3DGPU_RING_ENTRIES] = *entry;
	__atomic_store_n(&state->tail, tail + 1, __ATOMIC_RELEASE);
}

/* Entries of the guest: the witness's context and memory that the witness needs are not theirs. */
static void put_guest(struct fuzz_device *device, unsigned ring, struct d3dgpu_entry *entry)
{
	uint64_t start, size;

	if (entry->context == WITNESS)
		entry->context--;
	written_range(entry, &start, &size);
	if (size && start <= FUZZ_VRAM && size <= FUZZ_VRAM && start + size > FUZZ_CTRL)
		entry->opcode = D3DGPU_OP_NOP; /* the kernel never writes over its control block */
	note_entry(entry);
	put(device, ring, entry);
}

static void make_plausible(struct fuzz_tape *tape, struct d3dgpu_entry *entry)
{
	static uint64_t fence = 1;
	uint32_t a, b, c, d;

	memset(entry, 0, sizeof(*entry));
	entry->opcode = fuzz_take8(tape) % (D3DGPU_OP_COUNT + 1);
	entry->flags = fuzz_take8(tape) & 7;
	entry->context = fuzz_take8(tape) % 8;
	entry->fence = ++fence;
	a = fuzz_take32(tape), b = fuzz_take32(tape), c = fuzz_take32(tape), d = fuzz_take32(tape);
	switch (entry->opcode) {
	case D3DGPU_OP_CTX_CREATE:
		entry->ctx_create.priority = a % 4;
		memset(entry->ctx_create.name, 'n', b % 41);
		break;
	case D3DGPU_OP_RES_CREATE:
		entry->res_create.resource = a;
		entry->res_create.backing = (uint64_t)b << 12;
		entry->res_create.size = c;
		entry->res_create.desc = (struct d3dgpu_resource_desc){.format = (uint16_t)(d & 0xff),
								       .target = d >> 8 & 15,
								       .bind = D3DGPU_BIND_SAMPLER_VIEW,
								       .width = (d >> 16 & 0xff) + 1,
								       .height = 1,
								       .depth = 1,
								       .array_size = 1};
		break;
	case D3DGPU_OP_EXEC:
		entry->exec.offset = (uint64_t)a << 2;
		entry->exec.size = b;
		break;
	case D3DGPU_OP_CTX_DESTROY:
		entry->ctx_destroy.flags = a % 3;
		break;
	case D3DGPU_OP_EVICT:
		entry->evict.resource = a;
		entry->evict.flags = b % 3;
		break;
	case D3DGPU_OP_RESTORE:
		entry->restore.resource = a;
		entry->restore.flags = b % 3;
		entry->restore.backing = (uint64_t)c << 12;
		entry->restore.size = d;
		break;
	case D3DGPU_OP_CTX_SAVE:
		entry->ctx_save.offset = (uint64_t)a << 12;
		entry->ctx_save.size = b;
		break;
	case D3DGPU_OP_FILL:
		entry->fill.offset = (a % FUZZ_IMAGE) & ~3u;
		entry->fill.size = b % (1u << 20);
		entry->fill.value = c;
		break;
	case D3DGPU_OP_COPY:
		entry->copy.source = a;
		entry->copy.destination = b % FUZZ_IMAGE;
		entry->copy.size = c % (1u << 20);
		break;
	default:
		memcpy(entry->payload, &a, sizeof(a));
		break;
	}
}

static void scribble(struct fuzz_device *device, struct fuzz_tape *tape)
{
	uint32_t offset = fuzz_take16(tape) & ~3u, value = fuzz_take32(tape);

	if (offset < 0x1000 ||
	    offset == offsetof(struct d3dgpu_ctrl, fences[WITNESS])) /* the rings have a kind of their own */
		return;
	memcpy((uint8_t *)device->ctrl + offset, &value, sizeof(value));
	run.scribbled = true;
}

static void step(struct fuzz_device *device, struct fuzz_tape *tape)
{
	static const uint8_t rings[] = {0, 1, D3DGPU_PAGING_RING};
	uint8_t kind = fuzz_take8(tape) % KIND_COUNT, ring = rings[fuzz_take8(tape) % sizeof(rings)];
	struct d3dgpu_entry entry;

	switch (kind) {
	case KIND_ENTRY:
	case KIND_QUEUED:
		fuzz_take(tape, &entry, sizeof(entry));
		put_guest(device, ring, &entry);
		break;
	case KIND_PLAUSIBLE:
		make_plausible(tape, &entry);
		put_guest(device, ring, &entry);
		break;
	case KIND_TAIL:
		__atomic_store_n(&device->ctrl->rings[ring].tail, fuzz_take32(tape), __ATOMIC_RELEASE);
		break;
	case KIND_SETTLE:
		fuzz_settle(device, 64);
		break;
	case KIND_SCRIBBLE:
		scribble(device, tape);
		break;
	}
	if (kind != KIND_QUEUED && kind != KIND_SETTLE)
		fuzz_write(device, D3DGPU_REG_DOORBELL(ring), 1);
}

/* ---- promises ---- */

static void check_fences(struct fuzz_device *device)
{
	for (unsigned id = 0; id < D3DGPU_MAX_CONTEXTS && !run.scribbled; id++) {
		struct d3dgpu_fence_slot *slot = &device->ctrl->fences[id];
		uint64_t fence = __atomic_load_n(&slot->value, __ATOMIC_ACQUIRE);

		fuzz_check(fence >= run.fences[id] || run.created[id], "context %u: fence %llu, then %llu", id,
			   (unsigned long long)run.fences[id], (unsigned long long)fence);
		fuzz_check(run.named[id] || (!fence && !slot->status && !slot->guilty && !slot->timestamp),
			   "context %u: nobody named it, yet its slot changed", id);
		run.fences[id] = fence;
	}
}

static void check_canaries(struct fuzz_device *device)
{
	uint32_t word;

	for (unsigned i = 0; i < CANARIES; i++) {
		memcpy(&word, device->vram + CANARY_AT(i), sizeof(word));
		fuzz_check(word == CANARY || run.canaries[i] || CANARY_AT(i) >= FUZZ_CTRL, "VRAM at 0x%x changed",
			   CANARY_AT(i));
	}
}

/* The witness submits and must be served. */
static void call_witness(struct fuzz_device *device, uint8_t opcode)
{
	struct d3dgpu_entry entry = {
		.opcode = opcode, .flags = D3DGPU_ENTRY_FLAGS, .context = WITNESS, .fence = ++run.witness_fence};
	struct d3dgpu_fence_slot *slot = &device->ctrl->fences[WITNESS];

	run.named[WITNESS] = true;
	run.created[WITNESS] = opcode == D3DGPU_OP_CTX_CREATE;
	put(device, WITNESS_RING, &entry);
	fuzz_write(device, D3DGPU_REG_DOORBELL(WITNESS_RING), 1);
	fuzz_check(fuzz_settle(device, PATIENCE), "the device does not come to rest");
	fuzz_check(fuzz_read(device, D3DGPU_REG_GCP_STATE) == D3DGPU_GCP_READY,
		   "the firmware is in state %u, panic 0x%x at 0x%x", fuzz_read(device, D3DGPU_REG_GCP_STATE),
		   fuzz_read(device, D3DGPU_REG_GCP_PANIC), fuzz_read(device, D3DGPU_REG_GCP_PC));
	fuzz_check(slot->value == run.witness_fence || run.scribbled, "the witness waits for fence %llu and has %llu",
		   (unsigned long long)run.witness_fence, (unsigned long long)slot->value);
	fuzz_check(!slot->status || run.scribbled, "the witness is lost: %u", slot->status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_device *device = fuzz_device_get();
	struct fuzz_tape tape = {data, size};
	const uint32_t canary = CANARY;

	memset(&run, 0, sizeof(run));
	fuzz_device_reset(device);
	for (unsigned i = 0; i < CANARIES; i++)
		memcpy(device->vram + CANARY_AT(i), &canary, sizeof(canary));
	fuzz_boot(device);
	run.named[0] = true;
	call_witness(device, D3DGPU_OP_CTX_CREATE);
	for (unsigned i = 0; i < STEPS && tape.left; i++) {
		step(device, &tape);
		if (i % 16 == 15)
			check_fences(device);
	}
	call_witness(device, D3DGPU_OP_FENCE);
	call_witness(device, D3DGPU_OP_CTX_DESTROY);
	check_fences(device);
	check_canaries(device);
	fuzz_check_device(device);
	return 0;
}
