#!/bin/sh
# SPDX-License-Identifier: MIT
# restart.sh WAY...: one kernel after the other in one machine, each with the GPU that the one before has left it. The way that a
# kernel ends:
#	kexec		the next one is started at once, while programs draw
#	ended		the next one is started after the programs have ended
#	reboot		the machine begins anew, while programs draw
#	crash		a panic starts the next one: nobody has silenced the GPU
#	poweroff	as the last: /init switches off while programs draw
# Each kernel runs this script again. What they have to tell each other is on a disk that the boot has for it (Options.kernels).
. /d3dgpu/tests/vm/tap.sh
kernel=/dev/vda
image=/dev/vdb
notes=/dev/vdc
tests=/d3dgpu/tests
state=/sys/kernel/debug/dri/0/state

# ---- while a kernel lives ----

answers() { # the port's name, for as long as it is needed: others open it, too
	for port in /sys/class/virtio-ports/*; do
		[ "$(cat "$port/name")" = d3dgpu.answers ] && echo "/dev/${port##*/}"
	done
}
workers() ( # how many the host has
	exec 8<"$(answers)"
	echo "# host-memory" >&9
	for i in $(seq 300); do # there is nothing to read until it answers
		read -r what _ number _ <&8 && [ "$what" = host-memory ] && break
		usleep 100000
	done
	echo "$number"
)
workers_are() { # NUMBER, soon
	for i in $(seq 10); do
		[ "$(workers)" = "$1" ] && return
		sleep 1
	done
	workers
	return 1
}
completions() { awk '$1 == "completions" { print $2 }' /sys/kernel/debug/dri/0/counters; }
interrupts() { awk '/d3dgpu-/ { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts; }
# A text cursor that blinks is some commits a second.
interrupts_are_few() {
	before=$(interrupts)
	sleep 2
	[ $(($(interrupts) - before)) -lt 100 ] || { cat /proc/interrupts; return 1; }
}
# A GPU at work interrupts the next kernel, too, until that finds it on the bus and switches its vectors off.
no_stray_interrupts() {
	dmesg | sed -n '/pci .*1234:d3d9/,$p' >/tmp/since
	[ -s /tmp/since ] && ! grep -E 'No irq handler|nobody cared' /tmp/since
}
works() { "$@" >/tmp/works.out 2>&1 || { cat /tmp/works.out; return 1; }; }
frames_appear() { # within a minute: more work done, and a program's own picture on the screen
	before=$(completions)
	for i in $(seq 60); do
		sleep 1
		[ $(($(completions) - before)) -gt 50 ] && grep -q 'allocated by = demo' $state && return
	done
	completions
	cat $state
	return 1
}
start_programs() {
	D3DGPU_WSI=kms $tests/demo/demo --api d3d9 --fullscreen --frames 1000000 >/dev/null &
	$tests/demo/demo --api d3d11 --frames 1000000 >/dev/null &
}
end_programs() {
	killall demo
	wait
}

# ---- from one kernel to the next ----

command_line() { # [WORD...]
	echo "$(sed 's/ crashkernel=[^ ]*//; s/ restarted=[^ ]*//' /proc/cmdline) restarted=$1 $2"
}
load() { # load|load-for-panic WAY [WORD]
	cat $kernel >/tmp/kernel && cat $image >/tmp/image &&
		$tests/vm/next_kernel "$1" /tmp/kernel /tmp/image "$(command_line "$2" "$3")" && rm /tmp/kernel /tmp/image
}
take_notes() { echo "$D3DGPU_COMMAND $((step + 1)) $count $failed" | dd of=$notes bs=512 conv=sync,fsync 2>/dev/null; }

leave() { # WAY
	case $1 in
	kexec | ended) check "$1: a kernel is loaded" load load "$1" ;;
	crash) check "$1: a kernel is loaded, for a panic" load load-for-panic "$1" "nr_cpus=1 reset_devices" ;;
	esac
	start_programs
	check "$1: programs draw, one of them on the screen" frames_appear
	check "$1: each of them has a worker" workers_are 2
	echo "# screendump before-$1"
	[ "$1" = poweroff ] && return
	[ "$1" = ended ] && end_programs
	take_notes
	case $1 in
	kexec | ended) $tests/vm/next_kernel start ;;
	reboot) reboot -f ;;
	crash) echo c >/proc/sysrq-trigger ;;
	esac
	check "$1: the kernel comes to its end" sleep 60
	finish
}

arrive() { # WAY
	if [ "$1" = reboot ]; then
		check "$1: the machine has begun anew" not grep -q restarted= /proc/cmdline
	else
		check "$1: the next kernel runs" grep -q "restarted=$1" /proc/cmdline
	fi
	if [ "$1" = crash ]; then
		echo "# screendump after-crash"
		check "$1: the GPU is still at the old kernel's work" workers_are 2
	else
		check "$1: nothing of the old kernel's work is left" workers_are 0
	fi
	bind "$1"
	check "$1: nothing of the old kernel's work is there now" workers_are 0
	check "$1: the GPU does not interrupt without a reason" interrupts_are_few
	check "$1: and has not before" no_stray_interrupts
	check "$1: the kernel's interface works" works $tests/kernel/test_submit
	check "$1: mode setting works" passes $tests/kernel/test_kms
	check "$1: Direct3D 9 works" works $tests/d3d/d3d9_draw
	check "$1: Direct3D 11 works" works $tests/d3d/d3d11/d3d11_draw
}

bind() { # WAY
	check "$1: the driver is loaded" modprobe d3dgpu
	check "$1: it has taken the device" bound
	check "$1: without a complaint" not logged 'd3dgpu.*(\*ERROR\*|reset)'
}

way() { # NUMBER: of the script's arguments that follow
	shift "$1"
	echo "$1"
}

read -r _ step count failed <$notes
: "${step:=0}" "${count:=0}" "${failed:=0}"
if [ "$step" = 0 ]; then
	bind "at first"
else
	arrive "$(way "$step" "$@")"
fi
[ "$step" = $# ] || leave "$(way $((step + 1)) "$@")"
finish
