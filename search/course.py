"""Heuristic searchers as data: what all of them share, the state of one, and a leap from state to state."""

import time
from dataclasses import asdict, dataclass
from functools import lru_cache

from isoplane.models import InputError
from isoplane.objectives import Objective

from . import _native
from .space import ConnectionSets, Generators

State = list[int]
Designs = list[Generators]


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
class Course:
    """What all searchers of a search have in common, and of which kind each is.

    Attributes
    ----------
    space, objective, front
        What may vary, and whether the best score or a Pareto front is looked for.
    kinds
        Settings of each searcher, whose number is its stream of random numbers.
    """

    space: ConnectionSets
    objective: Objective
    front: bool
    kinds: tuple[Kind, ...]

    def first(self, seed: int, stream: int, start: Generators | None) -> State:
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
            raise InputError(f"journal: {str(error).splitlines()[0]}; allowed is one that isoplane wrote") from error


@dataclass(frozen=True)
class Leap:
    """A searcher's way over some rounds of `share` evaluations each."""

    course: Course
    stream: int
    state: State
    share: int
    rounds: int = 1


@dataclass(frozen=True)
class Landing:
    """Where a leap ended.

    Attributes
    ----------
    state
        Of the searcher.
    designs
        At the end of each round the best design so far, or the front; None if that is the same as a round before.
    seconds
        Of computation.
    """

    state: State
    designs: list[Designs | None]
    seconds: float


def advance(leap: Leap) -> Landing:
    """Carry a searcher on; nothing but the leap decides state and designs."""
    began = time.perf_counter()
    searcher = leap.course.searcher(leap.stream, leap.state)
    last: Designs = []
    designs: list[Designs | None] = []
    for _ in range(leap.rounds):
        searcher.run(leap.share)
        found = designs_of(searcher)
        designs.append(None if found == last else found)
        last = found
    return Landing(searcher.state(), designs, time.perf_counter() - began)


def designs_of(searcher: _native.Searcher) -> Designs:
    """Return the best design of a searcher, or its front."""
    return [tuple(design) for design in searcher.designs()]


@lru_cache(maxsize=8)
def _evaluator(course: Course) -> _native.Evaluator:
    return course.space.evaluator(course.objective)
