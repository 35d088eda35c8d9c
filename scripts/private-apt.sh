# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced, after common.sh, by scripts that download from the distribution what is not to be installed: apt with sources,
# lists and archives of its own in the cache. The system's lists and configuration are not touched, and no root is needed.

# open_private_apt TYPE [SUITE]: sets APT_FOLDER, and PRIVATE_APT to apt's options for packages of a TYPE (deb or deb-src),
# of the machine's own release or of another SUITE of the same servers. apt's words go to $APT_FOLDER/log.
open_private_apt() {
	local codename
	APT_FOLDER=$CACHE/apt/$1${2:+-$2}
	mkdir -p "$APT_FOLDER"/{lists/partial,archives/partial}
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	"$ROOT/scripts/derive-sources" --type "$1" ${2:+--suite "$2"} "$codename" >"$APT_FOLDER/private.sources"
	PRIVATE_APT=(-o "Dir::Etc::sourcelist=$APT_FOLDER/private.sources" -o Dir::Etc::sourceparts=/dev/null
		-o "Dir::State::lists=$APT_FOLDER/lists" -o "Dir::Cache=$APT_FOLDER"
		-o Acquire::Retries=2 -o Acquire::Languages=none -o APT::Sandbox::User="$(id -un)" -o APT::Get::List-Cleanup=1)
	apt-get "${PRIVATE_APT[@]}" -qq update >"$APT_FOLDER/log" 2>&1 || true	# judged by what the next step finds
}
