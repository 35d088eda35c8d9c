#!/bin/sh
# SPDX-License-Identifier: MIT
# packages.sh LOWER UPPER KERNEL PACKAGE...: installs Debian packages in this root, uses what they have, and removes them. For root,
# in a root of its own: an overlay over the folder LOWER that keeps what is changed in UPPER. The module must be there for KERNEL.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../vm/tap.sh"
lower=$1
upper=$2
kernel=$3
shift 3

names=$(for package in "$@"; do dpkg-deb -f "$package" Package; done)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

installed() { # PACKAGE...
	for name in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$name")" = installed ] || { dpkg-query -s "$name"; return 1; }
	done
}
files_are_whole() { [ -z "$(dpkg --verify "$@" | tee /dev/stderr)" ]; }
module_file() { modinfo -k "$kernel" -F filename d3dgpu; }
module_is_from_dkms() { module_file | grep -q "/lib/modules/$kernel/updates/dkms/d3dgpu"; }
firmware_is_there() {
	wanted=$(modinfo -k "$kernel" -F firmware d3dgpu)
	[ -n "$wanted" ] && [ -s "/lib/firmware/$wanted" ]
}
device_finds_module() { grep -q 'pci:v00001234d0000D3D9.* d3dgpu$' "/lib/modules/$kernel/modules.alias"; }
known_to_loader() { ldconfig -p | grep -q "$1"; }

builds() { # PROGRAM PKG-CONFIG-NAME
	# shellcheck disable=SC2046 # words
	cc -std=gnu17 -Wall -Wextra -Werror $(pkg-config --cflags "$2") "$here/$1.c" -o "$scratch/$1" -Wl,--no-undefined \
		$(pkg-config --libs "$2")
}
runs() { D3DGPU_WINSYS=loopback "$scratch/$1"; }
headers_suit() { # COMPILER LANGUAGE
	for header in /usr/include/d3dgpu/*.h; do
		"$1" -x "$2" -Wall -Wextra -Werror -fsyntax-only "$header" || return
	done
}
machine_starts() {
	echo quit | timeout 60 qemu-system-x86_64-d3dgpu -nodefaults -display none -vga none -device d3dgpu -S -monitor stdio
}

nothing_is_left() { # what the lower root does not have
	(cd "$upper" && find . -mindepth 1 ! -path "./tmp*" ! -type c) | while read -r path; do
		[ -e "$lower/$path" ] || [ -L "$lower/$path" ] || echo "$path"
	done >"$scratch/left"
	[ ! -s "$scratch/left" ] || { cat "$scratch/left"; return 1; }
}

check "the packages are installed" dpkg -i "$@"
# shellcheck disable=SC2086 # words
check "and configured" installed $names
# shellcheck disable=SC2086
check "their files are whole" files_are_whole $names
check "DKMS has built the module for the guest's kernel" module_is_from_dkms
check "the firmware that it asks for is there" firmware_is_there
check "the kernel finds it by the device's number" device_finds_module
check "the loader knows Direct3D 9" known_to_loader libd3d9.so
check "a program for Direct3D 9 builds" builds uses_d3d9 d3dgpu-d3d9
check "and draws, on a GPU inside the program" runs uses_d3d9
check "a program for Direct3D 11 builds" builds uses_d3d11 d3dgpu-d3d11
check "and draws, on a GPU inside the program" runs uses_d3d11
check "the headers suit C" headers_suit cc c
check "and C++" headers_suit c++ c++
check "QEMU starts a machine with the GPU" machine_starts
check "and has a manual page" test -e /usr/share/man/man1/qemu-system-x86_64-d3dgpu.1.gz
# shellcheck disable=SC2086
check "the packages are removed" dpkg --purge $names
check "the module is gone" not module_file
check "the loader knows Direct3D 9 no more" not known_to_loader libd3d9.so
check "nothing is left" nothing_is_left
finish
