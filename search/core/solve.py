"""The main loop of every search: space, objective, strategy, stop and seed in, improving designs out."""

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from isoplane.fleet.threads import Fleet, Threads
from isoplane.models import Design
from isoplane.models.checks import check_int
from isoplane.objectives import Evaluation, Lexicographic
from isoplane.objectives.bounds import Enumeration

from .archive import Archive
from .checkpoint import Checkpoint, NullCheckpoint
from .space import BoundSource, Source, Space
from .stop import Progress, Stop
from .strategy import Round, Strategy, Task

CLOCK = "clock"


@dataclass(frozen=True)
class Solution:
    """A design that improves on all earlier ones.

    Attributes
    ----------
    design, evaluation
        The design, and its score with bounds.
    evaluations
        Number of evaluations at the end of the round that found it.
    seconds
        Time since the search began.
    kept
        The current non-dominated designs, this one included: more than one only for a front.
    status
        ``optimal`` if proven, else ``feasible``.
    bound_source
        Source of the bound: always given for hybrid networks; for cubes the enumeration behind it, if any.
    solver
        The solver of integer programs used so far, if any.
    complete
        Whether the search was exhaustive: no design dominates any of `kept`, and a front has no further point.
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
    objective: Lexicographic,
    strategy: Strategy,
    stop: Stop,
    seed: int,
    workers: int = 1,
    warm_start: Design | None = None,
    fleet: Fleet | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Solution, None, None]:
    """Search, and yield every design that improves the best score or joins the Pareto front.

    Evaluations carry the proven lower bounds of their score; a score that reaches all of them is optimal. When the
    search becomes exhaustive, a bound is tightened or another solver is used, the designs are yielded once more. With
    the checkpoint of an interrupted search, all its solutions are replayed first, then the search continues.

    Parameters
    ----------
    space, objective, strategy, stop
        The designs to choose from, the score to minimise, the search method and the stopping criterion.
    seed
        Non-negative; determines the result for any number of workers, unless a time limit ends the search.
    workers
        Number of threads; ignored if a fleet is given.
    warm_start
        A design of the space to start from.
    fleet
        The workers that run the search.
    checkpoint
        Storage for the state of the search, so that it can be resumed.

    Raises
    ------
    InputError
        If the parts do not fit together.

    Examples
    --------
    >>> from isoplane.objectives import CUBES, Lexicographic
    >>> from isoplane.search import Anneal, ConnectionSets, Limits
    >>> aspl = Lexicographic("aspl", (("sum_of_distances",),), CUBES)
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
    objective: Lexicographic,
    bound: tuple[int | None, ...],
    stop: Stop,
    clock: "_Clock",
) -> Iterator[Solution]:
    archive = Archive(objective, bound)
    improved_at, source, solver = 0, space.bound_source(objective), None
    for round_ in rounds:
        seconds = clock.seconds()
        for design in archive.add(space, round_.designs):
            improved_at = round_.evaluations
            yield _solution(design, archive, round_.evaluations, seconds, source, solver)
        best = archive.best
        score = archive.evaluation(best).score
        previous = bound, solver
        bound, solver = _tighter(bound, round_.bound or bound), round_.solver or solver
        if round_.complete:
            bound = objective.bound_when_exhausted(score, bound)
        if bound != previous[0]:
            source = _improved_source(source, round_)
        if round_.complete:
            source = round_.source or _required_source(source, bound == score)
        if round_.complete or (bound, solver) != previous:
            archive.tighten(bound)
            for design in archive.designs:
                solution = _solution(design, archive, round_.evaluations, seconds, source, solver)
                yield replace(solution, complete=round_.complete)
        # Replayed rounds count as instantaneous, so that a time limit cannot stop a search before it resumes.
        elapsed = 0.0 if round_.replayed else seconds
        progress = Progress(
            round_.evaluations,
            elapsed,
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
    """Return the componentwise tighter of two lower bounds."""
    pairs = zip(one, other, strict=True)
    return tuple(max((low for low in pair if low is not None), default=None) for pair in pairs)


def _required_source(source: Source | None, is_reached: bool) -> Source | None:
    """Return the source that a complete search still relies on: of cubes, none if it proves the bounds by itself."""
    return None if isinstance(source, Enumeration) and is_reached else source


def _improved_source(source: Source | None, round_: Round) -> Source | None:
    """Return the source of the bound that a round has tightened."""
    if round_.bound_by is None or not isinstance(source, BoundSource):
        return source
    return replace(source, by=round_.bound_by)


def _solution(
    design: Design, archive: Archive, evaluations: int, seconds: float, source: Source | None, solver: str | None
) -> Solution:
    """Return a solution for a design of the archive; optimal if it attains the bounds."""
    evaluation = archive.evaluation(design)
    status = "optimal" if evaluation.score == evaluation.bound else "feasible"
    return Solution(design, evaluation, evaluations, seconds, tuple(archive.designs), status, source, solver)


class _Clock:
    """A checkpoint that also stores the elapsed time: a resumed search continues the count."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        page = checkpoint.load(CLOCK)
        self._seconds_before = float(page["seconds"]) if isinstance(page, dict) and "seconds" in page else 0.0
        self._start_time = time.monotonic()

    def seconds(self) -> float:
        return self._seconds_before + time.monotonic() - self._start_time

    def load(self, name: str) -> Any:
        return self._checkpoint.load(name)

    def save(self, name: str, data: Any) -> None:
        self._checkpoint.save(name, data)
        self._checkpoint.save(CLOCK, {"seconds": round(self.seconds(), 3)})

    def due(self) -> bool:
        return self._checkpoint.due()
