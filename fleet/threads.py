"""Where work runs: what a fleet is, and the threads of this machine."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

from isoplane.models.checks import check_int

T = TypeVar("T")
R = TypeVar("R")

# Whoever waits for a fleet hears from it at least this often, so that it can tell the progress and stop.
MOMENT_S = 0.2


class Fleet(Protocol):
    """Where work runs; no influence on what comes out."""

    @property
    def workers(self) -> int:
        """How many calls run at once."""

    @property
    def seconds(self) -> float:
        """How long a call should last: long against the cost of sending it, short for whoever waits."""

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[tuple[int, R] | None, None, None]:
        """Call a function on every item, several at once, and yield (index, result) as calls end.

        Items are taken one by one, when a worker is free. None is yielded when nothing has ended for a moment. Whoever
        closes the iterator needs no more results: what has not begun is dropped.

        Parameters
        ----------
        function
            At the top of a module and without side effects: it may run in another process, and again if that dies.
        items
            Small and picklable, and so are the results.
        """


@dataclass(frozen=True)
class Threads:
    """Threads of this process; native calls release the interpreter lock.

    Parameters
    ----------
    workers
        How many.

    Raises
    ------
    InputError
        If there are none.

    Examples
    --------
    >>> sorted(ended for ended in Threads(2).map(abs, [-3, 4]) if ended)
    [(0, 3), (1, 4)]
    """

    workers: int = 1

    def __post_init__(self) -> None:
        check_int("workers", self.workers, 1)

    @property
    def seconds(self) -> float:
        """Short, for all are waited for before a round is told; with more threads a round has time for longer calls."""
        return min(0.4, 0.05 * self.workers)

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[tuple[int, R] | None, None, None]:
        """Call a function on every item, and yield (index, result) as calls end."""
        waiting = enumerate(items)
        pool = ThreadPoolExecutor(self.workers)
        try:
            running: dict[Future[R], int] = {}
            while True:
                for index, item in islice(waiting, self.workers - len(running)):
                    running[pool.submit(function, item)] = index
                if not running:
                    return
                ended = wait(running, MOMENT_S, FIRST_COMPLETED).done
                if not ended:
                    yield None
                for future in sorted(ended, key=running.__getitem__):
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(cancel_futures=True)
