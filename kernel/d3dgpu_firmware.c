// SPDX-License-Identifier: GPL-2.0-only
#include <linux/firmware.h>
#include <linux/iopoll.h>

#include <drm/drm_managed.h>

#include "d3dgpu_drv.h"

/**
 * DOC: Firmware
 *
 * The device's command processor (GCP) runs a program that this driver loads. The image is
 * copied to VRAM, the device checks its header, version and digest, copies it to its own SRAM
 * and starts it; it is ready when it says so in GCP_STATE. What the device checks is not
 * checked again here: only that the file may be an image at all, and fits where it is put. The
 * file stays in memory, because a reset must be able to boot without asking user space for
 * anything.
 */

/* How long it may take to get ready: the hart may be emulated in an emulated machine. */
#define D3DGPU_FIRMWARE_BOOT_US	(10 * USEC_PER_SEC)

static const char *d3dgpu_firmware_state_text(u32 state)
{
	switch (state) {
	case D3DGPU_GCP_STOPPED:
		return "it did not start";
	case D3DGPU_GCP_BOOTING:
		return "it does not get ready";
	case D3DGPU_GCP_PANICKED:
		return "it panicked";
	case D3DGPU_GCP_BAD_ADDRESS:
		return "refused: not in VRAM, or too large";
	case D3DGPU_GCP_BAD_HEADER:
		return "refused: damaged header";
	case D3DGPU_GCP_BAD_VERSION:
		return "refused: made for another version of the device";
	case D3DGPU_GCP_BAD_DIGEST:
		return "refused: damaged, its digest does not match";
	default:
		return "unknown state";
	}
}

/**
 * d3dgpu_firmware_boot() - load the firmware and wait until it is ready
 * @gdev: the device, whose control block is programmed
 *
 * Return: 0; -EINVAL: the device refused the image; -EIO: it did not get ready.
 */
int d3dgpu_firmware_boot(struct d3dgpu_device *gdev)
{
	const struct d3dgpu_fw_header *header = (const void *)gdev->firmware->data;
	u32 state;

	memcpy(gdev->vram + gdev->firmware_offset, gdev->firmware->data, gdev->firmware->size);
	d3dgpu_write64(gdev, D3DGPU_REG_GCP_FW_ADDR_LO, gdev->firmware_offset);
	d3dgpu_write(gdev, D3DGPU_REG_GCP_FW_SIZE, gdev->firmware->size);
	d3dgpu_write(gdev, D3DGPU_REG_GCP_CONTROL, D3DGPU_GCP_BOOT);

	read_poll_timeout(d3dgpu_read, state, state != D3DGPU_GCP_BOOTING, 100,
			  D3DGPU_FIRMWARE_BOOT_US, false, gdev, D3DGPU_REG_GCP_STATE);
	if (state != D3DGPU_GCP_READY) {
		drm_err(&gdev->drm, "firmware: %s (state %u, panic %#x, pc %#x)\n",
			d3dgpu_firmware_state_text(state), state,
			d3dgpu_read(gdev, D3DGPU_REG_GCP_PANIC),
			d3dgpu_read(gdev, D3DGPU_REG_GCP_PC));
		if (state == D3DGPU_GCP_BAD_VERSION)
			drm_err(&gdev->drm,
				"firmware is for interface %u.%u, the device has %u.%u\n",
				header->interface_version >> 16, header->interface_version & 0xffff,
				gdev->caps.version >> 16, gdev->caps.version & 0xffff);
		return state >= D3DGPU_GCP_BAD_ADDRESS ? -EINVAL : -EIO;
	}
	gdev->firmware_version = d3dgpu_read(gdev, D3DGPU_REG_GCP_FW_VERSION);
	drm_info(&gdev->drm, "firmware %u.%u.%u is ready\n", gdev->firmware_version >> 16,
		 gdev->firmware_version >> 8 & 0xff, gdev->firmware_version & 0xff);
	return 0;
}

static void d3dgpu_firmware_release(struct drm_device *drm, void *data)
{
	release_firmware(data);
}

/**
 * d3dgpu_firmware_init() - get the firmware file
 * @gdev: the device
 *
 * Return: 0; -ENOENT: no such file; -EINVAL: it is no firmware of this device.
 */
int d3dgpu_firmware_init(struct d3dgpu_device *gdev)
{
	const size_t largest = sizeof(struct d3dgpu_fw_header) + D3DGPU_GCP_SRAM_SIZE;
	const struct d3dgpu_fw_header *header;
	int ret;

	ret = request_firmware(&gdev->firmware, D3DGPU_FW_FILE, gdev->drm.dev);
	if (ret) {
		drm_err(&gdev->drm, "cannot load firmware " D3DGPU_FW_FILE " (%d)\n", ret);
		return ret;
	}
	ret = drmm_add_action_or_reset(&gdev->drm, d3dgpu_firmware_release, (void *)gdev->firmware);
	if (ret)
		return ret;

	header = (const void *)gdev->firmware->data;
	if (gdev->firmware->size < sizeof(*header) || gdev->firmware->size > largest ||
	    header->magic != D3DGPU_FW_MAGIC) {
		drm_err(&gdev->drm, D3DGPU_FW_FILE " is no firmware of this device (%zu bytes)\n",
			gdev->firmware->size);
		return -EINVAL;
	}
	return 0;
}

MODULE_FIRMWARE(D3DGPU_FW_FILE);
