"""Chains as data: their common setup, the state of each, and jobs that advance them.

A *chain* is a native searcher, such as annealing or a large-neighbourhood walk, that a fleet advances in rounds of
equal numbers of evaluations. Between two rounds it is its state, a list of integers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, Protocol

from isoplane.models import InputError
from isoplane.objectives import Lexicographic
from isoplane.objectives.scoring.metric_scopes import time_names
from isoplane.objectives.scoring.sums import SIMULATED

from .. import _native
from .space import AnySpace, Candidate

State = list[int]
Designs = list[Candidate]


class _Searcher(Protocol):
    """One heuristic search in native code; its seed and stream determine its result."""

    def run(self, evaluations: int) -> None:
        """Run a number of evaluations."""

    def state(self) -> State:
        """Return the complete state, from which the search can be resumed."""

    def designs(self) -> list[list[int]]:
        """Return the best design so far, or the front."""

    def offer(self, candidate: Sequence[int], /) -> None:
        """Accept a design from another searcher."""


class ChainKind(NamedTuple):
    """The native searcher of a chain, with its settings: see the strategy that they are for.

    Attributes
    ----------
    name
        Name in checkpoints.
    native
        Name of the native class.
    settings
        Its parameters by name.

    Examples
    --------
    >>> str(ChainKind("Descent", "Neighbourhood", (("most", 3), ("temperature", 0.5))))
    'Descent(most=3, temperature=0.5)'
    """

    name: str
    native: str
    settings: tuple[tuple[str, float], ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.settings)})"


@dataclass(frozen=True)
class ChainSetup(Generic[AnySpace]):
    """The common setup of all chains of a search; picklable and compared by value.

    Attributes
    ----------
    space, objective
        The search space, and the score to minimise.
    kinds
        Native searcher and settings of each chain, whose index is its random stream.
    arguments
        Returns the arguments that all native searchers share: what they search, as native code takes it.
    share
        Number of evaluations per chain and round: eight chains take well under a second on one core.
    starts
        Initial designs, assigned to chains in turn; none for chains that begin at random.
    front
        Whether the search is for a Pareto front.
    takers
        Chains that are offered the best design at every exchange, because they improve any design that they get.
        Others are not, so that they stay diverse.
    """

    space: AnySpace
    objective: Lexicographic
    kinds: tuple[ChainKind, ...]
    arguments: Callable[[ChainSetup[AnySpace]], tuple[Any, ...]]
    share: int
    starts: tuple[Candidate, ...] = ()
    front: bool = False
    takers: frozenset[int] = frozenset()

    def first(self, seed: int, stream: int, start: Candidate | None) -> State:
        """Return the initial state of a chain."""
        initial = start or (self.starts[stream % len(self.starts)] if self.starts else None)
        kind = self.kinds[stream]
        searcher: _Searcher = getattr(_native, kind.native)(
            *self.arguments(self), seed, stream, initial, **dict(kind.settings)
        )
        return searcher.state()

    def searcher(self, stream: int, state: State) -> _Searcher:
        """Return the searcher with a saved state.

        Raises
        ------
        InputError
            If the state is damaged.
        """
        kind = self.kinds[stream]
        try:
            searcher: _Searcher = getattr(_native, kind.native).restored(
                *self.arguments(self), state, **dict(kind.settings)
            )
        except InputError:
            raise  # of an objective that is a function, which another process may not find
        except (ValueError, TypeError) as error:
            raise InputError(
                f"checkpoint: {str(error).splitlines()[0]}; expected one written by this version"
            ) from error
        return searcher

    def score(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the score of a candidate."""
        return self.objective.point(self.space.design(candidate))


def guide_of(objective: Lexicographic) -> Lexicographic:
    """Return the objective by which chains under a workload propose designs: times, one after the other.

    Limits, sums and metrics of the network choose among the designs that chains propose, which they do not know.

    Raises
    ------
    InputError
        If no time is part of the objective.
    """
    names = [name for name in objective.metrics if name in (*time_names(objective.scope), SIMULATED)]
    if objective.is_plain and len(names) == len(objective.metrics):
        return objective
    if not names:
        raise InputError(
            f"objective={objective.name}: has no time of the workload; expected one, or strategy=enumerate"
        )
    return replace(objective, components=tuple((name,) for name in names), limits=(), functions=(), printed_as=None)


# A chain by its stream, its state, and a number of rounds with as many evaluations each.
Job = tuple[ChainSetup[Any], int, State, int, int]
# The state after the last round; at the end of each round the best design so far, or the front, None if unchanged
# since the previous round; and the computation time.
Advance = tuple[State, list[Designs | None], float]


def advance(job: Job) -> Advance:
    """Run a job; the state and the designs depend on nothing else."""
    setup, stream, state, share, rounds = job
    start_time = time.perf_counter()
    searcher = setup.searcher(stream, state)
    last: Designs = []
    designs: list[Designs | None] = []
    for _ in range(rounds):
        searcher.run(share)
        current = designs_of(searcher)
        designs.append(None if current == last else current)
        last = current
    return searcher.state(), designs, time.perf_counter() - start_time


def designs_of(searcher: _Searcher) -> Designs:
    """Return the best design of a searcher, or its front."""
    return [tuple(design) for design in searcher.designs()]
