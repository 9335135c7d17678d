"""Runs in slices, so that the caller can report progress and stop them, and snapshots of their counters."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from time import monotonic
from typing import Self

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError
from isoplane.models.checks import exact_number

from .simulation import Simulation

Counts = NDArray[np.int64]

# Array-valued counters, by the names of `Simulation`; of the first two, the first columns are sums, the others maxima.
LATENCIES, SUMS = ("by_distance", "by_pair"), 5
COUNTS = ("histogram", "sent", "received", "collisions_at", "link_busy", "look_ups")


@dataclass(frozen=True, eq=False)
class CounterSnapshot:
    """Counters at one tick of a run: all totals, and the array-valued ones if the measured part may begin here."""

    tick: int
    totals: dict[str, int]
    details: dict[str, Counts] | None = None

    @classmethod
    def of(cls, simulation: Simulation, *, with_details: bool) -> Self:
        """Return a snapshot of the current tick."""
        names = (*LATENCIES, *COUNTS) if with_details else ()
        details = {name: getattr(simulation, name)().astype(np.int64) for name in names}
        return cls(simulation.now, simulation.totals(), details or None)

    def since(self, before: Self) -> dict[str, Counts]:
        """Return the increments of the details since an earlier snapshot; longest latencies remain those of the run."""
        assert self.details is not None
        assert before.details is not None
        found = {name: self.details[name] - before.details[name] for name in COUNTS}
        for name in LATENCIES:
            found[name] = self.details[name].copy()
            # Rows are added as longer routes occur, so the earlier table may be shorter.
            found[name][: len(before.details[name]), :SUMS] -= before.details[name][:, :SUMS]
        return found


def changes(snapshots: list[CounterSnapshot], name: str) -> list[int]:
    """Return the increments of a total between consecutive snapshots."""
    return [after.totals[name] - before.totals[name] for before, after in pairwise(snapshots)]


SLICE_S = 0.1  # target duration of a native call
NO_TIME_LIMIT = 1 << 62
MAX_MOMENTS = 1 << 20


class SlicedRun:
    """Runs a simulation slice by slice; the length of the slices does not affect the results.

    Parameters
    ----------
    simulation
        The simulation to run, at its first tick.
    after_slice
        Called after every slice; may raise to end the run.
    interval_ns
        Length of the intervals of a time series, with a snapshot at the end of each, to the nearest tick; None for no
        time series.

    Raises
    ------
    InputError
        If an interval is shorter than a tick.
    """

    def __init__(
        self, simulation: Simulation, after_slice: Callable[[], None], interval_ns: float | Fraction | None = None
    ) -> None:
        self._run, self._after_slice, self._ticks = simulation, after_slice, 64
        self._interval_ns = None if interval_ns is None else exact_number("interval_ns", interval_ns, above=True)
        if self._interval_ns is not None and self._interval_ns < simulation.hardware.tick_ns:
            tick = float(simulation.hardware.tick_ns)
            raise InputError(f"interval_ns={interval_ns}: expected at least a tick of {tick:g} ns")
        self._snapshots = [CounterSnapshot.of(simulation, with_details=False)]

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do, or a deadlock ended the run."""
        return self._run.ended or bool(self._run.deadlock)

    def run_to(self, tick: int = NO_TIME_LIMIT) -> None:
        """Run until a tick, or until the run is over.

        Raises
        ------
        InputError
            If there are too many intervals.
        """
        while self._run.now < tick and not self.finished:
            end = NO_TIME_LIMIT
            if self._interval_ns is not None:
                # From the start of the run, so that rounding to ticks does not add up over the intervals.
                end = self._run.hardware.ticks(len(self._snapshots) * self._interval_ns)
            self._run_slices(min(tick, end))
            if self._run.now == end:
                self._take_snapshot()

    def _run_slices(self, tick: int) -> None:
        while (now := self._run.now) < tick and not self.finished:
            start = monotonic()
            self._run.run(min(tick, now + self._ticks))
            took = monotonic() - start
            if took < SLICE_S / 2:
                self._ticks *= 2
            elif took > SLICE_S:
                self._ticks = max(self._ticks // 2, 1)
            self._after_slice()

    def snapshots(self) -> list[CounterSnapshot]:
        """Return the snapshots from the start; the last one is at the current tick, perhaps within an interval."""
        if self._snapshots[-1].tick < self._run.now:
            self._take_snapshot()
        return self._snapshots

    def _take_snapshot(self) -> None:
        if len(self._snapshots) > MAX_MOMENTS:
            interval_ns = float(self._interval_ns or 0)
            raise InputError(f"interval_ns={interval_ns:g}: expected at most {MAX_MOMENTS} intervals per run")
        self._snapshots.append(CounterSnapshot.of(self._run, with_details=False))
