#!/bin/sh
# SPDX-License-Identifier: MIT
# libdrm's own programs for mode setting: modetest, proptest, vbltest.
. /d3dgpu/tests/vm/tap.sh

log=/tmp/modetest.log
modetest -M d3dgpu >$log 2>&1
listed() { awk -v part="$1:" '$1 == part { on = 1; getline; next } NF == 0 || /^[A-Z][A-Za-z]*:$/ { on = 0 } on && /^[0-9]/' $log; }
connector=$(listed Connectors | awk 'NR == 1 { print $1 }')
crtc=$(listed CRTCs | awk 'NR == 1 { print $1 }')
plane_of_type() { # 0 overlay, 1 primary, 2 cursor: the number of the first
	awk -v wanted="$1" '/^Planes:/ { on = 1 } on && /^[0-9]/ { plane = $1 } /type:$/ { type = 1 }
		type && /value:/ { if (on && $2 == wanted) { print plane; exit } type = 0 }' $log
}
overlay=$(plane_of_type 0)

# Each runs until there is input: for some seconds. What it says must match.
shows() { # PATTERN COMMAND...
	local pattern=$1
	shift
	sleep 4 | "$@" >$log.run 2>&1
	grep -q -E "$pattern" $log.run && ! grep -q -i -E 'failed|error' $log.run || { cat $log.run; return 1; }
}

check "modetest lists connectors, CRTCs and planes" test -n "$connector" -a -n "$crtc" -a -n "$overlay"
check "a connector is connected" grep -q -E "^$connector.*[^s]connected" $log
check "planes have their formats" grep -q 'formats: .*XR24' $log
check "and say that they are linear" grep -q -i 'linear' $log
check "modetest sets a mode" shows 'setting mode' modetest -M d3dgpu -s "$connector@$crtc:1024x768"
check "of 16 bits per pixel" shows 'setting mode' modetest -M d3dgpu -s "$connector@$crtc:800x600@RG16"
check "in another order of colours" shows 'setting mode' modetest -M d3dgpu -s "$connector@$crtc:1024x768@XB24"
check "flips at the vblank" shows 'freq: ([1-5][0-9]|60)\.' modetest -M d3dgpu -v -s "$connector@$crtc:1024x768"
check "with a cursor" shows 'cursor' modetest -M d3dgpu -C -s "$connector@$crtc:1024x768"
check "with an overlay" shows 'testing 320x240' modetest -M d3dgpu -s "$connector@$crtc:1024x768" -P "$overlay@$crtc:320x240+100+100*1.5@XR24"
check "by atomic commits" shows 'setting mode' modetest -M d3dgpu -a -s "$connector@$crtc:1024x768" -P "$overlay@$crtc:320x240@AR24"
check "proptest shows properties" shows 'EDID' proptest -M d3dgpu
check "vbltest counts vblanks" shows 'freq: ([1-5][0-9]|6[0-2])\.' vbltest -M d3dgpu
finish
