"""Interrupt solvers when no time is left."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from ..integer_program import TimeLeft

POLL_INTERVAL_S = 0.05  # between checks of the time left


@contextmanager
def interrupting(seconds_left: TimeLeft, interrupt: Callable[[], object]) -> Iterator[None]:
    """Call `interrupt` from another thread once no time is left, repeatedly until the block ends.

    Repeatedly, because a solver that starts after the first call does not notice it.
    """
    finished = Event()

    def watch() -> None:
        while not finished.wait(POLL_INTERVAL_S):
            if seconds_left() <= 0:
                interrupt()

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()
