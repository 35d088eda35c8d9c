#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares docs/hardware.md with hw/*.h: every register, state, error, opcode and capability has its row, with its number.

usage: check_datasheet.py ROOT
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
sheet = (root / "docs/hardware.md").read_text()
sections = {m.group(1): m.group(2) for m in re.finditer(r"^## \d+\. ([^\n]*)\n(.*?)(?=^## \d|\Z)", sheet, re.S | re.M)}
results = []


def header(name):
    return (root / "hw" / name).read_text()


def rows(section):
    """Table rows as lists of cells, several tables side by side flattened."""
    return [[cell.strip() for cell in line.strip("|").split(" | ")]
            for line in sections[section].splitlines() if line.startswith("|")]


def has_row(section, number, name):
    """A row in which the number is a cell, and the name begins a later cell."""
    for cells in rows(section):
        cells = [cell.strip(" |") for cell in cells]
        if number in cells and any(re.match(re.escape(name) + r"\b", cell) for cell in cells[cells.index(number) + 1:]):
            return True
    return False


def check(section, number, name):
    results.append((has_row(section, number, name), f"{section}: {number} is {name}"))


def enum(text, enum_name, prefix):
    body = re.search(r"enum %s \{(.*?)\};" % enum_name, text, re.S).group(1)
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    return [(int(value, 0), name) for name, value in re.findall(prefix + r"(\w+) = (\w+)", body)]


regs, gcp, caps = header("d3dgpu_regs.h"), header("d3dgpu_gcp.h"), header("d3dgpu_caps.h")

for name, offset in re.findall(r"#define D3DGPU_REG_(?!CAPS_SIZE)(\w+) (0x1\w{3})\b", regs):
    check("Registers", offset, name)
for name, offset in re.findall(r"#define D3DGPU_HEAD_(\w+) (0x\w{2})\b", regs):
    check("Display", offset, name)
for name, offset in re.findall(r"#define D3DGPU_OVERLAY_(\w+) (0x\w{2})\b", regs):
    check("Display", offset, name)
for name, offset in re.findall(r"#define D3DGPU_CRC_(\w+) (0x\w{2})\b", regs):
    check("Display", offset, name)
for number, name in enum(regs, "d3dgpu_dispi", "D3DGPU_DISPI_"):
    check("Display", str(number), name)
for number, name in enum(regs, "d3dgpu_guest_error", "D3DGPU_GUEST_ERROR_"):
    if number:
        check("Guest errors", str(number), name)
for number, name in enum(regs, "d3dgpu_gcp_state", "D3DGPU_GCP_"):
    check("Firmware core", str(number), name)
for name, offset in re.findall(r"#define D3DGPU_GCP_(\w+) (0x[0-3][0-9a-f])\s", gcp):
    check("Firmware core", offset, name)
for number, name in enum(header("d3dgpu_ring.h"), "d3dgpu_opcode", "D3DGPU_OP_"):
    check("Rings", str(number), name)
for number, name in enum(header("d3dgpu_ring.h"), "d3dgpu_fault", "D3DGPU_FAULT_"):
    if number:
        check("Fences and faults", str(number), name)
for number, name in enum(header("d3dgpu_ds.h"), "d3dgpu_ds_status", "D3DGPU_DS_"):
    check("Depth-stencil unit", str(number), name)
for number, name in enum(header("d3dgpu_ds.h"), "d3dgpu_ds_format", "D3DGPU_DS_"):
    check("Depth-stencil unit", str(number), name)
storage = (root / "qemu-device/core/ds_formats.c").read_text()
for name, number in re.findall(r"\{D3DGPU_DS_(\w+), \"\w+\", D3DGPU_FMT_(\w+),", storage):
    wanted = [cells for cells in rows("Depth-stencil unit") if len(cells) > 2 and cells[1] == name]
    results.append((bool(wanted) and wanted[0][2].split()[-1] == number, f"{name} is stored as {number}"))

# Capability block: fields in order, 4 or 8 bytes each.
body = re.search(r"struct d3dgpu_caps \{(.*?)\};", caps, re.S).group(1)
offset = 0
for bits, name in re.findall(r"uint(32|64)_t (\w+);", body):
    if not name.startswith("reserved"):
        check("Capability block", f"0x{offset:02x}", name)
    offset += int(bits) // 8
for kind in ("OPTION", "QUIRK", "FORMAT"):
    for name, bit in re.findall(r"#define D3DGPU_%s_(\w+) \(1u << (\d+)\)" % kind, caps):
        results.append((f"{bit} {name}" in re.sub(r"\s+", " ", sections["Capability block"]), f"capability bit {bit} is {name}"))

for number, (passed, what) in enumerate(results, 1):
    print(f"{'ok' if passed else 'not ok'} {number} - data sheet: {what}")
print(f"1..{len(results)}")
sys.exit(0 if all(passed for passed, _ in results) else 1)
