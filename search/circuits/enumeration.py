"""Enumeration of all assignments of a small hybrid network: a proof of optimality for any objective."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice, permutations
from typing import Any

from isoplane.models import Circuits, InputError, Placement
from isoplane.objectives.fluid import WorkloadObjective
from isoplane.objectives.fluid.exact import score_ns

from ..space import Candidate
from ..strategy import Round, Task, require_space
from .assignment_count import MAX_ASSIGNMENTS, all_circuits, count_assignments
from .assignments import Assignments
from .candidates import candidate_of
from .rule_rounds import rule_rounds

ENUMERATION = "enumeration"
_MESSAGES_IN_A_CALL = 1 << 15  # a tenth of a second

_Scored = tuple[tuple[int, ...], Candidate]


@dataclass(frozen=True)
class EnumerateCircuits:
    """The designs of all rules, then every assignment of the space, with a proof that the best of them is optimal.

    The whole score is computed for every set of circuits and every placement, except those whose bottleneck time alone
    exceeds the first component of the best score.

    Raises
    ------
    InputError
        If the space has more than `MAX_ASSIGNMENTS` designs.

    Examples
    --------
    >>> from isoplane.models.workloads import sparse
    >>> from isoplane.objectives.fluid import WorkloadObjective
    >>> from isoplane.models import Hybrid
    >>> from isoplane.search import Limits, solve
    >>> work = sparse(8, 2, seed=5)
    >>> space = Assignments(Hybrid(2, 4, up_gbps=10), work, 2, "by_switch")
    >>> goal = WorkloadObjective("completion", ("completion", "bottleneck", "total"), work)
    >>> *_, best = solve(space, goal, EnumerateCircuits(), Limits(), seed=1)
    >>> best.status, best.evaluation.bound == best.evaluation.score
    ('optimal', True)
    """

    @property
    def name(self) -> str:
        """Name of the strategy in records."""
        return "enumerate"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield the designs of the rules, then the best designs so far, until all have been evaluated."""
        space = require_space(task, Assignments, self.name)
        objective = space.fitted(task.objective)
        count = count_assignments(space)
        if count > MAX_ASSIGNMENTS:
            raise InputError(
                f"strategy=enumerate: more than {MAX_ASSIGNMENTS} assignments; expected at most {MAX_ASSIGNMENTS}"
            )
        page = task.checkpoint.load(self.name)
        last = Round(0, ())
        with closing(rule_rounds(space, objective, task.start, replayed=page is not None)) as rules:
            for last in rules:
                yield last
        yield from _Enumeration(task, space, objective, count, last).rounds(page)


@dataclass(frozen=True)
class _Call:
    """Candidates to evaluate against the best known score."""

    space: Assignments
    objective: WorkloadObjective
    known: tuple[int, ...]
    candidates: tuple[Candidate, ...]


def _best_of(call: _Call) -> _Scored | None:
    """Return the first of the best candidates with its score; None if none is better than the known score."""
    best, found = call.known, None
    for candidate in call.candidates:
        design = call.space.design(candidate)
        if score_ns(design, call.objective.workload, ("bottleneck",)) > best[:1]:
            continue  # the bottleneck time is a lower bound of all times
        score = call.objective.point(design)
        if score < best:
            best, found = score, candidate
    return None if found is None else (best, found)


def _candidates(space: Assignments) -> Iterator[Candidate]:
    """Yield all candidates of a space."""
    nodes = range(space.hybrid.nodes)
    placements = map(Placement, permutations(nodes)) if space.placement == "free" else iter(space.placements)
    for placement in placements:
        for pairs in all_circuits(space.hybrid, space.max_circuits):
            yield candidate_of(Circuits(pairs), placement)


@dataclass
class _Enumeration:
    """The enumeration of a space in calls of equal numbers of candidates, after the rounds of rules.

    Attributes
    ----------
    task, space, objective
        The task, with its space and objective.
    count
        Number of candidates.
    rules
        The last round of the rules, with their best design first.
    calls, found
        Number of calls reported so far, and the improved designs that they found, by call.
    """

    task: Task
    space: Assignments
    objective: WorkloadObjective
    count: int
    rules: Round
    calls: int = 0
    found: dict[int, Candidate] = field(default_factory=dict)

    def __post_init__(self) -> None:
        work = self.objective.workload
        self._share = max(_MESSAGES_IN_A_CALL // (work.messages * work.iterations), 1)
        start = self.rules.designs[0]
        self._known = self.objective.point(self.space.design(start))
        self._best: _Scored = self._known, start

    def rounds(self, page: Any) -> Generator[Round, None, None]:
        """Replay the rounds of a page of the checkpoint, then continue."""
        if page is not None:
            self._restore(page)
        for number in range(1, self.calls + 1):
            designs = (self.found[number],) if number in self.found else ()
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
        last = self.count if limit is None else min(self.count, max(limit - self.rules.evaluations, 0))
        remaining = islice(_candidates(self.space), first, last)
        parts = iter(lambda: tuple(islice(remaining, self._share)), ())
        calls = (_Call(self.space, self.objective, self._known, part) for part in parts)
        completed: dict[int, _Scored | None] = {}
        next_call = 0
        for indexed in self.task.fleet.map(_best_of, calls):
            if indexed is None:
                yield self._round(min(first + next_call * self._share, last), (self._best[1],))
                continue
            completed[indexed[0]] = indexed[1]
            while next_call in completed:
                improvement, next_call = completed.pop(next_call), next_call + 1
                yield self._report(min(first + next_call * self._share, last), improvement)

    def _report(self, evaluated: int, improvement: _Scored | None) -> Round:
        """Record the result of a call; one cut short by a limit is not saved: a longer search has no such call."""
        is_complete = evaluated == self.count or evaluated % self._share == 0
        self.calls += is_complete
        if improvement is not None and improvement[0] < self._best[0]:
            self._best = improvement
            if is_complete:
                self.found[self.calls] = improvement[1]
        return self._round(evaluated, (self._best[1],))

    def _round(self, evaluated: int, designs: tuple[Candidate, ...], replayed: bool = False) -> Round:
        return Round(
            self.rules.evaluations + evaluated,
            designs,
            complete=evaluated == self.count,
            replayed=replayed,
            searched=evaluated / self.count,
            bound_by=ENUMERATION,
        )

    def _save(self) -> None:
        self.task.checkpoint.save(EnumerateCircuits().name, {"calls": self.calls, "found": list(self.found.items())})

    def _restore(self, page: Any) -> None:
        """Restore the state from a page of the checkpoint.

        Raises
        ------
        InputError
            If the page is damaged.
        """
        try:
            self.calls = int(page["calls"])
            self.found = {int(number): tuple(candidate) for number, candidate in page["found"]}
        except (KeyError, TypeError, ValueError) as error:
            raise InputError("checkpoint: not a page of an enumeration; expected one written by isoplane") from error
        for candidate in self.found.values():
            scored = self.objective.point(self.space.design(candidate)), candidate
            self._best = min(self._best, scored, key=lambda pair: pair[0])
