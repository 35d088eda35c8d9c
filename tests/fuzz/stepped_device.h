/* SPDX-License-Identifier: MIT */
/*
 * A device for fuzz targets: its VRAM lies between pages that nobody may touch, its workers are sockets of this process
 * (the core takes them from a "manager", as it does from libvirt), and its thread runs step by step, when the target
 * says so: an input does the same each time.
 */
#ifndef D3DGPU_TESTS_STEPPED_DEVICE_H
#define D3DGPU_TESTS_STEPPED_DEVICE_H

#include "core.h"
#include "fuzz.h"

#define FUZZ_VRAM (64u << 20)
#define FUZZ_CTRL (FUZZ_VRAM - D3DGPU_CTRL_SIZE) /* the control block, as the kernel driver places it */
#define FUZZ_IMAGE (1u << 20)                    /* where fuzz_device_boot() puts the firmware */
#define FUZZ_HEADS 2u

struct fuzz_device {
	struct d3dgpu_core *core;
	struct d3dgpu_ctrl *ctrl;
	uint8_t *vram;
};

/* Makes a device whose manager is the other end of a socket pair. Returns what d3dgpu_core_create() does. */
int fuzz_device_create(struct fuzz_device *device, int manager, char *message, size_t size);
void fuzz_device_destroy(struct fuzz_device *device);

/* The one device of a target that resets it between inputs: made at the first call, with workers that behave. */
struct fuzz_device *fuzz_device_get(void);
/* Power-on, and a control block of zeros. */
void fuzz_device_reset(struct fuzz_device *device);

uint32_t fuzz_read(struct fuzz_device *device, uint32_t offset);
void fuzz_write(struct fuzz_device *device, uint32_t offset, uint32_t value);
void fuzz_latch_ctrl(struct fuzz_device *device);

/* The real firmware image; *size in bytes. Aborts when there is none: a target without it would look like a pass. */
const uint8_t *fuzz_firmware(uint32_t *size);
/* Boots an image of VRAM at FUZZ_IMAGE. */
void fuzz_boot_image(struct fuzz_device *device, uint32_t size);
/* The real firmware, ready: booted, or as it was after the first boot. */
void fuzz_boot(struct fuzz_device *device);

/* What the device thread would do now. */
void fuzz_turn(struct fuzz_device *device);
/* Turns until firmware, engines and workers have nothing to do. false: not within so many turns. */
bool fuzz_settle(struct fuzz_device *device, unsigned turns);
/* What must be true of a device at any time, whatever the guest did. */
void fuzz_check_device(struct fuzz_device *device);

#endif
