#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The TAP reader against runs whose counts are known."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import tap  # noqa: E402
from tapwriter import Writer  # noqa: E402

CASES = [
    # name, text, exit status, (passed, failed, skipped)
    ("passing tests count", "ok 1 - a\nok 2 - b\n1..2\n", 0, (2, 0, 0)),
    ("the plan may come first", "TAP version 13\n1..1\nok 1 - a\n", 0, (1, 0, 0)),
    ("a failing test counts once", "ok 1 - a\nnot ok 2 - b\n1..2\n", 1, (1, 1, 0)),
    ("a skipped test is neither", "ok 1 - a # SKIP no GPU\n1..1\n", 0, (0, 0, 1)),
    ("todo counts as skipped, also when it fails", "not ok 1 - a # TODO later\n1..1\n", 0, (0, 0, 1)),
    ("a skipped program counts as one skip", "1..0 # SKIP not here\n", 0, (0, 0, 1)),
    ("a missing plan is a failure", "ok 1 - a\n", 0, (1, 1, 0)),
    ("tests missing from the plan are a failure", "1..3\nok 1 - a\nok 2 - b\n", 0, (2, 1, 0)),
    ("more tests than planned are a failure", "1..1\nok 1 - a\nok 2 - b\n", 0, (2, 1, 0)),
    ("a lost line is a failure", "ok 1 - a\nok 3 - c\n1..2\n", 0, (2, 1, 0)),
    ("bail out is a failure", "ok 1 - a\nBail out! no device\n", 99, (1, 1, 0)),
    ("a signal is a failure", "ok 1 - a\n1..1\n", -11, (1, 1, 0)),
    ("a signal seen through a shell is a failure", "ok 1 - a\n1..1\n", 139, (1, 1, 0)),
    ("a status without failed test is a failure", "ok 1 - a\n1..1\n", 3, (1, 1, 0)),
    ("a program that did not end is one failure", "ok 1 - a\n", None, (1, 1, 0)),
    ("no output at all is a failure", "", 0, (0, 1, 0)),
    ("other text is ignored", "hello\n# diag\n    ok 1 - nested\nok 1 - a\n1..1\n", 0, (1, 0, 0)),
    ("carriage returns of a serial line are ignored", "ok 1 - a\r\n1..1\r\n", 0, (1, 0, 0)),
    ("a number sign in a name is no directive", "ok 1 - draw #3\n1..1\n", 0, (1, 0, 0)),
]

out = Writer()
for name, text, status, want in CASES:
    run = tap.parse("prog", text.splitlines(True), status)
    out.equal((run.passed, run.failed, run.skipped), want, name)

run = tap.parse("prog", ["not ok 1 - blue is blue # really\n", "1..1\n"], 1)
out.equal(run.failures, ["prog: blue is blue # really"], "a failure has the program's and the test's name")
run = tap.parse("prog", ["ok 1 - a # SKIP no GPU\n", "1..1\n"])
out.equal(run.skips, ["a: no GPU"], "a skip has its reason")
totals = tap.Totals()
totals.add(tap.Totals(1, 2, 3))
totals.add(tap.Totals(10, 20, 30))
out.equal(str(totals), "11 passed, 22 failed, 33 skipped", "totals add up and print in the closing form")
sys.exit(out.done())
