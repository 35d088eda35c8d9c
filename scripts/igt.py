# SPDX-License-Identifier: MIT
"""What IGT's tests are expected to do on this driver, what they did, and the difference. tests/conformance/igt-expected.txt:

    [program] 12                        a program, and how many of its subtests succeed
    subtest-pattern: skip, reason       what does not: "skip" or "fail", and why. The first pattern that fits counts
    subtest-pattern: varies, reason     what does at times; it does not count
    *: fail, reason                     also for a program without subtests
"""
import fnmatch
import json
import re
from dataclasses import dataclass, field

# IGT's words for results that mean the same to a driver.
WORDS = {"pass": "success", "warn": "success", "notrun": "skip", "timeout": "fail", "crash": "fail", "incomplete": "fail",
         "dmesg-fail": "fail", "dmesg-warn": "fail"}


@dataclass
class Program:
    """What is expected of a program: how many subtests succeed, and which do not."""
    name: str
    successes: int
    others: list = field(default_factory=list)      # [pattern of the subtest's name, result, reason]

    def expected(self, subtest):
        """The result that the list has for a subtest, and its pattern (None: it is to succeed)."""
        for pattern, result, _ in self.others:
            if fnmatch.fnmatchcase(subtest, pattern):
                return result, pattern
        return "success", None


def read_expected(text):
    """The list: `[program] successes`, then `subtest-pattern: skip|fail, reason` for what does not succeed."""
    programs = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        head = re.fullmatch(r"\[(\w+)\] (\d+)", line)
        other = re.fullmatch(r"(\S+): (skip|fail|varies), (.+)", line)
        if head:
            programs.append(Program(head[1], int(head[2])))
        elif other and programs:
            programs[-1].others.append(list(other.groups()))
        elif line:
            raise ValueError(f"line {number}: not understood: {line}")
    return programs


def read_results(text):
    """{program: {subtest ("" for a program without): result}} of IGT's results.json. Dynamic subtests count for their parents."""
    results = {}
    for name, test in json.loads(text)["tests"].items():
        _, program, *subtest = name.split("@")
        if len(subtest) < 2:
            results.setdefault(program, {})["".join(subtest)] = WORDS.get(test["result"], test["result"])
    return results


def compare(program, results):
    """The differences between the list and the results of one program, as text."""
    differences, met = [], set()
    for subtest, result in results.items():
        expected, pattern = program.expected(subtest)
        met.add(pattern)
        if expected not in (result, "varies"):
            differences.append(f"{program.name}@{subtest}: {result}, expected: {expected}")
    differences += [f"{program.name}@{pattern}: no such test" for pattern, _, _ in program.others if pattern not in met]
    successes = count_successes(program, results)
    if successes != program.successes:
        differences.append(f"{program.name}: {successes} successes, expected: {program.successes}")
    return differences


def count_successes(program, results):
    return sum(result == "success" and program.expected(subtest)[0] != "varies" for subtest, result in results.items())


def rewritten(program, results):
    """The program's part of the list as it would have to be."""
    lines = [f"[{program.name}] {count_successes(program, results)}"]
    reasons = {(pattern, result): reason for pattern, result, reason in program.others}
    for subtest, result in results.items():
        expected, pattern = program.expected(subtest)
        if expected in (result, "varies") and pattern:
            line = f"{pattern}: {expected}, {reasons[pattern, expected]}"
        elif result != "success":
            line = f"{subtest or '*'}: {result}, ?"
        else:
            continue
        if line not in lines:
            lines.append(line)
    return "\n".join(lines)
