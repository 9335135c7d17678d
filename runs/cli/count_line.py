"""How many simulations have ended, as a live line."""

import sys
import time
from dataclasses import dataclass, field

from .progress import LOG_INTERVAL_S, TERMINAL_INTERVAL_S


@dataclass
class CountLine:
    """Shows how many simulations have ended: one live line on a terminal, a line every few seconds elsewhere."""

    interactive: bool = field(default_factory=lambda: sys.stderr.isatty())
    _began: float = field(default_factory=time.monotonic)
    _shown_at: float = 0.0

    def show(self, done: int, of: int) -> None:
        """Show that so many of all have ended."""
        now = time.monotonic()
        if now - self._shown_at < (TERMINAL_INTERVAL_S if self.interactive else LOG_INTERVAL_S) and done < of:
            return
        self._shown_at = now
        seconds = now - self._began
        line = f"{seconds:6.1f} s  {done} of {of} simulations  about {seconds * (of - done) / done:.0f} s left"
        print(f"\r\x1b[2K{line}" if self.interactive else line, end="" if self.interactive else "\n", file=sys.stderr)
        sys.stderr.flush()

    def close(self) -> None:
        """End the line."""
        if self.interactive:
            print(file=sys.stderr)
