# SPDX-License-Identifier: MIT
"""A small client of QEMU's monitor protocol (one JSON object a line)."""
import json
import socket


class Qmp:
    """A connection to the monitor at a UNIX socket; raises OSError or QmpError."""

    def __init__(self, path, timeout=10):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.stream = self.socket.makefile("rw", encoding="utf-8")
        json.loads(self.stream.readline())      # greeting
        self.command("qmp_capabilities")

    def command(self, name, **arguments):
        """Runs a command and returns what it returns; events that come between are dropped."""
        request = {"execute": name}
        if arguments:
            request["arguments"] = arguments
        self.stream.write(json.dumps(request) + "\n")
        self.stream.flush()
        while True:
            line = self.stream.readline()
            if not line:
                raise QmpError(f"{name}: QEMU closed the monitor")
            answer = json.loads(line)
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise QmpError(f"{name}: {answer['error']['desc']}")

    def close(self):
        self.stream.close()
        self.socket.close()


class QmpError(Exception):
    pass
