"""Simulations in threads, with a live line, until they end or Ctrl-C is pressed."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from isoplane.fleet import Threads
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.live_line import LiveLine
from isoplane.simulator import Report

T = TypeVar("T")
R = TypeVar("R")


def stop_if_interrupted(tick: int) -> None:
    """End a run if Ctrl-C was pressed."""
    if INTERRUPT.requested:
        raise KeyboardInterrupt


class SimulationRuns:
    """Distributes runs over threads, shows progress, and passes on each report as soon as its run ends.

    Parameters
    ----------
    workers
        Number of threads.
    on_report
        Called with every report.
    """

    def __init__(self, workers: int, on_report: Callable[[Report], None]) -> None:
        self._threads, self._on_report = Threads(workers), on_report
        self.reports: list[Report] = []
        self._what, self._reports_before = "", 0
        self._total: int | None = None
        self._line = LiveLine(shown_at=time.monotonic())

    def announce(self, what: str, total: int | None) -> None:
        """Begin another part of the work, with its name and number of runs."""
        self._what, self._total, self._reports_before = what, total, len(self.reports)

    def map(self, function: Callable[[T], R], items: Iterable[T], /) -> Iterator[tuple[int, R] | None]:
        """Call a function on every item, and yield (index, result) as calls end; Ctrl-C ends the iteration."""
        for found in self._threads.map(function, items):
            if found is not None and isinstance(found[1], Report):
                self.reports.append(found[1])
                self._on_report(found[1])
            stop_if_interrupted(0)
            self._show()
            yield found

    def close(self) -> None:
        """End the live line."""
        self._line.close()

    def _show(self) -> None:
        if not self._line.due():
            return
        count = len(self.reports) - self._reports_before
        done = f"{count} runs" if self._total is None else f"{count} of {self._total} runs"
        self._line.show_timed(f"{self._what}: {done} have ended")
