# SPDX-License-Identifier: MIT
"""What a kernel driver does with the control block: entries into rings, fences out of their slots, interrupts as messages."""
import struct

from qtest import MSIX_ADDRESS, hw

MESSAGE_ADDRESS = 0x100000      # in guest RAM: an MSI-X message is a write, so it can be seen there
CTRL = hw.struct("d3dgpu_ctrl")


def enable_msix(machine):
    """Vector n writes 0x1000 + n to its own word of guest memory."""
    for vector in range(hw.D3DGPU_VECTOR_COUNT):
        for i, word in enumerate((MESSAGE_ADDRESS + 4 * vector, 0, 0x1000 + vector, 0)):
            machine.store(MSIX_ADDRESS + vector * 16 + i * 4, 4, word)
    capability = machine.capability(0x11)
    machine.set_config(capability, machine.config(capability) | 0x80000000)
    machine.set_reg(hw.D3DGPU_REG_INTR_ENABLE, (1 << hw.D3DGPU_VECTOR_COUNT) - 1)


def submit(machine, base, ring, opcode, context, fence, payload=b"", flags=None):
    """Puts one entry into a ring, and rings its doorbell."""
    if flags is None:
        flags = hw.D3DGPU_ENTRY_FENCE | hw.D3DGPU_ENTRY_IRQ
    state = base + CTRL.offset("rings") + ring * hw.struct("d3dgpu_ring_state").size
    tail = struct.unpack("<I", machine.vram(state, 4))[0]
    entry = struct.pack("<BBHIQ48s", opcode, flags, context, 0, fence, payload)
    slot = base + CTRL.offset("entries") + (ring * hw.D3DGPU_RING_ENTRIES + tail % hw.D3DGPU_RING_ENTRIES) * len(entry)
    machine.set_vram(slot, entry)
    machine.set_vram(state, struct.pack("<I", tail + 1))
    machine.set_reg(hw.D3DGPU_REG_DOORBELL(ring), 1)


def fence(machine, base, context):
    """A context's fence slot as a dictionary."""
    slot = hw.struct("d3dgpu_fence_slot")
    return slot.unpack(machine.vram(base + CTRL.offset("fences") + context * slot.size, slot.size))


def create_context(machine, base, context, number):
    """Asks for a context; its fence slot has `number` when its worker is up."""
    submit(machine, base, 0, hw.D3DGPU_OP_CTX_CREATE, context, number,
           struct.pack("<II40s", hw.D3DGPU_PRIORITY_NORMAL, 0, b"qtest"))
