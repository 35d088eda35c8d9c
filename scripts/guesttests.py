# SPDX-License-Identifier: MIT
"""Reads tests/vm/guest-tests.txt: which programs run in the guest, with which device.

    # comment
    [name] property=value,...       a boot: its name, and the properties of -device d3dgpu ("no-device": without it)
    gpu: property=value,...         one of several GPUs, with what it has besides the boot's properties; with {a,b} in it,
                                    one for each combination
    option: value                   of scripts/guest.py's Options (append, memory, timeout, ...)
    path/of/program arguments       a command; globs over the build folder's programs; scripts by their path in the tree
"""
import dataclasses
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Boot:
    name: str
    properties: str = ""
    device: bool = True
    gpus: list = field(default_factory=list)        # properties of each, when there are several
    options: dict = field(default_factory=dict)
    commands: list = field(default_factory=list)    # as the guest's shell takes them
    missing: list = field(default_factory=list)     # lines that match no program


def parse(text, build, root, option_types):
    """The Boots of a list. `option_types`: name -> type of the options that a boot may set. Raises ValueError."""
    boots = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        if line.startswith("["):
            name, _, properties = line[1:].partition("]")
            properties = properties.strip()
            boots.append(Boot(name.strip(), "" if properties == "no-device" else properties, properties != "no-device"))
        elif not boots:
            raise ValueError(f"line {number}: a command before the first [boot]")
        elif line.startswith("gpu:"):
            boots[-1].gpus += combinations(line[4:].strip())
        elif ": " in line and line.split(": ", 1)[0] in option_types:
            name, value = line.split(": ", 1)
            boots[-1].options[name] = option_types[name](value)
        else:
            add_command(boots[-1], line, build, root)
    return boots


def combinations(text):
    """The texts that `{a,b}` stand for, the first brace changing slowest."""
    brace = re.search(r"\{([^{}]*)\}", text)
    if not brace:
        return [text]
    return [whole for choice in brace[1].split(",")
            for whole in combinations(text[:brace.start()] + choice + text[brace.end():])]


def add_command(boot, line, build, root):
    """Expands the program of a command line; the guest has it under /d3dgpu with the same path."""
    program, *arguments = line.split(None, 1)
    found = [path.relative_to(build) for path in sorted(build.glob(program)) if is_program(path)]
    found += [path.relative_to(root) for path in sorted(root.glob(program)) if path.suffix == ".sh"]
    if not found:
        boot.missing.append(line)
    boot.commands += [" ".join(["/d3dgpu/" + shlex.quote(str(path)), *arguments]) for path in found]


def is_program(path):
    return path.is_file() and path.stat().st_mode & 0o100 and ".so" not in path.suffixes


def option_types(options_class):
    """The simple fields of a dataclass of options, for parse()."""
    return {f.name: f.type for f in dataclasses.fields(options_class) if f.type in (str, int, float)}


def read(path, build, root, options_class):
    return parse(Path(path).read_text(), build, root, option_types(options_class))
