# SPDX-License-Identifier: MIT
"""A client of QEMU's VNC server (RFB 3.8), as far as tests need it: it asks for another size, and gets the pointer's shape."""
import socket
import struct

ALPHA_CURSOR, DESKTOP_SIZE = -314, -308     # pseudo-encodings


class Vnc:
    """A connection through a UNIX socket, past the greeting."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(str(path))
        self.stream = self.socket.makefile("rwb")
        self.read(12)
        self.write(b"RFB 003.008\n")
        self.read(self.read(1)[0])              # security types: none is among them
        self.write(b"\1")
        self.read(4)
        self.write(b"\1")                       # shared
        self.width, self.height = struct.unpack(">HH", self.read(4))
        self.read(16)                           # pixel format
        self.read(struct.unpack(">I", self.read(4))[0])
        self.write(struct.pack(">BxHii", 2, 2, ALPHA_CURSOR, DESKTOP_SIZE))

    def read(self, size):
        data = self.stream.read(size)
        if len(data) != size:
            raise EOFError("the VNC server has gone")
        return data

    def write(self, data):
        self.stream.write(data)
        self.stream.flush()

    def ask_for_size(self, width, height):
        """As when the user drags the window's corner."""
        self.write(struct.pack(">BxHHBx", 251, width, height, 1) + struct.pack(">IHHHHI", 0, 0, 0, width, height, 0))

    def cursor(self):
        """The next shape of the pointer: (hot x, hot y, width, height, bytes B, G, R, A)."""
        while True:
            kind, rects = struct.unpack(">BxH", self.read(4))
            if kind != 0:
                raise ValueError(f"unexpected message {kind}")
            for _ in range(rects):
                x, y, width, height, encoding = struct.unpack(">HHHHi", self.read(12))
                if encoding == ALPHA_CURSOR:
                    self.read(4)
                    return x, y, width, height, self.read(width * height * 4)
                if encoding == DESKTOP_SIZE:
                    self.read(4 + self.read(1)[0] * 16 - 1)

    def close(self):
        self.stream.close()
        self.socket.close()
