# SPDX-License-Identifier: MIT
"""What programs in the guest are told when they asked the runner for something by a line of theirs."""
import socket


class Answers:
    """The host's end of the virtio port "d3dgpu.answers"."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(5)
        self.socket.connect(str(path))

    def send(self, text):
        self.socket.sendall(text.encode() + b"\n")
