"""Solvers end when there is no time left, whatever they do at that moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from .statement import Left

MOMENT_S = 0.05  # how often the time is looked at


@contextmanager
def interrupting(left: Left, interrupt: Callable[[], object]) -> Iterator[None]:
    """Call `interrupt` from another thread once no time is left, again and again until the block ends.

    Again, for a solver that begins after the first call knows nothing of it.
    """
    over = Event()

    def watch() -> None:
        while not over.wait(MOMENT_S):
            if left() <= 0:
                interrupt()

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
