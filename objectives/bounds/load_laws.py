"""Laws of loads: how far the load of some links of a plane can be from the mean."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from .certificates import proven, read_certificate, write_certificate
from .group_loads import group_program
from .loads import load_capacity
from .program import Program
from .solver import multipliers


@dataclass(frozen=True)
class LoadCut:
    """A law of every network: sum of distances + price · load ≥ least. A negative price bounds the load above."""

    price: int
    least: int


Laws = Mapping[int, tuple[LoadCut, ...]]  # by the number of links of one plane whose loads are added


def _programs(n: int, folded: bool) -> Iterator[tuple[int, int, Program]]:
    """Yield each number of links, each price of a packet where a hop costs 1, and the program.

    Any prices give laws; the wider cable lengths spread, the higher are those that bound delays best.
    """
    size = 1 << max(0, (n - 9) // 2)
    for links in range(1, n + folded + 1):
        programs = [group_program(n, folded, links, above) for above in (False, True)]
        for price in (size, -size, 2 * size, -2 * size):
            program = programs[price < 0]
            yield links, price, replace(program, cost=np.append(program.cost[:-1], price))


def certify_loads(n: int, folded: bool) -> None:
    """Solve the programs of loads and keep their multipliers in one certificate."""
    found = [multipliers(program) for _, _, program in _programs(n, folded)]
    write_certificate("loads", n, folded, np.concatenate(found))


@lru_cache(maxsize=64)
def load_laws(n: int, folded: bool) -> Laws:
    """Return the laws that the kept certificate proves; without one there are none."""
    laws: dict[int, list[LoadCut]] = {links: [] for links in range(1, n + folded + 1)}
    kept = read_certificate("loads", n, folded)
    if kept is not None:
        left = kept["multipliers"]
        assert isinstance(left, np.ndarray)
        for links, price, program in _programs(n, folded):
            part, left = np.split(left, [len(program.least)])
            laws[links].append(LoadCut(price, proven(program, part)))
    return {links: tuple(cuts) for links, cuts in laws.items()}


def load_ranges(n: int, folded: bool, laws: Laws, hops: int) -> list[tuple[int, int]]:
    """Return the least and the largest load of 0, 1, 2, ... links of a plane for a sum of distances.

    Examples
    --------
    >>> load_ranges(2, False, {1: (LoadCut(2, 9), LoadCut(-2, 5)), 2: ()}, hops=7)
    [(0, 0), (1, 1), (2, 2)]
    """
    ranges = [(0, 0)]
    single = (0, load_capacity(n, folded))
    for links, cuts in laws.items():
        smallest = [-((hops - cut.least) // cut.price) for cut in cuts if cut.price > 0]
        largest = [(hops - cut.least) // -cut.price for cut in cuts if cut.price < 0]
        low, high = ranges[-1][0] + single[0], ranges[-1][1] + single[1]  # one link more
        ranges.append((max([low, *smallest]), min([high, *largest])))
        if links == 1:
            single = ranges[-1]
    return ranges


def load_ranges_by_sum(n: int, folded: bool) -> list[list[tuple[int, int]]]:
    """Return `load_ranges` for each sum of distances that a network can have: that of plane 0 alone at most.

    Examples
    --------
    >>> load_ranges_by_sum(2, folded=False)[3]
    [(0, 0), (0, 4), (0, 8)]
    """
    laws = load_laws(n, folded)
    return [load_ranges(n, folded, laws, hops) for hops in range((n << n) // 2 + 1)]
