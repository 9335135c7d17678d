"""Chains over connection sets under a workload: annealing walks."""

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

import numpy as np

from isoplane.models import InputError
from isoplane.models.workloads import parts_of
from isoplane.objectives import Lexicographic, SimulatedTimes

from .. import _native
from ..core.chain_setup import ChainKind, ChainSetup, State, guide_of
from ..core.space import Candidate
from ..strategies.anneal import Anneal
from .level_task import Levels, distinct_levels, entries_of, level_task
from .space import ConnectionSets

COOLEST, HOTTEST, FALL, FIRST_LEG = 0.002, 0.05, 20.0, 2000
LOADS_IN_A_ROUND = 1 << 21  # of links, in all evaluations of a walk per round: a fraction of a second
LOADS_PER_MESSAGE = 1 << 10  # at least, where a round ends with a run of all messages, which takes as long
SIMULATED_ROUND = 4  # length of a round that ends with a simulation, relative to others
KEPT = 4  # designs of a walk whose completions are computed
# Weights of the ranks of successive walks: the busiest link of each level, that of all levels, and all links.
BY_OBJECTIVE = {
    "synchronised": ((1, 0, 0),),
    "bottleneck": ((0, 1, 0),),
    "total": ((0, 0, 1),),
    "completion": ((1, 0, 0), (0, 0, 1), (1, 1, 0)),
}


def level_chains(
    space: ConnectionSets, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...]
) -> "_LevelSetup | None":
    """Return walks with the settings of `Anneal`; None if any settings belong to another strategy.

    Raises
    ------
    InputError
        If a parameter does not apply to walks under a workload.
    """
    annealing = [strategy for strategy in settings if isinstance(strategy, Anneal)]
    if len(annealing) < len(settings):
        return None
    objective = guide_of(objective)
    simulated, first = isinstance(objective.evaluator, SimulatedTimes), objective.score_names[0]
    timed = first == "completion" and not simulated
    weights = BY_OBJECTIVE["completion" if simulated else first]
    kept = (("kept", KEPT if timed or simulated else 1), ("needs_times", timed))
    settings_of_chains = (
        (*_annealing(space, strategy), *_rank(weights[k % len(weights)]), *kept) for k, strategy in enumerate(annealing)
    )
    kinds = tuple(ChainKind("LevelAnnealing", "LevelWalk", of_chain) for of_chain in settings_of_chains)
    loads = LOADS_IN_A_ROUND * (SIMULATED_ROUND if simulated else 1)
    if simulated or timed:
        loads = max(loads, LOADS_PER_MESSAGE * space.required_workload.messages * space.required_workload.iterations)
    per_evaluation = max(entries_of(_levels(space, simulated)), 1) * (space.n + 4)
    return _LevelSetup(space, objective, kinds, _arguments, max(4, loads // per_evaluation), starts)


def _annealing(space: ConnectionSets, settings: Anneal) -> tuple[tuple[str, float], ...]:
    if settings.structured:
        raise InputError(f"strategy.structured=true: {space.subject} expect false")
    hottest = settings.hottest or max(HOTTEST, settings.coolest or 0)
    return (
        ("coolest", settings.coolest or min(hottest, COOLEST)),
        ("hottest", hottest),
        ("fall", settings.fall or FALL),
        ("first_leg", settings.first_leg or FIRST_LEG),
        ("growth", settings.growth),
    )


def _rank(weights: tuple[int, int, int]) -> tuple[tuple[str, int], ...]:
    return tuple(zip(("levels", "busiest", "total"), weights, strict=True))


class _MeasuredWalk:
    """A native walk that, after each run, measures the time of the best of its designs whose time is unknown."""

    def __init__(self, native: _native.LevelWalk, setup: "_LevelSetup") -> None:
        self._native, self._setup = native, setup

    def run(self, evaluations: int) -> None:
        """Run a number of evaluations, then measure a design."""
        self._native.run(evaluations)
        self.measure()

    def measure(self) -> None:
        """Measure the best design without a time, if any."""
        for candidate in self._native.unmeasured()[:1]:
            self._native.set_time(candidate, self._setup.score(tuple(candidate))[0])

    def state(self) -> State:
        """Return the complete state, from which the search can be resumed."""
        return self._native.state()

    def designs(self) -> list[list[int]]:
        """Return the best design so far; if a simulation ranks them, all that are kept."""
        return self._native.designs()[: None if self._setup.simulated else 1]

    def offer(self, candidate: Sequence[int], /) -> None:
        """Accept a design from another walk."""
        self._native.offer(list(candidate))


class _LevelSetup(ChainSetup[ConnectionSets]):
    """The common setup of all walks over connection sets under a workload."""

    @property
    def simulated(self) -> bool:
        """Whether a simulation ranks the designs that walks keep."""
        return isinstance(self.objective.evaluator, SimulatedTimes)

    def first(self, seed: int, stream: int, start: Candidate | None) -> State:
        """Return the initial state of a walk, which knows the time of its initial design."""
        walk = self.searcher(stream, super().first(seed, stream, start))
        walk.measure()
        return walk.state()

    def searcher(self, stream: int, state: State) -> _MeasuredWalk:
        """Return the walk with a saved state; errors as for all chains."""
        return _MeasuredWalk(cast(_native.LevelWalk, super().searcher(stream, state)), self)

    def score(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the score of a candidate; before a simulation, the loads that rank designs until it has run."""
        if self.simulated:
            (totals,) = _task(self.space, True).totals(np.array([candidate], dtype=np.uint32)).tolist()
            return tuple(totals)
        return super().score(candidate)


def _arguments(setup: ChainSetup[ConnectionSets]) -> tuple[_native.LevelTask]:
    return (_task(setup.space, isinstance(setup.objective.evaluator, SimulatedTimes)),)


@lru_cache(maxsize=8)
def _task(space: ConnectionSets, whole: bool) -> _native.LevelTask:
    return level_task(space, _levels(space, whole))


@lru_cache(maxsize=8)
def _levels(space: ConnectionSets, whole: bool) -> Levels:
    return tuple(
        (level, weight * count)
        for weight, part in parts_of(space.required_workload)
        for level, count in distinct_levels(space, part.message_list(), whole=whole)
    )
