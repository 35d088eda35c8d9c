#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each guest error of hw/d3dgpu_regs.h, made once: it is counted, its code is seen, and the device goes on. One that is added to
hw/ and not to the table here fails."""
import hashlib
import struct
import sys

from qtest import FIRMWARE, Machine, Writer, hw, need_build
from rings import create_context, fence, submit

need_build()
out = Writer()


def image(*code):
    """A firmware image of RV32 instructions."""
    body = struct.pack(f"<{len(code)}I", *code)
    return struct.pack("<8I", hw.D3DGPU_FW_MAGIC, hw.struct("d3dgpu_fw_header").size, hw.D3DGPU_VERSION, 1, len(body),
                       hw.D3DGPU_GCP_SRAM, 0, 0) + hashlib.sha256(body).digest() + body


# Firmware that asks the engine port for what no good one would: a FENCE for context 1, which does not exist.
FENCE_OF_NOBODY = image(
    0x40000537,                         # lui a0, the peripherals
    0x800005b7, 0x10058593,             # lui, addi a1: an entry in SRAM
    0x00010637, 0x30a60613,             # lui, addi a2: opcode FENCE, flags 3, context 1
    0x00c5a023,                         # sw a2, 0(a1)
    0x02b52023,                         # sw a1, DISPATCH(a0)
    0x10500073, 0xffdff06f)             # wfi, again and again


def bad_entry(machine):
    base = start(machine)
    create_context(machine, base, 1, 1)
    submit(machine, base, 0, hw.D3DGPU_OP_RES_DESTROY, 1, 2, struct.pack("<I", 0))
    return base


def bad_range(machine):
    base = start(machine)
    create_context(machine, base, 1, 1)
    submit(machine, base, 0, hw.D3DGPU_OP_EXEC, 1, 2, struct.pack("<QI", 1 << 40, 64))
    return base


def start(machine):
    base = machine.place_control_block()
    machine.set_vram(base, bytes(0x8000))
    machine.boot_firmware(FIRMWARE.read_bytes())
    return base


def unknown_context(machine):
    machine.place_control_block()
    machine.set_vram(0, FENCE_OF_NOBODY)
    machine.set_reg(hw.D3DGPU_REG_GCP_FW_SIZE, len(FENCE_OF_NOBODY))
    machine.set_reg(hw.D3DGPU_REG_GCP_CONTROL, hw.D3DGPU_GCP_BOOT)


def bad_block(machine):
    machine.set_reg(hw.D3DGPU_REG_CTRL_BASE_LO, 64)
    machine.set_reg(hw.D3DGPU_REG_CTRL_BASE_HI, 0)


CASES = {
    "NONE": None,
    "REGISTER": lambda machine: machine.reg(0x1ffc),
    "CTRL_BASE": bad_block,
    "RING": lambda machine: machine.set_reg(hw.D3DGPU_REG_DOORBELL(0), 1),
    "ENTRY": bad_entry,
    "RANGE": bad_range,
    "CONTEXT": unknown_context,
    "FIRMWARE": lambda machine: machine.set_reg(hw.D3DGPU_REG_GCP_CONTROL, 9),
    "DSU": lambda machine: machine.set_reg(hw.D3DGPU_REG_DSU_RUN, 1),
    "DISPLAY": lambda machine: machine.set_reg(hw.D3DGPU_REG_HEAD(0) + hw.D3DGPU_HEAD_REFRESH, 1),
}

PREFIX = "D3DGPU_GUEST_ERROR_"
codes = {name.removeprefix(PREFIX): value for name, value in hw.NAMES.items() if name.startswith(PREFIX)}
out.equal(sorted(codes), sorted(CASES), "the table here has the errors of hw/")
with Machine() as gpu:
    for error, action in CASES.items():
        if not action:
            continue
        gpu.set_reg(hw.D3DGPU_REG_CONTROL, hw.D3DGPU_CONTROL_RESET)
        action(gpu)
        gpu.wait(lambda: gpu.reg(hw.D3DGPU_REG_GUEST_ERRORS))
        out.equal(gpu.reg(hw.D3DGPU_REG_LAST_ERROR), codes[error], f"{error} is told")
        out.equal(gpu.reg(hw.D3DGPU_REG_GUEST_ERRORS), 1, f"{error} is counted once")
    gpu.set_reg(hw.D3DGPU_REG_CONTROL, hw.D3DGPU_CONTROL_RESET)
    block = start(gpu)
    submit(gpu, block, 0, hw.D3DGPU_OP_FENCE, 0, 7)
    out.ok(gpu.wait(lambda: fence(gpu, block, 0)["value"] == 7), "after all of them the device works")
sys.exit(out.done())
