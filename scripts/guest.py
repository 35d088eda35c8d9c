# SPDX-License-Identifier: MIT
"""One boot of the test guest: starts QEMU, runs commands in the guest, watches, and judges what came back.

What a boot leaves in its folder: console.log (kernel and programs' stderr), tap.log (what /init and the programs wrote),
qemu.log (QEMU's stderr), files/ (what programs left in /out), and pictures of the device's scan-out that programs
asked for (see screendump.py).
"""
import gzip
import os
import re
import shlex
import shutil
import signal
import subprocess
import tarfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import accelerator
import processes
import screendump
import tap
from answers import Answers
from qmp import Qmp, QmpError

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
OUT = ROOT / "out"
CACHE = Path(os.environ.get("D3DGPU_CACHE") or
             Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "d3dgpu")

# What the kernel says when something is wrong with it. Only lines with a kernel time stamp count.
KERNEL_TROUBLE = re.compile(
    r"^\[\s*\d+\.\d+\](?:\[[^\]]*\])? .*?("
    r"BUG: |Oops: |WARNING: |Kernel panic|general protection fault|[Uu]nable to handle|INFO: task .* blocked|"
    r"soft lockup|hard LOCKUP|possible (?:circular|recursive) locking|inconsistent lock state|suspicious RCU|"
    r"rcu.* stall|UBSAN: |KASAN: |refcount_t: |list_(?:add|del) corruption|Bad page state|scheduling while atomic|"
    r"ODEBUG: |DMA-API: .*(?:device driver|cacheline|mapping error)|INFO: trying to register non-static key|"
    r"flip_done timed out|commit wait timed out|kmemleak: \d+ new suspected memory leaks)")


@dataclass
class Options:
    """How to boot. Times are in seconds."""
    name: str = "guest"             # of the folder in out/
    properties: str = ""            # of -device d3dgpu, "name=value,..."
    device: bool = True             # False: a machine without the GPU
    gpus: list = field(default_factory=list)    # several GPUs: what each has besides `properties`
    memory: str = "2G"
    cpus: int = 2
    display: str = "none"           # none, gtk, sdl, or vnc=:N
    timeout: float = 1200           # for the whole boot
    quiet_limit: float = 180        # without any output: a hang
    program_timeout: int = 120      # for one program in the guest
    append: str = ""                # to the kernel's command line
    kernels: int = 1                # that boot one after the other; more than one have disks to do that, see disk_arguments()
    panic: str = ""                 # of one of these kernels, which is wanted: what it says
    files: dict = field(default_factory=dict)   # further files of the guest: path -> bytes, or None: not there
    firmware: str = "bios"          # or "uefi": OVMF, with the device's own option ROM
    modules: str = ""               # kernel modules that are loaded, instead of those that the image says
    image: str = ""                 # laid over the root file system: build/guest-IMAGE.cpio
    environment: dict = field(default_factory=dict)
    qemu_arguments: list = field(default_factory=list)
    trace: str = ""                 # QEMU's trace events that qemu.log gets, with spaces between
    judge_by: str = "tap"           # what counts of a program: "tap", its exit "status", or TAP "if there" is some
    worker_memory: int = 0          # MiB of their own that all workers together may have; 0: nobody looks
    picture_interval: float = 0     # seconds between pictures of the scan-out while programs run; 0: none

    def slow_down(self, factor):
        """Makes all time limits longer."""
        self.timeout *= factor
        self.quiet_limit *= factor
        self.program_timeout = int(self.program_timeout * factor)


@dataclass
class Result:
    folder: Path
    runs: list = field(default_factory=list)        # of tap.Run, one per command
    trouble: list = field(default_factory=list)     # what went wrong with the boot itself, as text
    seconds: float = 0
    pictures: list = field(default_factory=list)    # Paths of PNG files

    def totals(self):
        totals = tap.Totals()
        for run in self.runs:
            totals.add(run)
        totals.failed += len(self.trouble)
        return totals


class GuestError(Exception):
    """Something that is needed to boot is not there."""


def need(path, what):
    if not Path(path).exists():
        raise GuestError(f"{path} is not there: {what}")
    return Path(path)


