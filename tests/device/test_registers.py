#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The register file: identity, control, interrupts, and every kind of wrong access."""
import sys

from qtest import Machine, Writer, hw, need_build

need_build()
out = Writer()


def guest_error(machine, action, code, name):
    """One wrong access: counted once, with its code, and the device goes on."""
    before = machine.reg(hw.D3DGPU_REG_GUEST_ERRORS)
    machine.set_reg(hw.D3DGPU_REG_LAST_ERROR, 0)
    action()
    out.equal(machine.reg(hw.D3DGPU_REG_GUEST_ERRORS) - before, 1, f"{name}: counted")
    out.equal(machine.reg(hw.D3DGPU_REG_LAST_ERROR), code, f"{name}: code")


def test_identity(machine):
    out.equal(machine.reg(hw.D3DGPU_REG_ID), hw.D3DGPU_ID, "ID")
    out.equal(machine.reg(hw.D3DGPU_REG_VERSION), hw.D3DGPU_VERSION, "VERSION")
    out.equal(machine.reg(hw.D3DGPU_REG_STATUS), 0, "STATUS is 0 before anything is set up")
    out.equal(machine.reg(hw.D3DGPU_REG_GUEST_ERRORS), 0, "no guest errors at power-on")
    out.equal(machine.reg(hw.D3DGPU_REG_HEADS), 1, "HEADS")
    out.equal(machine.reg(hw.D3DGPU_REG_GCP_STATE), hw.D3DGPU_GCP_STOPPED, "the firmware core is stopped")


def test_control_block(machine):
    base = machine.place_control_block()
    out.equal(machine.reg(hw.D3DGPU_REG_STATUS), hw.D3DGPU_STATUS_CTRL_VALID, "a control block inside VRAM is latched")
    out.equal(machine.reg(hw.D3DGPU_REG_CTRL_BASE_LO), base & 0xffffffff, "CTRL_BASE reads back")
    guest_error(machine, lambda: set_base(machine, base + 4096), hw.D3DGPU_GUEST_ERROR_CTRL_BASE, "beyond the end of VRAM")
    guest_error(machine, lambda: set_base(machine, 1 << 63), hw.D3DGPU_GUEST_ERROR_CTRL_BASE, "far outside VRAM")
    guest_error(machine, lambda: set_base(machine, (1 << 64) - 4096), hw.D3DGPU_GUEST_ERROR_CTRL_BASE, "offset wraps around")
    guest_error(machine, lambda: set_base(machine, 64), hw.D3DGPU_GUEST_ERROR_CTRL_BASE, "not page-aligned")


def set_base(machine, base):
    machine.set_reg(hw.D3DGPU_REG_CTRL_BASE_LO, base & 0xffffffff)
    machine.set_reg(hw.D3DGPU_REG_CTRL_BASE_HI, base >> 32)


def test_wrong_accesses(machine):
    code = hw.D3DGPU_GUEST_ERROR_REGISTER
    guest_error(machine, lambda: machine.reg(0x1ffc), code, "read of no register")
    guest_error(machine, lambda: machine.set_reg(0x1ffc, 1), code, "write to no register")
    guest_error(machine, lambda: machine.reg(hw.D3DGPU_REG_ID, 1), code, "8-bit read")
    guest_error(machine, lambda: machine.reg(hw.D3DGPU_REG_ID, 2), code, "16-bit read")
    guest_error(machine, lambda: machine.reg(hw.D3DGPU_REG_ID, 8), code, "64-bit read")
    guest_error(machine, lambda: machine.reg(hw.D3DGPU_REG_ID + 2), code, "misaligned read")
    guest_error(machine, lambda: machine.set_reg(hw.D3DGPU_REG_ID, 5), code, "write to a read-only register")
    guest_error(machine, lambda: machine.set_reg(hw.D3DGPU_REG_CAPS + 12, 5), code, "write to a capability")
    guest_error(machine, lambda: machine.set_reg(hw.D3DGPU_REG_GCP_STATE, 2), code, "write to the firmware core's state")
    out.equal(machine.reg(0x1ffc), 0, "no register reads 0")
    out.equal(machine.reg(hw.D3DGPU_REG_ID), hw.D3DGPU_ID, "a read-only register keeps its value")
    guest_error(machine, lambda: machine.set_reg(hw.D3DGPU_REG_DOORBELL(7), 1), code, "doorbell of no ring")


def test_interrupt_registers(machine):
    out.equal(machine.reg(hw.D3DGPU_REG_INTR_ENABLE), 0, "no vector is enabled at power-on")
    machine.set_reg(hw.D3DGPU_REG_INTR_ENABLE, 0x3f)
    out.equal(machine.reg(hw.D3DGPU_REG_INTR_ENABLE), 0x3f, "all vectors can be enabled")
    machine.set_reg(hw.D3DGPU_REG_INTR_ENABLE, 0)
    out.equal(machine.reg(hw.D3DGPU_REG_INTR_STATUS), 0, "nothing was raised")


def test_reset(machine):
    machine.place_control_block()
    machine.set_vram(0x1000, b"stay")
    machine.set_reg(hw.D3DGPU_REG_HANG_TIMEOUT, 77)
    machine.set_reg(hw.D3DGPU_REG_INTR_ENABLE, 3)
    machine.set_reg(hw.D3DGPU_REG_CONTROL, hw.D3DGPU_CONTROL_RESET)
    out.equal(machine.reg(hw.D3DGPU_REG_STATUS), 0, "reset: status")
    out.equal(machine.reg(hw.D3DGPU_REG_INTR_ENABLE), 0, "reset: interrupts are off")
    out.equal(machine.reg(hw.D3DGPU_REG_HANG_TIMEOUT), 1234, "reset: hang timeout is the property's again")
    out.equal(machine.reg(hw.D3DGPU_REG_GUEST_ERRORS), 0, "reset: error count")
    out.equal(machine.vram(0x1000, 4), b"stay", "reset: VRAM stays")
    machine.place_control_block()
    machine.qmp.command("system_reset")
    machine.map_bars()
    out.equal(machine.reg(hw.D3DGPU_REG_STATUS), 0, "the machine's reset, which a wake-up from S3 is, resets the device")
    out.equal(machine.vram(0x1000, 4), b"stay", "and VRAM stays")


with Machine(hang_timeout="1234") as gpu:
    test_identity(gpu)
    out.equal(gpu.reg(hw.D3DGPU_REG_HANG_TIMEOUT), 1234, "hang-timeout is the register's reset value")
    test_interrupt_registers(gpu)
    test_control_block(gpu)
    test_wrong_accesses(gpu)
    test_reset(gpu)
with Machine(heads="3") as gpu:
    out.equal(gpu.reg(hw.D3DGPU_REG_HEADS), 3, "heads=3")
sys.exit(out.done())
