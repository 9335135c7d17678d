"""All bases of plane 1 of small cubes without a workload, as the general evaluator judges them where caches miss."""

from collections.abc import Iterator, Sequence

import numpy as np

from isoplane.models.mathematics.gf2 import independent_sets
from isoplane.objectives.bounds import BoundSource
from isoplane.objectives.cubes.batch import exact_batch

from ..core.methods import Candidates
from ..core.space import Candidate
from .all_bases import all_bases
from .space import ConnectionSets

_JUDGED_US = 6000  # of a basis of n = 4 that the kernels do not rule out


class JudgedBases(Candidates[ConnectionSets]):
    """All bases of plane 1 of two cubes without a workload.

    The kernels compute the scores, except where caches miss. If no packet missed, a delay would be less, and it is what
    the kernels compute. So only bases whose score would then be better than the best one need the general evaluator.
    """

    @property
    def source(self) -> BoundSource | None:
        """None: the record states no enumeration of cubes without a workload."""
        return None

    @property
    def evaluation_us(self) -> int:
        """Estimated time of an evaluation."""
        return _JUDGED_US << max(0, self.space.n - 4)

    def count(self, limit: int) -> int:
        """Return the number of bases, at most `limit` + 1."""
        return min(independent_sets(self.space.n, self.space.n), limit + 1)

    def __iter__(self) -> Iterator[Candidate]:
        """Yield every basis once, as ascending generators."""
        yield from all_bases(self.space.n)

    def least(self, candidates: Sequence[Candidate]) -> Iterator[tuple[tuple[int, ...], bool]]:
        """Yield the scores that the bases would have if no packet missed, where misses can only raise a score.

        Where no cache misses, they are the scores.
        """
        is_score = not self.space.is_judged(self.objective)
        if not (is_score or self.objective.is_monotone):
            yield from (((), False) for _ in candidates)
            return
        known = exact_batch(self.space.identical, np.array(candidates, dtype=np.uint32))
        constant = tuple(sorted({"cache_area", *(("lookup_power",) if is_score else ())} & set(self.objective.metrics)))
        for name, value in self.objective.evaluator.exact(self.space.baseline, constant).items() if constant else ():
            known[name] = np.full(len(candidates), value)
        if not is_score:
            known["lookup_power"] = np.zeros(len(candidates), dtype=np.int64)  # no less, and not known to the kernels
        for index in range(len(candidates)):
            values = {name: int(column[index]) for name, column in known.items()}
            yield self.objective.score(values), is_score
