#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Planes, gamma and damage on the console, CRCs of frames; the host's window: its size, its pointer."""
import re
import struct
import sys
import tempfile
import zlib
from pathlib import Path

from qtest import Machine, Writer, hw, need_build
from vnc import Vnc

need_build()
out = Writer()
WIDTH, HEIGHT, BASE, SMALL = 320, 200, 4 << 20, 8 << 20
GREY, RED, GREEN, WHITE = 0x404040, 0xff0000, 0x00ff00, 0xffffff


def rgb(colour):
    return bytes([colour >> 16, colour >> 8 & 0xff, colour & 0xff])


def fill(machine, offset, width, height, colour):
    machine.set_vram(offset, struct.pack("<I", 0xff000000 | colour) * (width * height))


def set_head(machine, values, head=0):
    for name, value in values.items():
        machine.set_reg(hw.D3DGPU_REG_HEAD(head) + getattr(hw, "D3DGPU_HEAD_" + name), value & 0xffffffff)


def set_overlay(machine, values):
    for name, value in values.items():
        machine.set_reg(hw.D3DGPU_REG_OVERLAY(0) + getattr(hw, "D3DGPU_OVERLAY_" + name), value & 0xffffffff)


def show(machine):
    fill(machine, BASE, WIDTH, HEIGHT, GREY)
    set_head(machine, {"WIDTH": WIDTH, "HEIGHT": HEIGHT, "PITCH": WIDTH * 4, "FORMAT": hw.D3DGPU_SCANOUT_XRGB8888,
                       "OFFSET_LO": BASE, "OFFSET_HI": 0, "ENABLE": 1, "COMMIT": 1})


def pixel(shot, x, y):
    return shot[2][y][x * 3:x * 3 + 3]


def test_overlay(machine):
    fill(machine, SMALL, 16, 16, RED)
    set_overlay(machine, {"FORMAT": hw.D3DGPU_SCANOUT_XRGB8888, "PITCH": 64, "OFFSET_LO": SMALL, "WIDTH": 16, "HEIGHT": 16,
                          "SRC_WIDTH": 16 << 16, "SRC_HEIGHT": 16 << 16, "DST_X": 100, "DST_Y": -16, "DST_WIDTH": 32,
                          "DST_HEIGHT": 64, "ALPHA": 0xffff, "ENABLE": 1})
    set_head(machine, {"COMMIT": 1})
    shot = machine.screenshot()
    out.equal([pixel(shot, *at) for at in ((99, 0), (100, 0), (131, 47), (132, 47), (131, 48))],
              [rgb(c) for c in (GREY, RED, RED, GREY, GREY)], "an overlay is scaled to its place, and cut off outside the screen")
    fill(machine, SMALL, 16, 16, GREEN)
    out.equal(pixel(machine.screenshot(), 110, 20), rgb(GREEN), "what the processor writes into it is seen")
    set_overlay(machine, {"ENABLE": 0})
    set_head(machine, {"COMMIT": 1})
    out.equal(pixel(machine.screenshot(), 110, 20), rgb(GREY), "switched off, it is gone")


def test_cursor(machine):
    fill(machine, SMALL, 32, 32, GREEN)
    set_head(machine, {"CURSOR_OFFSET_LO": SMALL, "CURSOR_PITCH": 128, "CURSOR_SIZE": 32 | 32 << 16, "CURSOR_HOT": 3 | 4 << 16,
                       "CURSOR_POSITION": 50 | 60 << 16, "CURSOR_ENABLE": 1, "CURSOR_COMMIT": 1})
    shot = machine.screenshot()
    out.equal([pixel(shot, *at) for at in ((49, 60), (50, 60), (81, 91), (82, 91))], [rgb(c) for c in (GREY, GREEN, GREEN, GREY)],
              "without a window the cursor is in the picture")
    set_head(machine, {"CURSOR_POSITION": 0xfff0 | 0xfff0 << 16})
    shot = machine.screenshot()
    out.equal([pixel(shot, *at) for at in ((50, 60), (15, 15), (16, 15))], [rgb(c) for c in (GREY, GREEN, GREY)],
              "it moves, and what was below it is back")
    set_head(machine, {"CURSOR_ENABLE": 0, "CURSOR_COMMIT": 1})
    out.equal(pixel(machine.screenshot(), 0, 0), rgb(GREY), "and goes")


