/* SPDX-License-Identifier: MIT */
/* The firmware core's surroundings: the image's checks, peripherals, panics, the watchdog. */
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "rv32.h"
#include "tap.h"

#define IMAGE_AT (1u << 20)

static uint32_t gcp_state(struct device *device)
{
	return device_read(device, D3DGPU_REG_GCP_STATE);
}

static struct d3dgpu_fw_header *header(struct device *device)
{
	return (struct d3dgpu_fw_header *)((char *)d3dgpu_core_vram(device->core) + IMAGE_AT);
}

static void boot_again(struct device *device)
{
	device_write(device, D3DGPU_REG_GCP_CONTROL, D3DGPU_GCP_BOOT);
}

static void sleeper(struct device *device)
{
	static const uint32_t code[] = {RV_WFI, 0xffdff06f /* j -4 */};

	tap_eq(gcp_state(device), D3DGPU_GCP_STOPPED, "stopped after power-on");
	device_boot_code(device, code, 2);
	tap_eq(gcp_state(device), D3DGPU_GCP_BOOTING, "a good image boots");
	tap_eq(device_read(device, D3DGPU_REG_GCP_FW_VERSION), 0x010203, "its version is shown");
	tap_eq(device_wait_register(device, D3DGPU_REG_GCP_PC, ~0u, 0x80000004), 0x80000004, "it sleeps behind its WFI");
	tap_eq(device_read(device, D3DGPU_REG_GCP_INSTRET_LO), 1, "after one instruction");
	device_write(device, D3DGPU_REG_GCP_CONTROL, D3DGPU_GCP_HALT);
	tap_eq(gcp_state(device), D3DGPU_GCP_STOPPED, "HALT stops it");
	device_write(device, D3DGPU_REG_GCP_CONTROL, 9);
	tap_eq(device_read(device, D3DGPU_REG_LAST_ERROR), D3DGPU_GUEST_ERROR_FIRMWARE, "an unknown command is a guest error");
}

static void expect_refusal(struct device *device, uint32_t state, const char *what)
{
	uint32_t errors = device_read(device, D3DGPU_REG_GUEST_ERRORS);

	boot_again(device);
	tap_ok(gcp_state(device) == state && device_read(device, D3DGPU_REG_GUEST_ERRORS) == errors + 1 &&
		       device_read(device, D3DGPU_REG_STATUS) & D3DGPU_STATUS_FATAL &&
		       !device_read(device, D3DGPU_REG_GCP_FW_VERSION),
	       "%s: state %u, FATAL, a guest error", what, gcp_state(device));
}

static void refused_images(struct device *device)
{
	static const uint32_t code[] = {RV_WFI, 0xffdff06f};
	struct d3dgpu_fw_header *image = header(device), good;

	device_boot_code(device, code, 2);
	good = *image;
	image->magic ^= 1;
	expect_refusal(device, D3DGPU_GCP_BAD_HEADER, "wrong magic");
	*image = good, image->header_size = 60;
	expect_refusal(device, D3DGPU_GCP_BAD_HEADER, "wrong header size");
	*image = good, image->interface_version = 0x20000;
	expect_refusal(device, D3DGPU_GCP_BAD_VERSION, "another major version");
	*image = good, image->interface_version = 0x10001;
	expect_refusal(device, D3DGPU_GCP_BAD_VERSION, "a newer minor version");
	*image = good, image->size = 12;
	expect_refusal(device, D3DGPU_GCP_BAD_HEADER, "an image longer than the file");
	*image = good, image->size = 6;
	expect_refusal(device, D3DGPU_GCP_BAD_HEADER, "a size that is no multiple of 4");
	*image = good, image->size = 0xfffffffc;
	expect_refusal(device, D3DGPU_GCP_BAD_HEADER, "a size of 4 GiB");
	*image = good, image->bss_size = D3DGPU_GCP_SRAM_SIZE - 4;
	expect_refusal(device, D3DGPU_GCP_BAD_HEADER, "more bss than SRAM");
	*image = good, image->entry = D3DGPU_GCP_SRAM + 8;
	expect_refusal(device, D3DGPU_GCP_BAD_HEADER, "an entry behind the image");
	*image = good, image->entry = 0;
	expect_refusal(device, D3DGPU_GCP_BAD_HEADER, "an entry outside SRAM");
	*image = good, image->entry = D3DGPU_GCP_SRAM + 1;
	expect_refusal(device, D3DGPU_GCP_BAD_HEADER, "an odd entry");
	*image = good, image->reserved = 1;
	expect_refusal(device, D3DGPU_GCP_BAD_HEADER, "a reserved field");
	*image = good, image->sha256[31] ^= 0x80;
	expect_refusal(device, D3DGPU_GCP_BAD_DIGEST, "another digest");
	*image = good;
	((uint8_t *)(image + 1))[5] ^= 1;
	expect_refusal(device, D3DGPU_GCP_BAD_DIGEST, "one bit of the image");
	((uint8_t *)(image + 1))[5] ^= 1;
	device_write(device, D3DGPU_REG_GCP_FW_SIZE, 63);
	expect_refusal(device, D3DGPU_GCP_BAD_ADDRESS, "a file shorter than a header");
	device_write(device, D3DGPU_REG_GCP_FW_SIZE, 64 + D3DGPU_GCP_SRAM_SIZE + 4);
	expect_refusal(device, D3DGPU_GCP_BAD_ADDRESS, "a file larger than SRAM");
	device_write(device, D3DGPU_REG_GCP_FW_SIZE, 72);
	device_write(device, D3DGPU_REG_GCP_FW_ADDR_HI, 0xffffffff);
	expect_refusal(device, D3DGPU_GCP_BAD_ADDRESS, "an address outside VRAM");
	device_write(device, D3DGPU_REG_GCP_FW_ADDR_HI, 0);
	boot_again(device);
	tap_eq(gcp_state(device), D3DGPU_GCP_BOOTING, "the good image boots after all that");
}

