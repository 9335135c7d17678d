"""Native searchers for connection sets: annealing chains, ladders of replicas, descents through neighbourhoods."""

from dataclasses import asdict, dataclass
from functools import lru_cache

from isoplane.objectives import CubeObjective, exact_metrics

from .. import _native
from ..searchers import State, damaged
from ..space import Candidate
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
