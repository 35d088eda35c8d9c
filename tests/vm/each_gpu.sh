#!/bin/sh
# SPDX-License-Identifier: MIT
# each_gpu.sh COMMAND...: runs a TAP program once for each GPU of the machine, with only that one in /dev/dri, and joins what
# they report, each line with the GPU's properties. The program finds them in D3DGPU_CAPS too, to know what to expect.
cd /dev/dri || exit
number=0
status=0
: >/tmp/joined

for node in renderD*; do
	number=$((number + 1))
	properties=$(sed -n "${number}p" /etc/d3dgpu/gpus)
	for other in renderD*; do
		[ "$other" = "$node" ] || mv "$other" /dev/hidden-"$other"
	done
	D3DGPU_CAPS=$properties "$@" >/tmp/output
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
