"""Heuristic searchers as data: their common setup, the state of each, and jobs that advance them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from isoplane.models import InputError

from .space import Candidate

State = list[int]
Designs = list[Candidate]


class Searcher(Protocol):
    """One heuristic search in native code; its seed and stream determine its result."""

    def run(self, evaluations: int) -> None:
        """Run a number of evaluations."""

    def state(self) -> State:
        """Return the complete state, from which the search can be resumed."""

    def designs(self) -> list[list[int]]:
        """Return the best design so far, or the front."""

    def offer(self, candidate: Sequence[int], /) -> None:
        """Accept a design from another searcher."""


class SearcherSetup(Protocol):
    """The common setup of all searchers of a search; frozen, picklable and compared by value."""

    @property
    def kinds(self) -> tuple[object, ...]:
        """Settings of each searcher; its index is its random stream."""

    @property
    def front(self) -> bool:
        """Whether the search is for a Pareto front."""

    @property
    def share(self) -> int:
        """Number of evaluations per searcher and round: eight searchers take well under a second on one core."""

    def first(self, seed: int, stream: int, start: Candidate | None) -> State:
        """Return the initial state of a searcher."""

    def searcher(self, stream: int, state: State) -> Searcher:
        """Return the searcher with a saved state.

        Raises
        ------
        InputError
            If the state is damaged.
        """

    def score(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the score of a candidate."""

    def takes_best(self, stream: int) -> bool:
        """Whether a searcher is offered the best design at every exchange, because it improves any design it gets."""


def state_error(error: Exception) -> InputError:
    """Return the error for a state that native code rejects."""
    return InputError(f"checkpoint: {str(error).splitlines()[0]}; expected one written by isoplane")


@dataclass(frozen=True)
class AdvanceJob:
    """A number of rounds of one searcher, with `share` evaluations each."""

    setup: SearcherSetup
    stream: int
    state: State
    share: int
    rounds: int = 1


@dataclass(frozen=True)
class AdvanceResult:
    """The result of a job.

    Attributes
    ----------
    state
        State of the searcher at the end.
    designs
        At the end of each round the best design so far, or the front; None if unchanged since the previous round.
    seconds
        Computation time.
    """

    state: State
    designs: list[Designs | None]
    seconds: float


def advance(job: AdvanceJob) -> AdvanceResult:
    """Run a job; the state and the designs depend on nothing else."""
    start_time = time.perf_counter()
    searcher = job.setup.searcher(job.stream, job.state)
    last: Designs = []
    designs: list[Designs | None] = []
    for _ in range(job.rounds):
        searcher.run(job.share)
        found = designs_of(searcher)
        designs.append(None if found == last else found)
        last = found
    return AdvanceResult(searcher.state(), designs, time.perf_counter() - start_time)


def designs_of(searcher: Searcher) -> Designs:
    """Return the best design of a searcher, or its front."""
    return [tuple(design) for design in searcher.designs()]
