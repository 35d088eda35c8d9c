# SPDX-License-Identifier: MIT
"""The names, numbers and layouts of hw/*.h, read from the headers themselves, so that no test retypes them.

Constants are attributes of this module (hw.D3DGPU_REG_ID); macros with an argument are functions; `struct(name)` gives a
structure's field offsets. Only the plain C that hw/ is written in is understood: integer expressions, enums, and structures of
fixed-width integers, arrays and other such structures.
"""
import re
import sys
from dataclasses import dataclass
from pathlib import Path

HW = Path(__file__).resolve().parents[2] / "hw"
SIZES = {"uint8_t": 1, "char": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8}


@dataclass
class Field:
    offset: int
    size: int           # of one element
    count: int
    struct: object      # Struct of the elements, or None


class Struct:
    """A structure's layout: fields by name, size and alignment in bytes."""

    def __init__(self, body, structs, names):
        self.fields, self.size, self.align = {}, 0, 1
        for declaration in body.split(";"):
            match = re.match(r"\s*(?:struct\s+)?(\w+)\s+(\w+)\s*((?:\[[^\]]*\])*)\s*$", declaration)
            if match:
                self.add(*match.groups(), structs, names)
        self.size = align(self.size, self.align)

    def add(self, kind, name, dimensions, structs, names):
        element = structs.get(kind)
        size = element.size if element else SIZES[kind]
        alignment = element.align if element else size
        count = 1
        for dimension in re.findall(r"\[([^\]]*)\]", dimensions):
            # sizeof in paddings: of a structure that is known already
            dimension = re.sub(r"sizeof\(struct (\w+)\)", lambda m: str(structs[m[1]].size), dimension)
            count *= evaluate(dimension, names)
        self.size = align(self.size, alignment)
        self.fields[name] = Field(self.size, size, count, element)
        self.size += size * count
        self.align = max(self.align, alignment)

    def offset(self, name):
        return self.fields[name].offset

    def unpack(self, data):
        """A dictionary of the integer fields in `data` (arrays as lists; texts as str up to the first NUL)."""
        values = {}
        for name, field in self.fields.items():
            part = data[field.offset:field.offset + field.size * field.count]
            numbers = [int.from_bytes(part[i:i + field.size], "little") for i in range(0, len(part), field.size)]
            values[name] = numbers[0] if field.count == 1 else numbers
        return values


def align(value, alignment):
    return (value + alignment - 1) // alignment * alignment


def evaluate(text, names):
    return eval(re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", text), {"__builtins__": {}}, names)


def load():
    """Returns (constants and functions by name, structures by name)."""
    names, structs = {}, {}
    text = "".join(re.sub(r"/\*.*?\*/", "", (HW / f"d3dgpu_{part}.h").read_text(), flags=re.DOTALL)
                   for part in ("types", "regs", "caps", "ds", "format", "resource", "ring", "gcp", "ctrl"))
    text = text.replace("\\\n", " ")
    for name, argument, value in re.findall(r"^#define (\w+)(?:\((\w+)\))?[ \t]+(.+)$", text, re.MULTILINE):
        define(names, name, argument, value.strip())
    for body in re.findall(r"\benum \w+ \{(.*?)\}", text, re.DOTALL):
        following = 0
        for name, value in re.findall(r"(\w+)\s*(?:=\s*([^,]+))?(?:,|$)", body.strip()):
            following = define(names, name, "", (value or str(following)).strip()) or 0
            following += 1
    for name, body in re.findall(r"\bstruct (\w+) \{(.*?)\n\};", text, re.DOTALL):
        if "union" not in body:
            structs[name] = Struct(body, structs, names)
        elif name == "d3dgpu_entry":        # the head; what follows depends on the opcode
            structs[name] = Struct(body.split("union")[0] + "uint64_t payload[6];", structs, names)
    return names, structs


def define(names, name, argument, value):
    try:
        if argument:
            evaluate(value, {**names, argument: 0})
            names[name] = lambda n, value=value, argument=argument: evaluate(value, {**names, argument: n})
        else:
            names[name] = evaluate(value, names)
    except (SyntaxError, NameError, TypeError):
        return None     # a macro that is no number
    return names[name] if isinstance(names[name], int) else None


NAMES, STRUCTS = load()


def struct(name):
    return STRUCTS[name]


def __getattr__(name):
    try:
        return NAMES[name]
    except KeyError:
        raise AttributeError(f"hw/ defines no {name}") from None


if __name__ == "__main__":
    for key, value in NAMES.items():
        print(key, value)
    for key, value in STRUCTS.items():
        print(key, hex(value.size))
    sys.exit(0)
