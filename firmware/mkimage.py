#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the firmware file from the linked ELF: header (struct d3dgpu_fw_header of hw/d3dgpu_gcp.h), then the image.

usage: mkimage.py ELF OUTPUT --interface MAJOR.MINOR --version MAJOR.MINOR.PATCH
"""
import argparse
import hashlib
import struct
import sys

SRAM = 0x80000000
MAGIC = 0x57463344


def segments(elf):
    """Yields (address, bytes, size in memory) of every loadable segment of an ELF32 file."""
    if elf[:6] != b"\x7fELF\x01\x01":
        sys.exit("mkimage: not a little-endian ELF32 file")
    offset, = struct.unpack_from("<I", elf, 28)
    size, count = struct.unpack_from("<HH", elf, 42)
    for i in range(count):
        kind, start, address, _, file_size, memory_size = struct.unpack_from("<6I", elf, offset + i * size)
        if kind == 1 and memory_size:
            yield address, elf[start:start + file_size], memory_size


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("elf")
    parser.add_argument("output")
    parser.add_argument("--interface", required=True)
    parser.add_argument("--version", required=True)
    args = parser.parse_args()
    elf = open(args.elf, "rb").read()
    entry, = struct.unpack_from("<I", elf, 24)
    image, end = bytearray(), SRAM
    for address, data, memory_size in segments(elf):
        if data:
            image.extend(bytes(address - SRAM - len(image)))
            image.extend(data)
        end = max(end, address + memory_size)
    image.extend(bytes(-len(image) % 4))
    major, minor = map(int, args.interface.split("."))
    version = [int(part) for part in args.version.split(".")]
    header = struct.pack("<8I", MAGIC, 64, major << 16 | minor, version[0] << 16 | version[1] << 8 | version[2],
                         len(image), entry, max(0, end - SRAM - len(image)), 0)
    with open(args.output, "wb") as out:
        out.write(header + hashlib.sha256(image).digest() + image)


main()
