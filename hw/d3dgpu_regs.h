/* SPDX-License-Identifier: MIT */
/*
 * The register file: BAR2, 64 KiB. Registers are 32 bits wide and must be read and written as aligned 32-bit words,
 * except for the DISPI window (16-bit) and the EDID (bytes). Offsets that are not listed read 0 and ignore writes, both
 * counted as guest errors.
 *
 * BARs: 0 = VRAM (64-bit, prefetchable), 2 = registers, 4 = MSI-X.
 */
#ifndef D3DGPU_REGS_H
#define D3DGPU_REGS_H

#include "d3dgpu_types.h"

#define D3DGPU_PCI_VENDOR 0x1234
#define D3DGPU_PCI_DEVICE 0xd3d9
#define D3DGPU_PCI_REVISION 1

#define D3DGPU_BAR_VRAM 0
#define D3DGPU_BAR_REGS 2
#define D3DGPU_BAR_MSIX 4
#define D3DGPU_BAR_REGS_SIZE 0x10000

/* The same places as in bochs-display, so that its VGA ROM draws the boot screen. */
#define D3DGPU_REG_EDID 0x0000		/* head 0, 256 bytes used, byte reads */
#define D3DGPU_REG_EDID_SIZE 0x400
#define D3DGPU_REG_DISPI 0x0500		/* DISPI index n is the 16-bit register at DISPI + 2 * n */
#define D3DGPU_DISPI_COUNT 11

enum d3dgpu_dispi {
	D3DGPU_DISPI_ID = 0,		/* reads 0xb0c5 */
	D3DGPU_DISPI_XRES = 1,
	D3DGPU_DISPI_YRES = 2,
	D3DGPU_DISPI_BPP = 3,
	D3DGPU_DISPI_ENABLE = 4,	/* bit 0 enabled, bit 6 linear frame buffer, bit 7 no clear */
	D3DGPU_DISPI_BANK = 5,
	D3DGPU_DISPI_VIRT_WIDTH = 6,
	D3DGPU_DISPI_VIRT_HEIGHT = 7,
	D3DGPU_DISPI_X_OFFSET = 8,
	D3DGPU_DISPI_Y_OFFSET = 9,
	D3DGPU_DISPI_VRAM_64K = 10,	/* VRAM size in 64 KiB units */
};
#define D3DGPU_DISPI_ID_VALUE 0xb0c5
#define D3DGPU_DISPI_ENABLED 0x01
#define D3DGPU_DISPI_LFB 0x40
#define D3DGPU_DISPI_NOCLEAR 0x80

/* Identity and control */
#define D3DGPU_REG_ID 0x1000		/* R: D3DGPU_ID */
#define D3DGPU_REG_VERSION 0x1004	/* R: interface version, major << 16 | minor */
#define D3DGPU_REG_STATUS 0x1008	/* R: D3DGPU_STATUS_* */
#define D3DGPU_REG_CONTROL 0x100c	/* W: D3DGPU_CONTROL_* */
#define D3DGPU_REG_INTR_STATUS 0x1010	/* R: vectors raised since the last acknowledge; W: 1 clears */
#define D3DGPU_REG_INTR_ENABLE 0x1014	/* RW: vectors that send MSI-X messages; reset value 0 */
#define D3DGPU_REG_CTRL_BASE_LO 0x1018	/* RW: offset of the control block in VRAM, multiple of 4096; */
#define D3DGPU_REG_CTRL_BASE_HI 0x101c	/*     writing HI validates and latches both */
#define D3DGPU_REG_VRAM_SIZE_LO 0x1020	/* R: bytes */
#define D3DGPU_REG_VRAM_SIZE_HI 0x1024
#define D3DGPU_REG_GUEST_ERRORS 0x1028	/* R: number of guest errors since reset (saturates) */
#define D3DGPU_REG_LAST_ERROR 0x102c	/* R: enum d3dgpu_guest_error of the last one; W: any value clears */
#define D3DGPU_REG_HANG_TIMEOUT 0x1030	/* RW: milliseconds that an entry may keep its engine; 0 = for ever; reset: property */
#define D3DGPU_REG_HEADS 0x1034		/* R: number of display heads */
#define D3DGPU_REG_TIME_LO 0x1038	/* R: device time, nanoseconds; reading LO latches HI */
#define D3DGPU_REG_TIME_HI 0x103c
#define D3DGPU_REG_ENGINES 0x1040	/* R: contexts that may have their engine at work at once */
#define D3DGPU_REG_TURN_BUDGET 0x1044	/* RW: microseconds that a context keeps an engine slot when others wait; reset 2000 */
#define D3DGPU_TURN_BUDGET_RESET 2000u

