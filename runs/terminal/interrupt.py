"""Ctrl-C: ends the program at once, or stops a search and keeps its result."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

REPEATED_AFTER_S = 0.5


class Interrupt:
    """Records that a signal requested the end, for all jobs of a sweep."""

    requested = False
    _first_at = 0.0

    @contextmanager
    def caught(self, *, at_once: bool) -> Iterator[None]:
        """Catch SIGINT and SIGTERM inside the block.

        Parameters
        ----------
        at_once
            Whether the first signal raises KeyboardInterrupt. If not, it is only recorded, so that a search ends at
            its next round; a second signal raises, unless it follows within `REPEATED_AFTER_S`: a signal to a group of
            processes also comes from those that pass it on.
        """

        def handle(number: int, frame: FrameType | None) -> None:
            first, self.requested = not self.requested, True
            now = time.monotonic()
            self._first_at = now if first else self._first_at
            if at_once or now > self._first_at + REPEATED_AFTER_S:
                raise KeyboardInterrupt

        previous = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


INTERRUPT = Interrupt()
