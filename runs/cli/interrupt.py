"""Ctrl-C as a stop: the search ends at the next round, and its result is kept."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Remembers that a signal asked to end; lasts for all jobs of a sweep."""

    requested = False

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Catch SIGINT and SIGTERM inside the block; a second one ends the program at once."""

        def handle(number: int, frame: FrameType | None) -> None:
            if self.requested:
                raise KeyboardInterrupt
            self.requested = True

        before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


INTERRUPT = Interrupt()
