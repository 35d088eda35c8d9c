#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The list of expected IGT results against results that are known."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import igt  # noqa: E402
from tapwriter import Writer  # noqa: E402

LIST = """# comment
[kms_flip] 2
2x-*: skip, one head
wf-vblank: fail, why it does
slow-*: varies, a slow machine

[core_auth] 1
"""
out = Writer()
flip, auth = igt.read_expected(LIST)
out.equal((flip.name, flip.successes, auth.others), ("kms_flip", 2, []), "a list has programs with their successes")
out.equal(flip.others, [["2x-*", "skip", "one head"], ["wf-vblank", "fail", "why it does"],
                         ["slow-*", "varies", "a slow machine"]], "and what does not succeed, with reasons")
for bad in ("basic: skip, before a program", "[kms_flip] 1\nbasic: skip", "[kms_flip]", "[kms_flip] 1\nbasic: success, really"):
    try:
        igt.read_expected(bad)
        out.ok(False, f"not a list: {bad!r}")
    except ValueError:
        out.ok(True, f"not a list: {bad!r}")

words = {"igt@kms_flip@plain": "pass", "igt@kms_flip@2x-plain": "skip", "igt@kms_flip@wf-vblank": "timeout",
         "igt@kms_flip@nonblocking": "warn", "igt@kms_flip@slow-1": "fail", "igt@kms_flip@slow-2": "pass",
         "igt@kms_flip@plain@a-hdmi-a1": "fail", "igt@core_auth": "dmesg-warn"}
results = igt.read_results(json.dumps({"tests": {name: {"result": word} for name, word in words.items()}}))
good = {"plain": "success", "2x-plain": "skip", "wf-vblank": "fail", "nonblocking": "success", "slow-1": "fail",
        "slow-2": "success"}
out.equal(results, {"kms_flip": good, "core_auth": {"": "fail"}}, "IGT's words become three results, dynamic subtests their parent's")

out.equal(igt.compare(flip, good), [], "no difference; what varies is none, and is not counted")
out.equal(igt.compare(auth, {"": "fail"}), ["core_auth@: fail, expected: success", "core_auth: 0 successes, expected: 1"],
          "what is not listed is to succeed")
out.equal(igt.compare(flip, {**good, "wf-vblank": "success"}),
          ["kms_flip@wf-vblank: success, expected: fail", "kms_flip: 3 successes, expected: 2"], "an unexpected success is a difference")
out.equal(igt.compare(flip, {k: v for k, v in good.items() if k != "2x-plain"}), ["kms_flip@2x-*: no such test"],
          "a line that fits no test is one")
out.equal(igt.compare(flip, {**good, "plain": "skip"})[0], "kms_flip@plain: skip, expected: success", "and so is an unexpected skip")
out.equal(igt.rewritten(flip, {**good, "plain": "skip"}),
          "[kms_flip] 1\nplain: skip, ?\n2x-*: skip, one head\nwf-vblank: fail, why it does\n"
          "slow-*: varies, a slow machine", "a new list keeps the old reasons")
sys.exit(out.done())
