"""What walks minimise that evaluate whole designs by any objective, after every move."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from isoplane.objectives import Lexicographic
from isoplane.objectives.scoring.functions import with_functions
from isoplane.objectives.scoring.sums import sum_value, terms_of

from .space import Candidate

HOPS = "total_hops"
LATER, PENALTY = 0.02, 4  # weights of later components, and of what exceeds limits, beside the first component

Measure = tuple[float, tuple[int, ...]]  # what annealing minimises, and the score


def measure_of(
    objective: Lexicographic,
    exact: Callable[[tuple[str, ...], Candidate], Mapping[str, int]],
    baseline: Candidate,
) -> Callable[[Sequence[int]], Measure]:
    """Return the function from candidates to what annealing minimises, about 1 for the baseline, and the score.

    Diameters alone change too rarely to tell where they fall, so that the sum of distances is a last component.

    Parameters
    ----------
    objective
        The objective.
    exact
        Returns the named integers of a candidate.
    baseline
        The candidate relative to which components count.
    """
    names = tuple(dict.fromkeys((*objective.metrics, HOPS)))
    components = tuple(dict.fromkeys((*map(terms_of, objective.components), terms_of((HOPS,)))))
    first = with_functions(objective.functions, exact(names, baseline))
    sizes = [max(1, abs(sum_value(component, first))) for component in components]
    allowed = max((abs(limit[-1][0]) for limit in objective.limits), default=1)

    @lru_cache(maxsize=64)  # walks measure their best candidates again after every round
    def measured(candidate: Candidate) -> Measure:
        values = with_functions(objective.functions, exact(names, candidate))
        score = objective.score(values)
        parts = [sum_value(component, values) / size for component, size in zip(components, sizes, strict=True)]
        excess = PENALTY * score[0] / max(1, allowed) if objective.limits else 0
        return parts[0] + LATER * sum(parts[1:]) + excess, score

    return lambda candidate: measured(tuple(candidate))
