"""Enumeration of all candidates of a small space: a proof of optimality for any objective."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar

from isoplane.models import InputError
from isoplane.objectives import Lexicographic

from ..core.methods import Candidates, methods_of
from ..core.space import Candidate, Scored, Space
from ..core.strategy import Round, Strategy, Task

MAX_CANDIDATES = 200_000
DEFAULT_US = 15_000_000  # of an enumeration by default, as estimated: half of the default time limit
_CALL_US = 100_000


@dataclass(frozen=True)
class Enumerate(Strategy):
    """The starting designs of a space, then every candidate of it, with a proof that the best of them is optimal.

    A space without starting designs starts with its baseline. The whole score is computed for every candidate, except
    those for which a part of it, computed first, exceeds the best score.

    Raises
    ------
    InputError
        If the space has more than `MAX_CANDIDATES` designs, or cannot list them.

    Examples
    --------
    >>> from isoplane.models.workloads import sparse
    >>> from isoplane.objectives import CIRCUITS, Lexicographic
    >>> from isoplane.models import Hybrid
    >>> from isoplane.search import CircuitSpace, Limits, solve
    >>> work = sparse(8, 2, seed=5)
    >>> space = CircuitSpace(Hybrid(2, 4, up_gbps=10), work, 2, "by_switch")
    >>> goal = Lexicographic("completion", (("completion",), ("bottleneck",), ("total",)), CIRCUITS, work)
    >>> *_, best = solve(space, goal, Enumerate(), Limits(), seed=1)
    >>> best.status, best.evaluation.bound == best.evaluation.score
    ('optimal', True)
    """

    name: ClassVar[str] = "enumerate"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield the starting designs, then the best designs so far, until all have been evaluated."""
        space = task.space
        candidates = methods_of(space).candidates(space.fitted(task.objective))
        if candidates is None:
            raise InputError(f"strategy=enumerate: cannot list {space.subject}; expected auto or another strategy")
        count = candidates.count(MAX_CANDIDATES)
        if count > MAX_CANDIDATES:
            raise InputError(f"strategy=enumerate: more than {MAX_CANDIDATES} designs; expected at most that many")
        page = task.checkpoint.load(self.name)
        last = Round(0, ())
        with closing(methods_of(space).starts(task, replayed=page is not None)) as starts:
            for last in starts:
                yield last
        if not last.designs:
            last = Round(1, (space.candidate(space.baseline),))
            yield last
        yield from _Enumeration(task, candidates, count, last).rounds(page)


