"""What a strategy is: a stream of rounds."""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from isoplane.fleet.threads import Fleet, Threads
from isoplane.models import InputError
from isoplane.objectives import Objective
from isoplane.objectives.bounds import Enumeration

from .checkpoint import Checkpoint, NullCheckpoint
from .forecast import Forecast
from .space import Candidate, Space

SpaceKind = TypeVar("SpaceKind", bound=Space)


@dataclass(frozen=True)
class Round:
    """What came out of one round.

    Attributes
    ----------
    evaluations
        Candidates judged since the search began.
    designs
        The best designs so far: one, or a front. They may be the same as in the round before; only those
        that no round had before must be among them, so that a round without any tells nothing new.
    complete
        Whether the whole space has been searched, so that the designs are proven optimal.
    replayed
        Whether it comes from the checkpoint: the search is on its way to where it stood.
    searched
        The part of the space that has been searched, 0 to 1, where the strategy is on its way through all of it; parts
        take about equal times. None where it looks for better designs only, so that a proven optimum ends it.
    left
        Of such a strategy, where it is known: an estimate of the computation until the whole space has been searched.
    proof
        With the complete search: what was counted, as JSON holds it.
    bound
        Scores that no design of the space is below, where the strategy has proven more than was known.
    bound_by
        With a bound or a complete search: what proves it, if records tell that.
    solver
        Who has solved programs so far, if anybody.
    enumeration
        With the complete search of cubes: the stored enumeration whose bounds it took for granted, if any.
    """

    evaluations: int
    designs: tuple[Candidate, ...]
    complete: bool = False
    replayed: bool = False
    searched: float | None = None
    left: Forecast | None = None
    proof: dict[str, Any] | None = None
    bound: tuple[int | None, ...] | None = None
    bound_by: str | None = None
    solver: str | None = None
    enumeration: Enumeration | None = None


@dataclass(frozen=True)
class Task:
    """What a strategy is asked for.

    Attributes
    ----------
    space, objective
        What may vary and what is good.
    seed
        Decides the result, together with `evaluations` and `start`.
    evaluations
        Judge no more candidates than these (exact search: end with the unit that reaches them), or None.
    start
        A candidate to start from, or None.
    fleet
        Where work runs; no influence on the result.
    checkpoint
        What is needed to go on after the program was killed.
    """

    space: Space
    objective: Objective
    seed: int
    evaluations: int | None = None
    start: Candidate | None = None
    fleet: Fleet = field(default_factory=Threads)
    checkpoint: Checkpoint = field(default_factory=NullCheckpoint)


class Strategy(Protocol):
    """A way to search."""

    @property
    def name(self) -> str:
        """What records and reports call it."""

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Search, several rounds each second, until the space or the evaluations are exhausted.

        A search whose checkpoint has pages first yields the rounds that it yielded before, then goes on. A round that
        repeats the one before tells that nothing has ended meanwhile; the caller may stop there.
        """


def require_score(task: Task, name: str) -> None:
    """Raise an `InputError` if the objective is a front, which this strategy does not search for."""
    if task.objective.front is not None:
        raise InputError(f"strategy={name}: objective={task.objective.name} is a front; expected one score")


def require_space(task: Task, kind: type[SpaceKind], name: str) -> SpaceKind:
    """Return the space of a task as the one kind of space that a strategy is for.

    Raises
    ------
    InputError
        If it is another one, naming the strategy that was asked for it.
    """
    if not isinstance(task.space, kind):
        family = task.space.baseline.network.name
        raise InputError(f"strategy={name}: searches {kind.varies}; expected a strategy for {family}")
    return task.space
