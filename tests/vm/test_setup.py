#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Set-up on machines unlike this one: other apt sources, no network, no root, packages missing."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from tapwriter import Writer  # noqa: E402

out = Writer()
temporary = tempfile.TemporaryDirectory(prefix="d3dgpu-test-")
scratch = Path(temporary.name)


def run(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=60)


def derive(*options, **files):
    """What derive-sources makes of an apt folder with these files (dots written as __)."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    (folder / "sources.list.d").mkdir()
    for name, text in files.items():
        path = folder / name.replace("__", ".")
        (path if path.name == "sources.list" else folder / "sources.list.d" / path.name).write_text(text)
    return run(str(ROOT / "scripts/derive-sources"), *options, "bookworm", str(folder))


def test_sources():
    answer = derive(debian__sources="# about\nTypes: deb\nURIs: file:/mirror\nSuites: bookworm bookworm-updates\n"
                                    "Components: main contrib\nSigned-By: /keys/debian.gpg\n")
    out.equal(answer.stdout, "Types: deb-src\nURIs: file:/mirror\nSuites: bookworm bookworm-updates\nComponents: main\n"
                             "Signed-By: /keys/debian.gpg\n", "a deb822 entry becomes its deb-src")
    answer = derive(sources__list="deb [arch=amd64 signed-by=/keys/d.gpg] file:/mirror bookworm main non-free-firmware # x\n")
    out.equal(answer.stdout, "Types: deb-src\nURIs: file:/mirror\nSuites: bookworm\nComponents: main\nSigned-By: /keys/d.gpg\n",
              "a one-line entry becomes its deb-src")
    answer = derive(sources__list="deb file:/mirror bookworm main\n", security__sources="Types: deb\nURIs: file:/security\n"
                    "Suites: bookworm-security\nComponents: main\n\nTypes: deb\nURIs: file:/off\nSuites: bookworm\n"
                    "Components: main\nEnabled: no\n")
    out.ok("file:/mirror" in answer.stdout and "file:/security" in answer.stdout, "both formats are read together")
    out.ok("file:/off" not in answer.stdout, "a disabled entry stays off")
    answer = derive(other__list="deb file:/other nodistro main\ndeb file:/other2 tool-bookworm main\ndeb file:/c bookworm stable\n"
                                "#deb file:/comment bookworm main\n", debian__list="deb file:/mirror bookworm main\n")
    out.equal(answer.stdout.count("URIs:"), 1, "third parties' entries and comments are left out")
    answer = derive(sources__list="deb file:/mirror bookworm main\ndeb-src file:/mirror bookworm main\n")
    out.equal(answer.stdout.count("URIs:"), 1, "an entry that is there as deb-src already comes once")
    answer = derive("--type", "deb", "--suite", "sid", sources__list="deb file:/mirror bookworm main\n"
                    "deb file:/security bookworm-security main\n")
    out.equal(answer.stdout, "Types: deb\nURIs: file:/mirror\nSuites: sid\nComponents: main\n",
              "another suite comes from the server of the distribution itself, not from that of its updates")
    answer = derive(sources__list="deb file:/mirror trixie main\n")
    out.ok(answer.returncode == 1 and "no apt source for bookworm" in answer.stderr, "no fitting entry is an error that says so")


def fake_tools(name, **tools):
    """A folder of stand-in programs for the front of PATH."""
    folder = scratch / name
    folder.mkdir()
    for tool, text in tools.items():
        path = folder / tool.replace("_", "-")
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_no_network():
    cache = scratch / "cache"
    # apt-get as it behaves without a network.
    path = fake_tools("offline", apt_get='echo "E: Failed to fetch: Temporary failure resolving" >&2; exit 100\n')
    answer = run(str(ROOT / "scripts/fetch-qemu"), PATH=path, D3DGPU_CACHE=str(cache))
    out.equal(answer.returncode, 1, "no network, no QEMU source: set-up fails")
    out.contains(answer.stderr, "Missing: the network", "and says what is missing")
    out.contains(answer.stderr, "Temporary failure resolving", "and what apt said")
    out.equal([p.name for p in (cache / "qemu-source").iterdir()], [], "nothing half-done is left in the cache")

    (cache / "qemu-source/qemu-1").mkdir()
    (cache / "qemu-source/qemu-1/VERSION").write_text("7.2\n")
    answer = run(str(ROOT / "scripts/fetch-qemu"), PATH=path, D3DGPU_CACHE=str(cache))
    out.equal((answer.returncode, answer.stdout.strip()), (0, str(cache / "qemu-source/qemu-1")),
              "a source in the cache needs no network")

    path = fake_tools("bare", apt_get='echo "E: Unable to locate package meson" >&2; exit 100\n', id="echo 0\n",
                      dpkg_query='case "$*" in *meson*) echo "" ;; *) echo installed ;; esac\n')
    answer = run(str(ROOT / "scripts/setup"), PATH=path, D3DGPU_CACHE=str(cache))
    out.equal(answer.returncode, 1, "a package that cannot be installed: set-up fails")
    out.contains(answer.stderr, "could not install: meson", "and names it")
    out.contains(answer.stderr, "Unable to locate package", "with apt's reason")

    path = fake_tools("user", apt_get="exit 0\n", id="echo 1000\n", sudo='echo "sudo $*" >&2; "$@"\n',
                      dpkg_query='case "$*" in *meson*) echo "" ;; *) echo installed ;; esac\n')
    answer = run(str(ROOT / "scripts/setup"), PATH=path, D3DGPU_CACHE=str(cache))
    out.equal(answer.returncode, 0, "without root, sudo installs")
    path = fake_tools("ready", dpkg_query="echo installed\n", apt_get="exit 100\n", sudo="exit 1\n")
    answer = run(str(ROOT / "scripts/setup"), PATH=path, D3DGPU_CACHE=str(cache))
    out.equal(answer.returncode, 0, "when everything is there neither root nor network is needed")


test_sources()
test_no_network()
sys.exit(out.done())