#define D3DGPU_ID 0x47443344u		/* "D3DG" */
#define D3DGPU_VERSION_MAJOR 1
#define D3DGPU_VERSION_MINOR 0
#define D3DGPU_VERSION ((D3DGPU_VERSION_MAJOR << 16) | D3DGPU_VERSION_MINOR)

#define D3DGPU_STATUS_CTRL_VALID (1u << 0)	/* a control block is latched */
#define D3DGPU_STATUS_GCP_RUNNING (1u << 1)	/* the firmware has said that it is ready */
#define D3DGPU_STATUS_FATAL (1u << 2)		/* firmware dead or refused: only a reset helps */

#define D3DGPU_CONTROL_RESET (1u << 0)		/* the whole device: contexts die, registers take reset values */

enum d3dgpu_guest_error {
	D3DGPU_GUEST_ERROR_NONE = 0,
	D3DGPU_GUEST_ERROR_REGISTER = 1,	/* no such register, wrong width or alignment, or read-only */
	D3DGPU_GUEST_ERROR_CTRL_BASE = 2,	/* control block outside VRAM or misaligned */
	D3DGPU_GUEST_ERROR_RING = 3,		/* ring index out of range, or doorbell while the core is not running */
	D3DGPU_GUEST_ERROR_ENTRY = 4,		/* malformed ring entry */
	D3DGPU_GUEST_ERROR_RANGE = 5,		/* an entry's range misaligned or outside VRAM */
	D3DGPU_GUEST_ERROR_CONTEXT = 6,		/* no such context, or it exists already */
	D3DGPU_GUEST_ERROR_FIRMWARE = 7,	/* image refused */
	D3DGPU_GUEST_ERROR_DSU = 8,		/* run without a control block */
	D3DGPU_GUEST_ERROR_DISPLAY = 9,		/* bad mode, or scan-out outside VRAM */
};

/* Interrupt vectors (MSI-X and the bits of INTR_STATUS/INTR_ENABLE) */
#define D3DGPU_MAX_RINGS 4
enum d3dgpu_vector {
	D3DGPU_VECTOR_RING0 = 0,		/* .. RING0 + 3 */
	D3DGPU_VECTOR_DISPLAY = 4,
	D3DGPU_VECTOR_FAULT = 5,
	D3DGPU_VECTOR_COUNT = 6,
};

/* Depth-stencil unit: the descriptor is in the control block's mailbox (d3dgpu_ds.h) */
#define D3DGPU_REG_DSU_RUN 0x1100	/* W: any value runs the unit; the mailbox has the answer when the write returns */
#define D3DGPU_REG_DSU_RUNS 0x1104	/* R: number of runs */

/* Firmware core (d3dgpu_gcp.h) */
#define D3DGPU_REG_GCP_CONTROL 0x1200	/* W: enum d3dgpu_gcp_command */
#define D3DGPU_REG_GCP_STATE 0x1204	/* R: enum d3dgpu_gcp_state */
#define D3DGPU_REG_GCP_FW_ADDR_LO 0x1208 /* RW: where the image lies in VRAM */
#define D3DGPU_REG_GCP_FW_ADDR_HI 0x120c
#define D3DGPU_REG_GCP_FW_SIZE 0x1210	/* RW: its size in bytes, header included */
#define D3DGPU_REG_GCP_FW_VERSION 0x1214 /* R: version of the running image */
#define D3DGPU_REG_GCP_PANIC 0x1218	/* R: the firmware's panic code, 0 = none */
#define D3DGPU_REG_GCP_PC 0x121c	/* R: program counter */
#define D3DGPU_REG_GCP_INSTRET_LO 0x1220 /* R: instructions retired */
#define D3DGPU_REG_GCP_INSTRET_HI 0x1224

