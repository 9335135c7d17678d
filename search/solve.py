"""The one function that shows the system: space, objective, strategy, stop and seed in, improving designs out."""

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from isoplane.fleet.threads import Fleet, Threads
from isoplane.models import Design
from isoplane.models.checks import check_int
from isoplane.objectives import Evaluation, Objective
from isoplane.objectives.bounds import Enumeration

from .archive import Archive
from .checkpoint import Checkpoint, NullCheckpoint
from .space import BoundSource, Space
from .stop import Progress, Stop
from .strategy import Round, Strategy, Task

CLOCK = "clock"
Source = BoundSource | Enumeration


@dataclass(frozen=True)
class Solution:
    """A design that improved on all before it.

    Attributes
    ----------
    design, evaluation
        What was found and how good it is.
    evaluations
        Candidates judged when the round that found it ended.
    seconds
        Since the search began.
    kept
        All designs that nothing beats at this time, this one among them: more than one only for a front.
    status
        ``optimal`` when it is proven, else ``feasible``.
    bound_source
        Where the bound comes from: always of hybrid networks, of cubes the stored enumeration that it rests on, if any.
    solver
        Who has solved programs by then, if anybody.
    complete
        Whether the whole space has been searched: nothing beats any of `kept`, and a front has no further design.
    """

    design: Design
    evaluation: Evaluation
    evaluations: int
    seconds: float
    kept: tuple[Design, ...]
    status: str = "feasible"
    bound_source: Source | None = None
    solver: str | None = None
    complete: bool = False


def solve(
    space: Space,
    objective: Objective,
    strategy: Strategy,
    stop: Stop,
    seed: int,
    workers: int = 1,
    warm_start: Design | None = None,
    fleet: Fleet | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Solution, None, None]:
    """Search, and yield every design that improves the best score or joins the Pareto front.

    Evaluations carry the proven bounds of their score, and one that reaches all of them is optimal. When the whole
    space has been searched, a bound rises or another solver is asked, the designs are yielded once more. With the
    checkpoint of a search that was ended or killed all its solutions are yielded again, as fast as they are read, and
    then those that follow.

    Parameters
    ----------
    space, objective, strategy, stop
        What may vary, what is good, how to look and when to end.
    seed
        Non-negative; decides the result, whatever the number of workers, unless the clock ends the search.
    workers
        Threads, unless there is a fleet.
    warm_start
        A design of the space to begin with.
    fleet
        Where work runs.
    checkpoint
        What the search writes down, so that it can go on.

    Raises
    ------
    InputError
        If the parts do not fit together.

    Examples
    --------
    >>> from isoplane.objectives import CubeObjective
    >>> from isoplane.search import Anneal, ConnectionSets, Limits
    >>> aspl = CubeObjective("aspl", (("sum_of_distances",),))
    >>> *_, best = solve(ConnectionSets(4), aspl, Anneal(), Limits(evaluations=10000), seed=1)
    >>> best.evaluation.metrics["aspl"]
    1.375
    """
    check_int("seed", seed, 0, (1 << 64) - 1)
    fleet, checkpoint = fleet or Threads(workers), checkpoint or NullCheckpoint()
    clock = _Clock(checkpoint)
    objective = space.fitted(objective)
    start = None if warm_start is None else space.candidate(warm_start)
    task = Task(space, objective, seed, stop.evaluations, start, fleet, clock)
    bound = space.bounds(objective)
    with closing(strategy.rounds(task)) as rounds:
        yield from _solutions(rounds, space, objective, bound, stop, clock)


def _solutions(
    rounds: Iterator[Round],
    space: Space,
    objective: Objective,
    bound: tuple[int | None, ...],
    stop: Stop,
    clock: "_Clock",
) -> Iterator[Solution]:
    archive = Archive(objective, bound)
    improved_at, source, solver = 0, space.bound_source(objective), None
    for round_ in rounds:
        seconds = clock.seconds()
        for design in archive.news(space, round_.designs):
            improved_at = round_.evaluations
            yield _solution(design, archive, round_.evaluations, seconds, source, solver)
        best = archive.best
        score = archive.evaluation(best).score
        known = bound, solver
        bound, solver = _tighter(bound, round_.bound or bound), round_.solver or solver
        if round_.complete:
            bound = objective.bound_of_all(score, bound)
        if bound != known[0]:
            source = _source(source, round_)
        if round_.complete and not isinstance(source, BoundSource):  # a search proves a score without its first bound
            source = round_.enumeration or (None if bound == score else source)
        if round_.complete or (bound, solver) != known:
            archive.tighten(bound)
            for design in archive.designs:
                solution = _solution(design, archive, round_.evaluations, seconds, source, solver)
                yield replace(solution, complete=round_.complete)
        # What is known takes no time, so that the clock does not stop a search on the way to where it stood.
        passed = 0.0 if round_.replayed else seconds
        progress = Progress(
            round_.evaluations,
            passed,
            improved_at,
            score,
            best.network,
            round_.complete,
            round_.replayed,
            round_.searched,
            round_.proof,
            bound,
            round_.left,
        )
        if stop(objective, progress) is not None:
            return


def _tighter(one: tuple[int | None, ...], other: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Return what both bounds say together."""
    pairs = zip(one, other, strict=True)
    return tuple(max((low for low in pair if low is not None), default=None) for pair in pairs)


def _source(known: Source | None, round_: Round) -> Source | None:
    """Return where the better bound of a round comes from."""
    if round_.bound_by is None or not isinstance(known, BoundSource):
        return known
    return replace(known, by=round_.bound_by)


def _solution(
    design: Design, archive: Archive, evaluations: int, seconds: float, source: Source | None, solver: str | None
) -> Solution:
    """Return a design that is kept; optimal if the bounds prove that."""
    found = archive.evaluation(design)
    status = "optimal" if found.score == found.bound else "feasible"
    return Solution(design, found, evaluations, seconds, tuple(archive.designs), status, source, solver)


class _Clock:
    """A checkpoint that keeps the time as well: a search that goes on counts from where it stood."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        page = checkpoint.load(CLOCK)
        self._before = float(page["seconds"]) if isinstance(page, dict) and "seconds" in page else 0.0
        self._began = time.monotonic()

    def seconds(self) -> float:
        return self._before + time.monotonic() - self._began

    def load(self, name: str) -> Any:
        return self._checkpoint.load(name)

    def save(self, name: str, data: Any) -> None:
        self._checkpoint.save(name, data)
        self._checkpoint.save(CLOCK, {"seconds": round(self.seconds(), 3)})

    def due(self) -> bool:
        return self._checkpoint.due()
