#!/bin/sh
# SPDX-License-Identifier: MIT
# Unloading and loading the driver many times leaves nothing behind. Meanwhile the console is drawn on: frames that are on
# their way when the driver goes must end, too.
. /d3dgpu/tests/vm/tap.sh

free_pages() { awk '/^MemFree/ { print $2 }' /proc/meminfo; }
draw() { while echo drawn >/dev/tty0; do usleep 20000; done; }
cycle() {
	for i in 1 2 3 4 5 6 7 8 9 10; do
		rmmod d3dgpu && modprobe d3dgpu && render_node || return
	done
}

draw &
drawing=$!
check "ten times unloaded and loaded" cycle
before=$(free_pages)
check "and ten times more" cycle
kill $drawing
after=$(free_pages)
# Pages on the processors' own lists do not count as free: some MiB of noise. Ten frame buffers would be 30 MiB.
check "memory does not shrink (KiB free: $before, then $after)" test $((before - after)) -lt 12288
finish