def may_enumerate(space: Space, objective: Lexicographic) -> bool:
    """Whether enumerating a space takes at most about 15 s, as estimated from its size and the cost of an evaluation.

    The estimate depends on no clock, so that the same search gives the same result everywhere.
    """
    candidates = methods_of(space).candidates(objective)
    if candidates is None:
        return False
    limit = min(MAX_CANDIDATES, DEFAULT_US // candidates.evaluation_us)
    return candidates.count(limit) <= limit


@dataclass(frozen=True)
class _Call:
    """Candidates to evaluate against the best known score."""

    of: Candidates[Any]
    known: tuple[int, ...]
    candidates: tuple[Candidate, ...]


def _best_of(call: _Call) -> Scored | None:
    """Return the first of the best candidates with its score; None if none is better than the known score."""
    best, improved = call.known, None
    for candidate, (least, is_score) in zip(call.candidates, call.of.least(call.candidates), strict=True):
        # An equal bound excludes nothing: later components of the score may be better.
        if least > best[: len(least)]:
            continue
        score = least if is_score else call.of.objective.point(call.of.space.design(candidate))
        # Strictly, so that of equal designs the first one wins, wherever calls begin and end.
        if score < best:
            best, improved = score, (score, candidate)
    return improved


@dataclass
class _Enumeration:
    """The enumeration of a space in calls of equal numbers of candidates, after the rounds of starting designs.

    Attributes
    ----------
    task, candidates
        The task, and all candidates of its space.
    count
        Number of candidates.
    starts
        The last round of the starting designs.
    calls, improved
        Number of calls reported so far, and the improved designs among them, by call.
    """

    task: Task
    candidates: Candidates[Any]
    count: int
    starts: Round
    calls: int = 0
    improved: dict[int, Candidate] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._share = max(_CALL_US // self.candidates.evaluation_us, 1)
        self._best = min(self._scored(candidate) for candidate in self.starts.designs)

    def rounds(self, page: Any) -> Generator[Round, None, None]:
        """Replay the rounds of a page of the checkpoint, then continue."""
        if page is not None:
            self._restore(page)
        for number in range(1, self.calls + 1):
            designs = (self.improved[number],) if number in self.improved else ()
            yield self._round(min(number * self._share, self.count), designs, replayed=True)
        saved = self.calls
        try:
            for round_ in self._evaluate():
                yield round_
                if self.task.checkpoint.due():
                    self._save()
                    saved = self.calls
        finally:
            if self.calls > saved:
                self._save()

    def _evaluate(self) -> Iterator[Round]:
        """Evaluate the remaining candidates, and yield a round per call, in order."""
        limit, first = self.task.evaluations, self.calls * self._share
        last = self.count if limit is None else min(self.count, max(limit - self.starts.evaluations, 0))
        remaining = islice(self.candidates, first, last)
        parts = iter(lambda: tuple(islice(remaining, self._share)), ())
        # Generated as workers take them, with the best score of that moment: it saves time and changes no result.
        calls = (_Call(self.candidates, self._best[0], part) for part in parts)
        completed: dict[int, Scored | None] = {}
        next_call = 0
        for indexed in self.task.fleet.map(_best_of, calls):
            if indexed is None:
                yield self._round(min(first + next_call * self._share, last), (self._best[1],))
                continue
            completed[indexed[0]] = indexed[1]
            while next_call in completed:
                improvement, next_call = completed.pop(next_call), next_call + 1
                yield self._report(min(first + next_call * self._share, last), improvement)

    def _report(self, evaluated: int, improvement: Scored | None) -> Round:
        """Record the result of a call; one cut short by a limit is not saved: a longer search has no such call."""
        is_complete = evaluated == self.count or evaluated % self._share == 0
        self.calls += is_complete
        if improvement is not None and improvement[0] < self._best[0]:
            self._best = improvement
            if is_complete:
                self.improved[self.calls] = improvement[1]
        return self._round(evaluated, (self._best[1],))

    def _round(self, evaluated: int, designs: tuple[Candidate, ...], replayed: bool = False) -> Round:
        return Round(
            self.starts.evaluations + evaluated,
            designs,
            complete=evaluated == self.count,
            replayed=replayed,
            searched=evaluated / self.count,
            source=self.candidates.source,
        )

    def _scored(self, candidate: Candidate) -> Scored:
        space = self.task.space
        return self.task.objective.point(space.design(candidate)), space.canonical(candidate)

    def _save(self) -> None:
        page = {"share": self._share, "calls": self.calls, "found": list(self.improved.items())}
        self.task.checkpoint.save(Enumerate().name, page)

    def _restore(self, page: Any) -> None:
        """Restore the state from a page of the checkpoint.

        Raises
        ------
        InputError
            If the page is damaged, or of another version.
        """
        try:
            share, self.calls = int(page["share"]), int(page["calls"])
            self.improved = {int(number): tuple(candidate) for number, candidate in page["found"]}
        except (KeyError, TypeError, ValueError) as error:
            raise InputError("checkpoint: not a page of an enumeration; expected one written by isoplane") from error
        if share != self._share:
            raise InputError(f"checkpoint: calls of {share} designs; expected {self._share}, as of this version")
        for candidate in self.improved.values():
            self._best = min(self._best, self._scored(candidate), key=lambda scored: scored[0])
