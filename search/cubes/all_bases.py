"""All bases of plane 1 of small cubes under a workload, and their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import floor

import numpy as np

from isoplane.models import Site
from isoplane.models.checks import exact_number
from isoplane.models.mathematics.gf2 import independent_sets
from isoplane.models.workloads import parts_of
from isoplane.objectives.bounds import BoundSource
from isoplane.objectives.bounds.cube_times import ROUNDING

from .. import _native
from ..core.methods import Candidates
from ..core.space import Candidate
from .level_task import Levels, distinct_levels, entries_of, level_task
from .space import ConnectionSets

# Time of an evaluation: loads of any basis, and of a message on a link; a completion of any basis, and of a message.
_LOADS_US, _LOAD_NS, _COMPLETION_US, _MESSAGE_US = 10, 3, 6000, 12


class AllBases(Candidates[ConnectionSets]):
    """All bases of plane 1 of two cubes under a workload, by the exact loads that the workload puts on links.

    Times without a completion follow from the loads. A completion is computed only if the busy time of the busiest link
    does not exceed the best score.
    """

    @property
    def source(self) -> BoundSource:
        """The enumeration, with the number of bases."""
        return BoundSource("enumeration", bases=self._total)

    @property
    def evaluation_us(self) -> int:
        """Estimated time of an evaluation."""
        if not self._follows_from_loads:
            work = self.space.required_workload
            return _COMPLETION_US + _MESSAGE_US * work.messages * work.iterations
        entries = sum(entries_of(levels) for _, levels, _ in _parts(self.space))
        return _LOADS_US + _LOAD_NS * (self.space.n + 4) * entries // 1000

    @property
    def _follows_from_loads(self) -> bool:
        """Whether the score follows from loads: it has no completion, and no integers of the network."""
        return set(self.objective.metrics) <= set(_NAMES)

    @property
    def _total(self) -> int:
        return independent_sets(self.space.n, self.space.n)

    def count(self, limit: int) -> int:
        """Return the number of bases, at most `limit` + 1."""
        return min(self._total, limit + 1)

    def __iter__(self) -> Iterator[Candidate]:
        """Yield every basis once, as ascending generators."""
        yield from all_bases(self.space.n)

    def least(self, candidates: Sequence[Candidate]) -> Iterator[tuple[tuple[int, ...], bool]]:
        """Yield scores without a completion; for those that begin with one, a lower bound of it.

        The bound is ⌊(bottleneck - rounding) (1 - ROUNDING)⌋ ns: the busy time of the busiest link is rounded to whole
        ns in each part of a mix, and a completion to ticks. Nothing is cheap, ``()``, if a completion is a later
        component, or if sums, functions or limits have more than times that follow from loads.
        """
        names = self.objective.score_names
        if not self.objective.is_plain:
            if not self._follows_from_loads:
                yield from (((), False) for _ in candidates)
                return
            yield from ((self.objective.score(times), True) for times in self._times_ns(candidates))
            return
        rounding = sum(weight for weight, _ in parts_of(self.space.required_workload))  # of the busy times, in ns
        for times in self._times_ns(candidates):
            if "completion" not in names:
                yield tuple(times[name] for name in names), True
            else:
                least = floor((times["bottleneck"] - rounding) * (1 - ROUNDING))
                yield (least,) if names[0] == "completion" else (), False

    def _times_ns(self, candidates: Sequence[Candidate]) -> list[dict[str, int]]:
        """Return the times of each basis that follow from loads; of a mix, the sums over its weighted parts."""
        generators, gbps = np.array(candidates, dtype=np.uint32), _rate_gbps(self.space.site)
        times = np.zeros((len(candidates), len(_NAMES)), dtype=object)
        for weight, _, task in _parts(self.space):
            # ⌊8 b / r + 1/2⌋ for b bytes at the rate r, in integers of any size.
            totals = task.totals(generators).astype(object)
            times += weight * ((16 * gbps.denominator * totals + gbps.numerator) // (2 * gbps.numerator))
        return [dict(zip(_NAMES, row, strict=True)) for row in times.tolist()]


_NAMES = ("synchronised", "bottleneck", "total")  # in the order of the native totals


@lru_cache(maxsize=2)
def _rate_gbps(site: Site) -> Fraction:
    return exact_number("switch.link_gbps", site.switch.link_gbps)


@lru_cache(maxsize=2)
def _parts(space: ConnectionSets) -> tuple[tuple[int, Levels, _native.LevelTask], ...]:
    """Return the messages of each part of a workload by level, with its weight."""
    parts = parts_of(space.required_workload)
    weighted = ((weight, distinct_levels(space, part.message_list())) for weight, part in parts)
    return tuple((weight, levels, level_task(space, levels)) for weight, levels in weighted)


def all_bases(n: int) -> Iterator[Candidate]:
    """Yield every basis of GF(2)^n once, as ascending generators.

    Examples
    --------
    >>> list(all_bases(2))
    [(1, 2), (1, 3), (2, 3)]
    """
    yield from _extensions((), frozenset({0}), n)


def _extensions(generators: Candidate, span: frozenset[int], missing: int) -> Iterator[Candidate]:
    """Yield the bases with further generators, all above the given ones."""
    if missing == 0:
        yield generators
        return
    n = len(generators) + missing
    for generator in range(generators[-1] + 1 if generators else 1, 1 << n):
        if generator not in span:
            wider = span | {generator ^ offset for offset in span}
            yield from _extensions((*generators, generator), wider, missing - 1)
