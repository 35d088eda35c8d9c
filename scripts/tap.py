# SPDX-License-Identifier: MIT
"""Reads the Test Anything Protocol (versions 12 to 14 without subtests) and counts what a run of a program reported.

A program that promised something it did not keep is a failure of its own, under the program's name: no plan, another number
of tests than planned, "Bail out!", an exit status that is not 0 although no test failed.
"""
import re
from dataclasses import dataclass, field

LINE = re.compile(r"^(not )?ok\b(?:\s+(\d+))?(?:\s+-)?\s*(.*?)\s*$")
PLAN = re.compile(r"^1\.\.(\d+)(?:\s*#\s*skip\S*\s*(.*))?\s*$", re.IGNORECASE)
DIRECTIVE = re.compile(r"(?<!\\)#\s*(skip|todo)\S*\s*(.*)$", re.IGNORECASE)


@dataclass
class Totals:
    """Numbers over any number of programs."""
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


@dataclass
class Run(Totals):
    """What one program reported."""
    name: str = ""
    failures: list = field(default_factory=list)    # names of failed tests, and complaints about the program itself
    skips: list = field(default_factory=list)       # "name: reason"

    def fail(self, text):
        self.failed += 1
        self.failures.append(text)


def parse(name, lines, status=0):
    """The Run of a program `name` that wrote `lines` (strings with or without newline) and exited with `status`.

    A status below 0 is the signal that ended it; None: it did not end by itself (a hang or a crash of what runs it).
    """
    run = Run(name=name)
    planned, seen, bailed = None, 0, False
    for line in (line.rstrip("\r\n") for line in lines):
        test = LINE.match(line)
        plan = PLAN.match(line)
        if test:
            seen += 1
            count_test(run, test, seen)
        elif plan and planned is None:
            planned = int(plan[1])
            if planned == 0:
                run.skipped += 1
                run.skips.append(f"{name}: {plan[2] or 'no tests'}")
        elif line.startswith("Bail out!"):
            bailed = True
            run.fail(f"{name}: bailed out: {line[9:].strip()}")
    judge_end(run, planned, seen, bailed, status)
    return run


def is_tap(lines):
    """Whether a program's output has a plan or a test line."""
    return any(LINE.match(line) or PLAN.match(line) for line in lines)


def by_status(name, status):
    """The Run of a program that says everything by its exit status: 0 passed, 77 skipped; None: it did not end."""
    run = Run(name=name)
    if status == 0:
        run.passed = 1
    elif status == 77:
        run.skipped = 1
        run.skips.append(name)
    else:
        run.fail(f"{name}: " + ("did not end" if status is None else f"exit status {status}"))
    return run


def count_test(run, test, seen):
    """Counts one test line; a number out of order is a failure, since lines may have been lost."""
    negated, number, text = test[1], test[2], test[3]
    directive = DIRECTIVE.search(text)
    title = (text[:directive.start()] if directive else text).strip() or f"test {seen}"
    if number and int(number) != seen:
        run.fail(f"{run.name}: test {number} where {seen} was expected")
    if directive:       # skipped, or known not to work yet
        run.skipped += 1
        run.skips.append(f"{title}: {directive[2] or directive[1]}")
    elif negated:
        run.fail(f"{run.name}: {title}")
    else:
        run.passed += 1


def judge_end(run, planned, seen, bailed, status):
    """Adds what is wrong with how the program ended."""
    if status is None:
        run.fail(f"{run.name}: did not end")
    elif status < 0 or status > 128:
        run.fail(f"{run.name}: killed by signal {-status if status < 0 else status - 128}")
    if bailed or status is None:
        return
    if planned is None:
        run.fail(f"{run.name}: no plan line after {seen} tests")
    elif planned != seen:
        run.fail(f"{run.name}: {seen} tests ran, {planned} were planned")
    if 0 < status <= 128 and not run.failed:
        run.fail(f"{run.name}: exit status {status} although no test failed")