/* Where the test programs leave what they have seen: the start of the control block's log. */
static uint32_t seen(struct device *device, unsigned word)
{
	return __atomic_load_n((uint32_t *)device->ctrl->log + word, __ATOMIC_ACQUIRE);
}

static void wait_seen(struct device *device, unsigned word, uint32_t value)
{
	for (unsigned i = 0; i < 10000 && seen(device, word) != value; i++)
		usleep(1000);
}

/* Begins each program: T0 = peripherals, S0 = the log, T1 = mie's bit, set. */
#define PROLOGUE \
	rv_lui(T0, D3DGPU_GCP_PERIPHERALS), rv_lui(S0, D3DGPU_GCP_CTRL + 0x8000), rv_lui(T1, 0x1000), \
		rv_addi(T1, T1, -0x800), rv_csrw(RV_CSR_MIE, T1)
#define SEEN(reg, word) rv_sw(reg, S0, (word) * 4)
#define PERIPHERAL_READ(reg, offset) rv_lw(reg, T0, offset)
#define PERIPHERAL_WRITE(reg, offset) rv_sw(reg, T0, offset)

static void doorbells(struct device *device)
{
	const uint32_t code[] = {
		PROLOGUE,
		rv_addi(T2, ZERO, D3DGPU_GCP_INT_DOORBELL), PERIPHERAL_WRITE(T2, D3DGPU_GCP_INT_ENABLE),
		PERIPHERAL_WRITE(T2, D3DGPU_GCP_SET_READY),
		RV_WFI,
		PERIPHERAL_READ(A0, D3DGPU_GCP_INT_PENDING), SEEN(A0, 0),
		PERIPHERAL_READ(A0, D3DGPU_GCP_DOORBELLS), SEEN(A0, 1),
		PERIPHERAL_READ(A0, D3DGPU_GCP_DOORBELLS), SEEN(A0, 2),
		PERIPHERAL_WRITE(T2, D3DGPU_GCP_INT_ACK),
		PERIPHERAL_READ(A0, D3DGPU_GCP_INT_PENDING), SEEN(A0, 3),
		rv_addi(A0, ZERO, D3DGPU_VECTOR_RING0 + 3), PERIPHERAL_WRITE(A0, D3DGPU_GCP_RAISE),
		SEEN(T2, 4),
		RV_WFI, rv_j(-4),
	};

	memset(device->ctrl->log, 0xff, 64);
	device_boot_code(device, code, sizeof(code) / 4);
	tap_eq(device_wait_register(device, D3DGPU_REG_GCP_STATE, ~0u, D3DGPU_GCP_READY), D3DGPU_GCP_READY, "READY is seen");
	tap_eq(device_read(device, D3DGPU_REG_STATUS), D3DGPU_STATUS_CTRL_VALID | D3DGPU_STATUS_GCP_RUNNING, "STATUS: running");
	device_write(device, D3DGPU_REG_INTR_ENABLE, 0x3f);
	device_write(device, D3DGPU_REG_DOORBELL(3), 77);
	tap_eq(device_wait_irq(device, D3DGPU_VECTOR_RING0 + 3, 1), 1, "a doorbell wakes it, RAISE reaches the host");
	tap_eq(seen(device, 0), D3DGPU_GCP_INT_DOORBELL, "INT_PENDING tells of it");
	tap_eq(seen(device, 1), 8, "DOORBELLS names the ring");
	tap_eq(seen(device, 2), 0, "reading it has cleared it");
	tap_eq(seen(device, 3), 0, "INT_ACK clears the bit");
}

