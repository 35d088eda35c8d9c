# SPDX-License-Identifier: MIT
"""A machine with the device, driven register by register: QEMU's qtest protocol (a line of text each way) from python.

No processor runs; the test reads and writes guest memory, PCI configuration space and the device's BARs itself.
"""
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import hw  # noqa: E402
from qmp import Qmp  # noqa: E402
from tapwriter import Writer  # noqa: E402, F401 (for the tests)

BUILD = ROOT / "build"
QEMU = BUILD / "qemu-system-x86_64"
WORKER = BUILD / "qemu-device/renderer/d3dgpu-worker"
FIRMWARE = BUILD / "firmware/gcp.bin"
VRAM_ADDRESS = 0x10_0000_0000       # where this client maps the BARs
REGS_ADDRESS = 0xfe000000
MSIX_ADDRESS = 0xfe100000
DEVFN = 4 << 3                      # slot 4, function 0
LETTERS = {1: "b", 2: "w", 4: "l", 8: "q"}    # of the protocol's commands, by access size


def properties_text(properties):
    """-device's argument for a dictionary of properties (underscores stand for hyphens)."""
    merged = {"worker": str(WORKER), "vram": "64M", "warm_workers": "0", **properties}
    return "d3dgpu,id=gpu,addr=4.0," + ",".join(f"{name.replace('_', '-')}={value}" for name, value in merged.items()
                                         if value is not None)