enum d3dgpu_gcp_command {
	D3DGPU_GCP_BOOT = 1,		/* check the image, copy it to SRAM, start */
	D3DGPU_GCP_HALT = 2,
};

enum d3dgpu_gcp_state {
	D3DGPU_GCP_STOPPED = 0,
	D3DGPU_GCP_BOOTING = 1,		/* running, not ready yet */
	D3DGPU_GCP_READY = 2,
	D3DGPU_GCP_PANICKED = 3,	/* trapped, or its watchdog fired: see GCP_PANIC and GCP_PC */
	D3DGPU_GCP_BAD_ADDRESS = 4,	/* image refused: not in VRAM, or too large */
	D3DGPU_GCP_BAD_HEADER = 5,	/* magic or sizes */
	D3DGPU_GCP_BAD_VERSION = 6,	/* made for another interface version */
	D3DGPU_GCP_BAD_DIGEST = 7,	/* SHA-256 does not match */
};

/*
 * Display engine: one block of registers per head. A picture is made of three planes, from the bottom up: the head's own
 * surface, an overlay, a cursor. COMMIT latches the surface and the overlay as one; the cursor lives apart from them.
 */
#define D3DGPU_MAX_HEADS 4
#define D3DGPU_REG_HEAD(n) (0x1400 + (n) * 0x80)
#define D3DGPU_HEAD_ENABLE 0x00		/* RW: bit 0; switching on takes over from DISPI */
#define D3DGPU_HEAD_WIDTH 0x04		/* RW: pixels of the screen */
#define D3DGPU_HEAD_HEIGHT 0x08		/* RW: pixels of the screen */
#define D3DGPU_HEAD_PITCH 0x0c		/* RW: bytes, multiple of 4, at most D3DGPU_HEAD_MAX_PITCH */
#define D3DGPU_HEAD_FORMAT 0x10		/* RW: enum d3dgpu_scanout_format; alpha has no meaning; NONE: no surface, black */
#define D3DGPU_HEAD_OFFSET_LO 0x14	/* RW: VRAM offset of the first pixel */
#define D3DGPU_HEAD_OFFSET_HI 0x18
#define D3DGPU_HEAD_COMMIT 0x1c		/* W: D3DGPU_COMMIT_*; latch everything but the cursor */
#define D3DGPU_HEAD_STATUS 0x20		/* R: D3DGPU_HEAD_STATUS_*; W: 1 clears the event bits */
#define D3DGPU_HEAD_VBLANK_COUNT 0x24	/* R: vblanks since the reset; none while off */
#define D3DGPU_HEAD_DAMAGE_X 0x28	/* W: damage rectangle; writing D3DGPU_HEAD_DAMAGE_HEIGHT reports it */
#define D3DGPU_HEAD_DAMAGE_Y 0x2c
#define D3DGPU_HEAD_DAMAGE_WIDTH 0x30
#define D3DGPU_HEAD_DAMAGE_HEIGHT 0x34
#define D3DGPU_HEAD_PREFERRED_WIDTH 0x38 /* R: size of the host's window; changes raise HOTPLUG */
#define D3DGPU_HEAD_PREFERRED_HEIGHT 0x3c
#define D3DGPU_HEAD_REFRESH 0x40	/* RW: millihertz, 1000..240000; reset 60000 */
#define D3DGPU_HEAD_TRANSFORM 0x44	/* RW: D3DGPU_TRANSFORM_*, from the surface to the screen */
#define D3DGPU_HEAD_VBLANK_TIME_LO 0x48	/* R: device time of the last vblank; reading LO latches HI */
#define D3DGPU_HEAD_VBLANK_TIME_HI 0x4c
#define D3DGPU_HEAD_GAMMA 0x50		/* RW: bit 0: COMMIT takes the head's table in the control block */
#define D3DGPU_HEAD_EVENT_ENABLE 0x54	/* RW: events of STATUS that raise the vector; reset: all */
#define D3DGPU_HEAD_CURSOR_ENABLE 0x58	/* RW: bit 0 */
#define D3DGPU_HEAD_CURSOR_OFFSET_LO 0x5c /* RW: VRAM offset of an image of ARGB8888, pre-multiplied */
#define D3DGPU_HEAD_CURSOR_OFFSET_HI 0x60
#define D3DGPU_HEAD_CURSOR_PITCH 0x64	/* RW: bytes, multiple of 4 */
#define D3DGPU_HEAD_CURSOR_SIZE 0x68	/* RW: width | height << 16, 1..D3DGPU_CURSOR_MAX_EXTENT */
#define D3DGPU_HEAD_CURSOR_HOT 0x6c	/* RW: x | y << 16 of the hot spot in the image */
#define D3DGPU_HEAD_CURSOR_POSITION 0x70 /* RW: x | y << 16, each signed, of the image on the screen; works at once */
#define D3DGPU_HEAD_CURSOR_COMMIT 0x74	/* W: any value latches the cursor's image and switches it on or off, at once */
#define D3DGPU_HEAD_SURFACE_POSITION 0x78 /* RW: x | y << 16 of the surface on the screen, which is black around it */
#define D3DGPU_HEAD_SURFACE_SIZE 0x7c	/* RW: width | height << 16 there; 0: it covers the screen */
#define D3DGPU_HEAD_MAX_EXTENT 16384	/* pixels, of WIDTH and HEIGHT */
#define D3DGPU_HEAD_MAX_PITCH 65536	/* bytes */
#define D3DGPU_CURSOR_MAX_EXTENT 256	/* pixels */
#define D3DGPU_GAMMA_ENTRIES 256	/* of a head's table */
#define D3DGPU_REG_HEAD_EDID(n) (0xe000 + (n) * 0x400) /* R: EDID of head n */

