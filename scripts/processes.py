# SPDX-License-Identifier: MIT
"""The memory of a virtual machine's processes, as the host sees it while the guest runs.

What counts is memory of their own: the engine's objects, the driver's heap, the VMM's heap. VRAM is shared memory, there once
for all of them, and so are the libraries.
"""
from pathlib import Path

GUEST_RAM = 1 << 30     # bytes of a mapping of the VMM from which on it holds the guest's memory


def status_of(pid):
    """Name, parent and bytes of its own memory of a process; None when it is gone."""
    fields = {}
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            name, _, value = line.partition(":")
            fields[name] = value.strip()
    except OSError:
        return None
    return fields["Name"], int(fields["PPid"]), int(fields.get("RssAnon", "0 kB").split()[0]) * 1024


def heap_of(pid):
    """Bytes of the VMM's own memory, without the guest's and without the code that TCG has translated."""
    total, counts = 0, False
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        name, *values = line.split()
        if not name.endswith(":"):
            first, end = (int(address, 16) for address in name.split("-"))
            counts = end - first < GUEST_RAM and "x" not in values[0]
        elif name == "Anonymous:" and counts:
            total += int(values[0]) * 1024
    return total


class Processes:
    """The VMM and its workers. look() now and then keeps the highest of what the workers had."""

    def __init__(self, vmm):
        self.vmm = vmm
        self.bytes = 0          # of all workers together, at most
        self.count = 0          # workers at that moment

    def workers(self):
        """The bytes of each."""
        found = [status_of(path.name) for path in Path("/proc").glob("[0-9]*")]
        return [status[2] for status in found
                if status and status[1] == self.vmm and status[0].startswith("d3dgpu-worker")]

    def look(self):
        sizes = self.workers()
        if sum(sizes) > self.bytes:
            self.bytes, self.count = sum(sizes), len(sizes)

    def answer(self):
        """What a program in the guest gets for its line "# host-memory": KiB of the VMM, number of workers, their KiB."""
        sizes = self.workers()
        return f"host-memory {heap_of(self.vmm) >> 10} {len(sizes)} {sum(sizes) >> 10}"

    def __str__(self):
        return f"workers had at most {self.bytes >> 20} MiB of their own, {self.count} of them at that moment"
