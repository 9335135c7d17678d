"""Heuristic searchers as data: what all of them share, the state of one, and a job that takes it further."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from isoplane.models import InputError

from .space import Candidate

State = list[int]
Designs = list[Candidate]


class Searcher(Protocol):
    """One heuristic search in native code; its seed and stream decide its result."""

    def run(self, evaluations: int) -> None:
        """Advance by so many evaluations."""

    def state(self) -> State:
        """Return all that decides what it does from here on."""

    def designs(self) -> list[list[int]]:
        """Return the best design so far, or the front."""

    def offer(self, candidate: Sequence[int], /) -> None:
        """Let it know a design of another searcher."""


class SearcherSetup(Protocol):
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
    return InputError(f"checkpoint: {str(error).splitlines()[0]}; expected one that isoplane wrote")


@dataclass(frozen=True)
class AdvanceJob:
    """A searcher's way over some rounds of `share` evaluations each."""

    setup: SearcherSetup
    stream: int
    state: State
    share: int
    rounds: int = 1


@dataclass(frozen=True)
class AdvanceResult:
    """Where a job ended.

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


def advance(job: AdvanceJob) -> AdvanceResult:
    """Carry a searcher on; nothing but the job decides state and designs."""
    began = time.perf_counter()
    searcher = job.setup.searcher(job.stream, job.state)
    last: Designs = []
    designs: list[Designs | None] = []
    for _ in range(job.rounds):
        searcher.run(job.share)
        found = designs_of(searcher)
        designs.append(None if found == last else found)
        last = found
    return AdvanceResult(searcher.state(), designs, time.perf_counter() - began)


def designs_of(searcher: Searcher) -> Designs:
    """Return the best design of a searcher, or its front."""
    return [tuple(design) for design in searcher.designs()]
