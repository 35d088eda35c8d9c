# shellcheck shell=dash
# SPDX-License-Identifier: MIT
# TAP for shell tests in the guest (busybox sh): source it, call `check`, end with `finish`.
count=0
failed=0

# check NAME COMMAND...: one test, passed when the command succeeds; on failure its output is shown.
check() {
	local name=$1 output
	shift
	count=$((count + 1))
	if output=$("$@" 2>&1); then
		echo "ok $count - $name"
	else
		failed=$((failed + 1))
		echo "not ok $count - $name"
		echo "command: $* $output" | sed 's/^/# /'
	fi
}

finish() {
	echo "1..$count"
	[ $failed = 0 ]
	exit
}

not() { ! "$@"; }

# A program with TAP of its own, in a check: it passes, and its requests to the host get there.
exec 9>&1
passes() {
	"$@" | tee /tmp/passes.tap | grep '^# screendump' >&9
	! grep -v -E '^(ok|#|1\.\.)' /tmp/passes.tap
}

# logged PATTERN: the kernel has said it since the last `mark`.
mark() { dmesg -c >/dev/null; }
logged() { dmesg | grep -E -q "$1" || { dmesg | tail -n 5; return 1; }; }

render_node() { ls /dev/dri/renderD* >/dev/null; }

# gpu_address: the device's PCI address, empty without one.
gpu_address() {
	for device in /sys/bus/pci/devices/*; do
		[ "$(cat $device/vendor)$(cat $device/device)" = 0x12340xd3d9 ] && basename $device
	done
}
bound() { [ -e "/sys/bus/pci/devices/$(gpu_address)/driver" ]; }
