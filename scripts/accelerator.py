# SPDX-License-Identifier: MIT
"""Finds out how QEMU can run guests on this machine.

That /dev/kvm opens is no proof: where virtualisation is nested badly a guest hangs at its first instructions. So a
tiny guest (the kernel, busybox, power off) is tried under KVM once per boot of the host, with a limit of some seconds, and
the answer is kept in the cache. D3DGPU_ACCEL=kvm or =tcg decides it without a trial.
"""
import fcntl
import os
import subprocess
from pathlib import Path

TRIAL_SECONDS = 10


def choose(qemu, kernel, cache):
    """Returns ("kvm" or "tcg", why)."""
    wanted = os.environ.get("D3DGPU_ACCEL")
    if wanted in ("kvm", "tcg"):
        return wanted, "D3DGPU_ACCEL says so"
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return "tcg", "/dev/kvm is not there or not ours to open"
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    note = cache / f"kvm-{boot}"
    with open(cache / "accelerator.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)    # one trial, however many boots begin
        if not note.exists():
            for old in cache.glob("kvm-*-*"):
                old.unlink()
            note.write_text("works" if try_kvm(qemu, kernel, cache) else "hangs")
    if note.read_text() == "works":
        return "kvm", "a trial guest ran under it"
    return "tcg", "/dev/kvm is there but a trial guest did not come up under it"


def try_kvm(qemu, kernel, cache):
    """Whether a guest boots and switches itself off under KVM within the limit."""
    initrd = cache / "trial.cpio"
    initrd.write_bytes(trial_image())
    command = [qemu, "-nodefaults", "-no-user-config", "-machine", "q35", "-accel", "kvm", "-cpu", "host", "-m", "512M",
               "-display", "none", "-no-reboot", "-kernel", str(kernel), "-initrd", str(initrd),
               "-append", "quiet panic=-1"]
    try:
        return subprocess.run(command, timeout=TRIAL_SECONDS, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def trial_image():
    """An initramfs whose /init switches the machine off."""
    busybox = Path("/bin/busybox").read_bytes()
    return cpio([("bin", 0o040755, b""), ("bin/busybox", 0o100755, busybox),
                 ("init", 0o100755, b"#!/bin/busybox sh\n/bin/busybox poweroff -f\n")])


def cpio(entries):
    """A newc archive of (name, mode, content) entries, owned by root."""
    parts = []
    for inode, (name, mode, data) in enumerate([*entries, ("TRAILER!!!", 0, b"")], 1):
        fields = (inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        parts += [head, b"\0" * (-len(head) % 4), data, b"\0" * (-len(data) % 4)]
    return b"".join(parts)