static void alarms(struct device *device)
{
	const uint32_t code[] = {
		PROLOGUE,
		rv_addi(T2, ZERO, D3DGPU_GCP_INT_ALARM), PERIPHERAL_WRITE(T2, D3DGPU_GCP_INT_ENABLE),
		PERIPHERAL_READ(A0, D3DGPU_GCP_TIME_LO), PERIPHERAL_READ(A1, D3DGPU_GCP_TIME_HI),
		SEEN(A0, 0), SEEN(A1, 1),
		rv_lui(T1, 20000000), 0x006505b3 /* add a1, a0, t1 */,
		PERIPHERAL_WRITE(A1, D3DGPU_GCP_ALARM_LO), PERIPHERAL_READ(A1, D3DGPU_GCP_TIME_HI),
		PERIPHERAL_WRITE(A1, D3DGPU_GCP_ALARM_HI),
		RV_WFI,
		PERIPHERAL_READ(A0, D3DGPU_GCP_TIME_LO), SEEN(A0, 2),
		PERIPHERAL_READ(A0, D3DGPU_GCP_HANG_TIMEOUT), SEEN(A0, 3),
		PERIPHERAL_READ(A0, D3DGPU_GCP_ENGINES), SEEN(A0, 5),
		PERIPHERAL_READ(A0, D3DGPU_GCP_TURN_BUDGET), SEEN(A0, 6),
		SEEN(T2, 4), PERIPHERAL_WRITE(T2, D3DGPU_GCP_INT_ACK),
		RV_WFI, SEEN(ZERO, 4), rv_j(-8),
	};
	uint32_t slept;

	memset(device->ctrl->log, 0xff, 64);
	device_write(device, D3DGPU_REG_TURN_BUDGET, 5000);
	device_boot_code(device, code, sizeof(code) / 4);
	wait_seen(device, 4, D3DGPU_GCP_INT_ALARM);
	slept = seen(device, 2) - seen(device, 0);
	tap_ok(slept >= 19900000 && slept < 1000000000, "an alarm in 20 ms ends the sleep after %u us", slept / 1000);
	tap_eq(seen(device, 1), d3dgpu_core_time(device->core) >> 32, "TIME_HI");
	tap_eq(seen(device, 3), 1234, "HANG_TIMEOUT reads the register");
	tap_eq(seen(device, 5), 3, "ENGINES too");
	tap_eq(seen(device, 6), 5000, "and TURN_BUDGET");
	usleep(30000);
	tap_eq(seen(device, 4), D3DGPU_GCP_INT_ALARM, "it does not ring twice");
}

static void expect_panic(struct device *device, const uint32_t *code, unsigned words, uint32_t panic, const char *what)
{
	unsigned irqs;

	device_write(device, D3DGPU_REG_INTR_ENABLE, 0x3f);
	irqs = device->irqs[D3DGPU_VECTOR_FAULT];
	device_boot_code(device, code, words);
	device_wait_register(device, D3DGPU_REG_GCP_STATE, ~0u, D3DGPU_GCP_PANICKED);
	tap_eq(device_read(device, D3DGPU_REG_GCP_PANIC), panic, "%s: panic 0x%x", what, panic);
	tap_ok(device_wait_irq(device, D3DGPU_VECTOR_FAULT, irqs + 1) == irqs + 1 &&
		       device_read(device, D3DGPU_REG_STATUS) & D3DGPU_STATUS_FATAL,
	       "%s: FATAL, and the fault vector is raised", what);
}

