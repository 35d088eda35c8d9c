#!/bin/sh
# SPDX-License-Identifier: MIT
# A machine without the GPU: the driver loads and waits, programs learn that there is no adapter.
. /d3dgpu/tests/vm/tap.sh

check "there is no d3dgpu on the bus" test -z "$(gpu_address)"
check "the module is loaded" grep -q '^d3dgpu ' /proc/modules
check "no render node" not render_node
if [ -x /d3dgpu/tests/demo/demo ]; then
	said=$(/d3dgpu/tests/demo/demo --frames 1 2>&1)
	status=$?
	check "the demonstration ends with a status, not a signal" test $status -gt 0 -a $status -lt 126
	check "and says that there is no adapter" sh -c 'echo "$1" | grep -qi adapter' sh "$said"
fi
check "the module unloads" rmmod d3dgpu
finish
