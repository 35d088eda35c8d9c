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

# guest_kernel: the newest installed kernel that a module can be built for and the guest can boot.
guest_kernel() {
	local image version
	for image in $(printf '%s\n' /boot/vmlinuz-* | sort -Vr); do
		version=${image#/boot/vmlinuz-}
		if [ -r "$image" ] && [ -e "/lib/modules/$version/build" ]; then
			echo "$version"
			return
		fi
	done
	die "no kernel in /boot with its headers (packages linux-image-amd64 and linux-headers-amd64 of one version)"
}
