"""The units of an exact search, and the plan that determines their results.

A *unit* is a class of sets of a few generators, with all bases that extend it: its result depends only on the plan.
A *chunk* is a run of consecutive units that one call on the fleet searches; its length follows the pace of the fleet.
A *shard* is a run of consecutive units whose counts the proof lists; shards depend on the number of units only, and no
chunk crosses the end of one.
"""

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from isoplane.objectives import CABLE_METRICS, CUBE_METRICS, Lexicographic
from isoplane.objectives.bounds import BoundSource, enumeration_behind, load_ranges_by_sum, metric_bound

from .. import _native
from .space import ConnectionSets, Generators

MAX_N: int = _native.EXACT_MAX_N


@dataclass(frozen=True)
class ExactPlan:
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

    @property
    def required_enumeration(self) -> BoundSource | None:
        """The stored enumeration that pruning relies on; for scores with cables, via `_inequalities`."""
        metrics = _metrics(self.objective)
        if self.everything or not CABLE_METRICS & metrics:
            return None
        return enumeration_behind(metrics, self.space.identical)


Chunk = tuple[ExactPlan, int, int]  # the units first .. last - 1 of the plan


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
def search_of(plan: ExactPlan) -> _native.ExactSearch:
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
    """Return the metrics of the score, or of a front and its limits; of a function those that it may be of."""
    is_score = objective.front is None or objective.limits or objective.functions
    return set(objective.metrics if is_score else objective.front or ())


def search_chunk(chunk: Chunk) -> ChunkResult:
    """Search the units of a chunk."""
    # Time on a processor, not on the wall: forecasts are in core-hours, on machines of any load.
    start_time = time.thread_time()
    plan, first, last = chunk
    counts, evaluations, designs = search_of(plan).run(first, last)
    survivors = [(unit, tuple(generators)) for unit, generators in designs]
    return ChunkResult(first, last, counts, evaluations, survivors, time.thread_time() - start_time)