def test_gamma(machine):
    base = machine.place_control_block()
    table = b"".join(struct.pack("<4H", 65535 - i * 257, i * 257, 0xffff if i == 0x40 else 0, 0) for i in range(256))
    machine.set_vram(base + 0x50000, table)
    set_head(machine, {"GAMMA": 1, "COMMIT": 1})
    out.equal(pixel(machine.screenshot(), 5, 5), bytes([0xbf, 0x40, 0xff]), "colours go through the gamma table")
    set_head(machine, {"GAMMA": 0, "COMMIT": 1})
    out.equal(pixel(machine.screenshot(), 5, 5), rgb(GREY), "and do not any more")


def updates(machine, action):
    """The parts of the screen that the console redraws for what an action does."""
    machine.screenshot()
    seen = len(machine.messages())
    action()
    machine.screenshot()
    return re.findall(r"d3dgpu_update head 0 (\S+) (\S+)", machine.messages()[seen:])


def report(machine, x, y, width, height):
    set_head(machine, {"DAMAGE_X": x, "DAMAGE_Y": y, "DAMAGE_WIDTH": width, "DAMAGE_HEIGHT": height})


def test_damage(machine):
    flags = hw.D3DGPU_COMMIT_LATCH | hw.D3DGPU_COMMIT_PARTIAL | hw.D3DGPU_COMMIT_REPORTS
    show(machine)
    out.equal(updates(machine, lambda: machine.set_vram(BASE + WIDTH * 4 * 64, b"\1" * 4096)), [("0,64", "320x4")],
              "written pages are redrawn, with the lines that they have a part of")

    def partial():
        report(machine, 10, 20, 30, 40)
        report(machine, 200, 100, 5, 6)
        set_head(machine, {"OFFSET_LO": BASE + WIDTH * HEIGHT * 4, "COMMIT": flags})
    updates(machine, lambda: set_head(machine, {"COMMIT": flags}))
    out.equal(updates(machine, partial), [("10,20", "30x40"), ("200,100", "5x6")],
              "a partial flip redraws the reported rectangles, and nothing else")

    def write_and_report():
        machine.set_vram(BASE + WIDTH * HEIGHT * 4, b"\1" * 4096)
        report(machine, 0, 0, 8, 8)
    out.equal(updates(machine, write_and_report), [("0,0", "8x8")], "a driver that reports is relied on")
    out.equal(updates(machine, lambda: set_head(machine, {"COMMIT": 1})), [("0,0", "320x200")], "a plain commit redraws all")
    for i in range(20):
        report(machine, i * 10, i, 2, 2)
    count = len(updates(machine, lambda: [report(machine, i * 10, i, 2, 2) for i in range(20)]))
    out.ok(count <= 16, "many rectangles become few", f"{count} updates")


def frame_crc(machine):
    """The CRC of a frame that begins after this call, while CRCs are enabled."""
    head, crc = hw.D3DGPU_REG_HEAD(0), hw.D3DGPU_REG_CRC(0)
    before = machine.reg(head + hw.D3DGPU_HEAD_VBLANK_COUNT)

    def is_later():
        machine.set_reg(head + hw.D3DGPU_HEAD_STATUS, hw.D3DGPU_HEAD_STATUS_CRC)
        return machine.reg(crc + hw.D3DGPU_CRC_FRAME) > before
    machine.wait(is_later)
    return machine.reg(crc + hw.D3DGPU_CRC_VALUE)


def dump_crc(machine):
    return zlib.crc32(b"".join(machine.screenshot()[2]))


