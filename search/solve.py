"""The one function that shows the system: space, objective, strategy, stop and seed in, improving designs out."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from isoplane.models import Design
from isoplane.models.checks import check_int
from isoplane.objectives import Evaluation, Objective

from .archive import Archive
from .space import ConnectionSets
from .stop import Progress, Stop
from .strategy import Strategy, Task


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
    """

    design: Design
    evaluation: Evaluation
    evaluations: int
    seconds: float
    kept: tuple[Design, ...]
    status: str = "feasible"


def solve(
    space: ConnectionSets,
    objective: Objective,
    strategy: Strategy,
    stop: Stop,
    seed: int,
    workers: int = 1,
    warm_start: Design | None = None,
) -> Iterator[Solution]:
    """Search, and yield every design that improves the best score or joins the Pareto front.

    When the whole space has been searched, the designs are yielded once more with the bound that is proven by then.

    Parameters
    ----------
    space, objective, strategy, stop
        What may vary, what is good, how to look and when to end.
    seed
        Non-negative; decides the result, whatever the number of workers, unless the clock ends the search.
    workers
        Threads.
    warm_start
        A design of the space to begin with.

    Raises
    ------
    InputError
        If the parts do not fit together.

    Examples
    --------
    >>> from isoplane.search import Anneal, Limits
    >>> aspl = Objective("aspl", (("sum_of_distances",),))
    >>> *_, best = solve(ConnectionSets(4), aspl, Anneal(), Limits(evaluations=10000), seed=1)
    >>> best.evaluation.metrics["aspl"]
    1.375
    """
    check_int("seed", seed, 0, (1 << 64) - 1)
    check_int("workers", workers, 1)
    began = time.monotonic()
    if space.layout is None:
        objective = objective.without_layout()
    start = None if warm_start is None else space.generators(warm_start)
    task = Task(space, objective, seed, workers, stop.evaluations, start)
    archive = Archive(objective)
    improved_at = 0
    for round_ in strategy.rounds(task):
        seconds = time.monotonic() - began
        for design in archive.news(space, round_.designs):
            improved_at = round_.evaluations
            yield Solution(design, archive.evaluation(design), round_.evaluations, seconds, tuple(archive.designs))
        if round_.complete:
            # The smallest score of a complete front is the smallest of all.
            bound = archive.evaluation(archive.best).score
            for design in archive.designs:
                proven = replace(archive.evaluation(design), bound=bound)
                status = "optimal" if proven.score == bound else "feasible"
                kept = tuple(archive.designs)
                yield Solution(design, proven, round_.evaluations, seconds, kept, status)
        best = archive.best
        score = archive.evaluation(best).score
        progress = Progress(round_.evaluations, seconds, improved_at, score, best.network, round_.complete)
        if stop(objective, progress) is not None:
            return
