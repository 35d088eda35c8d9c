#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The road of one ring entry without a kernel: firmware boot, doorbell, fence, MSI-X; images that are refused; the
depth-stencil unit; and what migration takes along."""
import struct
import sys
from pathlib import Path

from qtest import FIRMWARE, Machine, Writer, hw, need_build
from rings import CTRL, MESSAGE_ADDRESS, create_context, enable_msix, fence, submit

need_build()
out = Writer()
HEADER = hw.struct("d3dgpu_fw_header")


def corrupt(image, field, value):
    """The image with a header field changed."""
    offset = HEADER.offset(field)
    return image[:offset] + struct.pack("<I", value) + image[offset + 4:]


def test_boot(machine):
    image = FIRMWARE.read_bytes()
    version = struct.unpack_from("<I", image, HEADER.offset("fw_version"))[0]
    base = machine.place_control_block()
    refused = {
        "wrong magic": (corrupt(image, "magic", 0), hw.D3DGPU_GCP_BAD_HEADER),
        "another interface version": (corrupt(image, "interface_version", (hw.D3DGPU_VERSION_MAJOR + 1) << 16),
                                      hw.D3DGPU_GCP_BAD_VERSION),
        "size beyond the file": (corrupt(image, "size", len(image)), hw.D3DGPU_GCP_BAD_HEADER),
        "a flipped bit": (image[:-1] + bytes([image[-1] ^ 1]), hw.D3DGPU_GCP_BAD_DIGEST),
    }
    for name, (bad, state) in refused.items():
        out.equal(machine.boot_firmware(bad), state, f"firmware with {name} is refused")
        machine.set_reg(hw.D3DGPU_REG_CONTROL, hw.D3DGPU_CONTROL_RESET)
        base = machine.place_control_block()
    out.equal(machine.boot_firmware(image), hw.D3DGPU_GCP_READY, "the firmware boots")
    out.equal(machine.reg(hw.D3DGPU_REG_GCP_FW_VERSION), version, "and its version is seen")
    out.ok(machine.reg(hw.D3DGPU_REG_STATUS) & hw.D3DGPU_STATUS_GCP_RUNNING, "STATUS says that it runs")
    return base


def test_ring(machine, base):
    enable_msix(machine)
    submit(machine, base, 0, hw.D3DGPU_OP_FENCE, 0, 1)
    out.ok(machine.wait(lambda: fence(machine, base, 0)["value"] == 1), "a fence entry completes")
    out.equal(fence(machine, base, 0)["status"], hw.D3DGPU_FAULT_NONE, "without a fault")
    out.ok(machine.wait(lambda: machine.load(MESSAGE_ADDRESS, 4) == 0x1000), "ring 0's MSI-X message arrives")
    submit(machine, base, 2, hw.D3DGPU_OP_NOP, 0, 2)
    out.ok(machine.wait(lambda: machine.load(MESSAGE_ADDRESS + 8, 4) == 0x1002), "each ring has its own vector")
    machine.set_vram(0x200000, b"from here to there")
    submit(machine, base, 1, hw.D3DGPU_OP_COPY, 0, 3, struct.pack("<3Q", 0x200000, 0x300000, 18))
    out.ok(machine.wait(lambda: fence(machine, base, 0)["value"] == 3), "a copy completes")
    out.equal(machine.vram(0x300000, 18), b"from here to there", "and has copied")
    machine.set_reg(hw.D3DGPU_REG_INTR_ENABLE, 0)


def test_paging_ring(machine, base):
    ring = hw.D3DGPU_PAGING_RING
    machine.set_vram(0x400000, b"\xee" * 64)
    submit(machine, base, ring, hw.D3DGPU_OP_FILL, 0, 4, struct.pack("<QQI", 0x400010, 32, 0x04030201))
    out.ok(machine.wait(lambda: fence(machine, base, 0)["value"] == 4), "the paging ring takes a fill")
    out.equal(machine.vram(0x400000, 64), b"\xee" * 16 + b"\1\2\3\4" * 8 + b"\xee" * 16, "which fills its range, and nothing else")


def test_destroy_now(machine, base):
    create_context(machine, base, 6, 1)
    machine.wait(lambda: fence(machine, base, 6)["value"] == 1, 30)
    before = machine.workers()
    submit(machine, base, hw.D3DGPU_PAGING_RING, hw.D3DGPU_OP_CTX_DESTROY, 6, 2, struct.pack("<I", hw.D3DGPU_DESTROY_NOW))
    out.ok(machine.wait(lambda: fence(machine, base, 6)["value"] == 2, 30), "a context is destroyed at once")
    out.ok(machine.wait(lambda: len(machine.workers()) < len(before), 30), "its worker is gone")
    out.equal(fence(machine, base, 6)["status"], hw.D3DGPU_FAULT_NONE, "it had nothing that could fail")


def test_context(machine, base):
    create_context(machine, base, 5, 1)
    out.ok(machine.wait(lambda: fence(machine, base, 5)["value"] == 1, 30), "a context comes up with its worker")
    out.equal(fence(machine, base, 5)["status"], hw.D3DGPU_FAULT_NONE, "without a fault")
    machine.wait(lambda: "3D contexts" in str(migrate_error(machine)))
    out.contains(str(migrate_error(machine)), "3D contexts are alive", "migration is refused while it lives")
    submit(machine, base, 0, hw.D3DGPU_OP_CTX_DESTROY, 5, 2)
    out.ok(machine.wait(lambda: migrate_error(machine) is None, 30), "and allowed when it is gone")


def migrate_error(machine):
    return machine.qmp.command("query-migrate").get("blocked-reasons")


def run_dsu(machine, base, **fields):
    """Fills the mailbox, runs the unit and returns the answer."""
    mailbox = hw.struct("d3dgpu_ds_mailbox")
    request = {"width": 64, "height": 32, "format": hw.D3DGPU_DS_D24S8, "layers": 1, "levels": 1, **fields}
    data = bytearray(mailbox.size)
    for name, value in request.items():
        field = mailbox.fields[name]
        data[field.offset:field.offset + field.size] = value.to_bytes(field.size, "little")
    machine.set_vram(base + CTRL.offset("dsu"), bytes(data))
    machine.set_reg(hw.D3DGPU_REG_DSU_RUN, 1)
    return mailbox.unpack(machine.vram(base + CTRL.offset("dsu"), mailbox.size))


def test_depth_stencil(machine, base):
    runs = machine.reg(hw.D3DGPU_REG_DSU_RUNS)
    answer = run_dsu(machine, base)
    out.equal(answer["status"], hw.D3DGPU_DS_OK, "D24S8 64x32 is admitted")
    out.ok(answer["pitch"] >= 256 and answer["size"] >= 8192, "with room for its pixels")
    out.equal(answer["flags"] & hw.D3DGPU_DS_FLAG_STENCIL, hw.D3DGPU_DS_FLAG_STENCIL, "and has stencil")
    cases = {
        "width 0": ({"width": 0}, hw.D3DGPU_DS_BAD_SIZE),
        "too large": ({"width": 1 << 20}, hw.D3DGPU_DS_BAD_SIZE),
        "a colour format": ({"format": 21}, hw.D3DGPU_DS_NOT_A_DS_FORMAT),
        "quality out of range": ({"quality": 1000}, hw.D3DGPU_DS_BAD_QUALITY),
        "3 samples": ({"samples": 3}, hw.D3DGPU_DS_BAD_SAMPLES),
        "unknown usage": ({"usage": 1 << 31}, hw.D3DGPU_DS_BAD_USAGE),
        "discard of a lockable format": ({"format": hw.D3DGPU_DS_D32F_LOCKABLE, "discard": 1}, hw.D3DGPU_DS_DISCARD_LOCKABLE),
    }
    for name, (fields, status) in cases.items():
        answer = run_dsu(machine, base, **fields)
        out.equal(answer["status"], status, f"{name} is refused")
        out.equal(answer["size"] | answer["pitch"] | answer["storage_format"], 0, f"{name}: nothing but the status")
    out.equal(machine.reg(hw.D3DGPU_REG_DSU_RUNS) - runs, len(cases) + 1, "runs are counted")


def test_migration(machine, base):
    """Saves the machine to a file and loads it into another."""
    path = Path(machine.folder.name) / "state"
    machine.set_reg(hw.D3DGPU_REG_HANG_TIMEOUT, 4321)
    machine.set_vram(0x12340, b"kept over migration")
    machine.qmp.command("migrate", uri=f"exec:cat >{path}")
    done = machine.wait(lambda: machine.qmp.command("query-migrate").get("status") in ("completed", "failed"), 60)
    out.equal(done and machine.qmp.command("query-migrate")["status"], "completed", "a machine without contexts is saved")
    with Machine(["-incoming", f"exec:cat {path}"]) as other:
        other.wait(lambda: other.qmp.command("query-status")["status"] not in ("inmigrate",), 60)
        out.equal(other.reg(hw.D3DGPU_REG_HANG_TIMEOUT), 4321, "registers come along")
        out.equal(other.vram(0x12340, 19), b"kept over migration", "VRAM comes along")
        out.equal(other.reg(hw.D3DGPU_REG_GCP_STATE), hw.D3DGPU_GCP_READY, "the firmware goes on")
        submit(other, base, 0, hw.D3DGPU_OP_FENCE, 0, 50)
        out.ok(other.wait(lambda: fence(other, base, 0)["value"] == 50), "and serves its rings")


with Machine() as gpu:
    control_block = test_boot(gpu)
    test_ring(gpu, control_block)
    test_depth_stencil(gpu, control_block)
    test_paging_ring(gpu, control_block)
    test_destroy_now(gpu, control_block)
    test_context(gpu, control_block)
    test_migration(gpu, control_block)
sys.exit(out.done())
