#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs IGT's test programs in their own root, /igt (scripts/conformance-igt made it), on the first GPU, and leaves the results in
# /out as IGT's own results.json.
root=/igt
for folder in dev proc sys tmp; do
	mkdir -p $root/$folder
	mount --bind /$folder $root/$folder
done
cp /bin/busybox $root/usr/bin/sh	# its runner asks the programs for their subtests through a shell
echo 0 >/sys/class/vtconsole/vtcon1/bind 2>/dev/null	# a console that draws is a DRM master at times
export IGT_FORCE_DRIVER=d3dgpu XDG_RUNTIME_DIR=/tmp HOME=/tmp TERM=dumb
# A subtest that does not end is IGT's to end; the rest of the program is run without it. Not those of suspend: they
# need a distribution's tools.
chroot $root /usr/bin/igt_runner -m -o -x suspend --per-test-timeout 120 --inactivity-timeout 100 --piglit-style-dmesg \
	/usr/libexec/igt-gpu-tools /results
chroot $root /usr/bin/igt_results /results >/dev/null
cp $root/results/results.json /out/igt.json
