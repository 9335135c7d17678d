"""Valid inequalities between the sum of distances and the load of some links of a plane."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from .certificates import proven, read_certificate, write_certificate
from .distance_bound import sum_bound
from .enumerators.enumerator import add_enumerator, cube_classes, distance_costs
from .enumerators.weight_classes import WeightClasses
from .linear_program import LinearProgram, ProgramBuilder
from .loads import max_link_load
from .solver import multipliers


def group_program(n: int, folded: bool, links: int, above: bool) -> LinearProgram:
    """Return a program for the sum of distances; its last variable, of cost 0, is the load of some links of plane 0.

    All sets of the same number of links are equivalent under relabelling, and planes can be exchanged, so the result
    also holds for links of plane 1. Each link on the route of an offset carries 2 packets if the offset is nearer in
    plane 0 and 1 on a tie. Split by hops over the chosen links and over the others, the enumerator determines the load.

    Parameters
    ----------
    n, folded, links
        The network and the number of links whose loads are summed.
    above
        Whether the load is bounded from above. At half distance a folded plane has two shortest routes; the inequality
        is valid for both only if the one with more of these links is counted for upper bounds, the other for lower
        ones.

    Examples
    --------
    >>> group_program(3, False, links=2, above=False).cost.tolist()[-1]
    0
    """
    others = n + folded - links
    first, second = WeightClasses((links, others) if others else (links,), folded), cube_classes(n, folded)
    builder, distances = ProgramBuilder(), distance_costs(first, second)
    enumerator = add_enumerator(builder, first, second, distances)
    hops = zip(enumerator[1:, 1:].ravel().tolist(), distances[1:, 1:].ravel().tolist(), strict=True)
    # The lifted program and the enumerations prove more about the sum than this enumerator implies.
    builder.add_row(list(hops), sum_bound(n, folded), equation=False)
    packets = []
    for s, t in np.argwhere(enumerator >= 0).tolist():
        i, j, used = sum(first.types[s]), sum(second.types[t]), first.types[s][0]
        if folded and 2 * i == n + 1:
            used = max(used, links - used) if above else min(used, links - used)
        packets.append((int(enumerator[s, t]), -used * (2 * (i < j) + (i == j))))
    # Weak duality needs a finite upper bound of each variable: two packets of all 2^n offsets on every link.
    builder.add_row([(builder.add_variable(links * (2 << n)), 1), *packets], 0)
    return builder.build()


# By the number of links of one plane whose loads are summed: price and right-hand side of the valid inequalities
# sum of distances + price · load ≥ rhs. A negative price bounds the load from above.
LoadInequalities = Mapping[int, tuple[tuple[int, int], ...]]


def _programs(n: int, folded: bool) -> Iterator[tuple[int, int, LinearProgram]]:
    """Yield each number of links, each price of a packet relative to a hop, and the linear program.

    Any price gives a valid inequality; the best prices for delay bounds increase with the spread of cable lengths.
    """
    size = 1 << max(0, (n - 9) // 2)
    for links in range(1, n + folded + 1):
        programs = [group_program(n, folded, links, above) for above in (False, True)]
        for price in (size, -size, 2 * size, -2 * size):
            program = programs[price < 0]
            yield links, price, replace(program, cost=np.append(program.cost[:-1], price))


def certify_loads(n: int, folded: bool) -> None:
    """Solve the linear programs of loads and store their multipliers in one certificate."""
    duals = [multipliers(program) for _, _, program in _programs(n, folded)]
    write_certificate("loads", n, folded, np.concatenate(duals))


@lru_cache(maxsize=64)
def load_inequalities(n: int, folded: bool) -> LoadInequalities:
    """Return the inequalities that the stored certificate proves; empty without a certificate."""
    inequalities: dict[int, list[tuple[int, int]]] = {links: [] for links in range(1, n + folded + 1)}
    certificate = read_certificate("loads", n, folded)
    if certificate is not None:
        remaining = certificate["multipliers"]
        assert isinstance(remaining, np.ndarray)
        for links, price, program in _programs(n, folded):
            # The multipliers of all programs are stored one after another, in the order of `_programs`.
            part, remaining = np.split(remaining, [len(program.rhs)])
            inequalities[links].append((price, proven(program, part)))
    return {links: tuple(valid) for links, valid in inequalities.items()}


def load_ranges(n: int, folded: bool, inequalities: LoadInequalities, hops: int) -> list[tuple[int, int]]:
    """Return bounds on the total load of 0, 1, 2, ... links of a plane, given the sum of distances.

    Examples
    --------
    >>> load_ranges(2, False, {1: ((2, 9), (-2, 5)), 2: ()}, hops=7)
    [(0, 0), (1, 1), (2, 2)]
    """
    ranges = [(0, 0)]
    single = (0, max_link_load(n, folded))
    for links, valid in inequalities.items():
        # Loads are integers: lower bounds are rounded up, upper bounds down.
        smallest = [-((hops - rhs) // price) for price, rhs in valid if price > 0]
        largest = [(hops - rhs) // -price for price, rhs in valid if price < 0]
        low, high = ranges[-1][0] + single[0], ranges[-1][1] + single[1]  # one more link
        ranges.append((max([low, *smallest]), min([high, *largest])))
        # What is proven for one link is tighter than 0 to the maximum, so larger groups grow by it.
        if links == 1:
            single = ranges[-1]
    return ranges


def load_ranges_by_sum(n: int, folded: bool) -> list[list[tuple[int, int]]]:
    """Return `load_ranges` for each sum of distances from 0 to that of plane 0 alone, the largest possible.

    Examples
    --------
    >>> load_ranges_by_sum(2, folded=False)[3]
    [(0, 0), (0, 4), (0, 8)]
    """
    inequalities = load_inequalities(n, folded)
    return [load_ranges(n, folded, inequalities, hops) for hops in range((n << n) // 2 + 1)]
