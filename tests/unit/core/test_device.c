/* SPDX-License-Identifier: MIT */
/* The whole device but for the 3D engine: kernel's side of the rings, the real firmware, fake workers. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "tap.h"

#define FENCE_AND_IRQ (D3DGPU_ENTRY_FENCE | D3DGPU_ENTRY_IRQ)

static struct d3dgpu_entry entry(uint8_t opcode, uint16_t context, uint64_t fence)
{
	return (struct d3dgpu_entry){.opcode = opcode, .flags = FENCE_AND_IRQ, .context = context, .fence = fence};
}

static void submit(struct device *device, uint8_t opcode, uint16_t context, uint64_t fence)
{
	struct d3dgpu_entry e = entry(opcode, context, fence);

	if (opcode == D3DGPU_OP_EXEC)
		e.exec.size = 4; /* the fake worker does not look at it */
	device_submit(device, 0, &e);
}

static bool faulted(struct device *device, unsigned context)
{
	for (unsigned i = 0; i < 10000; i++) {
		if (__atomic_load_n(&device->ctrl->fences[context].status, __ATOMIC_ACQUIRE))
			return true;
		usleep(1000);
	}
	return false;
}

static void fences(struct device *device)
{
	unsigned irqs;

	device_write(device, D3DGPU_REG_INTR_ENABLE, 0x3f);
	irqs = device->irqs[0];
	submit(device, D3DGPU_OP_FENCE, 0, 1);
	tap_ok(device_wait_fence(device, 0, 1), "a fence of the device itself is signalled");
	tap_eq(device_wait_irq(device, D3DGPU_VECTOR_RING0, irqs + 1), irqs + 1, "with an interrupt of ring 0");
	submit(device, D3DGPU_OP_CTX_CREATE, 1, 1);
	tap_ok(device_wait_fence(device, 1, 1), "a context is created");
	submit(device, D3DGPU_OP_EXEC, 1, 2);
	tap_ok(device_wait_fence(device, 1, 2), "a command stream is executed");
	tap_eq(device->ctrl->fences[1].status, D3DGPU_FAULT_NONE, "without a fault");
	tap_ok(device->ctrl->rings[0].head == device->ctrl->rings[0].tail, "the ring is empty");
}

static void eventfd_doorbell(struct device *device)
{
	struct d3dgpu_ring_state *ring = &device->ctrl->rings[2];
	uint64_t one = 1;

	device->ctrl->entries[2][0] = entry(D3DGPU_OP_FENCE, 0, 2);
	__atomic_store_n(&ring->tail, 1, __ATOMIC_RELEASE);
	if (write(d3dgpu_core_doorbell_fd(device->core, 2), &one, sizeof(one)) != sizeof(one))
		tap_bail("cannot ring");
	tap_ok(device_wait_fence(device, 0, 2), "the doorbell's eventfd does the same");
	tap_eq(device_wait_irq(device, D3DGPU_VECTOR_RING0 + 2, 1), 1, "and the interrupt is ring 2's");
}

/* A thousand entries, several contexts, more than any queue holds. */
static void load(struct device *device)
{
	for (uint16_t context = 2; context < 6; context++)
		submit(device, D3DGPU_OP_CTX_CREATE, context, 1);
	for (unsigned i = 0; i < 250; i++) {
		for (uint16_t context = 2; context < 6; context++) {
			while (device->ctrl->rings[0].tail - __atomic_load_n(&device->ctrl->rings[0].head, __ATOMIC_ACQUIRE) >=
			       D3DGPU_RING_ENTRIES)
				usleep(100);
			submit(device, D3DGPU_OP_EXEC, context, 2 + i);
		}
	}
	for (uint16_t context = 2; context < 6; context++)
		tap_ok(device_wait_fence(device, context, 251), "context %u of four: 250 command streams", context);
	tap_eq(d3dgpu_core_contexts(device->core), 5, "five contexts are alive");
	tap_eq(device_read(device, D3DGPU_REG_GUEST_ERRORS), 0, "no guest error");
}

static void worker_dies(struct device *device)
{
	struct d3dgpu_fault_entry *fault = &device->ctrl->faults[device->ctrl->fault_tail % D3DGPU_FAULT_ENTRIES];
	unsigned irqs = device->irqs[D3DGPU_VECTOR_FAULT];

	device_kill_worker(device, 2);
	tap_ok(faulted(device, 2), "kill -9 of a worker: its context's slot has a status");
	tap_eq(device->ctrl->fences[2].status, D3DGPU_FAULT_WORKER_DIED, "WORKER_DIED");
	tap_eq(device_wait_irq(device, D3DGPU_VECTOR_FAULT, irqs + 1), irqs + 1, "the fault vector is raised");
	tap_ok(fault->code == D3DGPU_FAULT_WORKER_DIED && fault->context == 2 && fault->info == SIGKILL,
	       "the fault queue tells context and signal");
	submit(device, D3DGPU_OP_EXEC, 2, 300);
	tap_ok(device_wait_fence(device, 2, 300), "later fences of the lost context complete");
	submit(device, D3DGPU_OP_EXEC, 3, 300);
	tap_ok(device_wait_fence(device, 3, 300), "the other contexts go on");
	tap_eq(device->ctrl->fences[3].status, D3DGPU_FAULT_NONE, "without a fault");
	submit(device, D3DGPU_OP_CTX_DESTROY, 2, 301);
	submit(device, D3DGPU_OP_CTX_CREATE, 2, 1);
	submit(device, D3DGPU_OP_EXEC, 2, 2);
	for (unsigned i = 0; i < 5000 && device->ctrl->fences[2].value != 2; i++)
		usleep(1000);
	tap_ok(device->ctrl->fences[2].value == 2 && !device->ctrl->fences[2].status, "the number can be used anew");
}

