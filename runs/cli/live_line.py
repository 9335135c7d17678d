"""One live line on a terminal, a line every few seconds elsewhere; on standard error."""

import sys
import time
from dataclasses import dataclass, field

TERMINAL_INTERVAL_S = 0.2
LOG_INTERVAL_S = 5.0


@dataclass
class LiveLine:
    """Shows texts, each in place of the one before where that can be.

    Attributes
    ----------
    interactive
        Whether it is a terminal.
    shown_at
        When the last text was shown, by the monotonic clock.
    """

    interactive: bool = field(default_factory=lambda: sys.stderr.isatty())
    shown_at: float = 0.0
    _live: bool = False

    def due(self) -> bool:
        """Return whether the last text is old enough."""
        interval_s = TERMINAL_INTERVAL_S if self.interactive else LOG_INTERVAL_S
        return time.monotonic() - self.shown_at >= interval_s

    def show(self, text: str) -> None:
        """Show a text."""
        self.shown_at = time.monotonic()
        if self.interactive:
            print(f"\r\x1b[2K{text}", end="", file=sys.stderr, flush=True)
            self._live = True
        else:
            print(text, file=sys.stderr, flush=True)

    def close(self) -> None:
        """End the live line."""
        if self._live:
            print(file=sys.stderr)
            self._live = False


@dataclass
class CountLine:
    """Shows how many simulations have ended."""

    _line: LiveLine = field(default_factory=LiveLine)
    _began: float = field(default_factory=time.monotonic)

    def show(self, done: int, of: int) -> None:
        """Show that so many of all have ended."""
        if done == of or self._line.due():
            seconds = time.monotonic() - self._began
            left = seconds * (of - done) / done
            self._line.show(f"{seconds:6.1f} s  {done} of {of} simulations  about {left:.0f} s left")

    def close(self) -> None:
        """End the line."""
        self._line.close()
