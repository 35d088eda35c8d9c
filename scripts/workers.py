# SPDX-License-Identifier: MIT
"""The memory of a virtual machine's workers, as the host sees it while the guest runs.

What counts is memory of their own (RssAnon): the engine's objects, the driver's heap. VRAM is shared memory, there once for
all of them, and so are the libraries.
"""
from pathlib import Path


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


class Workers:
    """Looks at the children of a process now and then, and keeps the highest of what it saw."""

    def __init__(self, parent):
        self.parent = parent
        self.bytes = 0          # of all workers together, at most
        self.count = 0          # workers at that moment

    def look(self):
        sizes = []
        for path in Path("/proc").glob("[0-9]*"):
            status = status_of(path.name)
            if status and status[1] == self.parent and status[0].startswith("d3dgpu-worker"):
                sizes.append(status[2])
        if sum(sizes) > self.bytes:
            self.bytes, self.count = sum(sizes), len(sizes)

    def __str__(self):
        return f"workers had at most {self.bytes >> 20} MiB of their own, {self.count} of them at that moment"