static void panics(struct device *device)
{
	const uint32_t illegal[] = {RV_ILLEGAL};
	const uint32_t own[] = {PROLOGUE, rv_addi(A0, ZERO, 0x42), PERIPHERAL_WRITE(A0, D3DGPU_GCP_PANIC_CODE), rv_j(-4)};
	const uint32_t nothing_there[] = {rv_lui(T0, 0x10000000), rv_lw(A0, T0, 0)};
	const uint32_t no_peripheral[] = {rv_lui(T0, D3DGPU_GCP_PERIPHERALS), rv_lw(A0, T0, 0x48)};
	const uint32_t read_only[] = {rv_lui(T0, D3DGPU_GCP_PERIPHERALS), rv_sw(A0, T0, D3DGPU_GCP_TIME_LO)};
	const uint32_t bad_vector[] = {PROLOGUE, rv_addi(A0, ZERO, 6), PERIPHERAL_WRITE(A0, D3DGPU_GCP_RAISE)};
	const uint32_t bad_dispatch[] = {PROLOGUE, rv_lui(A0, 0x80080000), rv_addi(A0, A0, -60),
					 PERIPHERAL_WRITE(A0, D3DGPU_GCP_DISPATCH)};
	const uint32_t bad_pop[] = {PROLOGUE, rv_lui(A0, D3DGPU_GCP_CTRL), PERIPHERAL_WRITE(A0, D3DGPU_GCP_EVENT_POP)};
	const uint32_t endless[] = {rv_j(0)};

	expect_panic(device, illegal, 1, D3DGPU_GCP_PANIC_TRAP + 2, "an illegal instruction");
	expect_panic(device, own, sizeof(own) / 4, 0x42, "the firmware's own code");
	expect_panic(device, nothing_there, 2, D3DGPU_GCP_PANIC_TRAP + 5, "a load from nowhere");
	expect_panic(device, no_peripheral, 2, D3DGPU_GCP_PANIC_TRAP + 5, "a peripheral that is not there");
	expect_panic(device, read_only, 2, D3DGPU_GCP_PANIC_TRAP + 7, "a store to a read-only peripheral");
	expect_panic(device, bad_vector, sizeof(bad_vector) / 4, D3DGPU_GCP_PANIC_TRAP + 7, "a vector that is not there");
	expect_panic(device, bad_dispatch, sizeof(bad_dispatch) / 4, D3DGPU_GCP_PANIC_TRAP + 7, "an entry across SRAM's end");
	expect_panic(device, bad_pop, sizeof(bad_pop) / 4, D3DGPU_GCP_PANIC_TRAP + 7, "an event outside SRAM");
	expect_panic(device, endless, 1, D3DGPU_GCP_PANIC_WATCHDOG, "an endless loop");
	device_write(device, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
	tap_eq(device_read(device, D3DGPU_REG_STATUS), 0, "a reset brings it back");
	tap_eq(device_read(device, D3DGPU_REG_GCP_PANIC), 0, "without a panic code");
}

static void no_control_block(struct device *device)
{
	const uint32_t touch[] = {RV_WFI, rv_j(-4)};
	const uint32_t load[] = {rv_lui(T0, D3DGPU_GCP_CTRL), rv_lw(A0, T0, 0)};

	device_boot_code(device, touch, 2);
	device_boot_code(device, load, 2);
	device_write(device, D3DGPU_REG_CTRL_BASE_HI, 0xff);
	device_write(device, D3DGPU_REG_GCP_CONTROL, D3DGPU_GCP_BOOT);
	device_wait_register(device, D3DGPU_REG_GCP_STATE, ~0u, D3DGPU_GCP_PANICKED);
	tap_eq(device_read(device, D3DGPU_REG_GCP_PANIC), D3DGPU_GCP_PANIC_TRAP + 5, "without a control block its window faults");
}

/* The registers answer while the firmware runs in circles. */
static void busy_firmware(struct device *device)
{
	const uint32_t endless[] = {rv_j(0)};
	uint64_t longest = 0;

	device_boot_code(device, endless, 1);
	for (unsigned i = 0; i < 200; i++) {
		uint64_t start = d3dgpu_core_time(device->core), took;

		device_read(device, D3DGPU_REG_GCP_PC);
		took = d3dgpu_core_time(device->core) - start;
		longest = took > longest ? took : longest;
	}
	tap_ok(longest < 500000000, "a register read beside an endless loop takes %llu us at most",
	       (unsigned long long)longest / 1000);
}

int main(int argc, char **argv)
{
	struct device device;

	device_arguments(argc, argv);
	device_create(&device, "hang-timeout=1234,engines=3");
	sleeper(&device);
	refused_images(&device);
	doorbells(&device);
	alarms(&device);
	panics(&device);
	no_control_block(&device);
	busy_firmware(&device);
	device_destroy(&device);
	return tap_done();
}
