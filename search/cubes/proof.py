"""The proof of an exact search: counts that can be verified independently."""

from collections.abc import Mapping, Sequence
from math import factorial, prod
from typing import Any

SHARDS = 256  # parts whose counts a proof lists, independent of the distribution of the work


# Counts of consecutive units: `units`, their number; `sets`, `labelled` and `cut`, lists by the number of generators,
# from 0 to n; and `histogram`, the number of classes by sum of distances.
Shard = dict[str, Any]


class ProofCounts:
    """Adds up the counts of an exact search, shard by shard.

    Parameters
    ----------
    units
        Number of units.
    above
        Counts of the search tree above the units.
    """

    def __init__(self, units: int, above: dict[str, Any]) -> None:
        self.units = units
        self.above = above
        self.shards: list[Shard] = []

    def end_of_shard(self, unit: int) -> int:
        """Return the unit after the last one in the shard of a unit."""
        return self._begin(self._shard(unit) + 1)

    def add(self, first: int, units: int, counts: dict[str, Any]) -> None:
        """Add the counts of consecutive units, starting with `first`, all in one shard; shards must come in order."""
        if self._shard(first) == len(self.shards):
            # One list for three entries: `_add` replaces lists and never changes them.
            zeros = [0] * len(counts["sets"])
            self.shards.append({"units": 0, "sets": zeros, "labelled": zeros, "cut": zeros, "histogram": {}})
        _add(self.shards[-1], units, counts)

    def levels(self) -> dict[str, list[int]]:
        """Return the totals of sets, labelled sets and pruned sets, by number of generators."""
        parts = [self.above, *self.shards]
        return {name: _sum([part[name] for part in parts]) for name in ("sets", "labelled", "cut")}

    def histogram(self) -> dict[str, int]:
        """Return the number of classes by sum of distances."""
        total: dict[str, int] = {}
        for shard in self.shards:
            total = _sum_of_histograms(total, shard["histogram"])
        return total

    def _shard(self, unit: int) -> int:
        shard = unit * min(SHARDS, self.units) // self.units
        # Both quotients are rounded down, so the first guess may be one shard too low.
        return shard + (self._begin(shard + 1) <= unit)

    def _begin(self, shard: int) -> int:
        return shard * self.units // min(SHARDS, self.units)


def independent_sets(n: int, size: int) -> int:
    """Return the number of sets of `size` linearly independent vectors in GF(2)^n: Π_{i<size} (2^n - 2^i) / size!.

    Examples
    --------
    >>> independent_sets(3, 3)
    28
    """
    return prod((1 << n) - (1 << i) for i in range(size)) // factorial(size)


def _add(shard: Shard, units: int, counts: dict[str, Any]) -> None:
    shard["units"] += units
    shard["sets"] = _sum([shard["sets"], counts["sets"]])
    shard["labelled"] = _sum([shard["labelled"], counts["labelled"]])
    shard["cut"] = _sum([shard["cut"], counts["cut"]])
    shard["histogram"] = _sum_of_histograms(shard["histogram"], counts["histogram"])


def _sum_of_histograms(one: Mapping[Any, int], other: Mapping[Any, int]) -> dict[str, int]:
    """Add two histograms; keys are text, for JSON, and sorted, so that the distribution of the work has no effect."""
    total = {int(value): count for value, count in one.items()}
    for value, count in other.items():
        total[int(value)] = total.get(int(value), 0) + count
    return {str(value): total[value] for value in sorted(total)}


def _sum(lists: Sequence[list[int]]) -> list[int]:
    return [sum(entries) for entries in zip(*lists, strict=True)]
