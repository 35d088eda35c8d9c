#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every register of hw/d3dgpu_regs.h, one by one: its value after reset, what it keeps of a write, and that nothing else can be
done with it. A register that is added to hw/ and not to the tables here fails."""
import re
import sys
from dataclasses import dataclass

from qtest import Machine, Writer, hw, need_build

need_build()
out = Writer()
REGISTER_ERROR = hw.D3DGPU_GUEST_ERROR_REGISTER
ALL = 0xffffffff


@dataclass
class Register:
    read: bool
    write: bool
    reset: object = None    # value after reset; None: anything
    mask: int = ALL         # bits that a write sets
    values: tuple = (0x5a5a5a5a, ALL, 0)    # that are written
    error: int = 0          # guest error of the write
    keeps: bool = True      # reads what was written, under the mask


def read_only(reset=None):
    return Register(True, False, reset)


def write_only(*values, error=0):
    return Register(False, True, values=values or (0,), error=error)


def read_write(reset=0, mask=ALL, values=(0x5a5a5a5a, ALL, 0), error=0):
    return Register(True, True, reset, mask, values, error)


def clears(reset=0):
    """Writing a 1 clears, or writing anything does: with nothing set, the value stays."""
    return Register(True, True, reset, values=(ALL,), keeps=False)


HEADS, HANG_TIMEOUT, ENGINES = 2, 1234, 3

IDENTITY = {
    "ID": read_only(hw.D3DGPU_ID), "VERSION": read_only(hw.D3DGPU_VERSION), "STATUS": read_only(0),
    "CONTROL": write_only(0), "INTR_STATUS": clears(), "INTR_ENABLE": read_write(mask=(1 << hw.D3DGPU_VECTOR_COUNT) - 1),
    "CTRL_BASE_LO": read_write(), "CTRL_BASE_HI": read_write(values=(ALL,), error=hw.D3DGPU_GUEST_ERROR_CTRL_BASE), "VRAM_SIZE_LO": read_only(64 << 20),
    "VRAM_SIZE_HI": read_only(0), "GUEST_ERRORS": read_only(), "LAST_ERROR": clears(), "HANG_TIMEOUT": read_write(HANG_TIMEOUT),
    "HEADS": read_only(HEADS), "TIME_LO": read_only(), "TIME_HI": read_only(), "ENGINES": read_only(ENGINES),
    "TURN_BUDGET": read_write(hw.D3DGPU_TURN_BUDGET_RESET),
    "DSU_RUN": write_only(1, error=hw.D3DGPU_GUEST_ERROR_DSU), "DSU_RUNS": read_only(0),
    "GCP_CONTROL": write_only(hw.D3DGPU_GCP_HALT), "GCP_STATE": read_only(hw.D3DGPU_GCP_STOPPED), "GCP_FW_ADDR_LO": read_write(),
    "GCP_FW_ADDR_HI": read_write(), "GCP_FW_SIZE": read_write(), "GCP_FW_VERSION": read_only(0), "GCP_PANIC": read_only(0),
    "GCP_PC": read_only(), "GCP_INSTRET_LO": read_only(), "GCP_INSTRET_HI": read_only(),
}
HEAD = {
    "ENABLE": read_write(mask=1), "COMMIT": write_only(1), "STATUS": clears(hw.D3DGPU_HEAD_STATUS_CONNECTED),
    "VBLANK_COUNT": read_only(0), "DAMAGE_X": write_only(), "DAMAGE_Y": write_only(), "DAMAGE_WIDTH": write_only(),
    "DAMAGE_HEIGHT": write_only(), "PREFERRED_WIDTH": read_only(1024), "PREFERRED_HEIGHT": read_only(768),
    "REFRESH": read_write(60000, values=(1000, 240000)), "VBLANK_TIME_LO": read_only(0), "VBLANK_TIME_HI": read_only(0),
    "GAMMA": read_write(mask=1), "EVENT_ENABLE": read_write(hw.D3DGPU_HEAD_STATUS_EVENTS, hw.D3DGPU_HEAD_STATUS_EVENTS),
    "CURSOR_ENABLE": read_write(mask=1), "CURSOR_COMMIT": write_only(1),
    **{name: read_write() for name in
       "WIDTH HEIGHT PITCH FORMAT OFFSET_LO OFFSET_HI TRANSFORM CURSOR_OFFSET_LO CURSOR_OFFSET_HI CURSOR_PITCH CURSOR_SIZE "
       "CURSOR_HOT CURSOR_POSITION SURFACE_POSITION SURFACE_SIZE".split()},
}
OVERLAY = {
    "ENABLE": read_write(mask=1),
    **{name: read_write() for name in
       "FORMAT PITCH OFFSET_LO OFFSET_HI WIDTH HEIGHT SRC_X SRC_Y SRC_WIDTH SRC_HEIGHT DST_X DST_Y DST_WIDTH DST_HEIGHT "
       "TRANSFORM ALPHA BLEND FILTER".split()},
}

CRC = {"CONTROL": read_write(mask=hw.D3DGPU_CRC_ENABLED), "FRAME": read_only(0), "FRAMES": read_only(0), "VALUE": read_only(0)}


def defined(prefix, pattern):
    """name -> offset of what the header defines with such a prefix and such a number."""
    text = (hw.HW / "d3dgpu_regs.h").read_text()
    return {name: int(number, 16) for name, number in re.findall(rf"#define {prefix}(?!CAPS)(\w+) ({pattern})\b", text)}


def registers():
    """(name, offset, Register) of all; the tables and the header must name the same."""
    found = []
    blocks = [("", 0, defined("D3DGPU_REG_", "0x1[0-9a-f]{3}"), IDENTITY)]
    for i in range(HEADS):
        blocks.append((f"HEAD{i}_", hw.D3DGPU_REG_HEAD(i), defined("D3DGPU_HEAD_", "0x[0-9a-f]{2}"), HEAD))
        blocks.append((f"OVERLAY{i}_", hw.D3DGPU_REG_OVERLAY(i), defined("D3DGPU_OVERLAY_", "0x[0-9a-f]{2}"), OVERLAY))
        blocks.append((f"CRC{i}_", hw.D3DGPU_REG_CRC(i), defined("D3DGPU_CRC_", "0x[0-9a-f]{2}"), CRC))
    for prefix, base, offsets, table in blocks:
        out.equal(sorted(offsets), sorted(table), f"{prefix or 'identity and control'}: the table here has what hw/ has")
        found += [(prefix + name, base + offsets[name], table[name]) for name in offsets if name in table]
    return found


class Watch:
    """What guest errors an access makes."""

    def __init__(self, machine):
        self.machine = machine

    def __call__(self, action):
        """(guest errors, code of the last, what the action returned)"""
        before = self.machine.reg(hw.D3DGPU_REG_GUEST_ERRORS)
        self.machine.set_reg(hw.D3DGPU_REG_LAST_ERROR, 0)
        result = action()
        return self.machine.reg(hw.D3DGPU_REG_GUEST_ERRORS) - before, self.machine.reg(hw.D3DGPU_REG_LAST_ERROR), result


def test_reading(machine, watch, name, offset, register):
    if not register.read:
        out.equal(watch(lambda: machine.reg(offset)), (1, REGISTER_ERROR, 0), f"{name} cannot be read")
        return
    errors, _, value = watch(lambda: machine.reg(offset))
    out.equal(errors, 0, f"{name} can be read")
    if register.reset is not None:
        out.equal(value, register.reset, f"{name} after reset")


def test_writing(machine, watch, name, offset, register):
    if not register.write:
        value = machine.reg(offset)
        out.equal(watch(lambda: machine.set_reg(offset, ~value & ALL))[:2], (1, REGISTER_ERROR), f"{name} cannot be written")
        if register.reset is not None:
            out.equal(machine.reg(offset), value, f"{name} keeps its value")
        return
    for value in register.values:
        errors, code, _ = watch(lambda: machine.set_reg(offset, value))
        out.equal((errors, code), (1, register.error) if register.error else (0, 0), f"{name} takes {value:#x}")
        if register.read:
            expected = value & register.mask if register.keeps else register.reset
            out.equal(machine.reg(offset), expected, f"{name} reads what it should after {value:#x}")


def test_wrong_accesses(machine, watch, name, offset):
    for size, at in ((1, 0), (2, 0), (8, 0), (2, 2), (4, 1), (4, 2), (4, 3)):
        what = f"{name}: {8 * size} bits at +{at}"
        out.equal(watch(lambda: machine.reg(offset + at, size)), (1, REGISTER_ERROR, 0), f"{what}, read")
        out.equal(watch(lambda: machine.set_reg(offset + at, 0x7f, size))[:2], (1, REGISTER_ERROR), f"{what}, written")


def test_windows(machine, watch):
    """Where other widths than 32 bits are right, or a block is read as a whole."""
    for index in range(hw.D3DGPU_DISPI_COUNT):
        at = hw.D3DGPU_REG_DISPI + 2 * index
        out.equal(watch(lambda: machine.reg(at, 2))[0], 0, f"DISPI {index} can be read")
        out.equal(watch(lambda: machine.set_reg(at, 0, 2))[0], 0, f"DISPI {index} can be written")
        for size, shift in ((1, 0), (4, 0), (8, 0), (2, 1)):
            out.equal(watch(lambda: machine.reg(at + shift, size)), (1, REGISTER_ERROR, 0), f"DISPI {index}: {size} bytes at +{shift}")
    for base in (hw.D3DGPU_REG_EDID, hw.D3DGPU_REG_HEAD_EDID(0), hw.D3DGPU_REG_HEAD_EDID(1)):
        for size in (1, 2, 4):
            out.equal(watch(lambda: machine.reg(base + 8 - size + 1, size))[0], 0, f"EDID at {base:#x}: {size} bytes at any offset")
        out.equal(watch(lambda: machine.reg(base, 8)), (1, REGISTER_ERROR, 0), f"EDID at {base:#x}: not 8")
        out.equal(watch(lambda: machine.set_reg(base, 0))[:2], (1, REGISTER_ERROR), f"EDID at {base:#x} cannot be written")
    for at in range(hw.D3DGPU_REG_CAPS, hw.D3DGPU_REG_CAPS + hw.D3DGPU_REG_CAPS_SIZE, 252):
        out.equal(watch(lambda: machine.reg(at))[0], 0, f"CAPS at {at:#x} can be read")
        out.equal(watch(lambda: machine.set_reg(at, 1))[:2], (1, REGISTER_ERROR), f"CAPS at {at:#x} cannot be written")
    for ring in range(hw.D3DGPU_MAX_RINGS):
        at = hw.D3DGPU_REG_DOORBELL(ring)
        out.equal(watch(lambda: machine.reg(at)), (1, REGISTER_ERROR, 0), f"doorbell {ring} cannot be read")
        test_wrong_accesses(machine, watch, f"doorbell {ring}", at)
        before = machine.reg(hw.D3DGPU_REG_GUEST_ERRORS)
        machine.set_reg(at, 1)  # seen by the device's thread
        machine.wait(lambda: machine.reg(hw.D3DGPU_REG_GUEST_ERRORS) != before)
        out.equal(machine.reg(hw.D3DGPU_REG_LAST_ERROR), hw.D3DGPU_GUEST_ERROR_RING, f"doorbell {ring} without firmware")


def test_gaps(machine, watch, known):
    """Everything between: one access to each page's unknown words that are next to known ones."""
    taken = {offset for _, offset, _ in known}
    for offset in sorted({at + 4 for at in taken} - taken):
        out.equal(watch(lambda: machine.reg(offset)), (1, REGISTER_ERROR, 0), f"nothing at {offset:#x} to be read")
        out.equal(watch(lambda: machine.set_reg(offset, 1))[:2], (1, REGISTER_ERROR), f"nothing at {offset:#x} to be written")
    for offset in (hw.D3DGPU_REG_HEAD(HEADS), hw.D3DGPU_REG_OVERLAY(HEADS), hw.D3DGPU_REG_CRC(HEADS), hw.D3DGPU_REG_HEAD_EDID(HEADS),
                   hw.D3DGPU_REG_DOORBELL(hw.D3DGPU_MAX_RINGS), hw.D3DGPU_BAR_REGS_SIZE - 4):
        out.equal(watch(lambda: machine.reg(offset)), (1, REGISTER_ERROR, 0), f"nothing at {offset:#x}")


with Machine(heads=str(HEADS), hang_timeout=str(HANG_TIMEOUT), engines=str(ENGINES)) as gpu:
    watcher = Watch(gpu)
    all_registers = registers()
    for entry in all_registers:
        test_reading(gpu, watcher, *entry)
    for entry in all_registers:
        test_writing(gpu, watcher, *entry)
    for entry in all_registers:
        test_wrong_accesses(gpu, watcher, *entry[:2])
    test_windows(gpu, watcher)
    test_gaps(gpu, watcher, all_registers)
    gpu.set_reg(hw.D3DGPU_REG_CONTROL, hw.D3DGPU_CONTROL_RESET)
    for entry in all_registers:
        test_reading(gpu, watcher, *entry)
sys.exit(out.done())
