"""Trees of shortest paths over lengths that are equal within orbits of links."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from isoplane.models.arrays import Ints

from .flow_problem import MAX_LENGTH, FlowProblem


@dataclass(frozen=True, eq=False)
class Tree:
    """What the trees of all sources carry, and what their lengths prove.

    Parameters
    ----------
    length : int64[links]
        Length of each link, in integers.
    lengths
        The same of each orbit, so that Σ capacity · length is 1.
    loads
        Demand over each orbit along the trees.
    bound
        Σ demand · distance over these lengths: a lower bound on the load of the busiest link.
    """

    length: Ints
    lengths: list[Fraction]
    loads: list[int]
    bound: Fraction


class OrbitTrees:
    """The trees of a problem.

    Parameters
    ----------
    problem
        The demands.
    orbit : int64[links]
        Orbit of each link; -1 where the capacity is unlimited.
    """

    def __init__(self, problem: FlowProblem, orbit: Ints) -> None:
        self._problem, count = problem, int(orbit.max()) + 1
        # Unlimited links are one more class, whose length is 0 and whose load is dropped.
        self._orbit = np.where(orbit < 0, count, orbit).astype(np.int32)
        total = np.zeros(count + 1, dtype=np.int64)
        np.add.at(total, self._orbit, problem.capacity)
        self.capacity: list[int] = total[:-1].tolist()

    def tree(self, lengths: Sequence[Fraction]) -> Tree | None:
        """Return the trees over lengths of orbits, rounded if they are not small integers up to a factor.

        None if all demands are at distance 0.
        """
        whole = _integers(lengths)
        length, load = np.array([*whole, 0])[self._orbit], np.zeros(len(whole) + 1, dtype=np.int64)
        distances = self._problem.tree_loads(length, self._orbit, load)
        room = sum(a * b for a, b in zip(whole, self.capacity, strict=True))
        # Of the rounded lengths, not of those given: only they belong to the distances of the trees.
        proven = [Fraction(each, room) for each in whole]
        return Tree(length, proven, load[:-1].tolist(), Fraction(distances, room)) if distances else None

    def flows(self, tree: Tree) -> Ints:
        """Return the flow of each source along its tree, as int64[sources, links]."""
        problem, links = self._problem, np.arange(len(tree.length), dtype=np.int32)
        flow = np.zeros((len(problem.source), len(links)), dtype=np.int64)
        for source, demand in zip(problem.source, problem.demand, strict=True):
            alone = FlowProblem(problem.tail, problem.head, problem.capacity, source[None], demand[None])
            alone.tree_loads(tree.length, links, flow[np.searchsorted(problem.source, source)])
        return flow


def _integers(lengths: Sequence[Fraction]) -> list[int]:
    """Return the lengths as integers without a common divisor; rounded if one exceeds 2^40."""
    scale = Fraction(lcm(*(length.denominator for length in lengths)))
    scale /= gcd(*(int(length * scale) for length in lengths))
    return [round(length * min(scale, MAX_LENGTH / max(lengths))) for length in lengths]
