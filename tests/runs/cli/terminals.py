"""A terminal of a given width, and what it shows after a program has written to it."""

import fcntl
import os
import re
import select
import struct
import termios
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

ROWS = 100  # more than any test fills, so that no row scrolls away
POLL_INTERVAL_S = 0.05


class Terminal:
    """A pseudo-terminal whose other end is an emulator; a context manager."""

    def __init__(self, columns: int) -> None:
        self._screen = pyte.Screen(columns, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._master, self._slave = os.openpty()
        self.written = b""
        self.resize(columns)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        os.close(self._slave)
        os.close(self._master)

    @property
    def path(self) -> Path:
        """The file to which a program writes."""
        return Path(os.ttyname(self._slave))

    def resize(self, columns: int) -> None:
        """Make the terminal wider or narrower; 0 columns stand for a terminal that does not report its width."""
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("4H", ROWS, columns, 0, 0))
        if columns:
            self._screen.resize(columns=columns)

    def read(self) -> None:
        """Pass what has been written to the emulator, until nothing more arrives for a moment."""
        while select.select([self._master], [], [], POLL_INTERVAL_S)[0]:
            data = os.read(self._master, 1 << 16)
            self.written += data
            self._stream.feed(data)

    @property
    def rows(self) -> list[str]:
        """What the screen shows, from the first row to the last one that is not empty."""
        return "\n".join(row.rstrip() for row in self._screen.display).rstrip("\n").split("\n")

    @property
    def texts(self) -> list[str]:
        """Everything ever shown, row by row, without the escape sequences that move the cursor."""
        shown = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", self.written).decode()
        return [text for text in re.split(r"[\r\n]+", shown) if text]
