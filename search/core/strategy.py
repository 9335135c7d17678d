"""Strategies: search methods as streams of rounds."""

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from isoplane.fleet.threads import Fleet, Threads
from isoplane.models import InputError
from isoplane.objectives import Lexicographic
from isoplane.objectives.bounds import BoundSource

from .checkpoint import Checkpoint
from .forecast import Forecast
from .space import AnySpace, Candidate, Space


@dataclass(frozen=True)
class Round:
    """The result of one round.

    Attributes
    ----------
    evaluations
        Number of evaluations since the search began.
    designs
        The best designs so far: one, or a front. Designs of earlier rounds may be repeated or left out; a round
        without designs has found nothing new.
    complete
        Whether the search was exhaustive, so that the designs are proven optimal.
    replayed
        Whether the round is replayed from the checkpoint.
    searched
        The fraction of the space that has been searched, for an exhaustive strategy; equal fractions take about
        equally long. None for a heuristic, which ends at a proven optimum.
    left
        For an exhaustive strategy, where available: an estimate of the remaining computation.
    counts
        For a complete search: the counts that prove it, as JSON data.
    bound
        Lower bounds of the score over the space, if the strategy has tightened them.
    source
        With a bound or for a complete search: what proves its bounds, if records state it; of cubes without a workload,
        the stored enumeration whose bounds it relies on, if any.
    solver
        The solver of integer programs used so far, if any.
    """

    evaluations: int
    designs: tuple[Candidate, ...]
    complete: bool = False
    replayed: bool = False
    searched: float | None = None
    left: Forecast | None = None
    counts: dict[str, Any] | None = None
    bound: tuple[int | None, ...] | None = None
    source: BoundSource | None = None
    solver: str | None = None


@dataclass(frozen=True)
class Task:
    """What a strategy searches: a space, by an objective, from a seed, on a fleet.

    Attributes
    ----------
    space, objective
        The designs to choose from, and the score to minimise.
    seed
        Determines the result, together with `evaluations` and `start`.
    evaluations
        Maximum number of evaluations (exact search ends with the unit that reaches it), or None.
    start
        A candidate to start from, or None.
    fleet
        The workers that run the search; they do not influence the result.
    checkpoint
        Storage for the state of the search, so that it can be resumed.
    """

    space: Space
    objective: Lexicographic
    seed: int
    evaluations: int | None = None
    start: Candidate | None = None
    fleet: Fleet = field(default_factory=Threads)
    checkpoint: Checkpoint = field(default_factory=Checkpoint)


@dataclass(frozen=True)
class Strategy(ABC):
    """A search method."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name in records and reports."""

    @abstractmethod
    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Search, several rounds per second, until the space or the evaluations are exhausted.

        If the checkpoint has pages, the earlier rounds are replayed first, then the search continues. A round that
        repeats the previous one means that no call has been completed since; it lets the caller stop the search.
        """


def require_space(task: Task, kind: type[AnySpace], name: str) -> AnySpace:
    """Return the space of a task, which must be of the kind that a strategy searches.

    Raises
    ------
    InputError
        If the space is of another kind; the message names the strategy.
    """
    if not isinstance(task.space, kind):
        raise other_space(task, kind, name)
    return task.space


def other_space(task: Task, kind: type[Space], name: str) -> InputError:
    """Return the error for a task whose space is not one that a strategy searches."""
    return InputError(f"strategy={name}: searches {kind.varies}; expected auto or another for {task.space.subject}")
