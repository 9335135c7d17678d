"""Native searchers for connection sets: annealing chains, parallel tempering, large-neighbourhood walks."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from isoplane.models.checks import check_int
from isoplane.objectives import Lexicographic

from .. import _native
from ..core.searchers import State, state_error
from ..core.space import Candidate
from ..strategies.anneal import Anneal
from ..strategies.neighbourhood import Neighbourhood
from ..strategies.pareto import Pareto
from ..strategies.temper import Temper
from .space import ConnectionSets


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
    """Settings of a large-neighbourhood walk: see `Neighbourhood`."""

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
    """The common setup of all searchers for connection sets, and the settings of each.

    Attributes
    ----------
    space, objective, front
        The search space, the score to minimise, and whether the search is for a Pareto front.
    kinds
        Settings of each searcher; its index is its random stream.
    """

    space: ConnectionSets
    objective: Lexicographic
    front: bool
    kinds: tuple[Kind, ...]

    def first(self, seed: int, stream: int, start: Candidate | None) -> State:
        """Return the initial state of a searcher."""
        kind = self.kinds[stream]
        searcher = _NATIVE[type(kind)](_evaluator(self), self.front, seed, stream, start, **asdict(kind))
        return searcher.state()

    def searcher(self, stream: int, state: State) -> _native.Searcher:
        """Return the searcher with a saved state.

        Raises
        ------
        InputError
            If the state is damaged.
        """
        kind = self.kinds[stream]
        try:
            return _NATIVE[type(kind)].restored(_evaluator(self), self.front, state, **asdict(kind))
        except (ValueError, TypeError) as error:
            raise state_error(error) from error

    @property
    def share(self) -> int:
        """Number of evaluations per searcher and round."""
        return max(64, min(1 << 16, 1 << 24 - self.space.n))

    def score(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the score of a candidate."""
        return self.objective.point(self.space.design(candidate))

    def takes_best(self, stream: int) -> bool:
        """Whether a searcher is offered the best design at every exchange: large-neighbourhood walks are."""
        return isinstance(self.kinds[stream], Descent)


@lru_cache(maxsize=8)
def _evaluator(setup: BasisSearchers) -> _native.Evaluator:
    return setup.space.evaluator(setup.objective)


def basis_searchers(
    space: ConnectionSets, objective: Lexicographic, settings: Sequence[object]
) -> BasisSearchers | None:
    """Return searchers with the settings of `Anneal`, `Temper` or `Neighbourhood`; None if any belong to others.

    Raises
    ------
    InputError
        If a parameter is out of range.
    """
    hottest = _default_hottest(space, objective)
    converters = ((_converter_for(each), each) for each in settings)
    kinds = [convert(each, space.n, hottest) for convert, each in converters if convert is not None]
    front = any(isinstance(each, Pareto) for each in settings)
    return BasisSearchers(space, objective, front, tuple(kinds)) if len(kinds) == len(settings) else None


def _converter_for(settings: object) -> "_Converter | None":
    """Return the function that converts a strategy, or one derived from it, to native settings; None if unknown."""
    return next((_KINDS[base] for base in type(settings).__mro__ if base in _KINDS), None)


def _default_hottest(space: ConnectionSets, objective: Lexicographic) -> float:
    """Return the default highest temperature of annealing, relative to the score of the identical planes.

    0.02 if the first component depends on cables, else 0.22 · 2^(-n/2): the steps of a sum of distances are finer in
    larger cubes.
    """
    return 0.02 if objective.needs_layout else 0.22 * 2 ** (-space.n / 2)


def _annealing(settings: Anneal, n: int, default_hottest: float) -> Annealing:
    if settings.first_leg is not None:
        check_int("strategy.first_leg", settings.first_leg, 64)
    hottest = settings.hottest or default_hottest
    coolest, first_leg = settings.coolest or hottest / 16, settings.first_leg or 16 << n
    return Annealing(coolest, hottest, settings.fall or 10.0, first_leg, settings.growth, settings.structured)


def _ladder(settings: Temper, n: int, default_hottest: float) -> Ladder:
    hottest = settings.hottest or max(default_hottest / 4, settings.coldest or 0)
    return Ladder(settings.coldest or hottest / 20, hottest, settings.replicas)


def _descent(settings: Neighbourhood, n: int, default_hottest: float) -> Descent:
    return Descent(settings.most, default_hottest / 60 if settings.temperature is None else settings.temperature)


_Converter = Callable[[Any, int, float], Kind]
_KINDS: dict[type[object], _Converter] = {
    Anneal: _annealing,
    Pareto: _annealing,
    Temper: _ladder,
    Neighbourhood: _descent,
}
