"""Trade-off between short cables and few hops: linear programs for a weighted sum of the two.

Short cables connect nearby racks, so their generators lie in subspaces of a few coordinates, which makes distances
long. The program partitions the links of plane 0 into groups by cable length, and counts the links of plane 1 by type:
how many links of each group are on the route in plane 0 that joins the same two switches.
"""

from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd

import numpy as np

from isoplane.models import CableTable

from .cable_bounds import greedy_flats, plane1_weight_bound, plane_links
from .enumerators.enumerator import add_enumerator, cube_classes, distance_costs
from .enumerators.lifted_enumerator import add_lifted_enumerator
from .enumerators.weight_classes import WeightClasses
from .linear_program import Integers, LinearProgram, ProgramBuilder


def length_unit(table: CableTable) -> int:
    """Return the greatest common divisor of all lengths of the table, in mm."""
    return gcd(*(int(length) for length in np.unique(table.length_mm[table.length_mm > 0])))


def tradeoff_program(
    weights: tuple[int, int], groups: tuple[int, ...], table: CableTable, n: int, folded: bool
) -> LinearProgram:
    """Return a linear program whose minimum is a lower bound on a trade-off between distances and lengths.

    The objective is weights[0] · sum of distances + weights[1] · total length of plane 1 in units of `length_unit`. The
    catalogue must have cables for plane 0 and for some basis.

    Parameters
    ----------
    weights
        The two non-negative weights.
    groups
        Number of links of plane 0 in each group, in order of cable length.
    table, n, folded
        The cables, the dimension, and whether planes are folded.
    """
    builder, first, second = ProgramBuilder(), WeightClasses(groups, folded), cube_classes(n, folded)
    symmetric, _ = add_lifted_enumerator(builder, second, weights[0] * distance_costs(second, second))
    # Free of cost: hops are paid for by the symmetric enumerator, to which this finer one is tied.
    enumerator = add_enumerator(builder, first, second, np.zeros((len(first.types), len(second.types)), dtype=np.int64))
    _tie_enumerators(builder, first, enumerator, symmetric)
    _add_lengths(builder, enumerator[:, 1], first, table, weights[1])
    if not folded:
        _bound_links_of_subspaces(builder, enumerator[:, 1], first)
    return builder.build()


def _tie_enumerators(builder: ProgramBuilder, first: WeightClasses, enumerator: Integers, symmetric: Integers) -> None:
    """Equate the symmetric enumerator with the mean of the other one and its transpose."""
    hops = first.distances
    for i in range(1, len(symmetric)):
        for j in range(i, len(symmetric)):
            left = [int(v) for v in enumerator[hops == i, j]]
            right = [int(v) for v in enumerator[hops == j, i]]
            builder.add_row([(v, 1) for v in left + right] + [(int(symmetric[i, j]), -2)], 0)


def _bound_links_of_subspaces(builder: ProgramBuilder, plane1_links: Integers, first: WeightClasses) -> None:
    """Bound the links of plane 1 within the span of any groups: at most the dimension, as they are independent."""
    groups = range(len(first.groups))
    for subset in (set(chosen) for size in groups if size for chosen in combinations(groups, size)):
        inside = [s for s, t in enumerate(first.types) if s and not any(t[k] for k in groups if k not in subset)]
        builder.add_row(
            [(int(plane1_links[s]), -1) for s in inside], -sum(first.groups[k] for k in subset), equation=False
        )


def _types(first: WeightClasses, table: CableTable, n: int) -> Integers:
    """Return the type of each offset, as an index into `first.types`."""
    links = plane_links(n, first.folded)
    order = sorted(range(len(links)), key=lambda k: (int(table.length_mm[links[k]]), k))
    vectors, ends = np.arange(1 << n), np.cumsum((0, *first.groups))
    weights = np.zeros((len(first.groups), 1 << n), dtype=np.int64)
    for group, (start, end) in enumerate(pairwise(ends)):
        for k in order[start:end]:
            weights[group] += vectors >> k & 1  # offsets are written without the folded link, k = n
    return np.array([first.index[first.canonical(tuple(t))] for t in weights.T.tolist()])


def _add_lengths(
    builder: ProgramBuilder, plane1_links: Integers, first: WeightClasses, table: CableTable, price: int
) -> None:
    """Add the links of plane 1 by type and greedy flat, and a lower bound on their total length.

    A subspace of dimension r < n contains at most r links, and each link is at least as long as the shortest vector of
    its type and flat.
    """
    n, unit = first.links - first.folded, length_unit(table)
    types, (_, flats) = _types(first, table, n), greedy_flats(table.length_mm, table)
    shortest: dict[tuple[int, int], int] = {}
    for vector in np.flatnonzero(table.length_mm > 0):
        kind, length = (int(types[vector]), int(flats[vector])), int(table.length_mm[vector]) // unit
        shortest[kind] = min(length, shortest.get(kind, length))
    links = {kind: builder.add_variable(first.links) for kind in sorted(shortest)}
    for s in range(1, len(first.types)):
        builder.add_row([(v, 1) for (t, _), v in links.items() if t == s] + [(int(plane1_links[s]), -1)], 0)
    # Not r = n: the whole space contains all links, and those of a folded plane are n + 1.
    for r in range(1, n):
        builder.add_row([(v, -1) for (_, flat), v in links.items() if flat <= r], -r, equation=False)
    total = builder.add_variable(first.links * int(table.length_mm.max()) // unit, price)
    builder.add_row([(total, 1)] + [(v, -shortest[kind]) for kind, v in links.items()], 0, equation=False)
    shortest_plane = plane1_weight_bound(table.length_mm, table, n, first.folded)
    assert shortest_plane is not None
    # Classes of links do not show that those of a folded plane sum to zero; this bound uses it.
    builder.add_row([(total, 1)], shortest_plane // unit, equation=False)


def min_product(factors: tuple[int, int], floors: tuple[int, int], inequality: tuple[int, int, int]) -> Fraction:
    """Return the minimum of (a·L + b)·S over real L and S with L ≥ L0, S ≥ S0 and p·S + q·L ≥ r.

    The product increases with L and S, so its minimum is at (L0, S0) if that is feasible, else on the edge
    p·S + q·L = r. There it is a concave function of L, so it attains its minimum at an endpoint of the edge.

    Examples
    --------
    >>> min_product((1, 0), (1, 1), (1, 1, 10))
    Fraction(9, 1)
    """
    (a, b), (length, hops), (p, q, r) = factors, floors, inequality
    if p * hops + q * length >= r:
        return Fraction((a * length + b) * hops)
    ends = [(Fraction(length), Fraction(r - q * length, p))]
    # With q = 0 the edge runs along the axis of L, on which the product only grows from L0.
    if q:
        ends.append((Fraction(r - p * hops, q), Fraction(hops)))
    return min((a * end + b) * s for end, s in ends)
