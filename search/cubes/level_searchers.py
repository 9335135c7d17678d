"""Native walks over connection sets under a workload."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np

from isoplane.models import InputError
from isoplane.models.workloads import parts_of
from isoplane.objectives import Lexicographic, SimulatedTimes

from .. import _native
from ..core.searchers import State, state_error
from ..core.space import Candidate
from ..strategies.anneal import Anneal
from .level_task import Levels, distinct_levels, level_task
from .workload_space import WorkloadConnectionSets

COOLEST, HOTTEST, FALL, FIRST_LEG = 0.002, 0.05, 20.0, 2000
LOADS_IN_A_ROUND = 1 << 21  # of links, in all evaluations of a walk per round: a fraction of a second
LOADS_PER_MESSAGE = 1 << 10  # at least, where a round ends with a run of all messages, which takes as long
JUDGED_ROUND = 4  # length of a round that ends with a simulation, relative to others
KEPT = 4  # designs of a walk whose completions are computed
# Weights of the ranks of successive walks: the busiest link of each level, that of all levels, and all links.
BY_OBJECTIVE = {
    "synchronised": ((1, 0, 0),),
    "bottleneck": ((0, 1, 0),),
    "total": ((0, 0, 1),),
    "completion": ((1, 0, 0), (0, 0, 1), (1, 1, 0)),
}


@dataclass(frozen=True)
class LevelAnnealing:
    """Settings of a walk: see `Anneal`; the weights of its rank, and how many designs it keeps."""

    coolest: float
    hottest: float
    fall: float
    first_leg: int
    growth: float
    levels: int
    busiest: int
    total: int
    kept: int
    needs_times: bool


def level_walks(
    space: WorkloadConnectionSets,
    objective: Lexicographic,
    settings: Sequence[object],
    starts: tuple[Candidate, ...],
) -> "LevelSearchers | None":
    """Return walks with the settings of `Anneal`; None if any settings belong to another strategy.

    Raises
    ------
    InputError
        If a parameter does not apply to walks under a workload.
    """
    annealing = [each for each in settings if isinstance(each, Anneal)]
    if len(annealing) < len(settings):
        return None
    judged = isinstance(objective.evaluator, SimulatedTimes)
    kinds = tuple(_kind(space, objective, judged, each, stream) for stream, each in enumerate(annealing))
    return LevelSearchers(space, objective, judged, kinds, starts)


def _kind(
    space: WorkloadConnectionSets, objective: Lexicographic, judged: bool, settings: Anneal, stream: int
) -> LevelAnnealing:
    if settings.structured:
        raise InputError(f"strategy.structured=true: {space.varies} expect false")
    first = objective.score_names[0]
    weights = BY_OBJECTIVE["completion" if judged else first]
    hottest = settings.hottest or max(HOTTEST, settings.coolest or 0)
    timed = first == "completion" and not judged
    return LevelAnnealing(
        settings.coolest or min(hottest, COOLEST),
        hottest,
        settings.fall or FALL,
        settings.first_leg or FIRST_LEG,
        settings.growth,
        *weights[stream % len(weights)],
        KEPT if timed or judged else 1,
        timed,
    )


class MeasuredWalk:
    """A native walk that, after each run, measures the time of the best of its designs whose time is unknown."""

    def __init__(self, native: _native.LevelWalk, setup: "LevelSearchers") -> None:
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
        """Return the best design so far; for a judge, all that are kept."""
        return self._native.designs()[: None if self._setup.judged else 1]

    def offer(self, candidate: Sequence[int], /) -> None:
        """Accept a design from another walk."""
        self._native.offer(list(candidate))


@dataclass(frozen=True)
class LevelSearchers:
    """The common setup of all walks over connection sets under a workload.

    Attributes
    ----------
    space, objective
        The search space, and the score to minimise.
    judged
        Whether a simulation judges the designs that walks keep.
    kinds
        Settings of each walk.
    starts
        Initial designs, assigned to walks in turn.
    """

    space: WorkloadConnectionSets
    objective: Lexicographic
    judged: bool
    kinds: tuple[LevelAnnealing, ...]
    starts: tuple[Candidate, ...]

    @property
    def front(self) -> bool:
        """Whether the search is for a Pareto front: never."""
        return False

    @property
    def share(self) -> int:
        """Number of evaluations per walk and round."""
        loads = LOADS_IN_A_ROUND * (JUDGED_ROUND if self.judged else 1)
        if self.judged or self.kinds[0].needs_times:
            loads = max(loads, LOADS_PER_MESSAGE * self.space.workload.messages * self.space.workload.iterations)
        return max(4, loads // (_levels(self.space, self.judged).entries * (self.space.sets.n + 4)))

    def first(self, seed: int, stream: int, start: Candidate | None) -> State:
        """Return the initial state of a walk."""
        initial = start or self.starts[stream % len(self.starts)]
        native = _native.LevelWalk(
            _task(self.space, self.judged), seed, stream, list(initial), **asdict(self.kinds[stream])
        )
        walk = MeasuredWalk(native, self)
        walk.measure()
        return walk.state()

    def searcher(self, stream: int, state: State) -> MeasuredWalk:
        """Return the walk with a saved state.

        Raises
        ------
        InputError
            If the state is damaged.
        """
        try:
            native = _native.LevelWalk.restored(_task(self.space, self.judged), state, **asdict(self.kinds[stream]))
        except (ValueError, TypeError) as error:
            raise state_error(error) from error
        return MeasuredWalk(native, self)

    def score(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the score of a candidate; for a judge, the loads that rank designs until it decides."""
        if self.judged:
            (totals,) = _task(self.space, self.judged).totals(np.array([candidate], dtype=np.uint32)).tolist()
            return tuple(totals)
        return self.objective.point(self.space.design(candidate))

    def takes_best(self, stream: int) -> bool:
        """Whether a walk is offered the best design at every exchange: never, so that walks stay diverse."""
        return False


@lru_cache(maxsize=8)
def _task(space: WorkloadConnectionSets, whole: bool) -> _native.LevelTask:
    return level_task(space.sets, _levels(space, whole))


@lru_cache(maxsize=8)
def _levels(space: WorkloadConnectionSets, whole: bool) -> Levels:
    found = [
        (weight, distinct_levels(space.sets, part.message_list(), whole=whole))
        for weight, part in parts_of(space.workload)
    ]
    return Levels(
        tuple(level for _, part in found for level in part.levels),
        tuple(weight * count for weight, part in found for count in part.repetitions),
    )
