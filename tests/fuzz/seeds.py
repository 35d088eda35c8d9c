#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the seeds of tests/fuzz/corpus that can be made from what the project has; the others are findings, kept as they were.

usage: seeds.py FIRMWARE-IMAGE

Layouts of the inputs: the comment on top of each fuzz_NAME.c. Constants are those of hw/.
"""
import re
import struct
import sys
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
HLSL = FUZZ.parent / "unit/shader/hlsl"


def write(target, name, data):
    folder = FUZZ / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def words(*values):
    return struct.pack(f"<{len(values)}I", *(value & 0xffffffff for value in values))


# ---- shaders: a key word, then bytecode ----

def shader_seeds():
    for header in sorted(HLSL.glob("*.h")):
        body = header.read_text().split("{", 1)[1]
        code = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", body)]
        if len(code) < 700:  # small ones: a fuzzer goes through them faster
            write("shader", header.stem, words(0x1b5) + words(*code))
    # ps_1_1: tex t0; mul r0, t0, v0. ps_1_4: texld r0, t0; phase; texld r1, r0; mov r0, r1
    write("shader", "ps_1_1", words(0x02008000, 0xffff0101, 0x42, 0xb00f0000, 0x05, 0x800f0000, 0xb0e40000, 0x90e40000, 0xffff))
    write("shader", "ps_1_4", words(0, 0xffff0104, 0x42, 0x800f0000, 0xb0e40000, 0xfffd, 0x42, 0x800f0001, 0x80e40000,
                                    0x01, 0x800f0000, 0x80e40001, 0xffff))
    # vs_1_1: dcl_position v0; m4x4 oPos, v0, c0; mov oD0, c4
    write("shader", "vs_1_1", words(0x1700, 0xfffe0101, 0x1f, 0x80000000, 0x900f0000, 0x14, 0xc00f0000, 0x90e40000, 0xa0e40000,
                                    0x01, 0xd00f0000, 0xa0e40004, 0xffff))


# ---- registers: a byte, then operations ----

# Indices into known[] of fuzz_registers.c
REGISTER = {name: i for i, name in enumerate(
    "ID VERSION STATUS CONTROL INTR_STATUS INTR_ENABLE CTRL_LO CTRL_HI VRAM_LO VRAM_HI GUEST_ERRORS LAST_ERROR HANG_TIMEOUT "
    "HEADS DSU_RUN DSU_RUNS GCP_CONTROL GCP_STATE FW_LO FW_HI FW_SIZE FW_VERSION PANIC PC INSTRET_LO INSTRET_HI "
    "DOORBELL0 DOORBELL1 DOORBELL2 DOORBELL3 ENABLE WIDTH HEIGHT PITCH FORMAT OFFSET_LO OFFSET_HI COMMIT HEAD_STATUS "
    "VBLANKS DAMAGE_X DAMAGE_Y DAMAGE_WIDTH DAMAGE_HEIGHT PREFERRED_WIDTH PREFERRED_HEIGHT REFRESH "
    "TRANSFORM VBLANK_TIME_LO VBLANK_TIME_HI GAMMA EVENT_ENABLE CURSOR_ENABLE CURSOR_OFFSET_LO CURSOR_OFFSET_HI CURSOR_PITCH "
    "CURSOR_SIZE CURSOR_HOT CURSOR_POSITION CURSOR_COMMIT SURFACE_POSITION SURFACE_SIZE".split())}
HEAD_REGISTERS = REGISTER["SURFACE_SIZE"] - REGISTER["ENABLE"] + 1
REGISTER |= {name: REGISTER["ENABLE"] + 2 * HEAD_REGISTERS + i for i, name in enumerate(
    "O_ENABLE O_FORMAT O_PITCH O_OFFSET_LO O_OFFSET_HI O_WIDTH O_HEIGHT O_SRC_X O_SRC_Y O_SRC_WIDTH O_SRC_HEIGHT O_DST_X O_DST_Y "
    "O_DST_WIDTH O_DST_HEIGHT O_TRANSFORM O_ALPHA O_BLEND O_FILTER".split())}
OVERLAY_REGISTERS = REGISTER["O_FILTER"] - REGISTER["O_ENABLE"] + 1
REGISTER |= {name: REGISTER["O_ENABLE"] + 2 * OVERLAY_REGISTERS + i for i, name in enumerate(
    "TIME_LO TIME_HI ENGINES TURN_BUDGET CRC_CONTROL CRC_FRAME CRC_FRAMES CRC_VALUE".split())}


def wr(name, value):
    return struct.pack("<BBI", 0, REGISTER[name], value)


def rd(name):
    return bytes([1, REGISTER[name]])


def write_any(offset, width, value):
    return struct.pack("<BHBQ", 2, offset, {1: 0, 2: 1, 4: 2, 8: 3}[width], value)


def read_any(offset, width):
    return struct.pack("<BHB", 3, offset, {1: 0, 2: 1, 4: 2, 8: 3}[width])


def memory(offset, data):
    return struct.pack("<BIB", 4, offset, len(data) - 1) + data


def doorbell(ring):
    return bytes([5, ring])


SETTLE, RESET, SAVE, LATCH, FRAME = b"\x06", b"\x07", b"\x09", b"\x0b", b"\x0c" + struct.pack("<H", 50)
IN_CTRL = 1 << 31


def register_seeds():
    mode = b"".join([wr("ENABLE", 1), wr("WIDTH", 640), wr("HEIGHT", 480), wr("PITCH", 2560), wr("FORMAT", 1),
                     wr("OFFSET_LO", 0x100000), wr("COMMIT", 1)])
    damage = wr("DAMAGE_X", 600) + wr("DAMAGE_Y", 400) + wr("DAMAGE_WIDTH", 100) + wr("DAMAGE_HEIGHT", 100)
    write("registers", "mode", b"\0" + mode + damage + rd("HEAD_STATUS") + SAVE + SETTLE + rd("VBLANKS") + wr("ENABLE", 0) +
          wr("COMMIT", 1) + struct.pack("<BBHH", 8, 1, 1024, 768) + struct.pack("<BBH", 10, 0, 256))
    overlay = b"".join(wr("O_" + name, value) for name, value in [
        ("FORMAT", 4), ("PITCH", 256), ("OFFSET_LO", 0x200000), ("WIDTH", 64), ("HEIGHT", 32), ("SRC_X", 0x8000), ("SRC_WIDTH", 60 << 16),
        ("SRC_HEIGHT", 32 << 16), ("DST_X", 0xffffffec), ("DST_Y", 7), ("DST_WIDTH", 300), ("DST_HEIGHT", 200), ("TRANSFORM", 4),
        ("ALPHA", 0x8000), ("BLEND", 1), ("FILTER", 1), ("ENABLE", 1)])
    cursor = b"".join(wr("CURSOR_" + name, value) for name, value in [
        ("OFFSET_LO", 0x300000), ("PITCH", 256), ("SIZE", 64 | 64 << 16), ("HOT", 3 | 4 << 16), ("POSITION", 0xfff0 | 5 << 16),
        ("ENABLE", 1), ("COMMIT", 1)])
    write("registers", "planes", b"\0" + LATCH + mode + overlay + wr("SURFACE_POSITION", 64 | 48 << 16) +
          wr("SURFACE_SIZE", 400 | 300 << 16) + wr("TRANSFORM", 2) + wr("GAMMA", 1) + wr("COMMIT", 1) + cursor + SAVE +
          SETTLE + wr("COMMIT", 12) + rd("VBLANK_TIME_LO") + rd("VBLANK_TIME_HI"))
    crc = FRAME + SETTLE * 40 + rd("CRC_FRAME") + rd("CRC_FRAMES") + rd("CRC_VALUE") + wr("HEAD_STATUS", 1 << 12)
    write("registers", "crc", b"\0" + wr("REFRESH", 240000) + mode + wr("CRC_CONTROL", 0xffffffff) + crc + overlay + cursor +
          wr("COMMIT", 8) + FRAME + SETTLE + FRAME + crc * 2 + damage + SAVE + crc + wr("ENABLE", 0) + wr("COMMIT", 1) + crc +
          wr("CRC_CONTROL", 0))
    write("registers", "dispi", b"\0" + b"".join(write_any(0x500 + 2 * index, 2, value) for index, value in
                                                 [(4, 0), (1, 1024), (2, 768), (3, 32), (6, 1024), (4, 0x41), (8, 3)]) +
          read_any(0x500, 2) + read_any(0x514, 2))
    write("registers", "wrong", b"\0" + read_any(0x1001, 4) + read_any(0x1000, 8) + read_any(0x1000, 2) +
          write_any(0x1000, 4, 1) + write_any(0x2000, 4, 1) + read_any(0x3ff, 2) + read_any(0xe800, 4) + read_any(0xe3fe, 4) +
          write_any(0x8010, 4, 1) + read_any(0x8000, 4) + wr("CONTROL", 2) + wr("CONTROL", 1))
    box = words(77, 640, 480, 0, 0, 0, 0, 1, 1, 0, 0)
    write("registers", "dsu", b"\0" + wr("DSU_RUN", 1) + LATCH + memory(IN_CTRL | 0x1000, box) + wr("DSU_RUN", 1) + rd("DSU_RUNS") +
          wr("CTRL_LO", 0x3f80001) + wr("CTRL_HI", 0) + wr("CTRL_LO", 0x3f81000) + wr("CTRL_HI", 0xffffffff))
    create = struct.pack("<BBHIQ48x", 1, 3, 1, 0, 1)
    write("registers", "ring", b"\1" + wr("INTR_ENABLE", 63) + memory(IN_CTRL | 0x10000, create) + memory(IN_CTRL, words(1)) +
          doorbell(0) + SETTLE + SAVE + rd("INTR_STATUS") + wr("INTR_STATUS", 63) + memory(IN_CTRL, words(99999)) + doorbell(0) +
          doorbell(3) + SETTLE + RESET + doorbell(1) + SETTLE)
    write("registers", "boot", b"\0" + doorbell(0) + LATCH + wr("FW_LO", 0x100000) + wr("FW_SIZE", 0x8000) + wr("GCP_CONTROL", 1) +
          rd("GCP_STATE") + wr("GCP_CONTROL", 2) + wr("GCP_CONTROL", 3) + wr("FW_HI", 1) + wr("GCP_CONTROL", 1) + rd("PC"))


# ---- rings: steps ----

def entry(opcode, context, fence, payload=b"", flags=3, reserved=0):
    return struct.pack("<BBHIQ48s", opcode, flags, context, reserved, fence, payload)


def ring_step(ring, packet, bell=True):
    return bytes([0 if bell else 1, ring]) + packet


def plausible(ring, opcode, context, a=0, b=0, c=0, d=0):
    return struct.pack("<BBBBBIIII", 2, ring, opcode, 3, context, a, b, c, d)


def ring_seeds():
    settle = b"\4\0"
    life = [entry(1, 5, 1, words(1, 0) + b"program"), entry(6, 5, 2, struct.pack("<QII", 0x200000, 64, 0)),
            entry(9, 5, 3, struct.pack("<QQQ", 0x300000, 0x400000, 0x80000)), entry(10, 5, 4), entry(2, 5, 5)]
    write("rings", "life", b"".join(ring_step(0, packet) for packet in life))
    write("rings", "queued", b"".join(ring_step(1, packet, False) for packet in life) + ring_step(1, entry(0, 5, 6)))
    memory = [entry(1, 5, 1, words(1, 0) + b"program"), entry(11, 5, 2, words(7, 1)), entry(12, 5, 3, struct.pack("<IIQQ", 7, 1, 4096, 65536)),
              entry(13, 5, 4, struct.pack("<QQ", 8192, 4096)), entry(14, 5, 5, struct.pack("<QQI", 0x300000, 0x90000, 77)), entry(2, 5, 6, words(1))]
    write("rings", "memory", b"".join(ring_step(0, packet) for packet in memory) + settle)
    paging = [entry(14, 0, 1, struct.pack("<QQI", 0x300000, 0x90000, 77)), entry(9, 0, 2, struct.pack("<QQQ", 0x300000, 0x400000, 0x80000))]
    write("rings", "paging", b"".join(ring_step(2, packet) for packet in paging) + ring_step(0, memory[0]) + ring_step(0, entry(6, 5, 2,
          struct.pack("<QII", 0x200000, 64, 0))) + ring_step(2, memory[5]) + ring_step(2, memory[0]) + settle + ring_step(0, memory[0]))
    write("rings", "plausible", b"".join(plausible(i % 3, i % 13, i % 4, 1, 2, 4096, 67 | 2 << 8) for i in range(40)))
    write("rings", "twice", ring_step(0, life[0]) + ring_step(0, life[0]) + ring_step(0, life[3]) + settle + ring_step(0, life[4]) +
          ring_step(0, life[0]) + ring_step(2, life[1]))
    write("rings", "tail", b"\3\0" + words(0xffffffff) + ring_step(0, life[0]) + b"\3\1" + words(1024) + b"\3\2" + words(1025))
    write("rings", "wrong", ring_step(0, entry(11, 5, 1)) + ring_step(0, entry(1, 0, 1)) + ring_step(0, entry(1, 300, 1)) +
          ring_step(0, entry(9, 0, 1, struct.pack("<QQQ", 0, 0x3ffffff, 2))) + ring_step(0, entry(1, 6, 1, b"x" * 48)) +
          ring_step(0, entry(0, 0, 9, reserved=1)) + ring_step(0, entry(10, 7, 2**64 - 1)) + settle)
    write("rings", "scribble", ring_step(0, life[0]) + struct.pack("<BBHI", 5, 0, 0x4040, 0xffffff80) +
          struct.pack("<BBHI", 5, 0, 0x7000, 0xffffffff) + ring_step(0, life[1]) + settle)


# ---- firmware images: a byte, then what its form takes ----

def firmware_seeds(path):
    image = Path(path).read_bytes()
    write("firmware", "raw", b"\0" + image[:64] + b"x" * 64)
    write("firmware", "short", b"\0" + image[:40])
    # lui a0, 0x40000 (peripherals); lui a1, 0x80000; addi a1, a1, 0x100
    prologue = words(0x40000537, 0x800005b7, 0x10058593)
    wfi, jump_back = 0x10500073, 0xffdff06f  # jal x0, -4
    # SET_READY, RAISE 3, RAISE 9 (a trap)
    write("firmware", "raise", b"\1" + prologue + words(0x02b52a23, 0x00300613, 0x02c52823, 0x00900613, 0x02c52823, wfi, jump_back))
    # an entry in SRAM: CTX_CREATE 1, dispatched; then EVENT_POP
    write("firmware", "dispatch", b"\1" + prologue + words(0x00010637, 0x30160613, 0x00c5a023, 0x00100613, 0x00c5a423, 0x02b52023,
                                                          0x02452603, 0x02b52423, wfi, jump_back))
    write("firmware", "loop", b"\1" + words(0x0000006f))
    write("firmware", "control_block", b"\1" + words(0x60000537, 0x00052583, 0x000805b7, 0x00b50633, 0x00062683))
    write("firmware", "trap", b"\1" + words(0x800002b7, 0x01428293, 0x30529073, 0, 0, 0x342022f3, 0x34102373, 0x30200073))
    write("firmware", "compressed", b"\1" + struct.pack("<8H", 0x4505, 0x0505, 0x8526, 0xc02a, 0x4082, 0xbfd5, 0, 0x9002))
    write("firmware", "real", b"\2")
    write("firmware", "patched", b"\2" + b"".join(struct.pack("<HI", 40 * i + 7, 0x13) for i in range(20)))
    for word in range(8):
        write("firmware", f"header_{word}", struct.pack("<BBI", 3, word, 0xffffffff) + words(wfi, jump_back))


# ---- the scheduler: steps ----

def scheduler_seeds():
    def put(ring, opcode, context, flags=3):
        return bytes([0, ring, opcode, flags, context, 1])

    turn, done = b"\3", lambda context: bytes([4, context])
    life = put(0, 1, 1) + turn + done(1) + put(0, 6, 1) + put(1, 10, 1) + put(0, 9, 1) + turn + done(1) * 3 + turn
    write("scheduler", "life", life + put(0, 2, 1) + turn + done(1) + turn)
    write("scheduler", "lost", life + put(0, 6, 1) * 12 + turn + bytes([5, 1, 6]) + turn + put(0, 1, 1) + put(0, 2, 1) + put(0, 1, 1) + turn)
    write("scheduler", "hang", life + put(0, 6, 1) + turn + b"\6" + words(3000000) + turn + b"\6" + words(3000000) + turn + put(0, 2, 1))
    write("scheduler", "refused", life + bytes([7, 1]) + put(0, 7, 1) + turn + put(0, 2, 1) + put(0, 1, 1) + turn)
    write("scheduler", "twice", put(0, 1, 1) * 2 + put(1, 1, 2) + put(2, 2, 2) + put(3, 1, 2) + turn * 2 + put(0, 9, 0) + put(0, 10, 0) + turn)
    now = put(0, 2, 1, 0x83)
    write("scheduler", "now", life + put(0, 6, 1) * 9 + turn + now + turn + put(0, 1, 1) + put(0, 6, 1) + now + turn * 2 + put(0, 1, 1) + turn)
    write("scheduler", "paging", put(3, 14, 0) + put(0, 1, 1) + put(3, 6, 1) + put(3, 2, 1, 0x80) + turn + done(0) + put(3, 2, 2, 0x83) + turn)
    floods = b"".join(put(0, 1, context) for context in (1, 2, 3, 4)) + turn + b"".join(done(context) for context in (1, 2, 3, 4))
    share = b"".join(put(0, 6, context) * 6 for context in (1, 2, 3, 4)) + turn
    pass_time = b"\6" + words(2500) + turn
    write("scheduler", "turns", floods + turn + share + (pass_time + done(1) + done(2) + done(3) + turn) * 6 + bytes([5, 4, 6]) + turn)
    write("scheduler", "overrun", floods + turn + share + pass_time * 4 + done(3) * 3 + turn + pass_time + done(1) + turn)
    write("scheduler", "tail", life + b"\2\0" + words(1000) + turn + b"\2\1" + words(0xffffffff) + turn)


# ---- workers: a byte (and a hello), then steps ----

def worker_seeds():
    create, answer, turn, pop = lambda c: bytes([0, c, 1]), lambda w: bytes([6, w]), b"\x0a", b"\x0b"
    out, hello = b"\1", lambda w: bytes([3, w])
    up = b"\0" + create(1) + out + hello(1) + turn + turn + answer(1) + turn + pop
    write("workers", "life", up + bytes([0, 1, 6]) + answer(1) + turn + bytes([0, 1, 9]) + turn * 3 + bytes([0, 1, 10]) + answer(1) +
          turn + bytes([0, 1, 2]) + answer(1) + turn + pop)
    write("workers", "two", up + create(2) + out + hello(2) + turn + answer(2) + turn + bytes([8, 1]) + turn + pop + create(1) + out + turn)
    for word in range(8):
        write("workers", f"answer_{word}", up + bytes([0, 1, 10]) + struct.pack("<BBBI", 7, 1, word, 5) + turn + pop)
    write("workers", "flood", up + bytes([12, 1, 255]) + turn + pop)
    write("workers", "hello_bad", b"\0" + create(1) + out + struct.pack("<BBHI", 4, 1, 0, 2) + turn + pop)
    write("workers", "first_bad", struct.pack("<BHI", 1, 16, 4096))
    write("workers", "first_caps", struct.pack("<BHI", 1, 24 + 300, 0xffffffff))
    write("workers", "first_raw", struct.pack("<BH", 2, 40) + b"y" * 40)
    write("workers", "first_closes", b"\3")
    write("workers", "manager", b"\0" + create(1) + b"\2\1\0\x0c" + turn + create(2) + b"\2\2\4\0\0" + turn + create(3) + b"\x0e" + turn)
    write("workers", "queue", up + b"".join(bytes([0, 1, 0x0a]) for _ in range(20)) + turn + answer(1) * 3 + turn + b"\x0d" + turn + create(1))
    write("workers", "shut", up + bytes([9, 1, 1]) + bytes([0, 1, 10]) + turn + bytes([15, 1]) + turn + pop)


# ---- states: a byte, then changes ----

def state_seeds():
    def change(*pairs):
        return b"".join(struct.pack("<HI", offset, value & 0xffffffff) for offset, value in pairs)

    write("state", "off", b"\1")
    write("state", "running", b"\2")
    write("state", "size", b"\3" + words(100))
    write("state", "raw", b"\0D3DS" + words(1))
    for offset in range(0, 128, 4):
        write("state", f"word_{offset}", b"\1" + change((offset, 0x40)))
    write("state", "head", b"\1" + change(*((144 + 4 * i, 64) for i in range(20))))
    write("state", "hart", b"\2" + change(*((460 + 4 * i, 0x80000000) for i in range(30))))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    shader_seeds()
    register_seeds()
    ring_seeds()
    firmware_seeds(sys.argv[1])
    scheduler_seeds()
    worker_seeds()
    state_seeds()


main()