def put_cursor(machine):
    fill(machine, SMALL, 24, 16, RED)
    set_head(machine, {"CURSOR_OFFSET_LO": SMALL, "CURSOR_PITCH": 96, "CURSOR_SIZE": 24 | 16 << 16, "CURSOR_HOT": 3 | 4 << 16,
                       "CURSOR_POSITION": 10, "CURSOR_ENABLE": 1, "CURSOR_COMMIT": 1})


def test_crc(machine):
    show(machine)
    machine.set_reg(hw.D3DGPU_REG_CRC(0) + hw.D3DGPU_CRC_CONTROL, hw.D3DGPU_CRC_ENABLED)
    first = frame_crc(machine)
    out.equal(first, dump_crc(machine), "the CRC of a frame is that of the screen dump")
    machine.set_vram(BASE + WIDTH * 4 * 77, struct.pack("<I", WHITE))
    second = frame_crc(machine)
    out.ok(second != first, "another pixel, another CRC")
    out.equal(second, dump_crc(machine), "as the dump has it")
    put_cursor(machine)
    set_overlay(machine, {"DST_Y": 20, "ENABLE": 1, "FILTER": hw.D3DGPU_SCALING_LINEAR, "SRC_X": 0x4321, "SRC_WIDTH": 0x95678})
    machine.place_control_block()
    set_head(machine, {"GAMMA": 1, "COMMIT": 1})
    out.equal(frame_crc(machine), dump_crc(machine), "overlay, cursor and gamma are in both")
    machine.set_reg(hw.D3DGPU_REG_CRC(0) + hw.D3DGPU_CRC_CONTROL, 0)


def test_window():
    with tempfile.TemporaryDirectory(prefix="d3dgpu-vnc-") as folder:
        path = Path(folder) / "vnc"
        with Machine(arguments=["-vnc", f"unix:{path}"]) as machine:
            vnc = Vnc(path)
            preferred = [hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_PREFERRED_WIDTH, hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_PREFERRED_HEIGHT]

            def asked(width, height):
                vnc.ask_for_size(width, height)
                return machine.wait(lambda: [machine.reg(r) for r in preferred] == [width, height], 5)
            out.ok(not asked(640, 480) and machine.reg(preferred[0]) == 1024, "a window as large as the placeholder says nothing")
            out.ok(asked(1300, 740), "a window that is resized before there is a driver is known to it")
            edid = bytes(machine.reg(hw.D3DGPU_REG_HEAD_EDID(0) + i, 1) for i in range(54, 72))
            out.equal((edid[2] | (edid[4] & 0xf0) << 4, edid[5] | (edid[7] & 0xf0) << 4), (1300, 740), "and its EDID's preferred timing")
            show(machine)
            out.ok(asked(900, 600), "and one that is resized later")
            status = machine.reg(hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_STATUS)
            out.ok(status & hw.D3DGPU_HEAD_STATUS_HOTPLUG, "by a hot-plug event")
            put_cursor(machine)
            out.equal(vnc.cursor(), (3, 4, 24, 16, struct.pack("<I", 0xff000000 | RED) * 24 * 16),
                      "the cursor is the pointer of the host's window")
            out.equal(pixel(machine.screenshot(), 12, 2), rgb(GREY), "and not in the picture")
            machine.set_reg(hw.D3DGPU_REG_CRC(0) + hw.D3DGPU_CRC_CONTROL, hw.D3DGPU_CRC_ENABLED)
            rows = [rgb(GREY) * 10 + rgb(RED) * 24 + rgb(GREY) * (WIDTH - 34)] * 16 + [rgb(GREY) * WIDTH] * (HEIGHT - 16)
            out.equal(frame_crc(machine), zlib.crc32(b"".join(rows)), "but the frame's CRC counts it")
            vnc.close()


with Machine(arguments=["-trace", "d3dgpu_update"]) as gpu:
    show(gpu)
    test_overlay(gpu)
    test_cursor(gpu)
    test_gamma(gpu)
    test_damage(gpu)
    test_crc(gpu)
test_window()
sys.exit(out.done())
