"""The main loop of every search: space, objective, strategy, stop and seed in, improving designs out."""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from isoplane.fleet.threads import Fleet, Threads
from isoplane.models import Design
from isoplane.models.checks import check_int
from isoplane.objectives import Evaluation, Lexicographic
from isoplane.objectives.bounds import BoundSource

from .archive import Archive
from .checkpoint import Checkpoint
from .methods import methods_of
from .space import Space
from .stop import Limits, Progress
from .strategy import Round, Strategy, Task

CLOCK = "clock"


@dataclass(frozen=True)
class Proof:
    """What is proven about all designs of a space.

    Attributes
    ----------
    bound
        Lower bounds of the components of their scores; None where unknown.
    source
        Source of the bound: always given for hybrid networks; for cubes the enumeration behind it, if any.
    solver
        The solver of integer programs used so far, if any.
    site_scope
        `Space.site_scope`: what else than the family varies in the space.
    """

    bound: tuple[int | None, ...]
    source: BoundSource | None = None
    solver: str | None = None
    site_scope: str = ""

    def tightened(self, round_: Round, objective: Lexicographic, best: tuple[int, ...]) -> "Proof":
        """Return the proof after a round at the end of which this is the best score."""
        pairs = zip(self.bound, round_.bound or self.bound, strict=True)
        bound: tuple[int | None, ...] = tuple(
            max((low for low in pair if low is not None), default=None) for pair in pairs
        )
        if round_.complete:
            bound = objective.bound_when_exhausted(best, bound)
        # A search that reaches its bound by exhausting the space proves it alone, without the source of earlier bounds.
        source = round_.source if round_.complete and bound == best else self.source
        if round_.complete or bound != self.bound:
            source = round_.source or source
        return Proof(bound, source, round_.solver or self.solver, self.site_scope)


@dataclass(frozen=True)
class Solution:
    """A design that improves on all earlier ones or adds to a front, or an earlier one with a higher bound.

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
    proof
        The bounds of the score, their source, and the solver used.
    complete
        Whether the search was exhaustive: no design dominates any of `kept`, and a front has no further point.
    """

    design: Design
    evaluation: Evaluation
    evaluations: int
    seconds: float
    kept: tuple[Design, ...]
    proof: Proof
    complete: bool = False

    @property
    def status(self) -> str:
        """``optimal`` if the score attains the bounds, else ``feasible``."""
        return "optimal" if self.evaluation.score == self.proof.bound else "feasible"


def solve(
    space: Space,
    objective: Lexicographic,
    strategy: Strategy,
    stop: Limits,
    seed: int,
    workers: int = 1,
    warm_start: Design | None = None,
    fleet: Fleet | None = None,
    checkpoint: Checkpoint | None = None,
    watch: Callable[[Progress], str | None] | None = None,
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
    watch
        Receives the progress at the end of every round; the search ends if it returns a reason.

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
    fleet = Threads(workers) if fleet is None else fleet
    clock = _Clock(Checkpoint() if checkpoint is None else checkpoint)
    objective = space.fitted(objective)
    start = None if warm_start is None else space.candidate(warm_start)
    task = Task(space, objective, seed, stop.evaluations, start, fleet, clock)
    # Closed explicitly: a caller may stop early, and strategies end their calls and save their state on closing.
    with closing(methods_of(space).rounds(strategy, task)) as rounds:
        yield from _solutions(rounds, space, objective, stop, clock, watch)


def _solutions(
    rounds: Iterator[Round],
    space: Space,
    objective: Lexicographic,
    stop: Limits,
    clock: "_Clock",
    watch: Callable[[Progress], str | None] | None,
) -> Iterator[Solution]:
    archive, improved_at = Archive(objective), 0
    proof = Proof(space.bounds(objective), space.bound_source(objective), site_scope=space.site_scope)
    for round_ in rounds:
        seconds = clock.seconds()
        for design in archive.add(space, round_.designs):
            improved_at = round_.evaluations
            yield _solution(design, archive, round_, seconds, proof)
        best = archive.evaluation(archive.best)
        before, proof = proof, proof.tightened(round_, objective, best.score)
        if round_.complete or proof != before:
            for design in archive.designs:
                yield _solution(design, archive, round_, seconds, proof, complete=round_.complete)
        state = {"improved_at": improved_at, "score": best.score, "network": archive.best.network}
        progress = Progress.after(round_, seconds, proof.bound, **state)
        if (watch is not None and watch(progress)) or stop(objective, progress) is not None:
            return


def _solution(
    design: Design, archive: Archive, round_: Round, seconds: float, proof: Proof, complete: bool = False
) -> Solution:
    """Return a solution for a design of the archive."""
    evaluation = replace(archive.evaluation(design), bound=proof.bound)
    return Solution(design, evaluation, round_.evaluations, seconds, tuple(archive.designs), proof, complete)


class _Clock(Checkpoint):
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
