"""The units of an exact search, and the plan that determines their results."""

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from isoplane.objectives import CABLE_METRICS, CUBE_METRICS, Lexicographic
from isoplane.objectives.bounds import Enumeration, enumeration_behind, load_ranges_by_sum, metric_bound

from .. import _native
from .proof import ProofCounts, independent_sets
from .space import ConnectionSets, Generators

MAX_N: int = _native.EXACT_MAX_N


@dataclass(frozen=True)
class EnumerationPlan:
    """Everything that determines the result of a unit.

    Attributes
    ----------
    space, objective
        The search space, and the score to minimise.
    everything
        Whether pruning is disabled.
    incumbents
        The designs to improve on.
    """

    space: ConnectionSets
    objective: Lexicographic
    everything: bool
    incumbents: tuple[Generators, ...]


Chunk = tuple[EnumerationPlan, int, int]  # the units first .. last - 1 of a plan


@dataclass(frozen=True)
class ChunkResult:
    """The result of a chunk: counts, evaluations by unit, surviving designs with their unit, and computation time."""

    first: int
    last: int
    counts: dict[str, Any]
    evaluations: list[int]
    designs: list[tuple[int, Generators]]
    seconds: float


@lru_cache(maxsize=2)
def search_of(plan: EnumerationPlan) -> _native.ExactSearch:
    """Return the native search of a plan; built once per process."""
    evaluator = plan.space.native_evaluator(plan.objective)
    incumbents = [list(generators) for generators in plan.incumbents]
    return _native.ExactSearch(
        evaluator,
        plan.objective.front is not None,
        plan.everything,
        incumbents,
        *_inequalities(plan.space, plan.objective),
    )


def _inequalities(space: ConnectionSets, objective: Lexicographic) -> tuple[list[int], list[list[tuple[int, int]]]]:
    """Return a lower bound of each metric, and ranges of loads: for scores with cables, sums alone prune little.

    Both are empty for scores without cables, so that proofs for sums and loads rely on nothing else.
    """
    if not CABLE_METRICS & _metrics(objective):
        return [], []
    floor = [metric_bound(metric, space.identical) or 0 for metric in CUBE_METRICS]
    return floor, load_ranges_by_sum(space.n, space.folded)


def _metrics(objective: Lexicographic) -> set[str]:
    """Return the metrics of the score."""
    components = (objective.front,) if objective.front else objective.components
    return {metric for component in components for metric in component}


def required_enumeration(plan: EnumerationPlan) -> Enumeration | None:
    """Return the stored enumeration that pruning relies on; for scores with cables, via `_inequalities`."""
    metrics = _metrics(plan.objective)
    if plan.everything or not CABLE_METRICS & metrics:
        return None
    return enumeration_behind(metrics, plan.space.identical)


def walk_chunk(chunk: Chunk) -> ChunkResult:
    """Search the units of a chunk."""
    # Time on a processor, not on the wall: forecasts are in core-hours, on machines of any load.
    start_time = time.thread_time()
    plan, first, last = chunk
    counts, evaluations, designs = search_of(plan).run(first, last)
    survivors = [(unit, tuple(generators)) for unit, generators in designs]
    return ChunkResult(first, last, counts, evaluations, survivors, time.thread_time() - start_time)


def proof_of(
    plan: EnumerationPlan, counts: ProofCounts, largest_sum: int, survivors: list[Generators]
) -> dict[str, Any]:
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
        "objective": plan.objective.components if plan.objective.front is None else plan.objective.front,
        "incumbents": plan.incumbents,
        "survivors": survivors,
        "everything": plan.everything,
        "largest_sum_of_interest": largest_sum,
        **levels,
        "histogram": counts.histogram() if plan.everything else None,
        "shards": counts.shards,
    }
