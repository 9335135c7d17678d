"""The units of an exact search, and what decides their outcome."""

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from isoplane.objectives import CABLE_METRICS, METRICS, CubeObjective
from isoplane.objectives.bounds import Enumeration, enumeration_behind, load_ranges_by_sum, metric_bound

from .. import _native
from .connection_sets import ConnectionSets, Generators
from .proof import ProofCounts, independent_sets

MAX_N: int = _native.EXACT_MAX_N


@dataclass(frozen=True)
class EnumerationPlan:
    """What decides the outcome of every unit.

    Attributes
    ----------
    space, objective
        What may vary and what is good.
    everything
        Whether nothing is cut.
    incumbents
        Designs that have to be beaten.
    """

    space: ConnectionSets
    objective: CubeObjective
    everything: bool
    incumbents: tuple[Generators, ...]


@dataclass(frozen=True)
class Chunk:
    """The units first .. last - 1 of a plan."""

    plan: EnumerationPlan
    first: int
    last: int


@dataclass(frozen=True)
class ChunkResult:
    """What a chunk gave: counts, for each unit its evaluations and the designs that survived, and its computation."""

    first: int
    last: int
    counts: dict[str, Any]
    evaluations: list[int]
    designs: list[tuple[int, Generators]]
    seconds: float


@lru_cache(maxsize=2)
def search_of(plan: EnumerationPlan) -> _native.ExactSearch:
    """Return the native search of a plan; each process makes it once."""
    evaluator = plan.space.evaluator(plan.objective)
    incumbents = [list(generators) for generators in plan.incumbents]
    return _native.ExactSearch(
        evaluator, plan.objective.front is not None, plan.everything, incumbents, *_laws(plan.space, plan.objective)
    )


def _laws(space: ConnectionSets, objective: CubeObjective) -> tuple[list[int], list[list[tuple[int, int]]]]:
    """Return a floor of each metric, and how much links can carry: with cables sums alone exclude little.

    Without cables there are none, so that an exact search proves sums and loads by itself.
    """
    if not CABLE_METRICS & _metrics(objective):
        return [], []
    floor = [metric_bound(metric, space.identical) or 0 for metric in METRICS]
    return floor, load_ranges_by_sum(space.n, space.folded)


def _metrics(objective: CubeObjective) -> set[str]:
    """Return the metrics that decide which of two designs is better."""
    components = (objective.front,) if objective.front else objective.components
    return {metric for component in components for metric in component}


def rests_on(plan: EnumerationPlan) -> Enumeration | None:
    """Return the stored enumeration that the cuts of a plan rest on: with cables, by the floors of `_laws`."""
    metrics = _metrics(plan.objective)
    if plan.everything or not CABLE_METRICS & metrics:
        return None
    return enumeration_behind(metrics, plan.space.identical)


def walk_chunk(chunk: Chunk) -> ChunkResult:
    """Walk the units of a chunk, wherever this is called."""
    began = time.thread_time()
    counts, evaluations, designs = search_of(chunk.plan).run(chunk.first, chunk.last)
    found = [(unit, tuple(generators)) for unit, generators in designs]
    return ChunkResult(chunk.first, chunk.last, counts, evaluations, found, time.thread_time() - began)


def proof_of(plan: EnumerationPlan, counts: ProofCounts, most: int, survivors: list[Generators]) -> dict[str, Any]:
    """Return the proof of a complete walk, as JSON holds it.

    `most` is the largest sum that was of interest, and `survivors` are the designs that bettered the incumbents: the
    best of both is the best of all.

    Raises
    ------
    ArithmeticError
        If every class was visited and the sizes of their orbits do not add up to the number of bases: an error of ours.
    """
    n, levels = plan.space.n, counts.levels()
    if plan.everything:
        expected = [independent_sets(n, size) for size in range(n + 1)]
        if levels["labelled"] != expected:
            raise ArithmeticError(f"orbits add up to {levels['labelled']}, not to {expected}")
    return {
        "n": n,
        "folded": plan.space.folded,
        "objective": plan.objective.components if plan.objective.front is None else plan.objective.front,
        "incumbents": plan.incumbents,
        "survivors": survivors,
        "everything": plan.everything,
        "largest_sum_of_interest": most,
        **levels,
        "histogram": counts.histogram() if plan.everything else None,
        "shards": counts.shards,
    }
