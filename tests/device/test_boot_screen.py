#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The stock Bochs VGA ROM on our device, and our own ROM: what SeaBIOS prints is seen, without any other display. Runs the BIOS
under TCG."""
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from qtest import BUILD, QEMU, Writer, need_build, properties_text

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from qmp import Qmp  # noqa: E402

need_build()
out = Writer()


def lit_pixels(path):
    """(width, height, number of pixels that are not black) of a PPM file."""
    _, size, _, pixels = path.read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    return width, height, sum(any(pixels[i:i + 3]) for i in range(0, len(pixels), 3))


def boot(machine, seconds=30, **properties):
    """Boots without a disk until the screen has text. Returns what lit_pixels says at the end."""
    with tempfile.TemporaryDirectory(prefix="d3dgpu-boot-") as folder:
        monitor, shot = Path(folder) / "qmp", Path(folder) / "shot.ppm"
        process = subprocess.Popen(
            [str(QEMU), "-accel", "tcg", "-machine", machine, "-m", "128M", "-nodefaults", "-vga", "none", "-display", "none",
             "-device", properties_text(properties), "-qmp", f"unix:{monitor},server=on,wait=off"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not monitor.exists():
                time.sleep(0.1)
            qmp = Qmp(monitor, timeout=60)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                qmp.command("screendump", filename=str(shot), format="ppm")
                seen = lit_pixels(shot)
                if seen[:2] != (640, 480) and seen[2] > 500:
                    return seen
                time.sleep(0.2)
            return seen
        finally:
            process.terminate()
            process.wait(20)


for machine in ("pc", "q35"):
    width, height, lit = boot(machine)
    out.equal((width, height), (1024, 768), f"{machine}: the VGA ROM sets its mode")
    out.ok(500 < lit < width * height // 4, f"{machine}: the BIOS's text is on the screen", f"{lit} pixels are lit")
width, height, lit = boot("q35", romfile=str(BUILD / "bootrom/d3dgpu.rom"))
out.equal((width, height), (1024, 768), "our ROM: its BIOS part sets the mode")
out.ok(500 < lit < width * height // 4, "our ROM: the BIOS's text is on the screen", f"{lit} pixels are lit")
sys.exit(out.done())
