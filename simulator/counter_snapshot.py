"""What a run has counted by some moments, so that any part of it can be measured afterwards."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .simulation import Simulation

Counts = NDArray[np.int64]

SUMS = 5  # columns of latencies that grow; those behind are the longest


@dataclass(frozen=True, eq=False)
class DetailedCounters:
    """Counters that are no single numbers; the names are those of `Simulation`."""

    by_distance: Counts
    by_pair: Counts
    histogram: Counts
    sent: Counts
    received: Counts
    collisions_at: Counts
    link_busy: Counts

    @classmethod
    def of(cls, simulation: Simulation) -> Self:
        """Return them as they stand."""
        return cls(*(getattr(simulation, name)().astype(np.int64) for name in cls.__dataclass_fields__))

    def since(self, before: Self) -> "DetailedCounters":
        """Return what came since an earlier moment; the longest latencies are those of the whole run."""
        distance = self.by_distance.copy()
        distance[: len(before.by_distance), :SUMS] -= before.by_distance[:, :SUMS]
        pair = self.by_pair.copy()
        pair[:, :SUMS] -= before.by_pair[:, :SUMS]
        names = ("histogram", "sent", "received", "collisions_at", "link_busy")
        return DetailedCounters(distance, pair, *(getattr(self, name) - getattr(before, name) for name in names))


@dataclass(frozen=True, eq=False)
class CounterSnapshot:
    """A moment of a run: the tick, all totals, and the details where the measured part may begin."""

    tick: int
    totals: dict[str, int]
    details: DetailedCounters | None = None

    @classmethod
    def of(cls, simulation: Simulation, *, with_details: bool) -> Self:
        """Return this moment."""
        return cls(simulation.now, simulation.totals(), DetailedCounters.of(simulation) if with_details else None)


def changes(marks: list[CounterSnapshot], name: str) -> list[int]:
    """Return how much a total grew from each mark to the next."""
    return [after.totals[name] - before.totals[name] for before, after in pairwise(marks)]
