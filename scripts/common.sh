# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the other scripts: where things are, and how to speak to the person who runs them.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Downloads and QEMU's build tree outlive the checkout and are shared by all checkouts of one user.
CACHE=${D3DGPU_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/d3dgpu}
BUILD=$ROOT/build		# release-like build of everything that meson builds
SCRIPT=${0##*/}

say() { printf '%s: %s\n' "$SCRIPT" "$*"; }
die() { printf '%s: error: %s\n' "$SCRIPT" "$*" >&2; exit 1; }

# as_root COMMAND...: runs it as root, through sudo when this is not root already.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "need root for: $* (be root, or install sudo)"
	fi
}

# copy_if_changed FROM TO: keeps TO's time stamp when the content is the same, so that nothing is rebuilt for it.
copy_if_changed() {
	cmp -s "$1" "$2" || { mkdir -p "$(dirname "$2")" && cp "$1" "$2"; }
}

# jobs: how many compilers to run at once.
jobs_count() { echo "${D3DGPU_JOBS:-$(nproc)}"; }

# mirror_tree FROM TO: makes TO a copy of the files in FROM, touching only what differs.
mirror_tree() {
	local file
	mkdir -p "$2"
	(cd "$1" && find . -type f -print0) | while IFS= read -r -d '' file; do
		copy_if_changed "$1/$file" "$2/$file"
	done
}

# kernel_root VERSION: below which folder a kernel's boot/ and lib/modules/ are: "" (the system's), or one of its own in the
# cache (scripts/fetch-kernel, scripts/build-debug-kernel).
kernel_root() {
	if [ -d "$CACHE/kernels/$1" ]; then echo "$CACHE/kernels/$1"; fi
}

# kernel_image VERSION: its bootable image. Newer packages keep it beside the modules.
kernel_image() {
	local root image
	root=$(kernel_root "$1")
	for image in "$root/boot/vmlinuz-$1" "$root/lib/modules/$1/vmlinuz"; do
		if [ -r "$image" ]; then
			echo "$image"
			return
		fi
	done
	return 1
}

# guest_kernel: the version of the kernel that the guest boots: the one that D3DGPU_KERNEL names, or the newest installed one
# that a module can be built for.
guest_kernel() {
	local image version
	if [ -n "${D3DGPU_KERNEL:-}" ]; then
		kernel_image "$D3DGPU_KERNEL" >/dev/null || die "no kernel $D3DGPU_KERNEL, installed or in $CACHE/kernels"
		echo "$D3DGPU_KERNEL"
		return
	fi
	for image in $(printf '%s\n' /boot/vmlinuz-* | sort -Vr); do
		version=${image#/boot/vmlinuz-}
		if [ -r "$image" ] && [ -e "/lib/modules/$version/build" ]; then
			echo "$version"
			return
		fi
	done
	die "no kernel in /boot with its headers (packages linux-image-amd64 and linux-headers-amd64 of one version)"
}

# kernel_output: where what is built for the guest's kernel goes: module/ and guest.cpio.
kernel_output() { echo "$BUILD${D3DGPU_KERNEL:+/kernel-$D3DGPU_KERNEL}"; }
