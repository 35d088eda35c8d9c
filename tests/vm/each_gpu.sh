#!/bin/sh
# SPDX-License-Identifier: MIT
# each_gpu.sh COMMAND...: runs a TAP program once for each GPU of the machine, with only that one in /dev/dri, and joins what
# they report, each line with the GPU's properties. The program finds them in D3DGPU_CAPS too, to know what to expect; an
# argument @switches becomes switches:LEVEL:BITS, as d3d11_features takes it.
cd /dev/dri || exit
number=0
status=0

# level_number PROPERTIES: the feature level as D3D_FEATURE_LEVEL in hexadecimal.
level_number() {
	level=${1#*feature-level=}
	case ${level%%,*} in
	9_*) echo "9${level:2:1}00" ;;
	10_*) echo "a${level:3:1}00" ;;
	11_*) echo "b${level:3:1}00" ;;
	esac
}

# switch_bits PROPERTIES: 1 npot, 2 shadow, 4 instancing, 8 cube-ds; on unless they are off.
switch_bits() {
	bits=15
	case $1 in *npot=off*) bits=$((bits - 1)) ;; esac
	case $1 in *shadow=off*) bits=$((bits - 2)) ;; esac
	case $1 in *instancing=off*) bits=$((bits - 4)) ;; esac
	case $1 in *cube-ds=off*) bits=$((bits - 8)) ;; esac
	echo $bits
}

program=$1
shift
: >/tmp/joined

for node in renderD*; do
	number=$((number + 1))
	properties=$(sed -n "${number}p" /etc/d3dgpu/gpus)
	for other in renderD*; do
		[ "$other" = "$node" ] || mv "$other" /dev/hidden-"$other"
	done
	arguments=$*
	[ "$arguments" = @switches ] && arguments=switches:$(level_number "$properties"):$(switch_bits "$properties")
	# shellcheck disable=SC2086 # words
	D3DGPU_CAPS=$properties "$program" $arguments >/tmp/output
	ended=$?
	[ $ended = 0 ] || status=$ended
	for other in /dev/hidden-*; do
		[ -e "$other" ] && mv "$other" /dev/dri/"${other#/dev/hidden-}"
	done
	# Numbers and plan are made anew below; a program without its plan must not look whole.
	awk -v label="$properties" -v ended=$ended '
		/^(not )?ok / { seen++; sub(/^ok [0-9]+ - /, "ok - " label ": "); sub(/^not ok [0-9]+ - /, "not ok - " label ": "); print; next }
		/^1\.\./ { plan = substr($0, 4) + 0; next }
		{ print }
		END {
			if (plan == "" || plan != seen) print "not ok - " label ": ends with its plan (" seen " of " plan ", status " ended ")"
		}' /tmp/output >>/tmp/joined
done
expected=$(grep -c . /etc/d3dgpu/gpus)
[ "$number" = "$expected" ] && echo "ok - $number GPUs are there" >>/tmp/joined ||
	echo "not ok - $number GPUs of $expected are there" >>/tmp/joined
awk '/^(not )?ok - / { n++; sub(/ok - /, "ok " n " - ") } { print } END { print "1.." n }' /tmp/joined
exit $status