#define D3DGPU_COMMIT_LATCH (1u << 0)	/* any other value latches, too */
#define D3DGPU_COMMIT_ASYNC (1u << 1)	/* the flip is done at once, not at the next vblank */
#define D3DGPU_COMMIT_PARTIAL (1u << 2)	/* on the screen nothing changes but what was reported as damage since the last commit */
#define D3DGPU_COMMIT_REPORTS (1u << 3)	/* until the next commit, all that is drawn is reported as damage */

#define D3DGPU_HEAD_STATUS_CONNECTED (1u << 0)
#define D3DGPU_HEAD_STATUS_FLIP_PENDING (1u << 1)
#define D3DGPU_HEAD_STATUS_VBLANK (1u << 8)	/* event */
#define D3DGPU_HEAD_STATUS_FLIP_DONE (1u << 9)	/* event */
#define D3DGPU_HEAD_STATUS_HOTPLUG (1u << 10)	/* event */
#define D3DGPU_HEAD_STATUS_BAD_MODE (1u << 11)	/* the last commit was refused; what was shown stays */
#define D3DGPU_HEAD_STATUS_CRC (1u << 12)	/* event */
#define D3DGPU_HEAD_STATUS_EVENTS (D3DGPU_HEAD_STATUS_VBLANK | D3DGPU_HEAD_STATUS_FLIP_DONE | D3DGPU_HEAD_STATUS_HOTPLUG | \
				   D3DGPU_HEAD_STATUS_CRC)

