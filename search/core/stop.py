"""Stopping criteria of a search."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from isoplane.models import InputError, Network
from isoplane.models.checks import check_count, exact_number
from isoplane.objectives import Lexicographic, relative_gaps

from .strategy import Round


@dataclass(frozen=True, kw_only=True)
class Progress(Round):
    """The state of a search at the end of a round; the attributes of the round, and these.

    Attributes
    ----------
    seconds
        Time since the search began.
    improved_at
        `evaluations` when the best score, or the front, last improved.
    score
        Best score so far.
    network
        The network with the best score.
    bound
        Proven lower bounds of the score's components; None where unknown.
    """

    seconds: float
    improved_at: int
    score: tuple[int, ...]
    network: Network

    @classmethod
    def after(cls, round_: Round, seconds: float, bound: tuple[int | None, ...], **state: Any) -> Self:
        """Return the state after a round, given its attributes.

        Replayed rounds count as instantaneous, so that a time limit cannot stop a search before it resumes.
        """
        return cls(**{**vars(round_), "bound": bound}, seconds=0.0 if round_.replayed else seconds, **state)

    @property
    def gaps(self) -> tuple[Fraction | None, ...]:
        """The `relative_gap` of every component; None where no bound is known."""
        return relative_gaps(self.score, self.bound or ())


@dataclass(frozen=True)
class Limits:
    """When a search ends: at the end of the round that reaches the first of these limits.

    Parameters
    ----------
    seconds
        Wall-clock time; the only limit under which results may differ between runs.
    evaluations
        Number of evaluations; annealing respects it exactly, exact search ends with the first unit that reaches it.
    target
        Value of the objective's first component, in its printed unit, at which the search ends, once a design meets
        all limits of the objective.
    gap
        The search ends once the `relative_gap` of the first component is at most this.
    stalled
        Number of evaluations without an improvement.

    Notes
    -----
    A score that is proven optimal also ends a search, unless its strategy is exhaustive.

    Raises
    ------
    InputError
        If a limit is negative or not a number.

    Examples
    --------
    >>> Limits(evaluations=1e6).evaluations
    1000000
    >>> Limits(seconds=-1)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: stop.seconds=-1: expected a number of at least 0, or null
    """

    seconds: float | None = None
    evaluations: int | None = None
    target: float | str | Fraction | None = None
    gap: float | str | Fraction | None = None
    stalled: int | None = None

    def __post_init__(self) -> None:
        try:
            self._check()
        except InputError as error:
            raise InputError(f"{error}, or null") from error

    def _check(self) -> None:
        if self.seconds is not None:
            exact_number("stop.seconds", self.seconds)
        if self.evaluations is not None:
            object.__setattr__(self, "evaluations", check_count("stop.evaluations", self.evaluations, 1))
        if self.target is not None:
            exact_number("stop.target", self.target, above=True)
        if self.gap is not None:
            exact_number("stop.gap", self.gap, 0, 1)
        if self.stalled is not None:
            object.__setattr__(self, "stalled", check_count("stop.stalled", self.stalled, 1))

    def require_defined(self, objective: Lexicographic, bound: Sequence[int | None]) -> None:
        """Raise an `InputError` for a target or gap of a front, and for a gap where no bound is known."""
        for name, value in (("target", self.target), ("gap", self.gap)):
            if value is not None and objective.front is not None:
                raise InputError(f"stop.{name}={value}: objective={objective.name} has no single value; expected null")
        if self.gap is not None and bound[objective.first] is None:
            name = objective.score_names[objective.first]
            raise InputError(f"stop.gap={self.gap}: no bound of {name} is known here; expected null")

    def __call__(self, objective: Lexicographic, progress: Progress) -> str | None:
        """Return the name of the limit that has been reached, or None."""
        if self._target_reached(objective, progress.score, progress.network):
            return "target"
        if self._gap_reached(objective, progress.score, progress.gaps):
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
        self, objective: Lexicographic, score: tuple[int, ...], bound: Sequence[int | None], network: Network
    ) -> bool:
        """Whether a score meets the target or the gap; true without either."""
        if self.target is None and self.gap is None:
            return True
        gaps = relative_gaps(score, bound)
        return self._target_reached(objective, score, network) or self._gap_reached(objective, score, gaps)

    def _target_reached(self, objective: Lexicographic, score: tuple[int, ...], network: Network) -> bool:
        target = self.target
        return target is not None and objective.reaches(score, exact_number("stop.target", target), network)

    def _gap_reached(self, objective: Lexicographic, score: tuple[int, ...], gaps: Sequence[Fraction | None]) -> bool:
        if self.gap is None or not objective.meets_limits(score):
            return False
        gap = gaps[objective.first]
        return gap is not None and gap <= exact_number("stop.gap", self.gap)
