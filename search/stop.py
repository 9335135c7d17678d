"""Stops: when a search ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from isoplane.models import InputError, Network
from isoplane.models.checks import check_int, exact_number
from isoplane.objectives import Objective, relative_gaps

from .forecast import Forecast


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
    replayed
        Whether the round comes from a checkpoint.
    searched
        The part of the space that has been searched, where the strategy knows.
    proof
        With a complete search: what was counted.
    bound
        Proven lower bounds of the score's components; empty or None where unknown.
    left
        An estimate of the computation until the whole space has been searched, where the strategy has one.
    """

    evaluations: int
    seconds: float
    improved_at: int
    score: tuple[int, ...]
    network: Network
    complete: bool = False
    replayed: bool = False
    searched: float | None = None
    proof: dict[str, Any] | None = None
    bound: tuple[int | None, ...] = ()
    left: Forecast | None = None

    @property
    def gaps(self) -> tuple[Fraction | None, ...]:
        """The `relative_gap` of every component, None where no bound is known."""
        return relative_gaps(self.score, self.bound)


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
    gap
        The search ends when the `relative_gap` of the first component is not larger.
    stalled
        Evaluations without an improvement.

    A score that is proven optimal ends a search as well, unless its strategy is on the way through the whole space.

    Raises
    ------
    InputError
        If a limit is negative or no number.

    Examples
    --------
    >>> Limits(seconds=-1)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: stop.seconds=-1: expected a number of at least 0
    """

    seconds: float | None = None
    evaluations: int | None = None
    target: float | str | Fraction | None = None
    gap: float | str | Fraction | None = None
    stalled: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            exact_number("stop.seconds", self.seconds)
        if self.evaluations is not None:
            check_int("stop.evaluations", self.evaluations, 1)
        if self.target is not None:
            exact_number("stop.target", self.target, above=True)
        if self.gap is not None:
            exact_number("stop.gap", self.gap, 0, 1)
        if self.stalled is not None:
            check_int("stop.stalled", self.stalled, 1)

    def require_defined(self, objective: Objective, bound: Sequence[int | None]) -> None:
        """Raise an `InputError` if a stop is undefined: a front has no target, and without a bound there is no gap."""
        for name, value in (("target", self.target), ("gap", self.gap)):
            if value is not None and objective.front is not None:
                raise InputError(f"stop.{name}={value}: objective={objective.name} has no single value; expected none")
        if self.gap is not None and bound[0] is None:
            raise InputError(
                f"stop.gap={self.gap}: no bound of {objective.score_names[0]} is known here; expected none"
            )

    def __call__(self, objective: Objective, progress: Progress) -> str | None:
        """Return the name of the limit that is reached, or None."""
        if self._target_reached(objective, progress.score, progress.network):
            return "target"
        if self._gap_reached(progress.gaps[0]):
            return "gap"
        if progress.searched is None and objective.front is None and progress.score == progress.bound:
            return "optimal"
        if self.evaluations is not None and progress.evaluations >= self.evaluations:
            return "evaluations"
        if self.stalled is not None and progress.evaluations - progress.improved_at >= self.stalled:
            return "stalled"
        if self.seconds is not None and progress.seconds >= float(self.seconds):
            return "seconds"
        return None

    def reached(
        self, objective: Objective, score: tuple[int, ...], bound: Sequence[int | None], network: Network
    ) -> bool:
        """Whether a score is as good as the target, or as near to its bound as the gap; true without either."""
        if self.target is None and self.gap is None:
            return True
        return self._target_reached(objective, score, network) or self._gap_reached(relative_gaps(score, bound)[0])

    def _target_reached(self, objective: Objective, score: tuple[int, ...], network: Network) -> bool:
        target = self.target
        return target is not None and objective.reaches(score, exact_number("stop.target", target), network)

    def _gap_reached(self, gap: Fraction | None) -> bool:
        return self.gap is not None and gap is not None and gap <= exact_number("stop.gap", self.gap)


@dataclass(frozen=True)
class StopWithObserver:
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
