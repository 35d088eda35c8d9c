# SPDX-License-Identifier: MIT
"""Runs the tests that a meson build folder registers, some at a time, and reads the TAP they write.

meson knows which tests there are (`meson introspect --tests`); they are run here so that each TAP line counts, as for the
tests in the guest.
"""
import concurrent.futures
import json
import os
import subprocess
import time

import tap

# Sanitizers end the program at their first report: a run that goes on could pass.
SANITIZERS = {"ASAN_OPTIONS": "abort_on_error=1:detect_stack_use_after_return=1",
              "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:print_stacktrace=1"}


def listed(build):
    """The registered tests for the host, as meson describes them. Those of suite "guest" alone need the real device."""
    answer = subprocess.run(["meson", "introspect", "--tests", str(build)], check=True, capture_output=True, text=True)
    return [test for test in json.loads(answer.stdout) if suites(test) != {"guest"}]


def suites(test):
    """A test's suites, without the project's name that meson puts before them."""
    return {suite.split(":")[-1] for suite in test["suite"]}


def run_one(test, build, logs):
    """Runs one test; returns its tap.Run and the seconds it took. Its output is kept in the folder `logs`."""
    name = test["name"]
    log = logs / (name.replace("/", "-").replace(" ", "_") + ".log")
    environment = {**os.environ, **SANITIZERS, **test["env"]}
    started = time.monotonic()
    with open(log, "w+", errors="replace") as output:
        process = subprocess.Popen(test["cmd"], stdin=subprocess.DEVNULL, stdout=output, stderr=open(f"{log}.err", "w"),
                                   cwd=test["workdir"] or build, env=environment, start_new_session=True)
        try:
            status = process.wait(timeout=test["timeout"] or None)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            status = None
        output.seek(0)
        lines = output.readlines()
    run = tap.parse(name, lines, status) if test["protocol"] == "tap" else tap.by_status(name, status)
    return run, time.monotonic() - started


def run_all(build, logs, jobs, report, only=None):
    """Runs the tests of a build folder (or those named in `only`), and calls report(run, seconds) after each.

    Tests that must be alone come last.
    """
    logs.mkdir(parents=True, exist_ok=True)
    tests = [test for test in listed(build) if only is None or test["name"] in only]
    together = [test for test in tests if test["is_parallel"]]
    alone = [test for test in tests if not test["is_parallel"]]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run_one, test, build, logs) for test in together]):
            report(*done.result())
    for test in alone:
        report(*run_one(test, build, logs))
