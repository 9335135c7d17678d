"""Every assignment of a small hybrid network, judged one by one: a proof for any objective."""

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
    """All rules, then every assignment of the space, with a proof that the best of them is optimal.

    Every component of the score is compared for every set of circuits and every placement, but for those whose
    bottleneck time alone is longer than the completion time of the best rule.

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
        """What records call this strategy."""
        return "enumerate"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield what the rules make, then the best designs so far, until all have been judged."""
        space = require_space(task, Assignments, self.name)
        objective = space.fitted(task.objective)
        count = count_assignments(space)
        if count > MAX_ASSIGNMENTS:
            raise InputError(f"strategy=enumerate: more than {MAX_ASSIGNMENTS} assignments; expected at most so many")
        page = task.checkpoint.load(self.name)
        judged = Round(0, ())
        with closing(rule_rounds(space, objective, task.start, replayed=page is not None)) as judging:
            for judged in judging:
                yield judged
        yield from _Enumeration(task, space, objective, count, judged).rounds(page)


@dataclass(frozen=True)
class _Call:
    """Candidates to judge, of which those count that may be better than a score."""

    space: Assignments
    objective: WorkloadObjective
    known: tuple[int, ...]
    candidates: tuple[Candidate, ...]


def _best_of(call: _Call) -> _Scored | None:
    """Return the best of some candidates with its score, the first of equal ones; None if none is better than known."""
    best, found = call.known, None
    for candidate in call.candidates:
        design = call.space.design(candidate)
        if score_ns(design, call.objective.workload, ("bottleneck",)) > best[:1]:
            continue  # no time is shorter than that of the bottleneck
        score = call.objective.point(design)
        if score < best:
            best, found = score, candidate
    return None if found is None else (best, found)


def _candidates(space: Assignments) -> Iterator[Candidate]:
    """Yield all of a space."""
    nodes = range(space.hybrid.nodes)
    placements = map(Placement, permutations(nodes)) if space.placement == "free" else iter(space.placements)
    for placement in placements:
        for pairs in all_circuits(space.hybrid, space.most):
            yield candidate_of(Circuits(pairs), placement)


@dataclass
class _Enumeration:
    """All candidates of a space, in calls of equally many, after the rounds of rules.

    Attributes
    ----------
    task, space, objective
        What is asked for.
    count
        How many candidates there are.
    rules
        The last round of the rules, with their best design first.
    calls, found
        How many calls have been told of, and those among them that found a better design.
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
        """Yield the rounds of a page of the checkpoint, then those that follow."""
        if page is not None:
            self._read(page)
        for number in range(1, self.calls + 1):
            designs = (self.found[number],) if number in self.found else ()
            yield self._round(min(number * self._share, self.count), designs, replayed=True)
        saved = self.calls
        try:
            for round_ in self._judged():
                yield round_
                if self.task.checkpoint.due():
                    self._save()
                    saved = self.calls
        finally:
            if self.calls > saved:
                self._save()

    def _judged(self) -> Iterator[Round]:
        """Judge what is left, and yield a round for every call, in their order."""
        limit, first = self.task.evaluations, self.calls * self._share
        most = self.count if limit is None else min(self.count, max(limit - self.rules.evaluations, 0))
        left = islice(_candidates(self.space), first, most)
        parts = iter(lambda: tuple(islice(left, self._share)), ())
        calls = (_Call(self.space, self.objective, self._known, part) for part in parts)
        ended: dict[int, _Scored | None] = {}
        next_ = 0
        for one in self.task.fleet.map(_best_of, calls):
            if one is None:
                yield self._round(min(first + next_ * self._share, most), (self._best[1],))
                continue
            ended[one[0]] = one[1]
            while next_ in ended:
                better, next_ = ended.pop(next_), next_ + 1
                yield self._told(min(first + next_ * self._share, most), better)

    def _told(self, judged: int, better: _Scored | None) -> Round:
        """Take in what a call has found; one that a limit cut short is none that a longer search would have."""
        whole = judged == self.count or judged % self._share == 0
        self.calls += whole
        if better is not None and better[0] < self._best[0]:
            self._best = better
            if whole:
                self.found[self.calls] = better[1]
        return self._round(judged, (self._best[1],))

    def _round(self, judged: int, designs: tuple[Candidate, ...], replayed: bool = False) -> Round:
        return Round(
            self.rules.evaluations + judged,
            designs,
            complete=judged == self.count,
            replayed=replayed,
            searched=judged / self.count,
            bound_by=ENUMERATION,
        )

    def _save(self) -> None:
        self.task.checkpoint.save(EnumerateCircuits().name, {"calls": self.calls, "found": list(self.found.items())})

    def _read(self, page: Any) -> None:
        """Take in a page of the checkpoint.

        Raises
        ------
        InputError
            If it is damaged.
        """
        try:
            self.calls = int(page["calls"])
            self.found = {int(number): tuple(candidate) for number, candidate in page["found"]}
        except (KeyError, TypeError, ValueError) as error:
            raise InputError("checkpoint: no page of an enumeration; expected one as isoplane wrote it") from error
        for candidate in self.found.values():
            scored = self.objective.point(self.space.design(candidate)), candidate
            self._best = min(self._best, scored, key=lambda judged: judged[0])
