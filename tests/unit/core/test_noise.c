/* SPDX-License-Identifier: MIT */
/*
 * A guest that has lost its mind: random accesses to registers, random control block, random ring entries. Whatever it does,
 * the device answers, and after a reset it works. Repeatable: the seed is fixed, or argv[3].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "tap.h"

static uint64_t state = 88172645463325252ull;

static uint32_t noise(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

/* Numbers that are more interesting than others. */
static uint32_t value(void)
{
	static const uint32_t edges[] = {0, 1, 2, 4095, 4096, 65535, 0x7fffffff, 0x80000000, 0xfffff000, 0xffffffff, 64 << 20};

	return noise() % 3 ? noise() : edges[noise() % (sizeof(edges) / sizeof(edges[0]))];
}

static uint64_t offset(void)
{
	static const uint32_t blocks[] = {0x0, 0x500, 0x1000, 0x1000, 0x1100, 0x1200, 0x1300, 0x1400, 0x1480, 0x2000, 0x8000, 0xe000};

	if (noise() % 16 == 0)
		return noise();
	return blocks[noise() % (sizeof(blocks) / sizeof(blocks[0]))] + (noise() % 0x60 & ~(noise() % 8 ? 3u : 0u));
}

static void registers(struct device *device, unsigned rounds)
{
	static const unsigned sizes[] = {4, 4, 4, 2, 1, 8};

	for (unsigned i = 0; i < rounds; i++) {
		uint64_t at = offset();
		unsigned size = sizes[noise() % 6];

		if (noise() % 2)
			d3dgpu_core_read(device->core, at, size);
		else
			d3dgpu_core_write(device->core, at, value(), size);
	}
}

static void mailbox(struct device *device, unsigned rounds)
{
	uint32_t *words = (uint32_t *)&device->ctrl->dsu;

	device_latch_ctrl(device);
	for (unsigned i = 0; i < rounds; i++) {
		for (unsigned w = 0; w < 12; w++)
			if (noise() % 4 == 0)
				words[w] = noise() % 2 ? noise() % 100 : value();
		device_write(device, D3DGPU_REG_DSU_RUN, 0);
	}
}

static void fill_entry(struct d3dgpu_entry *entry)
{
	memset(entry, 0, sizeof(*entry));
	entry->opcode = (uint8_t)(noise() % (D3DGPU_OP_COUNT + 2));
	entry->flags = (uint8_t)(noise() % 8 ? 3 : noise());
	entry->context = (uint16_t)(noise() % 8 ? noise() % 3 : noise());
	entry->fence = noise();
	for (unsigned i = noise() % 2 * 6; i < 6; i++)
		if (noise() % 2)
			entry->payload[(noise() % 12) * 4] = (uint8_t)value();
	if (noise() % 4 == 0)
		entry->copy.size = value() % (1 << 20);
}

static void rings(struct device *device, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		unsigned ring = noise() % D3DGPU_MAX_RINGS;
		uint32_t tail = device->ctrl->rings[ring].tail;

		fill_entry(&device->ctrl->entries[ring][tail % D3DGPU_RING_ENTRIES]);
		__atomic_store_n(&device->ctrl->rings[ring].tail, noise() % 64 ? tail + 1 : value(), __ATOMIC_RELEASE);
		device_write(device, D3DGPU_REG_DOORBELL(ring), 0);
		if (noise() % 32 == 0)
			usleep(3000); /* the firmware and the workers get a turn */
	}
}

static bool recovers(struct device *device)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_FENCE, .flags = D3DGPU_ENTRY_FENCE, .fence = 1};

	device_write(device, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
	memset(device->ctrl, 0, sizeof(*device->ctrl));
	if (!device_boot_firmware(device))
		return false;
	device_submit(device, 0, &entry);
	return device_wait_fence(device, 0, 1);
}

int main(int argc, char **argv)
{
	struct device device;

	device_arguments(argc, argv);
	if (argc > 3)
		state = strtoull(argv[3], NULL, 10) | 1;
	device_create(&device, "heads=2,warm-workers=0,hang-timeout=300");
	tap_ok(recovers(&device), "the device works");
	registers(&device, 200000);
	tap_ok(recovers(&device), "so it does after 200000 random register accesses and a reset");
	mailbox(&device, 200000);
	tap_eq(device_read(&device, D3DGPU_REG_DSU_RUNS), 200000, "200000 random depth-stencil surfaces are answered");
	for (unsigned i = 0; i < 4; i++) {
		rings(&device, 1500);
		tap_diag("%u entries fetched, %u dispatched, %u completed, %u faults, %u contexts",
			 (unsigned)device.ctrl->counters.entries, (unsigned)device.ctrl->counters.dispatches,
			 (unsigned)device.ctrl->counters.completions, (unsigned)device.ctrl->counters.faults,
			 d3dgpu_core_contexts(device.core));
		tap_ok(recovers(&device), "it works again after 1500 random ring entries");
	}
	device_destroy(&device);
	return tap_done();
}
