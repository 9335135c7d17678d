"""Stops: when a search ends."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from isoplane.models import InputError, Network
from isoplane.models.checks import check_int, exact_number
from isoplane.objectives import Objective


@dataclass(frozen=True)
class Progress:
    """Where a search stands at the end of a round.

    Attributes
    ----------
    evaluations
        Candidates judged so far.
    seconds
        Since the search began.
    improved_at
        `evaluations` when the best score, or the front, last improved.
    score
        Best score so far.
    network
        The network that has it.
    complete
        Whether the whole space has been searched.
    known
        Whether the round comes from a journal.
    searched
        The part of the space that has been searched, where the strategy knows.
    proof
        With a complete search: what was counted.
    """

    evaluations: int
    seconds: float
    improved_at: int
    score: tuple[int, ...]
    network: Network
    complete: bool = False
    known: bool = False
    searched: float | None = None
    proof: dict[str, Any] | None = None


class Stop(Protocol):
    """Decides at the end of each round whether the search ends."""

    @property
    def evaluations(self) -> int | None:
        """A limit that annealing keeps exactly and exact search exceeds by a few; or None."""

    def __call__(self, objective: Objective, progress: Progress) -> str | None:
        """Return why the search ends here, or None if it goes on."""


@dataclass(frozen=True)
class Limits:
    """The stops of the command line; the first that is reached ends the search.

    Parameters
    ----------
    seconds
        Wall-clock time; the only stop that does not promise identical results.
    evaluations
        Candidates judged; annealing keeps it exactly, exact search ends with the first unit that reaches it.
    target
        Value of the objective's first component, in its printed unit, at which the search ends.
    stalled
        Evaluations without an improvement.

    Raises
    ------
    InputError
        If a limit is negative or no number.

    Examples
    --------
    >>> Limits(seconds=-1)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: stop.seconds=-1: allowed is a number of at least 0
    """

    seconds: float | None = None
    evaluations: int | None = None
    target: float | str | Fraction | None = None
    stalled: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            exact_number("stop.seconds", self.seconds)
        if self.evaluations is not None:
            check_int("stop.evaluations", self.evaluations, 1)
        if self.target is not None:
            exact_number("stop.target", self.target, above=True)
        if self.stalled is not None:
            check_int("stop.stalled", self.stalled, 1)

    def require_defined(self, objective: Objective) -> None:
        """Raise an `InputError` if the objective does not define one of the stops: a front has no target."""
        if self.target is not None and objective.front is not None:
            raise InputError(
                f"stop.target={self.target}: objective={objective.name} has no single value; allowed is none"
            )

    def __call__(self, objective: Objective, progress: Progress) -> str | None:
        """Return the name of the limit that is reached, or None."""
        if self.target is not None and self.reached(objective, progress.score, progress.network):
            return "target"
        if self.evaluations is not None and progress.evaluations >= self.evaluations:
            return "evaluations"
        if self.stalled is not None and progress.evaluations - progress.improved_at >= self.stalled:
            return "stalled"
        if self.seconds is not None and progress.seconds >= float(self.seconds):
            return "seconds"
        return None

    def reached(self, objective: Objective, score: tuple[int, ...], network: Network) -> bool:
        """Whether a score is as good as the target; true without one."""
        return self.target is None or objective.reaches(score, exact_number("stop.target", self.target), network)


@dataclass(frozen=True)
class Watched:
    """A stop with an observer that sees every round and may end the search itself."""

    stop: Stop
    watch: Callable[[Progress], str | None]

    @property
    def evaluations(self) -> int | None:
        """The limit of the stop that is watched."""
        return self.stop.evaluations

    def __call__(self, objective: Objective, progress: Progress) -> str | None:
        """Return the observer's reason, or the stop's."""
        return self.watch(progress) or self.stop(objective, progress)