static void hang(struct device *device)
{
	device_write(device, D3DGPU_REG_HANG_TIMEOUT, 200);
	setenv("FAKE_WORKER", "hang=2", 1);
	submit(device, D3DGPU_OP_CTX_CREATE, 10, 1);
	device_wait_fence(device, 10, 1);
	unsetenv("FAKE_WORKER");
	submit(device, D3DGPU_OP_EXEC, 10, 2);
	submit(device, D3DGPU_OP_EXEC, 10, 3);
	submit(device, D3DGPU_OP_EXEC, 4, 301);
	tap_ok(device_wait_fence(device, 4, 301), "a worker that hangs does not keep the only engine slot");
	tap_ok(faulted(device, 10), "a worker that hangs is noticed");
	tap_eq(device->ctrl->fences[10].status, D3DGPU_FAULT_HANG, "HANG");
	tap_eq(device->ctrl->fences[10].guilty, 2, "the guilty fence is the one that hung");
	tap_ok(device_wait_fence(device, 10, 3), "all its fences complete");
	submit(device, D3DGPU_OP_EXEC, 3, 301);
	tap_ok(device_wait_fence(device, 3, 301), "the others go on");
}

/* The worker of a closed program is in an endless stream, and the hang watch is off. */
static void ended_now(struct device *device)
{
	struct d3dgpu_entry end = entry(D3DGPU_OP_CTX_DESTROY, 11, 4);

	end.ctx_destroy.flags = D3DGPU_DESTROY_NOW;
	device_write(device, D3DGPU_REG_HANG_TIMEOUT, 0);
	setenv("FAKE_WORKER", "hang=2", 1);
	submit(device, D3DGPU_OP_CTX_CREATE, 11, 1);
	device_wait_fence(device, 11, 1);
	unsetenv("FAKE_WORKER");
	submit(device, D3DGPU_OP_EXEC, 11, 2);
	submit(device, D3DGPU_OP_EXEC, 11, 3);
	while (device->ctrl->rings[0].head != device->ctrl->rings[0].tail)
		usleep(100);
	device_submit(device, D3DGPU_PAGING_RING, &end);
	tap_ok(device_wait_fence(device, 11, 4), "DESTROY_NOW ends a worker that hangs");
	tap_ok(device->ctrl->fences[11].status == D3DGPU_FAULT_ENDED && device->ctrl->fences[11].guilty == 2,
	       "what it had and what was queued is ENDED");
}

/* The device's own work, beside everything else. */
static void fills(struct device *device)
{
	struct d3dgpu_entry fill = entry(D3DGPU_OP_FILL, 0, 3);
	uint32_t *words = (uint32_t *)((char *)d3dgpu_core_vram(device->core) + (8 << 20));

	fill.fill.offset = 8 << 20;
	fill.fill.size = 32 << 20;
	fill.fill.value = 0xabcdef01;
	device_submit(device, D3DGPU_PAGING_RING, &fill);
	submit(device, D3DGPU_OP_EXEC, 3, 302);
	tap_ok(device_wait_fence(device, 3, 302), "a context goes on beside a fill of 32 MiB");
	tap_ok(device_wait_fence(device, 0, 3), "the fill is done");
	tap_ok(words[0] == 0xabcdef01 && words[(8 << 20) - 1] == 0xabcdef01, "from its first word to its last");
}

static void destroyed(struct device *device)
{
	for (uint16_t context = 1; context < 6; context++)
		submit(device, D3DGPU_OP_CTX_DESTROY, context, 1000);
	for (uint16_t context = 1; context < 6; context++)
		device_wait_fence(device, context, 1000);
	tap_eq(d3dgpu_core_contexts(device->core), 0, "destroyed contexts are gone");
}

static void reset_and_again(struct device *device)
{
	submit(device, D3DGPU_OP_CTX_CREATE, 1, 1);
	device_write(device, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
	tap_eq(device_read(device, D3DGPU_REG_STATUS), 0, "a reset stops everything");
	memset(device->ctrl, 0, sizeof(*device->ctrl));
	tap_ok(device_boot_firmware(device), "the firmware boots again");
	submit(device, D3DGPU_OP_CTX_CREATE, 1, 1);
	submit(device, D3DGPU_OP_EXEC, 1, 2);
	tap_ok(device_wait_fence(device, 1, 2), "and works");
}

int main(int argc, char **argv)
{
	struct device device;

	device_arguments(argc, argv);
	device_create(&device, "warm-workers=0,engines=1");
	if (!device_boot_firmware(&device))
		tap_bail("the firmware does not boot: state %u, panic 0x%x", device_read(&device, D3DGPU_REG_GCP_STATE),
			 device_read(&device, D3DGPU_REG_GCP_PANIC));
	tap_eq(device_read(&device, D3DGPU_REG_STATUS), D3DGPU_STATUS_CTRL_VALID | D3DGPU_STATUS_GCP_RUNNING,
	       "the real firmware is ready");
	fences(&device);
	eventfd_doorbell(&device);
	load(&device);
	worker_dies(&device);
	hang(&device);
	ended_now(&device);
	fills(&device);
	destroyed(&device);
	reset_and_again(&device);
	device_destroy(&device);
	return tap_done();
}
