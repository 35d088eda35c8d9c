#!/bin/sh
# SPDX-License-Identifier: MIT
# The driver without its firmware, with a firmware for another interface, and with a damaged one: a clear message, no
# device node, nothing worse; and all is well again with the right file.
. /d3dgpu/tests/vm/tap.sh
image=/lib/firmware/d3dgpu/gcp.bin
kept=/tmp/gcp.bin

# reload: the driver anew, with the kernel's log from here on.
reload() {
	rmmod d3dgpu || return
	mark
	modprobe d3dgpu
}

# poke OFFSET BYTES: changes bytes of the image.
poke() { printf "$2" | dd of=$image bs=1 seek="$1" conv=notrunc 2>/dev/null; }

cp $image $kept
check "the driver is bound at first" bound
check "and has a render node" render_node

rm $image
check "reload without firmware" reload
check "no firmware file: the message names it" logged 'd3dgpu.*firmware.*d3dgpu/gcp.bin'
check "no firmware file: the device is not bound" not bound
check "no firmware file: no render node" not render_node

cp $kept $image
poke 8 '\000\000\011\000'	# interface_version 9.0
check "reload with another interface version" reload
check "wrong version: the message has both versions" logged 'd3dgpu.*firmware.*interface 9\.0.*1\.0'
check "wrong version: the device is not bound" not bound

cp $kept $image
poke 200 'XXXX'			# in the code
check "reload with a damaged image" reload
check "damaged image: the message says so" logged 'd3dgpu.*firmware.*(digest|damaged|SHA)'
check "damaged image: the device is not bound" not bound

printf 'short' >$image
check "reload with a file that is no firmware" reload
check "no firmware at all: the message says so" logged 'd3dgpu.*gcp.bin is no firmware'
check "no firmware at all: the device is not bound" not bound

cp $kept $image
check "reload with the right file" reload
check "the right file: the device is bound" bound
check "the right file: the firmware is ready" logged 'd3dgpu.*firmware [0-9.]+ is ready'
check "the right file: a render node is there" render_node
finish
