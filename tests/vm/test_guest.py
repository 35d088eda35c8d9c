#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The guest runner's judgement: the list of tests, what a guest's logs mean, and the choice of the accelerator."""
import stat
import sys
import tempfile
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import accelerator  # noqa: E402
import guest  # noqa: E402
import guesttests  # noqa: E402
from tapwriter import Writer  # noqa: E402

out = Writer()
temporary = tempfile.TemporaryDirectory(prefix="d3dgpu-test-")
scratch = Path(temporary.name)


def program(path, text="#!/bin/sh\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_list():
    build, root = scratch / "build", scratch / "root"
    program(build / "tests/d3d/draw")
    program(build / "tests/d3d/clear")
    (build / "tests/d3d/draw.p").mkdir()
    program(build / "tests/d3d/helper.so")
    program(root / "tests/kernel/oops.sh")
    text = """
# comment
[default]
tests/d3d/*
tests/kernel/oops.sh --twice   # why
[dialled down] feature-level=9_1,shadow=off
memory: 1G
timeout: 30
gpu: npot=on
gpu: feature-level={9_1,9_2},npot={on,off}
tests/d3d/draw --only depth
tests/d3d/nothing
[bare] no-device
"""
    boots = guesttests.parse(text, build, root, guesttests.option_types(guest.Options))
    out.equal([boot.name for boot in boots], ["default", "dialled down", "bare"], "a boot begins with its name")
    out.equal(boots[0].commands, ["/d3dgpu/tests/d3d/clear", "/d3dgpu/tests/d3d/draw", "/d3dgpu/tests/kernel/oops.sh --twice"],
              "globs take programs, not libraries or folders")
    out.equal(boots[1].properties, "feature-level=9_1,shadow=off", "a boot has the device's properties")
    out.equal(boots[1].options, {"memory": "1G", "timeout": 30.0}, "a boot may set options of the machine")
    out.equal(boots[1].gpus, ["npot=on", "feature-level=9_1,npot=on", "feature-level=9_1,npot=off",
                              "feature-level=9_2,npot=on", "feature-level=9_2,npot=off"],
              "a boot may have several GPUs, also by combination")
    out.equal(boots[1].commands, ["/d3dgpu/tests/d3d/draw --only depth"], "a command keeps its arguments")
    out.equal(boots[1].missing, ["tests/d3d/nothing"], "a line that matches no program is reported")
    out.equal((boots[2].device, boots[2].properties), (False, ""), "no-device boots a machine without the GPU")
    try:
        guesttests.parse("tests/d3d/draw\n", build, root, {})
        out.ok(False, "a command before the first boot is an error")
    except ValueError as error:
        out.contains(str(error), "line 1", "a command before the first boot is an error")


def boot_with(tap_text, console_text, status=0, commands=("/d3dgpu/tests/a", "/d3dgpu/tests/b"), **options):
    """A Guest that has run, with the given logs."""
    boot = guest.Guest(guest.Options(**options), list(commands))
    boot.folder = scratch / "boot"
    boot.folder.mkdir(exist_ok=True)
    boot.lines = tap_text.split("\n")
    (boot.folder / "console.log").write_text(console_text)
    (boot.folder / "qemu.log").write_text("qemu -device d3dgpu\nqemu: it broke\n")
    boot.process = types.SimpleNamespace(returncode=status)
    return boot


GOOD = """#guest: booted 6.1 1 s
#guest: begin 1 /d3dgpu/tests/a
ok 1 - one
1..1
#guest: end 1 0 1.0 2.0
#guest: begin 2 /d3dgpu/tests/b
not ok 1 - two
1..1
#guest: end 2 1 2.0 3.0
#guest: done 2"""


def test_logs():
    boot = boot_with(GOOD, "[    1.0] all is well\n")
    out.equal(boot.judge(), [], "a guest that switched off is fine")
    runs = boot.split()
    out.equal([(run.name, run.passed, run.failed) for run in runs], [("tests/a", 1, 0), ("tests/b", 0, 1)],
              "each program's lines are its own")

    boot = boot_with(GOOD.split("#guest: end 2")[0], "[    2.5] Oops: 0002 [#1] SMP\n", status=0)
    out.equal([run.failed for run in boot.split()], [0, 2], "a program that the guest's crash cut off failed")
    out.ok("the guest ended without switching off" in boot.judge(), "an end without power-off is a failure")
    out.contains(" ".join(boot.judge()), "Oops: 0002", "an oops is a failure with its line")

    boot = boot_with(GOOD.split("#guest: begin 2")[0], "")
    out.equal([run.name for run in boot.split()], ["tests/a", "tests/b (never ran)"], "a program that never ran failed")
    out.equal(boot_with("", "").judge(), ["the guest did not boot"], "no word from the guest is a failure")
    out.contains(boot_with(GOOD, "", status=1).judge()[0], "it broke", "QEMU's own failure comes with its words")
    out.equal(len(boot_with(GOOD.replace("#guest: begin 1", "#guest: module d3dgpu failed: No such device\n#guest: begin 1"),
                            "").judge()), 1, "a module that does not load is a failure")


def test_kernels():
    second = GOOD.replace("1..1\n#guest: end 1", "#guest: booted 6.1 5 s\nok 2 - there\n1..2\n#guest: end 1")
    boot = boot_with(second, "", kernels=2)
    out.equal(boot.judge(), [], "kernels that boot one after the other are fine when that is wanted")
    out.equal([(run.passed, run.failed) for run in boot.split()], [(2, 0), (0, 1)], "a program goes on in the next kernel")
    out.equal(boot_with(second, "", kernels=3).judge(), ["2 kernels of 3 have booted"], "a kernel that does not boot is a failure")

    panic = "[    9.0] Kernel panic - not syncing: wanted\n"
    out.equal(boot_with(GOOD, panic, panic="wanted").judge(), [], "a panic that is wanted is fine")
    out.equal(len(boot_with(GOOD, panic, panic="want").judge()), 2, "another one is not")
    out.equal(len(boot_with(GOOD, "", panic="wanted").judge()), 1, "nor is none")
    out.equal(len(boot_with(GOOD, panic + "[    9.1] Oops: 0\n", panic="wanted").judge()), 1, "an oops is still a failure")


def test_trouble():
    bad = ["BUG: kernel NULL pointer dereference, address: 0", "WARNING: CPU: 0 PID: 1 at drivers/gpu/drm/drm_file.c:1",
           "BUG: unable to handle page fault for address: 0", "WARNING: possible circular locking dependency detected",
           "general protection fault, probably for non-canonical address", "INFO: task d3dgpu:12 blocked for more than 120 seconds.",
           "watchdog: BUG: soft lockup - CPU#0 stuck for 22s!", "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks: self-detected stall",
           "Kernel panic - not syncing: Fatal exception", "refcount_t: underflow; use-after-free.",
           "ODEBUG: free active (active state 0) object type: timer_list", "UBSAN: shift-out-of-bounds in d3dgpu_bo.c:1:2",
           "BUG: KASAN: use-after-free in d3dgpu_bo_free+0x1/0x2", "DMA-API: d3dgpu 0000:00:03.0: device driver has pending DMA allocations",
           "d3dgpu 0000:00:02.0: [drm] *ERROR* [CRTC:45:crtc-0] flip_done timed out",
           "kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)"]
    for text in bad:
        out.ok(guest.KERNEL_TROUBLE.match("[    1.234567] " + text), f"trouble: {text[:40]}")
    for text in ["d3dgpu 0000:00:03.0: context 3 lost: bad stream", "debug: all fine", "kmemleak: Automatic memory scanning thread started",
                 "DMA-API: debugging enabled by kernel config", "Freeing unused kernel image memory"]:
        out.ok(not guest.KERNEL_TROUBLE.match("[    1.234567] " + text), f"no trouble: {text[:40]}")
    out.ok(not guest.KERNEL_TROUBLE.match("WARNING: from a program"), "a program's own words are not the kernel's")


def test_accelerator():
    cache = scratch / "cache"
    cache.mkdir()
    works = program(scratch / "works", "#!/bin/sh\nexit 0\n")
    hangs = program(scratch / "hangs", "#!/bin/sh\nexec sleep 60\n")
    fails = program(scratch / "fails", "#!/bin/sh\nexit 1\n")
    accelerator.TRIAL_SECONDS = 0.5
    out.ok(accelerator.try_kvm(str(works), "kernel", cache), "a trial guest that switches off proves KVM")
    out.ok(not accelerator.try_kvm(str(hangs), "kernel", cache), "a trial guest that hangs does not, within the limit")
    out.ok(not accelerator.try_kvm(str(fails), "kernel", cache), "nor one whose QEMU fails")
    accelerator.os.environ["D3DGPU_ACCEL"] = "tcg"
    out.equal(accelerator.choose(str(works), "kernel", cache)[0], "tcg", "D3DGPU_ACCEL decides without a trial")
    del accelerator.os.environ["D3DGPU_ACCEL"]
    # As on a machine whose /dev/kvm opens but whose guests hang.
    accelerator.os = types.SimpleNamespace(environ={}, access=lambda path, mode: True, R_OK=4, W_OK=2)
    out.equal(accelerator.choose(str(hangs), "kernel", cache)[0], "tcg", "KVM present but unusable: TCG")
    out.equal(accelerator.choose(str(works), "kernel", cache)[0], "tcg", "the answer is remembered for this boot")
    for note in cache.glob("kvm-*"):
        note.unlink()
    out.equal(accelerator.choose(str(works), "kernel", cache)[0], "kvm", "KVM usable: KVM")


test_list()
test_logs()
test_kernels()
test_trouble()
test_accelerator()
sys.exit(out.done())