/* The overlay of a head: a rectangle of a buffer, scaled to a rectangle of the screen. Latched by the head's COMMIT. */
#define D3DGPU_REG_OVERLAY(n) (0x1600 + (n) * 0x80)
#define D3DGPU_OVERLAY_ENABLE 0x00	/* RW: bit 0 */
#define D3DGPU_OVERLAY_FORMAT 0x04	/* RW: enum d3dgpu_scanout_format */
#define D3DGPU_OVERLAY_PITCH 0x08	/* RW: as the head's */
#define D3DGPU_OVERLAY_OFFSET_LO 0x0c	/* RW: VRAM offset of the buffer's first pixel */
#define D3DGPU_OVERLAY_OFFSET_HI 0x10
#define D3DGPU_OVERLAY_WIDTH 0x14	/* RW: pixels of the buffer */
#define D3DGPU_OVERLAY_HEIGHT 0x18
#define D3DGPU_OVERLAY_SRC_X 0x1c	/* RW: rectangle of the buffer, 16.16 pixels */
#define D3DGPU_OVERLAY_SRC_Y 0x20
#define D3DGPU_OVERLAY_SRC_WIDTH 0x24
#define D3DGPU_OVERLAY_SRC_HEIGHT 0x28
#define D3DGPU_OVERLAY_DST_X 0x2c	/* RW: rectangle of the screen, pixels; the place is signed */
#define D3DGPU_OVERLAY_DST_Y 0x30
#define D3DGPU_OVERLAY_DST_WIDTH 0x34
#define D3DGPU_OVERLAY_DST_HEIGHT 0x38
#define D3DGPU_OVERLAY_TRANSFORM 0x3c	/* RW: D3DGPU_TRANSFORM_*, from the buffer's rectangle to the screen's */
#define D3DGPU_OVERLAY_ALPHA 0x40	/* RW: of the whole plane, 0..0xffff */
#define D3DGPU_OVERLAY_BLEND 0x44	/* RW: enum d3dgpu_blend */
#define D3DGPU_OVERLAY_FILTER 0x48	/* RW: enum d3dgpu_scaling */

/* The CRCs of the frames that a head shows. */
#define D3DGPU_REG_CRC(n) (0x1300 + (n) * 0x10)
#define D3DGPU_CRC_CONTROL 0x00		/* RW: D3DGPU_CRC_ENABLED */
#define D3DGPU_CRC_FRAME 0x04		/* R: VBLANK_COUNT of the vblank that began the first frame */
#define D3DGPU_CRC_FRAMES 0x08		/* R: how many, from FRAME on, looked the same */
#define D3DGPU_CRC_VALUE 0x0c		/* R: CRC-32 of the frame's pixels, 3 bytes R, G, B each, row by row from the top */
#define D3DGPU_CRC_ENABLED (1u << 0)	/* event CRC when FRAME, FRAMES and VALUE are new; they stay until it is cleared */

enum d3dgpu_scanout_format {
	D3DGPU_SCANOUT_NONE = 0,
	D3DGPU_SCANOUT_XRGB8888 = 1,	/* bytes B, G, R, X */
	D3DGPU_SCANOUT_XBGR8888 = 2,	/* bytes R, G, B, X */
	D3DGPU_SCANOUT_RGB565 = 3,
	D3DGPU_SCANOUT_ARGB8888 = 4,	/* bytes B, G, R, A */
	D3DGPU_SCANOUT_ABGR8888 = 5,	/* bytes R, G, B, A */
};

/* Turns are counter-clockwise; a reflection comes before the turn. */
#define D3DGPU_TRANSFORM_TURNS 3u		/* mask: quarter turns */
#define D3DGPU_TRANSFORM_REFLECT_X (1u << 2)	/* left and right change places */
#define D3DGPU_TRANSFORM_REFLECT_Y (1u << 3)	/* top and bottom do */
#define D3DGPU_TRANSFORM_MASK 15u

enum d3dgpu_blend {
	D3DGPU_BLEND_NONE = 0,		/* the buffer's alpha has no meaning, the plane's has */
	D3DGPU_BLEND_PREMULTIPLIED = 1,
	D3DGPU_BLEND_COVERAGE = 2,	/* colours are to be multiplied by alpha */
};

enum d3dgpu_scaling {
	D3DGPU_SCALING_NEAREST = 0,
	D3DGPU_SCALING_LINEAR = 1,
};

/* Capability block, read-only: struct d3dgpu_caps (d3dgpu_caps.h) */
#define D3DGPU_REG_CAPS 0x2000
#define D3DGPU_REG_CAPS_SIZE 0x1000

/* Doorbells, one page of their own: any write tells the firmware that ring n's tail in the control block moved */
#define D3DGPU_REG_DOORBELL(n) (0x8000 + (n) * 4)

#endif