def refuse(**properties):
    """What QEMU prints when it does not start with these properties ("" if it does start)."""
    command = [str(QEMU), "-accel", "qtest", "-machine", "pc", "-nodefaults", "-display", "none",
               "-device", properties_text(properties), "-S", "-qtest", "null"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=15, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return ""
    return answer.stderr if answer.returncode else ""


class Machine:
    """A started machine, with the BARs mapped and bus mastering on. `with` ends it."""

    def __init__(self, arguments=(), pass_fds=(), **properties):
        self.folder = tempfile.TemporaryDirectory(prefix="d3dgpu-qtest-")
        path = Path(self.folder.name)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path / "qtest"))
        listener.listen(1)
        listener.settimeout(60)
        self.log = open(path / "log", "w+")
        self.process = subprocess.Popen(
            [str(QEMU), "-accel", "qtest", "-machine", "pc", "-m", "64M", "-nodefaults", "-display", "none",
             "-qtest", f"unix:{path}/qtest", "-qtest-log", "/dev/null", "-qmp", f"unix:{path}/qmp,server=on,wait=off",
             "-device", properties_text(properties), *arguments],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, pass_fds=pass_fds)
        self.stream = self.accept(listener).makefile("rw")
        self.qmp = Qmp(path / "qmp", timeout=60)
        self.map_bars()

    def accept(self, listener):
        listener.settimeout(0.2)
        for _ in range(300):
            try:
                return listener.accept()[0]
            except TimeoutError:
                if self.process.poll() is not None:
                    raise RuntimeError("QEMU did not start: " + self.messages()) from None
        raise RuntimeError("QEMU did not come up")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.qmp.close()
        self.process.terminate()
        self.process.wait(20)
        self.log.close()
        self.folder.cleanup()

    def messages(self):
        """What QEMU has printed so far."""
        self.log.seek(0)
        return self.log.read()

    # The protocol

    def send(self, *words):
        self.stream.write(" ".join(w if isinstance(w, str) else hex(w) for w in words) + "\n")
        self.stream.flush()
        while True:
            answer = self.stream.readline().split()
            if not answer:
                raise RuntimeError("QEMU closed the connection: " + self.messages())
            if answer[0] == "OK":
                return answer[1:]
            if answer[0] != "IRQ":
                raise RuntimeError(f"{words}: {answer}")

    def load(self, address, size):
        """Reads 1, 2, 4 or 8 bytes of memory in one access."""
        return int(self.send("read" + LETTERS[size], address)[0], 16)

    def store(self, address, size, value):
        self.send("write" + LETTERS[size], address, value)

    def read_bytes(self, address, size):
        return bytes.fromhex(self.send("read", address, size)[0][2:])

    def write_bytes(self, address, data):
        for start in range(0, len(data), 4096):
            part = data[start:start + 4096]
            self.send("write", address + start, len(part), "0x" + part.hex())

    # PCI

    def config(self, offset, size=4):
        self.send("outl", 0xcf8, 0x80000000 | DEVFN << 8 | offset & ~3)
        value = int(self.send("inl", 0xcfc)[0], 16) >> (offset & 3) * 8
        return value & ((1 << size * 8) - 1)

    def set_config(self, offset, value):
        self.send("outl", 0xcf8, 0x80000000 | DEVFN << 8 | offset)
        self.send("outl", 0xcfc, value)

    def bar_size(self, bar):
        """Sizes a memory BAR as software does: by writing ones."""
        offset = 0x10 + bar * 4
        old = self.config(offset)
        self.set_config(offset, 0xffffffff)
        mask = self.config(offset) & ~0xf
        self.set_config(offset, old)
        if old & 4:     # 64 bits
            high = self.config(offset + 4)
            self.set_config(offset + 4, 0xffffffff)
            mask |= self.config(offset + 4) << 32
            self.set_config(offset + 4, high)
        else:
            mask |= 0xffffffff << 32
        return (~mask & (1 << 64) - 1) + 1

    def capability(self, wanted):
        """Offset of a PCI capability, 0 when the device has none with this id."""
        offset = self.config(0x34, 1)
        while offset and self.config(offset, 1) != wanted:
            offset = self.config(offset + 1, 1)
        return offset

    def map_bars(self):
        for bar, address in ((hw.D3DGPU_BAR_VRAM, VRAM_ADDRESS), (hw.D3DGPU_BAR_REGS, REGS_ADDRESS),
                             (hw.D3DGPU_BAR_MSIX, MSIX_ADDRESS)):
            self.set_config(0x10 + bar * 4, address & 0xffffffff)
            if bar == hw.D3DGPU_BAR_VRAM:
                self.set_config(0x14 + bar * 4, address >> 32)
        self.set_config(4, 0x6)     # memory space, bus master

    # The device

    def reg(self, offset, size=4):
        return self.load(REGS_ADDRESS + offset, size)

    def set_reg(self, offset, value, size=4):
        self.store(REGS_ADDRESS + offset, size, value)

    def vram(self, offset, size):
        return self.read_bytes(VRAM_ADDRESS + offset, size)

    def set_vram(self, offset, data):
        self.write_bytes(VRAM_ADDRESS + offset, data)

    def caps(self):
        """The capability block as a dictionary."""
        words = [self.reg(hw.D3DGPU_REG_CAPS + i) for i in range(0, hw.struct("d3dgpu_caps").size, 4)]
        return hw.struct("d3dgpu_caps").unpack(struct.pack(f"<{len(words)}I", *words))

    def place_control_block(self):
        """Puts the control block at the end of VRAM, as the kernel driver does, and returns its offset."""
        base = self.reg(hw.D3DGPU_REG_VRAM_SIZE_LO) + (self.reg(hw.D3DGPU_REG_VRAM_SIZE_HI) << 32) - hw.D3DGPU_CTRL_SIZE
        self.set_reg(hw.D3DGPU_REG_CTRL_BASE_LO, base & 0xffffffff)
        self.set_reg(hw.D3DGPU_REG_CTRL_BASE_HI, base >> 32)
        return base

    def boot_firmware(self, image):
        """Hands an image to the firmware core and returns the state that it settles in."""
        self.set_vram(0, image)
        self.set_reg(hw.D3DGPU_REG_GCP_FW_ADDR_LO, 0)
        self.set_reg(hw.D3DGPU_REG_GCP_FW_ADDR_HI, 0)
        self.set_reg(hw.D3DGPU_REG_GCP_FW_SIZE, len(image))
        self.set_reg(hw.D3DGPU_REG_GCP_CONTROL, hw.D3DGPU_GCP_BOOT)
        self.wait(lambda: self.reg(hw.D3DGPU_REG_GCP_STATE) != hw.D3DGPU_GCP_BOOTING)
        return self.reg(hw.D3DGPU_REG_GCP_STATE)

    def workers(self):
        """Process ids of the renderer workers that QEMU has now."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        return sorted({int(pid) for children in tasks.glob("*/children") for pid in children.read_text().split()})

    @staticmethod
    def wait(condition, seconds=10):
        """Waits until condition() holds. Returns whether it came to hold."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return False
            time.sleep(0.005)
        return True

    def screenshot(self, head=0):
        """What a head shows: (width, height, rows of bytes R, G, B)."""
        path = Path(self.folder.name) / "shot.ppm"
        self.qmp.command("screendump", filename=str(path), format="ppm", device="gpu", head=head)
        self.wait(lambda: path.exists() and path.stat().st_size)
        data = path.read_bytes()
        magic, size, depth, pixels = data.split(b"\n", 3)
        width, height = map(int, size.split())
        return width, height, [pixels[y * width * 3:(y + 1) * width * 3] for y in range(height)]


def need_build():
    """Bails out when there is nothing to test."""
    for path in (QEMU, WORKER):
        if not os.access(path, os.X_OK):
            print(f"Bail out! {path} is not built")
            sys.exit(99)
