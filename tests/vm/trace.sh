#!/bin/sh
# SPDX-License-Identifier: MIT
# trace.sh PROGRAM...: runs programs with the driver's trace points on, and leaves what these wrote in /out/trace.txt, for
# scripts/traces.py to compare with the device's trace events.
. /d3dgpu/tests/vm/tap.sh
tracing=/sys/kernel/tracing

quietly() { "$@" >/dev/null; }

check "the driver has trace points" test -d $tracing/events/d3dgpu
echo 16384 >$tracing/buffer_size_kb
echo 1 >$tracing/events/d3dgpu/enable
for program in "$@"; do
	check "${program##*/} with trace points on" quietly "$program"
done
echo 0 >$tracing/events/d3dgpu/enable
cat $tracing/trace >/out/trace.txt
for event in submit dispatch complete irq; do
	check "d3dgpu_$event was traced" grep -q "d3dgpu_$event:" /out/trace.txt
done
finish
