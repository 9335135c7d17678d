"""The fleet protocol, and its implementation with threads on this machine."""

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

from isoplane.models.checks import check_int

T = TypeVar("T")
R = TypeVar("R")

# Longest interval between two yields of a fleet, so that its caller can report progress and stop.
POLL_INTERVAL_S = 0.2


def processors() -> int:
    """Return the processors that this process may use, in a container or a batch job fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Fleet(Protocol):
    """Executor of calls in parallel; it has no influence on the results."""

    @property
    def workers(self) -> int:
        """Number of concurrent calls."""

    @property
    def target_call_seconds(self) -> float:
        """Target duration of a call: long compared with the cost of sending it, short enough for the waiting caller."""

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[tuple[int, R] | None, None, None]:
        """Call a function on every item, in parallel, and yield (index, result) as calls are completed.

        Items are taken one by one, as workers become free. None is yielded if no call has been completed for
        `POLL_INTERVAL_S`. Closing the iterator cancels the calls that have not started.

        Parameters
        ----------
        function
            A module-level function without side effects: it may run in another process, and again if that process dies.
        items
            Items; they and the results are small and picklable.
        """


@dataclass(frozen=True)
class Threads:
    """Threads of this process; native calls release the interpreter lock.

    Parameters
    ----------
    workers
        Number of threads.

    Raises
    ------
    InputError
        If it is not positive.

    Examples
    --------
    >>> sorted(result for result in Threads(2).map(abs, [-3, 4]) if result)
    [(0, 3), (1, 4)]
    """

    workers: int = 1

    def __post_init__(self) -> None:
        check_int("workers", self.workers, 1)

    @property
    def target_call_seconds(self) -> float:
        """Short, because a round ends only when all its calls do; longer with more threads, as rounds are longer."""
        return min(0.4, 0.05 * self.workers)

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[tuple[int, R] | None, None, None]:
        """Call a function on every item, and yield (index, result) as calls are completed."""
        pool = ThreadPoolExecutor(self.workers)
        try:
            yield from completed_calls(pool, self.workers, function, items)
        finally:
            pool.shutdown(cancel_futures=True)


def completed_calls(
    pool: Executor, workers: int, function: Callable[[T], R], items: Iterable[T]
) -> Generator[tuple[int, R] | None, None, None]:
    """Call a function on every item in a pool, at most `workers` at once, and yield as `Fleet.map` does."""
    pending = enumerate(items)
    running: dict[Future[R], int] = {}
    try:
        while True:
            for index, item in islice(pending, workers - len(running)):
                running[pool.submit(function, item)] = index
            if not running:
                return
            done = wait(running, POLL_INTERVAL_S, FIRST_COMPLETED).done
            if not done:
                yield None
            # `wait` returns a set, whose order changes from run to run.
            for future in sorted(done, key=running.__getitem__):
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
