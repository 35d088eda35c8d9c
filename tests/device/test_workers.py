#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Renderer workers as processes of QEMU: one per context, loss of one costs one context, none outlives the machine; and
workers that a manager starts."""
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

from qtest import FIRMWARE, WORKER, Machine, Writer, hw, need_build
from rings import MESSAGE_ADDRESS, create_context, enable_msix, fence, submit

need_build()
out = Writer()


def ready(machine):
    """Firmware up, interrupts as messages. Returns the control block's offset."""
    base = machine.place_control_block()
    machine.boot_firmware(FIRMWARE.read_bytes())
    enable_msix(machine)
    return base


def up(machine, base, context):
    """Creates a context and waits for it. Whether it came up well."""
    create_context(machine, base, context, 1)
    return machine.wait(lambda: fence(machine, base, context)["value"] == 1, 30) and \
        fence(machine, base, context)["status"] == hw.D3DGPU_FAULT_NONE


def test_kill():
    with Machine() as machine:
        base = ready(machine)
        out.equal(machine.workers(), [], "warm-workers=0: no worker waits")
        out.ok(up(machine, base, 1), "context 1 is up")
        first = machine.workers()
        out.ok(up(machine, base, 2), "context 2 is up")
        both = machine.workers()
        out.equal((len(first), len(both)), (1, 2), "each context has a process of its own")

        os.kill(first[0], signal.SIGKILL)
        submit(machine, base, 0, hw.D3DGPU_OP_FENCE, 1, 2)
        out.ok(machine.wait(lambda: fence(machine, base, 1)["status"]), "kill -9 of a worker: its context is lost")
        out.equal(fence(machine, base, 1)["status"], hw.D3DGPU_FAULT_WORKER_DIED, "with the reason")
        out.ok(machine.wait(lambda: fence(machine, base, 1)["value"] >= 2), "and its fences complete")
        vector = hw.D3DGPU_VECTOR_FAULT
        out.ok(machine.wait(lambda: machine.load(MESSAGE_ADDRESS + 4 * vector, 4) == 0x1000 + vector), "a fault interrupt comes")
        submit(machine, base, 0, hw.D3DGPU_OP_FENCE, 2, 2)
        out.ok(machine.wait(lambda: fence(machine, base, 2)["value"] == 2), "the other context goes on")
        out.equal(fence(machine, base, 2)["status"], hw.D3DGPU_FAULT_NONE, "unharmed")
        submit(machine, base, 0, hw.D3DGPU_OP_CTX_DESTROY, 1, 3)
        out.ok(machine.wait(lambda: fence(machine, base, 1)["value"] >= 3), "the lost context can be destroyed")
        out.ok(up(machine, base, 1), "and created anew")
        machine.set_reg(hw.D3DGPU_REG_CONTROL, hw.D3DGPU_CONTROL_RESET)
        out.ok(machine.wait(lambda: not machine.workers()), "a reset ends all workers")
        base = ready(machine)
        out.ok(up(machine, base, 3), "and contexts come up after it")
        left = machine.workers()
    out.ok(Machine.wait(lambda: all(map(gone, left))), "no worker outlives QEMU")


def gone(pid):
    """Whether a process has ended (nobody may have collected it yet)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def test_warm():
    with Machine(warm_workers="2") as machine:
        out.ok(machine.wait(lambda: len(machine.workers()) == 2, 30), "warm-workers=2: two wait")
        base = ready(machine)
        waiting = machine.workers()
        out.ok(up(machine, base, 1), "a context comes up")
        out.ok(set(waiting) <= set(machine.workers()), "in a worker that was waiting")
        out.ok(machine.wait(lambda: len(machine.workers()) == 3, 30), "and another takes its place")


class Manager(threading.Thread):
    """Hands out workers over a socket, as libvirt might (renderer/protocol.h)."""

    def __init__(self):
        super().__init__(daemon=True)
        self.mine, self.theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.processes = []
        self.start()

    def run(self):
        while self.mine.recv(64):
            core, worker = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.processes.append(subprocess.Popen([str(WORKER), "--fd", str(worker.fileno())], pass_fds=[worker.fileno()]))
            socket.send_fds(self.mine, [b"\0"], [core.fileno()])
            core.close()
            worker.close()


def test_manager():
    manager = Manager()
    fd = manager.theirs.fileno()
    with Machine(pass_fds=[fd], worker_socket=str(fd), worker="/nonexistent") as machine:
        manager.theirs.close()
        base = ready(machine)
        out.ok(up(machine, base, 1), "worker-socket: a context comes up in a manager's worker")
        out.equal(machine.workers(), [], "and QEMU starts none")
    out.ok(all(process.wait(10) is not None for process in manager.processes), "they end with QEMU")


def test_trace():
    with Machine(["-trace", "d3dgpu_*", "-d", "guest_errors"]) as machine:
        base = ready(machine)
        submit(machine, base, 0, hw.D3DGPU_OP_COPY, 0, 77, struct.pack("<3Q", 0x200000, 0x300000, 64))
        machine.wait(lambda: fence(machine, base, 0)["value"] == 77)
        machine.reg(0x1ffc)
        machine.wait(lambda: "complete" in machine.messages())
        log = machine.messages()
        for event in ("d3dgpu_doorbell ring 0", f"d3dgpu_dispatch context 0 fence 77 opcode {hw.D3DGPU_OP_COPY}",
                      f"d3dgpu_complete context 0 fence 77 opcode {hw.D3DGPU_OP_COPY} fault 0", "d3dgpu_interrupt vector 0"):
            out.contains(log, event, f"trace event: {event}")
        out.contains(log, "d3dgpu: ", "a guest error is in QEMU's log")


test_kill()
test_warm()
test_manager()
test_trace()
sys.exit(out.done())