def kernel_files():
    """The guest's kernel and its root file system, as scripts/common.sh chooses them (D3DGPU_KERNEL)."""
    command = '. "$1/scripts/common.sh"; version=$(guest_kernel) && kernel_image "$version" && echo "$(kernel_output)/guest.cpio"'
    answer = subprocess.run(["bash", "-c", command, "bash", str(ROOT)], capture_output=True, text=True)
    if answer.returncode:
        raise GuestError(answer.stderr.strip() or "no kernel")
    return map(Path, answer.stdout.splitlines())


class Guest:
    """A running guest. `say` gets each line of progress."""

    def __init__(self, options, commands, say=lambda text: None):
        self.options, self.commands, self.say = options, commands, say
        self.folder = OUT / options.name
        self.lines = []             # of tap.log, complete ones
        self.partial = ""
        self.pictures = []
        self.last_picture = self.last_look = 0
        self.answers = None         # to programs that asked for a picture

    def run(self):
        """Boots, waits for the end, and returns the Result."""
        started = time.monotonic()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        command = self.command_line()
        trouble = []
        with open(self.folder / "qemu.log", "w") as log:
            log.write(" ".join(command) + "\n")
            log.flush()
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True)
            self.processes = processes.Processes(self.process.pid)
            try:
                trouble += self.watch(started)
            finally:
                self.stop()
        trouble += self.judge() + self.judge_workers()
        for image in self.folder.glob("image.cpio*"):
            image.unlink()
        self.unpack()
        return Result(self.folder, self.split(), trouble, time.monotonic() - started, self.pictures)

    def command_line(self):
        o = self.options
        qemu = need(BUILD / "qemu-system-x86_64", "run make build")
        kernel, image = kernel_files()
        mode, why = accelerator.choose(str(qemu), kernel, CACHE)
        self.say(f"accelerator {mode}: {why}")
        self.write_image(need(image, "run make build"))
        display = ["-display", "none", "-vnc", o.display[4:]] if o.display.startswith("vnc=") else ["-display", o.display]
        append = f"console=ttyS0 panic=-1 oops=panic mitigations=off random.trust_cpu=on {o.append}"
        command = [
            str(qemu), "-name", "d3dgpu", "-nodefaults", "-no-user-config",
            "-machine", "q35", "-accel", mode, "-cpu", "host" if mode == "kvm" else "max",
            "-smp", str(o.cpus), "-m", o.memory, *display,
            "-kernel", str(kernel), "-initrd", str(self.folder / "image.cpio"), "-append", append.strip(),
            "-chardev", f"file,id=console,path={self.folder}/console.log", "-serial", "chardev:console",
            "-chardev", f"file,id=tap,path={self.folder}/tap.log", "-serial", "chardev:tap",
            "-device", "virtio-serial-pci", "-chardev", f"file,id=files,path={self.folder}/files.tar",
            "-device", "virtserialport,chardev=files,name=d3dgpu.files",
            "-chardev", f"socket,id=answers,path={self.folder}/answers,server=on,wait=off",
            "-device", "virtserialport,chardev=answers,name=d3dgpu.answers",
            "-qmp", f"unix:{self.folder}/qmp,server=on,wait=off"]
        for number, properties in enumerate(self.gpus()):
            # one boot screen is enough
            command += ["-device", f"{self.device(properties)},id=gpu{number}" + (",romfile=" if number else "")]
        for event in o.trace.split():
            command += ["-trace", event]
        return command + self.disk_arguments(kernel) + self.firmware_arguments() + o.qemu_arguments

    def disk_arguments(self, kernel):
        """For a kernel that starts another: vda and vdb are what it was booted from itself, vdc takes a note to the next one."""
        if self.options.kernels == 1:
            return ["-no-reboot"]
        image, notes = self.folder / "image.cpio.gz", self.folder / "notes"
        image.write_bytes(gzip.compress((self.folder / "image.cpio").read_bytes(), 1))      # less to be hashed in the guest
        notes.write_bytes(bytes(4096))
        arguments = []
        for file, readonly in (kernel, "on"), (image, "on"), (notes, "off"):
            arguments += ["-drive", f"if=virtio,format=raw,readonly={readonly},file={file}"]
        return arguments

    def firmware_arguments(self):
        if self.options.firmware != "uefi":
            return []
        code = need("/usr/share/OVMF/OVMF_CODE_4M.fd", "install the package ovmf")
        shutil.copy("/usr/share/OVMF/OVMF_VARS_4M.fd", self.folder / "uefi-variables")
        rom = need(BUILD / "bootrom/d3dgpu.rom", "run make build")
        return ["-drive", f"if=pflash,format=raw,unit=0,readonly=on,file={code}",
                "-drive", f"if=pflash,format=raw,unit=1,file={self.folder}/uefi-variables",
                "-global", f"d3dgpu.romfile={rom}"]

    def gpus(self):
        """The properties of each GPU."""
        if not self.options.device:
            return []
        return [",".join(filter(None, [self.options.properties, more])) for more in self.options.gpus or [""]]

    @staticmethod
    def device(properties):
        """-device's argument."""
        (CACHE / "shaders").mkdir(parents=True, exist_ok=True)
        worker = need(BUILD / "qemu-device/renderer/d3dgpu-worker", "the renderer worker is not built")
        return ",".join(filter(None, ["d3dgpu", f"worker={worker}", f"shader-cache={CACHE}/shaders", properties]))

    def further_image(self):
        if not self.options.image:
            return b""
        return need(BUILD / f"guest-{self.options.image}.cpio", "run make build").read_bytes()

    def write_image(self, image):
        """The guest's root file system, with what this boot adds to it behind it."""
        o = self.options
        environment = {"D3DGPU_TEST_TIMEOUT": str(o.program_timeout), **o.environment}
        files = {"etc/d3dgpu/run": "".join(command + "\n" for command in self.commands).encode(),
                 "etc/d3dgpu/gpus": "".join(properties + "\n" for properties in self.gpus()).encode(),
                 "etc/d3dgpu/environment":
                     "".join(f"export {name}={shlex.quote(value)}\n" for name, value in environment.items()).encode(),
                 **o.files}
        if o.modules:
            files["etc/d3dgpu/modules"] = "".join(module + "\n" for module in o.modules.split()).encode()
        entries = [(path, 0o100644, data) for path, data in files.items()]
        archives = [image.read_bytes(), self.further_image(), accelerator.cpio(entries)]
        (self.folder / "image.cpio").write_bytes(b"".join(archive + b"\0" * (-len(archive) % 512) for archive in archives))

    def watch(self, started):
        """Follows the logs until QEMU ends. Returns what went wrong."""
        sizes, changed = None, time.monotonic()
        while True:
            ended = self.process.poll() is not None
            self.follow()
            if ended:
                return []
            now = time.monotonic()
            new = [self.size(log) for log in ("console.log", "tap.log", "files.tar")]
            if new != sizes:
                sizes, changed = new, now
            self.take_interval_picture(now)
            self.look_at_workers(now)
            if self.boots() > self.options.kernels:
                return ["the guest restarted by itself"]
            if now - changed > self.options.quiet_limit:
                return self.hung(f"no output for {self.options.quiet_limit:.0f} s")
            if now - started > self.options.timeout:
                return self.hung(f"not done after {self.options.timeout:.0f} s")
            time.sleep(0.1)

    def size(self, name):
        path = self.folder / name
        return path.stat().st_size if path.exists() else 0

    def follow(self):
        """Takes in the new lines of tap.log."""
        if not hasattr(self, "tap_file"):
            if not (self.folder / "tap.log").exists():
                return
            self.tap_file = open(self.folder / "tap.log", errors="replace", newline="\n")
        *lines, self.partial = (self.partial + self.tap_file.read()).split("\n")
        for line in lines:
            line = line.rstrip("\r")
            self.lines.append(line)
            self.say(line)
            request = screendump.parse(line)
            if request:
                self.screendump(*request)
            elif line == "# host-memory":
                self.answer(self.processes.answer())

    def boots(self):
        """How many kernels have come up so far."""
        return sum(line.startswith("#guest: booted") for line in self.lines)

    def take_interval_picture(self, now):
        """A picture every now and then while a program runs; at most 20 per boot."""
        running = [line for line in self.lines if line.startswith(("#guest: begin", "#guest: end"))][-1:]
        due = now - self.last_picture >= self.options.picture_interval > 0
        if due and running and running[0].startswith("#guest: begin") and len(self.pictures) < 20:
            self.last_picture = now
            self.screendump(f"scanout-{len(self.pictures) + 1:02}")

    def look_at_workers(self, now):
        if self.options.worker_memory and now - self.last_look >= 0.5:
            self.last_look = now
            self.processes.look()

    def screendump(self, name, wanted=None):
        """A picture of what the device shows now, and an answer to who asked."""
        try:
            path, answer = screendump.take(self.folder / "qmp", self.folder, name, wanted or {})
            self.pictures.append(path)
        except (OSError, QmpError) as error:
            answer = f"{name} {error}"
        self.answer(answer)

    def answer(self, text):
        """Tells a program that asked for something. QEMU listens by then."""
        try:
            self.answers = self.answers or Answers(self.folder / "answers")
            self.answers.send(text)
        except OSError as error:
            self.say(f"# no answer \"{text}\": {error}")

    def hung(self, text):
        """Notes where the processors are, for whoever looks into it. Returns the trouble."""
        try:
            monitor = Qmp(self.folder / "qmp")
            state = monitor.command("human-monitor-command", **{"command-line": "info registers -a"})
            (self.folder / "registers.txt").write_text(state)
            monitor.close()
        except (OSError, QmpError):
            pass
        return [f"hang: {text}"]

    def stop(self):
        """Ends QEMU and the workers that it started (all in its session) if they are still there."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    def judge(self):
        """What is wrong with how the guest ran, apart from the tests."""
        trouble = self.judge_console()
        trouble += [line[8:] for line in self.lines if re.match(r"#guest: (module .* failed|files could not)", line)]
        if self.process.returncode:
            tail = (self.folder / "qemu.log").read_text(errors="replace").strip().splitlines()[1:]
            trouble.append(f"QEMU ended with status {self.process.returncode}: {' / '.join(tail[-3:])}")
        if not self.boots():
            trouble.append("the guest did not boot")
        elif self.boots() < self.options.kernels:
            trouble.append(f"{self.boots()} kernels of {self.options.kernels} have booted")
        elif not any(line.startswith("#guest: done") for line in self.lines):
            trouble.append("the guest ended without switching off")
        return trouble

    def judge_console(self):
        """What the kernels complained of; a panic that is wanted must be there, once."""
        console = self.folder / "console.log"
        lines = console.read_text(errors="replace").splitlines() if console.exists() else []
        complaints = [f"kernel: {line.strip()}" for line in lines if KERNEL_TROUBLE.match(line)]
        if self.options.panic:
            wanted = [text for text in complaints if text.endswith(f"Kernel panic - not syncing: {self.options.panic}")]
            if len(wanted) != 1:
                return [f"{len(wanted)} panics were seen, 1 was wanted"] + complaints[:5]
            complaints.remove(wanted[0])
        return complaints[:5]

    def judge_workers(self):
        """Whether the workers stayed within their memory."""
        limit = self.options.worker_memory
        if not limit:
            return []
        self.say(f"# {self.processes} (limit {limit} MiB)")
        return [f"memory: {self.processes}, more than {limit} MiB"] if self.processes.bytes > limit << 20 else []

    def split(self):
        """One tap.Run per command, from the lines between its begin and end marks."""
        runs, current, begun = [], [], None
        for line in self.lines:
            begin = re.match(r"#guest: begin (\d+) (.*)", line)
            end = re.match(r"#guest: end (\d+) (\d+) ([\d.]+) ([\d.]+)", line)
            if begin:
                begun, current = begin[2], []
            elif end:
                runs.append(self.run_of(begun, current, int(end[2])))
                begun = None
            elif begun:
                current.append(line)
        if begun:
            runs.append(self.run_of(begun, current, None))
        for command in self.commands[len(runs):]:
            runs.append(self.run_of(command + " (never ran)", [], None))
        return runs

    def run_of(self, command, lines, status):
        """The tap.Run of one command."""
        name = self.short(command)
        by_tap = self.options.judge_by == "tap" or self.options.judge_by == "if there" and tap.is_tap(lines)
        return tap.parse(name, lines, status) if by_tap else tap.by_status(name, status)

    @staticmethod
    def short(command):
        """The name of a command in messages: without the guest's folder."""
        return command.replace("/d3dgpu/", "")

    def unpack(self):
        """Unpacks what the guest sent into files/."""
        archive = self.folder / "files.tar"
        if archive.exists() and archive.stat().st_size:
            try:
                with tarfile.open(archive) as tar:
                    for member in tar:
                        if member.isfile():
                            member.name = os.path.basename(member.name)
                            tar.extract(member, self.folder / "files")
            except tarfile.TarError as error:
                self.say(f"# files.tar: {error}")
        archive.unlink(missing_ok=True)
        self.pictures += sorted((self.folder / "files").glob("*.png"))
