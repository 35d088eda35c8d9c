# SPDX-License-Identifier: MIT
"""Writes TAP: the python counterpart of tests/tap.h, for tests of scripts and for the qtest client."""


class Writer:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, passed, name, why=""):
        """One test; `why` explains a failure."""
        self.count += 1
        self.failed += not passed
        print(f"{'ok' if passed else 'not ok'} {self.count} - {name}", flush=True)
        if not passed and why:
            self.diag(why)
        return bool(passed)

    def equal(self, got, want, name):
        def text(value):
            return f"{value:#x}" if isinstance(value, int) and not isinstance(value, bool) else repr(value)
        return self.ok(got == want, name, f"got {text(got)}, want {text(want)}")

    def contains(self, text, part, name):
        return self.ok(part in text, name, f"{part!r} is not in {text!r}")

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {reason}", flush=True)

    def diag(self, text):
        for line in str(text).splitlines():
            print("# " + line, flush=True)

    def done(self):
        """Prints the plan; returns the exit status."""
        print(f"1..{self.count}", flush=True)
        return 1 if self.failed or not self.count else 0
