"""Annealing chains as data: what all of them share, the state of one, and a leap from state to state."""

import time
from dataclasses import dataclass
from functools import lru_cache

from isoplane.models import InputError
from isoplane.objectives import Objective

from . import _native
from .space import ConnectionSets, Generators

State = list[int]
Designs = list[Generators]


@dataclass(frozen=True)
class Course:
    """What all chains of a search have in common.

    Attributes
    ----------
    space, objective, front
        What may vary, and whether the best score or a Pareto front is looked for.
    schedule
        Coolest and hottest beginning of a leg, fall, evaluations of the first legs, growth.
    """

    space: ConnectionSets
    objective: Objective
    front: bool
    schedule: tuple[float, float, float, int, float]

    def first(self, seed: int, stream: int, start: Generators | None) -> State:
        """Return the state in which a chain begins."""
        return _native.Chain(_evaluator(self), self.front, *self.schedule, seed, stream, start).state()

    def chain(self, state: State) -> _native.Chain:
        """Return the chain that a state tells of.

        Raises
        ------
        InputError
            If the state is damaged.
        """
        try:
            return _native.Chain.restored(_evaluator(self), self.front, *self.schedule, state)
        except (ValueError, TypeError) as error:
            raise InputError(f"journal: {str(error).splitlines()[0]}; allowed is one that isoplane wrote") from error


@dataclass(frozen=True)
class Leap:
    """A chain's way over some rounds of `share` evaluations each."""

    course: Course
    state: State
    share: int
    rounds: int = 1


@dataclass(frozen=True)
class Landing:
    """Where a leap ended.

    Attributes
    ----------
    state
        Of the chain.
    designs
        At the end of each round the best design so far, or the front; None if that is the same as a round before.
    seconds
        Of computation.
    """

    state: State
    designs: list[Designs | None]
    seconds: float


def advance(leap: Leap) -> Landing:
    """Carry a chain on; nothing but the leap decides state and designs."""
    began = time.perf_counter()
    chain = leap.course.chain(leap.state)
    last: Designs = []
    designs: list[Designs | None] = []
    for _ in range(leap.rounds):
        chain.run(leap.share)
        found = designs_of(chain)
        designs.append(None if found == last else found)
        last = found
    return Landing(chain.state(), designs, time.perf_counter() - began)


def designs_of(chain: _native.Chain) -> Designs:
    """Return the best design of a chain, or its front."""
    return [tuple(design) for design in chain.designs()]


@lru_cache(maxsize=8)
def _evaluator(course: Course) -> _native.Evaluator:
    return course.space.evaluator(course.objective)
