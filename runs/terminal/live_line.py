"""One live line on a terminal, a line every few seconds elsewhere; on standard error."""

import os
import sys
import time
import unicodedata
from dataclasses import dataclass, field
from typing import ClassVar

from .messages import printable

TERMINAL_INTERVAL_S = 0.2
LOG_INTERVAL_S = 5.0
ERASE = "\r\x1b[2K"  # of the row of a terminal
USUAL_COLUMNS = 80  # if the terminal does not report its width


@dataclass
class LiveLine:
    """Shows texts; on a terminal each replaces the one before.

    On a terminal a text is cut to the current width, because only one row can be overwritten. So the most important
    parts come first, separated by two spaces.

    Attributes
    ----------
    interactive
        Whether it is a terminal.
    began
        When the line began, by the monotonic clock.
    shown_at
        When the last text was shown, by the same clock.
    last_shown_at
        When any line showed a text.
    """

    last_shown_at: ClassVar[float] = 0.0

    interactive: bool = field(default_factory=lambda: sys.stderr.isatty())
    began: float = field(default_factory=time.monotonic)
    shown_at: float = 0.0
    _live: bool = False

    def due(self) -> bool:
        """Whether the last text is old enough to be replaced."""
        interval_s = TERMINAL_INTERVAL_S if self.interactive else LOG_INTERVAL_S
        return time.monotonic() - self.shown_at >= interval_s

    def show(self, text: str) -> None:
        """Show a text."""
        self.shown_at = LiveLine.last_shown_at = time.monotonic()
        if self.interactive:
            # The last column stays free: some terminals begin a new row as soon as it is filled.
            print(f"{ERASE}{fitted(text, terminal_columns() - 1)}", end="", file=sys.stderr, flush=True)
            self._live = True
        else:
            print(text, file=sys.stderr, flush=True)

    def show_timed(self, text: str) -> None:
        """Show a text after the seconds since the line began."""
        self.show(f"{time.monotonic() - self.began:6.1f} s  {text}")

    def show_count(self, done: int, total: int) -> None:
        """Show the number of completed simulations and an estimate of the time left, if the last text is old enough."""
        if done == total or self.due():
            left = left_text(time.monotonic() - self.began, done, total - done)
            self.show_timed(f"{done} of {total} simulations{left}")

    def erase(self) -> None:
        """Clear the row of the live line for other output."""
        if self._live:
            print(ERASE, end="", file=sys.stderr, flush=True)
            self._live = False

    def close(self) -> None:
        """End the live line."""
        if self._live:
            print(file=sys.stderr)
            self._live = False


def left_text(seconds: float, done: float, rest: float) -> str:
    """Return an estimate of the time that the rest of some work takes, as a part of a live line; empty if unknown."""
    return f"  about {seconds * rest / done:.0f} s left" if done else ""


def fitted(text: str, columns: int) -> str:
    """Return the beginning of a text that fits into `columns` columns: whole parts, if the first one fits.

    Parameters
    ----------
    text
        Parts with two spaces between them; characters that a terminal does not print are escaped.
    columns
        Width of the terminal; wide characters take two columns.

    Examples
    --------
    >>> fitted("10.0 s  best aspl 3.125  gap 0.5 %", 30)
    '10.0 s  best aspl 3.125'
    >>> fitted("網網網", 5)
    '網網'
    """
    text = printable(text)
    width = 0
    for index, character in enumerate(text):
        width += _cells(character)
        if width > columns:
            # Half a number would be a wrong number.
            return text[: index + 2].rpartition("  ")[0].rstrip() or text[:index]
    return text


def _cells(character: str) -> int:
    """Return the width of a character in columns."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def terminal_columns() -> int:
    """Return the width of the terminal behind standard error."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or USUAL_COLUMNS
    except OSError:  # a stream without a file descriptor of a terminal
        return USUAL_COLUMNS
