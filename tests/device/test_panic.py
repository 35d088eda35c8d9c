#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A kernel that panics while a program shows its picture: the screen has the console's text. Boots the test guest."""
import sys
import time

from qtest import Qmp, Writer, need_build
import guest

need_build()
out = Writer()
SECONDS = 240


class Panicking(guest.Guest):
    """A guest whose end is a panic, after which it stands still (panic=0): the delays of a panicked kernel are not to be relied on."""

    def watch(self, started):
        console = self.folder / "console.log"
        while time.monotonic() - started < SECONDS and self.process.poll() is None:
            self.follow()
            if console.exists() and "end Kernel panic" in console.read_text(errors="replace"):
                time.sleep(1)
                self.screendump("panic")
                return []
            time.sleep(0.2)
        return ["no panic"]

    def screendump(self, name, wanted=None):
        """In a form that is easily read."""
        path = self.folder / f"{name}.ppm"
        monitor = Qmp(self.folder / "qmp")
        monitor.command("screendump", filename=str(path), format="ppm")
        monitor.close()
        self.pictures.append(path)


def colours(path):
    """How often each colour is in a PPM file."""
    _, _, _, pixels = path.read_bytes().split(b"\n", 3)
    counts = {}
    for i in range(0, len(pixels), 3):
        counts[pixels[i:i + 3]] = counts.get(pixels[i:i + 3], 0) + 1
    return counts


options = guest.Options(name="device-panic", properties="vram=64M,warm-workers=0", append="console=tty0 panic=0")
commands = ["modetest -M d3dgpu -c >/tmp/modes; connector=$(awk '/\\tconnected/ { print $1; exit }' /tmp/modes);"
            " (sleep 30 | modetest -M d3dgpu -s $connector:1024x768 >/dev/null) & sleep 4; echo '# screendump before';"
            " sleep 2; echo c >/proc/sysrq-trigger"]
result = Panicking(options, commands).run()
pictures = {path.stem: path for path in result.pictures}
if out.ok({"before", "panic"} <= set(pictures), "the kernel panics", "; ".join(result.trouble)):
    before, after = colours(pictures["before"]), colours(pictures["panic"])
    out.ok(len(before) > 8, "before, a program shows its picture", f"{len(before)} colours")
    out.ok(1 < len(after) <= 4, "afterwards there is text, and nothing else", f"{len(after)} colours")
    out.ok(after[max(after, key=after.get)] > sum(after.values()) // 2, "on an even background")
sys.exit(out.done())
