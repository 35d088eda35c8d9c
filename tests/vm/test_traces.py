#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Joining the guest's trace points with QEMU's trace events."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import traces  # noqa: E402
from tapwriter import Writer  # noqa: E402

out = Writer()


def guest_text(context, fence, submit, error=0):
    return f"""# tracer: nop
          program-115   [000] .....    15.1: d3dgpu_submit: context={context} submit={submit} size=64 bos=0
           d3dgpu-116   [001] .....    15.2: d3dgpu_dispatch: context={context} fence={fence} opcode=6 submit={submit}
           <idle>-0     [000] d.h1.    15.3: d3dgpu_irq: vector=1
           <idle>-0     [000] d.h2.    15.4: d3dgpu_complete: context={context} fence={fence} error={error}
"""


def device_text(context, fence, fault=0):
    return f"""worker says something
d3dgpu_dispatch context {context} fence {fence} opcode 6
d3dgpu_complete context {context} fence {fence} opcode 6 fault {fault}
77@1700000000.000001:d3dgpu_interrupt vector 1
"""


def judge(guest, device):
    return traces.judge(traces.read_guest(guest), traces.read_device(device))


def test_roads():
    guest, device = traces.read_guest(guest_text(3, 7, 2)), traces.read_device(device_text(3, 7))
    out.equal([event.name for event in guest], ["submit", "dispatch", "irq", "complete"], "the guest's events are read")
    out.equal([event.name for event in device], ["dispatch", "complete", "interrupt"], "and the device's, with and without time")
    road, = traces.roads(guest, device)
    out.equal(road.submit.numbers["submit"], 2, "a stream has its submit")
    out.equal(road.dispatched.key, (3, 7), "and the device's event of the same number")
    out.equal(road.signalled.numbers["error"], 0, "and its fence")


def test_judgement():
    guest = "".join(guest_text(1, fence, fence) for fence in range(1, 7))
    device = "".join(device_text(1, fence) for fence in range(1, 7))
    out.equal(judge(guest, device).failed, 0, "six streams that pass everywhere")
    again = judge(guest * 2, device * 2)
    out.equal(again.failed, 0, "numbers may be used again")
    lost = judge(guest, device.replace("complete context 1 fence 4", "complete context 1 fence 5"))
    out.equal(lost.failed, 1, "a stream that does not come back is noticed")
    wrong = judge(guest, device.replace("fence 6 opcode 6 fault 0", "fence 6 opcode 6 fault 5"))
    out.equal(wrong.failed, 1, "a fault that the guest's fence does not show is noticed")
    out.ok(judge("", "").failed > 0, "no traces at all are a failure")


test_roads()
test_judgement()
sys.exit(out.done())
