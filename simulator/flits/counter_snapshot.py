"""Snapshots of the counters of a run, so that any part of it can be measured afterwards."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .simulation import Simulation

Counts = NDArray[np.int64]

SUMS = 5  # the first columns of latencies are sums; the others are maxima


@dataclass(frozen=True, eq=False)
class DetailedCounters:
    """Array-valued counters; the names are those of `Simulation`."""

    by_distance: Counts
    by_pair: Counts
    histogram: Counts
    sent: Counts
    received: Counts
    collisions_at: Counts
    link_busy: Counts

    @classmethod
    def of(cls, simulation: Simulation) -> Self:
        """Return the current counters."""
        return cls(*(getattr(simulation, name)().astype(np.int64) for name in cls.__dataclass_fields__))

    def since(self, before: Self) -> "DetailedCounters":
        """Return the increments since an earlier snapshot; the longest latencies remain those of the whole run."""
        distance = self.by_distance.copy()
        distance[: len(before.by_distance), :SUMS] -= before.by_distance[:, :SUMS]
        pair = self.by_pair.copy()
        pair[:, :SUMS] -= before.by_pair[:, :SUMS]
        names = ("histogram", "sent", "received", "collisions_at", "link_busy")
        return DetailedCounters(distance, pair, *(getattr(self, name) - getattr(before, name) for name in names))


@dataclass(frozen=True, eq=False)
class CounterSnapshot:
    """Counters at one tick of a run: all totals, and the details if the measured part may begin here."""

    tick: int
    totals: dict[str, int]
    details: DetailedCounters | None = None

    @classmethod
    def of(cls, simulation: Simulation, *, with_details: bool) -> Self:
        """Return a snapshot of the current tick."""
        return cls(simulation.now, simulation.totals(), DetailedCounters.of(simulation) if with_details else None)


def changes(snapshots: list[CounterSnapshot], name: str) -> list[int]:
    """Return the increments of a total between consecutive snapshots."""
    return [after.totals[name] - before.totals[name] for before, after in pairwise(snapshots)]
