"""A fleet of processes on this machine, for calls that hold the interpreter lock."""

import os
import select
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Set
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, forkserver, get_context, parent_process, resource_tracker
from threading import Thread
from typing import Self, TypeVar

from isoplane.models import InputError
from isoplane.models.checks import check_int

from .threads import completed_calls

T = TypeVar("T")
R = TypeVar("R")

# One thread of linear algebra in each process: there are as many processes as processors.
SINGLE_THREADED = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
ENDING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
POLL_S = 1.0  # between looks at another process, where the kernel does not tell of its end


class Processes:
    """Processes of this machine, which are kept between maps; a context manager.

    They start from a clean process, ignore Ctrl-C, SIGTERM and SIGHUP, which the caller handles, and end with their
    parent. That clean process is the fork server of `multiprocessing`: unless it ran before, whatever else a program
    starts from it inherits a block of these signals.

    Parameters
    ----------
    workers
        Number of processes.

    Raises
    ------
    InputError
        If it is not positive.

    Examples
    --------
    >>> Processes(2).workers
    2
    """

    def __init__(self, workers: int = 1) -> None:
        self.workers = check_int("workers", workers, 1)

    @property
    def target_call_seconds(self) -> float:
        """Long compared with the cost of sending items and results."""
        return 0.4

    def __enter__(self) -> Self:
        # Processes that others have started must survive the end of this fleet.
        self._others = set(active_children())
        resource_tracker.ensure_running()  # its start would unblock the signals that are blocked below
        with _environment(SINGLE_THREADED), signals_blocked():
            forkserver.ensure_running()
        self._pool = ProcessPoolExecutor(self.workers, get_context("forkserver"), _prepare)
        return self

    def __exit__(self, *error: object) -> None:
        for process in set(active_children()) - self._others:
            process.kill()  # a running call would delay the end of the program
        self._pool.shutdown(cancel_futures=True)

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[tuple[int, R] | None, None, None]:
        """Call a function on every item, and yield (index, result) as calls are completed; see `Fleet.map`.

        Raises
        ------
        InputError
            If a process is killed.
        """
        try:
            yield from completed_calls(self._pool, self.workers, function, items)
        except BrokenProcessPool as error:
            raise InputError(
                f"workers={self.workers}: a process was killed; expected enough memory for as many processes"
            ) from error


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables until the end of the block."""
    previous = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in previous.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def signals_blocked(numbers: Set[signal.Signals] = ENDING) -> Iterator[None]:
    """Block signals until the end of the block; processes that start in it never get them.

    A signal to the whole group of a program then reaches only the program, which ends its processes itself.
    """
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def _prepare() -> None:
    """Prepare a new process."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None and parent.pid is not None:
        end_with(parent.pid)


def end_with(process: int) -> None:
    """End this process at once when another one of this machine has ended, even if it was killed.

    A thread waits for that, so calls that hold the interpreter lock delay it.

    Parameters
    ----------
    process
        The id of the other process: one for which this one works, such as its parent.
    """

    def end() -> None:
        _wait_for_end(process)
        os._exit(1)  # `sys.exit` would end only this thread

    Thread(target=end, name="end_with", daemon=True).start()


def _wait_for_end(process: int) -> None:
    """Wait until a process has ended."""
    try:
        ended = select.poll()
        ended.register(os.pidfd_open(process), select.POLLIN)
        ended.poll()
    except ProcessLookupError:
        return
    except (AttributeError, OSError):  # before Linux 5.3, and on other systems
        while _exists(process):
            time.sleep(POLL_S)


def _exists(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
