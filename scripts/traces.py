# SPDX-License-Identifier: MIT
"""Joins the guest kernel's trace points with QEMU's trace events: the road of each command stream through all layers.

Both sides number contexts and ring entries alike. Ids and numbers are used again when a context has ended, so the n-th
event of a number on one side belongs to the n-th on the other.
"""
import re
from collections import defaultdict
from dataclasses import dataclass

import tap

EXEC = 6    # enum d3dgpu_opcode (hw/d3dgpu_ring.h)

GUEST = re.compile(r"^.*?\s(\d+\.\d+): (d3dgpu_\w+): (.*)$")
DEVICE = re.compile(r"^(?:\d+@[\d.]+:)?(d3dgpu_\w+) (.*)$")


@dataclass
class Event:
    """One line of a trace: its name without the prefix, and its numbers by name."""
    name: str
    numbers: dict

    @property
    def key(self):
        return self.numbers["context"], self.numbers["fence"]


def numbers(pairs):
    return {name: int(value, 0) for name, value in pairs}


def read_guest(text):
    """The Events of a trace file of the guest's kernel."""
    found = filter(None, map(GUEST.match, text.splitlines()))
    return [Event(m[2].removeprefix("d3dgpu_"), numbers(re.findall(r"(\w+)=(-?\w+)", m[3]))) for m in found]


def read_device(text):
    """The Events of QEMU's log."""
    found = filter(None, map(DEVICE.match, text.splitlines()))
    return [Event(m[1].removeprefix("d3dgpu_"), numbers(re.findall(r"(\w+) (-?(?:0x)?[0-9a-f]+)\b", m[2]))) for m in found]


@dataclass
class Road:
    """One stream. Of each layer the event, or None: it did not pass there."""
    submit: Event | None            # guest: the ioctl
    written: Event                  # guest: the entry goes into a ring
    dispatched: Event | None        # device: the firmware gives it to a worker
    done: Event | None              # device: the worker has answered
    signalled: Event | None         # guest: the fence


def by_key(events, name, **match):
    """Events of a name by context and fence, in order, that have the given numbers."""
    found = defaultdict(list)
    for event in events:
        if event.name == name and all(event.numbers.get(k) == v for k, v in match.items()):
            found[event.key].append(event)
    return found


def signals(guest):
    """The signal of each entry that has a fence, by the entry's id(): numbers are used again only after it."""
    written, found = {}, {}
    for event in guest:
        if event.name == "dispatch":
            written[event.key] = event
        elif event.name == "complete" and event.key in written:
            found[id(written[event.key])] = event
    return found


def roads(guest, device):
    """A Road for each stream that the guest wrote to a ring."""
    dispatched, done = by_key(device, "dispatch", opcode=EXEC), by_key(device, "complete", opcode=EXEC)
    signalled, submits = signals(guest), defaultdict(list)
    wrote = by_key(guest, "dispatch")
    for event in guest:
        if event.name == "submit":
            submits[event.numbers["context"], event.numbers["submit"]].append(event)

    def take(queues, key):
        return queues[key].pop(0) if queues[key] else None

    result = []
    for key, events in wrote.items():
        for event in events:
            if event.numbers["opcode"] == EXEC:
                result.append(Road(take(submits, (key[0], event.numbers["submit"])), event, take(dispatched, key),
                                   take(done, key), signalled.get(id(event))))
    return result


def judge(guest, device):
    """A tap.Run: what must hold for all roads, and for interrupts."""
    found = roads(guest, device)
    raised = sum(event.name == "interrupt" for event in device)
    handled = sum(event.name == "irq" for event in guest)
    tests = [
        (len(found) > 4, f"streams were traced ({len(found)})"),
        (all(r.submit for r in found), "each was submitted under the number that its ring entry has"),
        (all(r.dispatched for r in found), "each entry reaches a worker under the same context and fence"),
        (all(r.done for r in found), "and comes back under them"),
        (all(r.signalled for r in found), "and its fence is signalled under them"),
        (all(bool(r.done.numbers["fault"]) == bool(r.signalled.numbers["error"]) for r in found if r.done and r.signalled),
         "fences carry an error where the device reports a fault"),
        (0 < handled <= raised, f"the guest handles no more interrupts ({handled}) than the device raises ({raised})"),
    ]
    lines = [f"{'ok' if passed else 'not ok'} {n} - {name}" for n, (passed, name) in enumerate(tests, 1)]
    return tap.parse("traces of guest and device", [*lines, f"1..{len(tests)}"])


def compare(folder):
    """The tap.Run of a boot whose guest left trace.txt, with trace events on; `folder` is the boot's."""
    trace = folder / "files/trace.txt"
    guest = read_guest(trace.read_text(errors="replace")) if trace.exists() else []
    return judge(guest, read_device((folder / "qemu.log").read_text(errors="replace")))
