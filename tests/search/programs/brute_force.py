"""Optimal circuits by brute force."""

from collections.abc import Iterator
from itertools import combinations

from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.objectives.fluid import FluidModel
from isoplane.search.programs.local import LocalSearch
from isoplane.search.programs.traffic import ScaledTraffic

Pairs = tuple[tuple[int, int], ...]


def all_circuits(hybrid: Hybrid, max_circuits: int) -> Iterator[Pairs]:
    """All sets of at most `max_circuits` circuits that the ports allow, parallel circuits included."""
    pairs = [
        pair for pair in combinations(range(hybrid.nodes), 2) if hybrid.group_of(pair[0]) != hybrid.group_of(pair[1])
    ]

    def extend(first: int, chosen: Pairs) -> Iterator[Pairs]:
        yield chosen
        if len(chosen) == max_circuits:
            return
        used = [node for pair in chosen for node in pair]
        for index in range(first, len(pairs)):
            if all(used.count(node) < hybrid.ports_per_node for node in pairs[index]):
                yield from extend(index, (*chosen, pairs[index]))

    return extend(0, ())


def least_times(model: FluidModel, max_circuits: int) -> tuple[int, int]:
    """The shortest bottleneck time, and the shortest total time with it, in ns."""
    return min(model.busy_times_ns(Circuits(pairs)) for pairs in all_circuits(model.hybrid, max_circuits))


def exact_ticks(traffic: ScaledTraffic, max_circuits: int) -> int:
    """The shortest bottleneck time in ticks; `least_times` rounds to ns, which may be below the exact time."""
    local = LocalSearch(traffic, max_circuits, 0, 1, lambda: 0.0, lambda _: None)
    return min(local.evaluate(Circuits(pairs)).bottleneck for pairs in all_circuits(traffic.hybrid, max_circuits))
