"""Starting designs of a search under a workload: designs that know nothing of the workload."""

from collections.abc import Generator

from isoplane.models import InputError
from isoplane.objectives import CUBES, Lexicographic

from ..core.solve import solve
from ..core.space import Candidate
from ..core.stop import Limits
from ..core.strategy import Round, Strategy, Task
from ..strategies.portfolio import Portfolio
from .space import ConnectionSets

PAGE = "start_by_distances"  # of the checkpoint: the second starting design
ASPL_AND_TRAFFIC = Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES)
EXACT_MAX_N = 7  # up to this n, an exact search takes at most 2 s
LOG2_WORK = 26  # evaluations of a longer search times switches


def start_rounds(
    sets: ConnectionSets, by_distances: Strategy, task: Task, replayed: bool
) -> Generator[Round, None, None]:
    """Yield the warm start and the identical planes, then also the design found by ``objective=aspl_and_traffic``.

    Parameters
    ----------
    sets
        The connection sets.
    by_distances
        The default strategy of the sets for ``objective=aspl_and_traffic``.
    task
        The task under the workload; its seed and fleet are those of the search for the second design as well.
    replayed
        Whether the search resumes from a checkpoint.
    """
    warm_start = [] if task.start is None else [sets.canonical(task.start)]
    starts = [*warm_start, sets.candidate(sets.baseline)]
    yield Round(len(starts), tuple(starts), replayed=replayed)
    page = task.checkpoint.load(PAGE)
    if page is None:
        for design in _by_distances(sets, by_distances, task):
            page = list(design)
            yield Round(len(starts), (), replayed=replayed)
        task.checkpoint.save(PAGE, page)
    starts = list(dict.fromkeys([*starts, _checked(sets, page)]))
    yield Round(len(starts), tuple(starts), replayed=replayed)


def _by_distances(sets: ConnectionSets, default: Strategy, task: Task) -> Generator[Candidate, None, None]:
    """Yield ever better designs by the product of ASPL and load, the last one the best."""
    objective = sets.fitted(ASPL_AND_TRAFFIC)
    exact = sets.n <= EXACT_MAX_N
    strategy = default if exact else Portfolio()
    limits = Limits() if exact else Limits(evaluations=1 << max(LOG2_WORK - sets.n, 10))
    for solution in solve(sets, objective, strategy, limits, task.seed, fleet=task.fleet):
        yield sets.canonical(sets.candidate(solution.design))


def _checked(sets: ConnectionSets, page: object) -> Candidate:
    """Return the design of a page of the checkpoint."""
    if not isinstance(page, list) or not all(isinstance(generator, int) for generator in page):
        raise InputError("checkpoint: not a starting design; expected a checkpoint written by isoplane")
    candidate = sets.canonical(tuple(page))
    sets.design(candidate)
    return candidate
