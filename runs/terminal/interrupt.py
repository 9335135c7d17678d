"""Ctrl-C: ends the program at once, or stops a search and keeps its result."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Records that a signal requested the end, for all jobs of a sweep."""

    requested = False

    @contextmanager
    def caught(self, *, at_once: bool) -> Iterator[None]:
        """Catch SIGINT and SIGTERM inside the block.

        Parameters
        ----------
        at_once
            Whether the first signal raises KeyboardInterrupt. If not, it is only recorded, so that a search ends at
            its next round; a second signal raises.
        """

        def handle(number: int, frame: FrameType | None) -> None:
            repeated, self.requested = self.requested, True
            if at_once or repeated:
                raise KeyboardInterrupt

        previous = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


INTERRUPT = Interrupt()
