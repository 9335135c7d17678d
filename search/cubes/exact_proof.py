"""The proof of an exact search: the counts of its units by shard, which can be verified independently."""

from collections.abc import Mapping, Sequence
from typing import Any

from isoplane.models.mathematics.gf2 import independent_sets

from .exact_units import ExactPlan
from .space import Generators

SHARDS = 256  # at most, whatever the distribution of the work

# Counts of the units of a shard: `units`, their number; `sets`, `labelled` and `cut`, lists by the number of
# generators, from 0 to n; and `histogram`, the number of classes by sum of distances.
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


def proof_of(plan: ExactPlan, counts: ProofCounts, largest_sum: int, survivors: list[Generators]) -> dict[str, Any]:
    """Return the proof of a complete search, as JSON data.

    `largest_sum` is the largest sum of distances of interest, and `survivors` are the designs that improved on the
    incumbents: the best of both are optimal.

    Raises
    ------
    ArithmeticError
        If pruning was disabled and the orbit sizes do not add up to the number of bases: a bug in this program.
    """
    n, levels = plan.space.n, counts.levels()
    # Orbit-stabiliser: a class with |Aut| automorphisms has n! / |Aut| images under permutations of coordinates. So the
    # orbit sizes of all classes must add up to the number of independent sets, and a class that is missed or
    # visited twice is noticed: double counting (Kaski and Östergård, Classification Algorithms for Codes and Designs,
    # 2006).
    if plan.everything:
        expected = [independent_sets(n, size) for size in range(n + 1)]
        if levels["labelled"] != expected:
            raise ArithmeticError(f"orbits add up to {levels['labelled']}, not to {expected}")
    return {
        "n": n,
        "folded": plan.space.folded,
        "objective": plan.objective.front or plan.objective.components,
        **({"limits": plan.objective.limits} if plan.objective.limits else {}),
        "incumbents": plan.incumbents,
        "survivors": survivors,
        "everything": plan.everything,
        "largest_sum_of_interest": largest_sum,
        **levels,
        "histogram": counts.histogram() if plan.everything else None,
        "shards": counts.shards,
    }


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
