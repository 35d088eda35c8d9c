#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the device looks like on the PCI bus."""
import sys

from qtest import Machine, Writer, hw, need_build

need_build()
out = Writer()
with Machine(vram="128M") as machine:
    out.equal(machine.config(0x00, 2), hw.D3DGPU_PCI_VENDOR, "PCI vendor")
    out.equal(machine.config(0x02, 2), hw.D3DGPU_PCI_DEVICE, "PCI device")
    out.equal(machine.config(0x08, 1), hw.D3DGPU_PCI_REVISION, "PCI revision")
    out.equal(machine.config(0x0a, 2), 0x0380, "PCI class: display, other")
    out.equal(machine.config(0x10) & 0xf, 0xc, "BAR 0 is 64-bit prefetchable memory")
    out.equal(machine.bar_size(hw.D3DGPU_BAR_VRAM), 128 << 20, "BAR 0 is as large as VRAM")
    out.equal(machine.config(0x18) & 0xf, 0, "BAR 2 is 32-bit memory")
    out.equal(machine.bar_size(hw.D3DGPU_BAR_REGS), hw.D3DGPU_BAR_REGS_SIZE, "BAR 2 is the register file")
    msix = machine.capability(0x11)
    out.ok(msix, "it has MSI-X")
    out.equal((machine.config(msix + 2, 2) & 0x7ff) + 1, hw.D3DGPU_VECTOR_COUNT, "one vector per source")
    out.equal(machine.config(msix + 4) & 7, hw.D3DGPU_BAR_MSIX, "the MSI-X table is in BAR 4")
    out.equal(machine.config(0x3d, 1), 0, "no INTx pin")
    out.ok(machine.config(0x30) is not None and machine.capability(0x10) == 0, "conventional on a conventional bus")

    data = bytes(range(256)) * 17
    machine.set_vram(0x12345, data)
    out.equal(machine.vram(0x12345, len(data)), data, "VRAM holds what is written")
    end = (128 << 20) - 8
    machine.set_vram(end, b"theend!!")
    out.equal(machine.vram(end, 8), b"theend!!", "up to its last byte")

for size in ("64M", "256M", "1G"):
    with Machine(vram=size) as machine:
        want = int(size[:-1]) << (30 if size[-1] == "G" else 20)
        out.equal(machine.bar_size(hw.D3DGPU_BAR_VRAM), want, f"vram={size}: BAR 0")
        got = machine.reg(hw.D3DGPU_REG_VRAM_SIZE_LO) | machine.reg(hw.D3DGPU_REG_VRAM_SIZE_HI) << 32
        out.equal(got, want, f"vram={size}: VRAM_SIZE")
        out.equal(machine.caps()["vram_size"], want, f"vram={size}: capability")
sys.exit(out.done())
