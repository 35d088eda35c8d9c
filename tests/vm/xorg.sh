#!/bin/sh
# SPDX-License-Identifier: MIT
# The X server with its modesetting driver. Its root window has a pattern (-retro).
. /d3dgpu/tests/vm/tap.sh

mkdir -p /tmp/.X11-unix /var/log
log=/tmp/xorg.log

# Waits until the server takes clients: then it says its number.
start() { # OPTION...
	rm -f /tmp/xorg.display
	Xorg -displayfd 4 -retro -noreset -sharevts -novtswitch -logfile $log -config /etc/X11/d3dgpu.conf "$@" \
		4>/tmp/xorg.display >/tmp/xorg.out 2>&1 &
	server=$!
	for i in $(seq 60); do
		[ -s /tmp/xorg.display ] && break
		sleep 1
	done
}
runs() { [ -s /tmp/xorg.display ] || { cat /tmp/xorg.out $log; return 1; }; }
stop() {
	kill $server
	wait $server
	ended=$?
}
uses_driver() {
	grep -q -E 'modeset\(0\): Output .* using initial mode' $log && ! grep -E '\(EE\) modeset' $log || { cat $log; return 1; }
}
# A plane with a framebuffer of a cursor's size.
cursor_is_on() { grep -q -E 'size=(64x64|128x128|256x256)' /sys/kernel/debug/dri/0/state || { cat /sys/kernel/debug/dri/0/state; return 1; }; }

start -nocursor
check "Xorg starts" runs
check "with the modesetting driver, without errors" uses_driver
check "the host sees its root window" passes /d3dgpu/tests/vm/scanned_out xorg
stop
check "it ends" test $ended = 0
start
check "Xorg starts with a cursor" runs
check "which is a plane of the device" cursor_is_on
echo "# screendump xorg-cursor"
sleep 2
stop
check "it ends again" test $ended = 0
finish
