"""Heuristic searchers as data: what all of them share, the state of one, and a leap from state to state."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Protocol

from isoplane.models import InputError
from isoplane.objectives import Objective, ingredients

from . import _native
from .connection_sets import ConnectionSets
from .space import Candidate

State = list[int]
Designs = list[Candidate]


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


class Searcher(Protocol):
    """One heuristic search in native code; its seed and stream decide its course."""

    def run(self, evaluations: int) -> None:
        """Advance by so many evaluations."""

    def state(self) -> State:
        """Return all that decides its course from here on."""

    def designs(self) -> list[list[int]]:
        """Return the best design so far, or the front."""

    def offer(self, candidate: Sequence[int], /) -> None:
        """Let it know a design of another searcher."""


class Course(Protocol):
    """What all searchers of a search have in common; frozen, picklable and compared by value."""

    @property
    def kinds(self) -> tuple[object, ...]:
        """Settings of each searcher, whose number is its stream of random numbers."""

    @property
    def front(self) -> bool:
        """Whether a Pareto front is looked for."""

    @property
    def share(self) -> int:
        """Evaluations of a searcher in a round: of eight searchers well under a second on one core."""

    def first(self, seed: int, stream: int, start: Candidate | None) -> State:
        """Return the state in which a searcher begins."""

    def searcher(self, stream: int, state: State) -> Searcher:
        """Return the searcher that a state tells of.

        Raises
        ------
        InputError
            If the state is damaged.
        """

    def score(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the score of a candidate."""

    def takes_best(self, stream: int) -> bool:
        """Whether a searcher improves whatever it gets, so that it is shown the best design at every exchange."""


def damaged(error: Exception) -> InputError:
    """Return what is said of a state that native code refuses."""
    return InputError(f"journal: {str(error).splitlines()[0]}; allowed is one that isoplane wrote")


@dataclass(frozen=True)
class BasisCourse:
    """What all searchers for connection sets have in common, and of which kind each is.

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
        return self.objective.score(ingredients(self.space.design(candidate).cubes))

    def takes_best(self, stream: int) -> bool:
        """Whether a searcher is a walk through large neighbourhoods."""
        return isinstance(self.kinds[stream], Descent)


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


def designs_of(searcher: Searcher) -> Designs:
    """Return the best design of a searcher, or its front."""
    return [tuple(design) for design in searcher.designs()]


@lru_cache(maxsize=8)
def _evaluator(course: BasisCourse) -> _native.Evaluator:
    return course.space.evaluator(course.objective)
