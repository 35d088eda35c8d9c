#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the console shows: the Bochs window that the VGA ROM uses, and the device's own heads."""
import struct
import sys

from qtest import Machine, Writer, hw, need_build

need_build()
out = Writer()
RED, GREEN, BLUE, WHITE = 0xff0000, 0x00ff00, 0x0000ff, 0xffffff


def rgb(colour):
    return bytes([colour >> 16, colour >> 8 & 0xff, colour & 0xff])


def quadrants(width, height, colours):
    """XRGB8888 pixels of an image of four quarters: upper left, upper right, lower left, lower right."""
    def row(left, right):
        return struct.pack("<I", left) * (width // 2) + struct.pack("<I", right) * (width // 2)
    return row(*colours[:2]) * (height // 2) + row(*colours[2:]) * (height // 2)


def corners(shot):
    width, height, rows = shot
    return [rows[y][x * 3:x * 3 + 3] for y in (0, height - 1) for x in (0, width - 1)]


def dispi(machine, index, value):
    machine.set_reg(hw.D3DGPU_REG_DISPI + 2 * index, value, 2)


def test_dispi(machine):
    out.equal(machine.reg(hw.D3DGPU_REG_DISPI + 2 * hw.D3DGPU_DISPI_ID, 2), hw.D3DGPU_DISPI_ID_VALUE, "DISPI id")
    out.equal(machine.reg(hw.D3DGPU_REG_DISPI + 2 * hw.D3DGPU_DISPI_VRAM_64K, 2), (64 << 20) >> 16, "DISPI VRAM size")
    out.equal(machine.screenshot()[:2], (640, 480), "a head that is off shows a placeholder")
    machine.set_vram(0, quadrants(320, 240, (RED, GREEN, BLUE, WHITE)))
    for index, value in ((hw.D3DGPU_DISPI_XRES, 320), (hw.D3DGPU_DISPI_YRES, 240), (hw.D3DGPU_DISPI_BPP, 32),
                         (hw.D3DGPU_DISPI_VIRT_WIDTH, 320), (hw.D3DGPU_DISPI_ENABLE,
                          hw.D3DGPU_DISPI_ENABLED | hw.D3DGPU_DISPI_LFB | hw.D3DGPU_DISPI_NOCLEAR)):
        dispi(machine, index, value)
    shot = machine.screenshot()
    out.equal(shot[:2], (320, 240), "a DISPI mode sets the console's size")
    out.equal(corners(shot), [rgb(c) for c in (RED, GREEN, BLUE, WHITE)], "and shows VRAM")
    machine.set_vram(0, struct.pack("<I", WHITE) * 320)
    out.equal(corners(machine.screenshot())[0], rgb(WHITE), "what the processor writes is seen")
    dispi(machine, hw.D3DGPU_DISPI_Y_OFFSET, 120)
    out.equal(corners(machine.screenshot())[0], rgb(BLUE), "DISPI's offset pans")
    dispi(machine, hw.D3DGPU_DISPI_Y_OFFSET, 0)


def commit(machine, width, height, offset, **other):
    """Sets a mode of a head (0) and commits it; returns STATUS."""
    head = hw.D3DGPU_REG_HEAD(other.get("head", 0))
    machine.set_reg(head + hw.D3DGPU_HEAD_STATUS, 0xffffffff)
    for name, value in {"WIDTH": width, "HEIGHT": height, "PITCH": other.get("pitch", width * 4),
                        "FORMAT": other.get("format", hw.D3DGPU_SCANOUT_XRGB8888), "OFFSET_LO": offset & 0xffffffff,
                        "OFFSET_HI": offset >> 32, "ENABLE": 1, "COMMIT": 1}.items():
        machine.set_reg(head + getattr(hw, "D3DGPU_HEAD_" + name), value)
    return machine.reg(head + hw.D3DGPU_HEAD_STATUS)


def test_head(machine):
    base = 4 << 20
    machine.set_vram(base, quadrants(400, 300, (GREEN, BLUE, WHITE, RED)))
    status = commit(machine, 400, 300, base)
    out.equal(status & hw.D3DGPU_HEAD_STATUS_BAD_MODE, 0, "a mode inside VRAM is taken")
    flip_done = machine.wait(lambda: machine.reg(hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_STATUS) &
                             hw.D3DGPU_HEAD_STATUS_FLIP_DONE)
    out.ok(flip_done, "the flip completes")
    shot = machine.screenshot()
    out.equal(shot[:2], (400, 300), "the head takes over from DISPI")
    out.equal(corners(shot), [rgb(c) for c in (GREEN, BLUE, WHITE, RED)], "and shows its surface")

    swapped = hw.D3DGPU_SCANOUT_XBGR8888
    commit(machine, 400, 300, base, format=swapped)
    machine.wait(lambda: corners(machine.screenshot())[3] == rgb(BLUE))
    out.equal(corners(machine.screenshot())[3], rgb(BLUE), "XBGR8888 swaps red and blue")
    machine.set_vram(base, struct.pack("<H", 0xf800) * 400 * 300)
    commit(machine, 400, 300, base, pitch=800, format=hw.D3DGPU_SCANOUT_RGB565)
    machine.wait(lambda: corners(machine.screenshot())[3] == rgb(RED))
    out.equal(corners(machine.screenshot())[3], rgb(RED), "RGB565")

    for name, arguments in {"beyond the end of VRAM": (400, 300, (64 << 20) - 4096), "offset wraps": (400, 300, (1 << 64) - 4096),
                            "no width": (0, 300, base), "huge": (0xffffffff, 0xffffffff, base)}.items():
        status = commit(machine, *arguments)
        out.ok(status & hw.D3DGPU_HEAD_STATUS_BAD_MODE, f"{name}: refused")
    out.ok(commit(machine, 400, 300, base, pitch=4) & hw.D3DGPU_HEAD_STATUS_BAD_MODE, "pitch too small: refused")
    out.ok(commit(machine, 400, 300, base, format=99) & hw.D3DGPU_HEAD_STATUS_BAD_MODE, "no such format: refused")
    out.equal(machine.screenshot()[:2], (400, 300), "the old mode stays")

    count = machine.reg(hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_VBLANK_COUNT)
    out.ok(machine.wait(lambda: machine.reg(hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_VBLANK_COUNT) != count), "vblanks go on")
    machine.set_reg(hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_ENABLE, 0)
    machine.set_reg(hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_COMMIT, 1)
    machine.wait(lambda: machine.screenshot()[:2] == (320, 240))
    out.equal(machine.screenshot()[:2], (320, 240), "switched off, DISPI's picture is back")


def test_edid(machine):
    edid = bytes(machine.reg(hw.D3DGPU_REG_EDID + i, 1) for i in range(128))
    out.equal(edid[:8], b"\0\xff\xff\xff\xff\xff\xff\0", "EDID has its header")
    out.equal(sum(edid) & 0xff, 0, "and its checksum")
    timing = edid[54:72]
    size = (timing[2] | (timing[4] & 0xf0) << 4, timing[5] | (timing[7] & 0xf0) << 4)
    out.equal(size, (1280, 720), "xres and yres are the preferred timing")
    copy = bytes(machine.reg(hw.D3DGPU_REG_HEAD_EDID(0) + i, 1) for i in range(128))
    out.equal(copy, edid, "head 0's EDID is at both places")
    out.equal((machine.reg(hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_PREFERRED_WIDTH),
               machine.reg(hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_PREFERRED_HEIGHT)), (1280, 720), "and PREFERRED")


def test_heads(machine):
    """Two heads show two surfaces."""
    machine.set_vram(0, quadrants(64, 64, (RED, RED, RED, RED)))
    machine.set_vram(1 << 20, quadrants(128, 64, (BLUE, BLUE, BLUE, BLUE)))
    commit(machine, 64, 64, 0)
    commit(machine, 128, 64, 1 << 20, head=1)
    machine.wait(lambda: machine.screenshot(1)[:2] == (128, 64) and machine.screenshot(0)[:2] == (64, 64))
    out.equal(machine.screenshot(0)[:2], (64, 64), "two heads: the first has its mode")
    out.equal(corners(machine.screenshot(0))[0], rgb(RED), "and its picture")
    out.equal(machine.screenshot(1)[:2], (128, 64), "the second has another")
    out.equal(corners(machine.screenshot(1))[0], rgb(BLUE), "and its own picture")


with Machine(xres="1280", yres="720") as gpu:
    test_dispi(gpu)
    test_head(gpu)
    test_edid(gpu)
with Machine(heads="2") as gpu:
    test_heads(gpu)
sys.exit(out.done())
