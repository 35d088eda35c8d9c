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
# Free memory comes and goes by many MiB; but what each time loses is lost every time: a frame buffer, 30 MiB.
least=
for round in 1 2 3; do
	before=$(free_pages)
	check "and ten times more" cycle
	lost=$((before - $(free_pages)))
	echo "# $lost KiB less"
	[ -n "$least" ] && [ "$least" -lt "$lost" ] || least=$lost
done
kill $drawing
check "memory does not shrink each time (by $least KiB at least)" test "$least" -lt 4096
finish
