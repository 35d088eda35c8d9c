# SPDX-License-Identifier: MIT
"""Pictures of what the device shows, which programs in the guest ask for by a line

    # screendump NAME [head=N] [crc32=HEX]

Each is kept as NAME.png. With a checksum (of the pixels' bytes red, green, blue, row by row) the picture is compared, and the
program gets an answer through the virtio port "d3dgpu.answers": "NAME same", or "NAME" and what was seen instead.
"""
import re
import zlib
from pathlib import Path

from qmp import Qmp


def parse(line):
    """(name, {word: value}) of a request, or None for any other line."""
    words = line.split()
    if words[:2] != ["#", "screendump"] or len(words) < 3:
        return None
    return re.sub(r"[^A-Za-z0-9._-]", "_", words[2]), dict(word.split("=", 1) for word in words[3:] if "=" in word)


def checksum(path):
    """Size and checksum of a PPM file."""
    _, size, _, pixels = Path(path).read_bytes().split(b"\n", 3)
    return size.decode().replace(" ", "x"), zlib.crc32(pixels)


def take(monitor_path, folder, name, wanted):
    """Takes the picture; returns its path and the answer. Raises OSError or QmpError."""
    where = {"device": "gpu0", "head": int(wanted["head"])} if "head" in wanted else {}
    png, ppm = Path(folder) / f"{name}.png", Path(folder) / "compared.ppm"
    answer = f"{name} taken"
    monitor = Qmp(monitor_path)
    if "crc32" in wanted:
        monitor.command("screendump", filename=str(ppm), format="ppm", **where)
        size, crc = checksum(ppm)
        answer = f"{name} same" if crc == int(wanted["crc32"], 16) else f"{name} {size} crc32={crc:08x}"
        ppm.unlink()
    monitor.command("screendump", filename=str(png), format="png", **where)
    monitor.close()
    return png, answer
