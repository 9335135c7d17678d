"""Snapshots of the counters of a run, so that any part of it can be measured afterwards."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .simulation import Simulation

Counts = NDArray[np.int64]

# Array-valued counters, by the names of `Simulation`; of the first two, the first columns are sums, the others maxima.
LATENCIES, SUMS = ("by_distance", "by_pair"), 5
COUNTS = ("histogram", "sent", "received", "collisions_at", "link_busy")


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
