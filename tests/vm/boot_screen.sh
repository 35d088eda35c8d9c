#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: boot_screen.sh VESA|EFI [nomodeset]
# From the firmware's picture, which the kernel's VESA or EFI console draws on, to the driver's; or not, with nomodeset. The
# driver is not loaded yet.
. /d3dgpu/tests/vm/tap.sh

say() { printf '\033[2J\033[H\033[?25l%s\n' "$1" >/dev/tty0; sleep 1; }	# on a clear screen without a cursor
console_is() { grep -q "$1" /proc/fb || { cat /proc/fb; return 1; }; }

check "the firmware has set a mode, and the kernel has a console there" console_is "$1"
say "the firmware's picture"
check "the host sees it" passes /d3dgpu/tests/vm/console_seen boot-firmware
if [ "$2" = nomodeset ]; then
	check "with nomodeset the driver is not loaded" not modprobe d3dgpu
	say "still the firmware's picture"
	check "and the firmware's picture stays" passes /d3dgpu/tests/vm/console_seen boot-nomodeset
	finish
fi
check "the driver is loaded" modprobe d3dgpu
check "the console is its own now" console_is d3dgpu
say "the driver's picture"
check "the host sees it" passes /d3dgpu/tests/vm/console_seen boot-driver
check "the driver is unloaded" rmmod d3dgpu
check "and loaded again" modprobe d3dgpu
say "the driver's second picture"
check "the host sees that, too" passes /d3dgpu/tests/vm/console_seen boot-again
finish
