"""Native searchers for connection sets: annealing chains, ladders of replicas, descents through neighbourhoods."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from isoplane.models.checks import check_int
from isoplane.objectives import CubeObjective, exact_metrics

from .. import _native
from ..anneal import Anneal
from ..neighbourhood import Neighbourhood
from ..pareto import Pareto
from ..searchers import State, damaged
from ..space import Candidate
from ..temper import Temper
from .connection_sets import ConnectionSets


@dataclass(frozen=True)
class Annealing:
    """Settings of an annealing chain: see `Anneal`."""

    coolest: float
    hottest: float
    fall: float
    first_leg: int
    growth: float
    structured: bool


@dataclass(frozen=True)
class Ladder:
    """Settings of a ladder of replicas: see `Temper`."""

    coldest: float
    hottest: float
    replicas: int


@dataclass(frozen=True)
class Descent:
    """Settings of a walk through large neighbourhoods: see `Neighbourhood`."""

    most: int
    temperature: float


Kind = Annealing | Ladder | Descent
_NATIVE: dict[type[Kind], type[_native.Chain] | type[_native.Tempering] | type[_native.Neighbourhood]] = {
    Annealing: _native.Chain,
    Ladder: _native.Tempering,
    Descent: _native.Neighbourhood,
}


@dataclass(frozen=True)
class BasisSearchers:
    """What all searchers for connection sets have in common, and of which kind each is.

    Attributes
    ----------
    space, objective, front
        What may vary, and whether the best score or a Pareto front is looked for.
    kinds
        Settings of each searcher, whose number is its stream of random numbers.
    """

    space: ConnectionSets
    objective: CubeObjective
    front: bool
    kinds: tuple[Kind, ...]

    def first(self, seed: int, stream: int, start: Candidate | None) -> State:
        """Return the state in which a searcher begins."""
        kind = self.kinds[stream]
        made = _NATIVE[type(kind)](_evaluator(self), self.front, seed, stream, start, **asdict(kind))
        return made.state()

    def searcher(self, stream: int, state: State) -> _native.Searcher:
        """Return the searcher that a state tells of.

        Raises
        ------
        InputError
            If the state is damaged.
        """
        kind = self.kinds[stream]
        try:
            return _NATIVE[type(kind)].restored(_evaluator(self), self.front, state, **asdict(kind))
        except (ValueError, TypeError) as error:
            raise damaged(error) from error

    @property
    def share(self) -> int:
        """Evaluations of a searcher in a round, for every n."""
        return max(64, min(1 << 16, 1 << 24 - self.space.n))

    def score(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the score of a candidate."""
        return self.objective.score(exact_metrics(self.space.design(candidate).network))

    def takes_best(self, stream: int) -> bool:
        """Whether a searcher is a walk through large neighbourhoods."""
        return isinstance(self.kinds[stream], Descent)


@lru_cache(maxsize=8)
def _evaluator(setup: BasisSearchers) -> _native.Evaluator:
    return setup.space.evaluator(setup.objective)


def basis_searchers(
    space: ConnectionSets, objective: CubeObjective, settings: Sequence[object]
) -> BasisSearchers | None:
    """Return searchers with the settings of `Anneal`, `Temper` or `Neighbourhood`, or None for others.

    Raises
    ------
    InputError
        If a parameter is out of range.
    """
    heat = _usual_heat(space, objective)
    made = ((_maker(each), each) for each in settings)
    kinds = [make(each, space.n, heat) for make, each in made if make is not None]
    front = any(isinstance(each, Pareto) for each in settings)
    return BasisSearchers(space, objective, front, tuple(kinds)) if len(kinds) == len(settings) else None


def _maker(settings: object) -> "_Maker | None":
    """Return what makes native settings of a strategy, or of one derived from it."""
    return next((_KINDS[base] for base in type(settings).__mro__ if base in _KINDS), None)


def _usual_heat(space: ConnectionSets, objective: CubeObjective) -> float:
    """Return the temperature at which annealing begins at the hottest, relative to the score of identical planes.

    0.02 where the first component depends on cables, else 0.22 · 2^(-n/2): the steps of a sum of distances are finer in
    larger cubes.
    """
    return 0.02 if objective.needs_layout else 0.22 * 2 ** (-space.n / 2)


def _annealing(settings: Anneal, n: int, heat: float) -> Annealing:
    if settings.first_leg is not None:
        check_int("strategy.first_leg", settings.first_leg, 64)
    hottest = settings.hottest or heat
    coolest, first_leg = settings.coolest or hottest / 16, settings.first_leg or 16 << n
    return Annealing(coolest, hottest, settings.fall or 10.0, first_leg, settings.growth, settings.structured)


def _ladder(settings: Temper, n: int, heat: float) -> Ladder:
    hottest = settings.hottest or max(heat / 4, settings.coldest or 0)
    return Ladder(settings.coldest or hottest / 20, hottest, settings.replicas)


def _descent(settings: Neighbourhood, n: int, heat: float) -> Descent:
    return Descent(settings.most, heat / 60 if settings.temperature is None else settings.temperature)


_Maker = Callable[[Any, int, float], Kind]
_KINDS: dict[type[object], _Maker] = {
    Anneal: _annealing,
    Pareto: _annealing,
    Temper: _ladder,
    Neighbourhood: _descent,
}
