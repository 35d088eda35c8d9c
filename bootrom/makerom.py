#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a PCI option ROM of a UEFI driver, behind a BIOS image if one is given.

usage: makerom.py DRIVER.efi OUTPUT VENDOR DEVICE [BIOS-ROM]
"""
import struct
import sys
from pathlib import Path

UNIT = 512                  # of sizes in an option ROM
CLASS = bytes([0, 0x80, 3]) # display controller, other
BIOS, EFI = 0, 3            # code types
LAST = 0x80


def pcir(code, units, last, vendor, device):
    """The PCI data structure of an image (revision 3)."""
    return struct.pack("<4sHHHHB3sHHBBHHH", b"PCIR", vendor, device, 0, 28, 3, CLASS, units, 0, code, LAST if last else 0, 0, 0, 0)


def efi_image(driver, vendor, device):
    """An image with a UEFI driver for x86-64, uncompressed."""
    table, start = 0x1c, 0x40
    units = -(-(start + len(driver)) // UNIT)
    header = struct.pack("<HHIHHH8xHH", 0xaa55, units, 0x0ef1, 11, 0x8664, 0, start, table)
    image = header.ljust(table, b"\0") + pcir(EFI, units, True, vendor, device)
    return (image.ljust(start, b"\0") + driver).ljust(units * UNIT, b"\0")


def bios_image(rom, vendor, device):
    """A BIOS image for this device, with others behind it: identity, "more follows", and the sum of its bytes."""
    image = bytearray(rom)
    at = struct.unpack_from("<H", image, 0x18)[0]
    if image[:2] != b"\x55\xaa" or image[at:at + 4] != b"PCIR":
        raise ValueError("not an option ROM")
    size = struct.unpack_from("<H", image, at + 16)[0] * UNIT
    image = image[:size].ljust(size, b"\0")
    struct.pack_into("<HH", image, at + 4, vendor, device)
    image[at + 13:at + 16] = CLASS
    image[at + 21] &= ~LAST & 0xff
    image[6] = (image[6] - sum(image)) & 0xff   # within the header, unused: as QEMU does it
    return bytes(image)


def main(arguments):
    driver, output, vendor, device = arguments[:4]
    vendor, device = int(vendor, 0), int(device, 0)
    rom = bios_image(Path(arguments[4]).read_bytes(), vendor, device) if len(arguments) > 4 else b""
    Path(output).write_bytes(rom + efi_image(Path(driver).read_bytes(), vendor, device))


if __name__ == "__main__":
    main(sys.argv[1:])
