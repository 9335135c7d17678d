"""The split weight enumerator seen from each link: a stronger linear program for the sum of distances.

Let c be a link of plane 0 and w the hops that plane 1 needs for it. Tell link c from the other links of plane 0, and
the w links of plane 1 that make up its route from the rest. The network has a split weight enumerator for these groups
too, X_c. It obeys the laws of every enumerator, it stays the same when the offset of c is added to all offsets, and
summed over c it is a multiple of B. Only sums over the links of the same w enter the program, X_w = Σ X_c, and the
number of these links, B[1, w], takes the place of 1. For linear codes such joint enumerators tighten Delsarte's
programs (Coregliano, Jeronimo and Jones, A complete linear programming hierarchy for linear codes, 2022); here one of
the two words is a generator, or with a greater depth a sum of a few of them (`deeper.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from .enumerator import add_enumerator
from .program import Builder, Integers
from .weight_classes import Type, WeightClasses


@dataclass(frozen=True, eq=False)
class LocalEnumerator:
    """X_w: the pairs of types, as seen from the links c whose route in plane 1 has w hops.

    In place of a link there may be any offset c of r hops in plane 0.

    Attributes
    ----------
    first, second
        Plane 0 with the r links of the route to c first, then the others; plane 1 with the w links of its route first.
    variables : int64[types, types]
        The variable of each pair, -1 where there is no such offset.
    """

    first: WeightClasses
    second: WeightClasses
    variables: Integers

    def cells(self, types: Iterable[tuple[Type, Type]]) -> list[int]:
        """Return the variables of those of these pairs that there can be, each pair once."""
        pairs = {(self.first.canonical(s), self.second.canonical(t)) for s, t in types if min(*s, *t) >= 0}
        places = [(self.first.index.get(s), self.second.index.get(t)) for s, t in sorted(pairs)]
        cells = [int(self.variables[s, t]) for s, t in places if s is not None and t is not None]
        return [cell for cell in cells if cell >= 0]


def add_lifted_enumerator(
    builder: Builder, half: WeightClasses, cost: Integers
) -> tuple[Integers, dict[int, LocalEnumerator]]:
    """Add B[s, t] = B[t, s] with a symmetric cost, its laws, all views and what ties them; return B and the views."""
    enumerator = add_enumerator(builder, half, half, cost, symmetric=True)
    views = {w: add_local_enumerator(builder, half, int(enumerator[1, w]), w) for w in range(1, len(half.types))}
    tie_to_enumerator(builder, half, enumerator, views)
    _tie_pairs_of_links(builder, views)
    _tie_planes(builder, views)
    return enumerator, views


def add_local_enumerator(builder: Builder, half: WeightClasses, count: int, w: int, r: int = 1) -> LocalEnumerator:
    """Add X_w and its laws, seen from offsets of r hops in plane 0; `count` is the variable B[r, w]."""
    first = WeightClasses((r, half.links - r), half.folded)
    second = WeightClasses((w, half.links - w), half.folded)
    view = LocalEnumerator(first, second, _variables(builder, half, first, second, count))
    cells = view.variables
    for s, size in enumerate(first.sizes):
        builder.row([(int(v), 1) for v in cells[s] if v >= 0] + [(count, -int(size))], 0)
    for t, size in enumerate(second.sizes):
        builder.row([(int(v), 1) for v in cells[:, t] if v >= 0] + [(count, -int(size))], 0)
    # A word of the dual code is orthogonal to (c, route of c): its weights there are both even or both odd.
    dual = [(u, v) for u in first.dual_types for v in second.dual_types]
    rows = np.array([r for r, (u, v) in enumerate(dual) if sum(u) and sum(v) and (u[0] + v[0]) % 2 == 0])
    order = np.argsort(cells, axis=None, kind="stable")
    variables, starts = np.unique(cells.ravel()[order], return_index=True)
    transform = np.kron(first.characters, second.characters)[np.ix_(rows, order)]
    there = variables >= 0
    summed = np.add.reduceat(transform, starts, axis=1)[:, there]  # over the cells of each variable
    builder.block(summed, variables[there], [0] * len(rows), equation=False)
    return view


def _variables(
    builder: Builder, half: WeightClasses, first: WeightClasses, second: WeightClasses, count: int
) -> Integers:
    """Return the variables of a view; adding the offset c to an offset leads to the same variable."""
    (r, _), (w, _) = first.groups, second.groups
    here = [first.index[first.canonical((r - a, i))] for a, i in first.types]
    there = [second.index[second.canonical((w - j, k))] for j, k in second.types]
    cells = np.full((len(first.types), len(second.types)), -1, dtype=np.int64)
    cells[0, 0] = cells[here[0], there[0]] = count
    words = int(half.sizes[r])
    for s in range(1, len(first.types)):
        for t in range(1, len(second.types)):
            # Only offset 0 has no hops in a plane, and only c has none after c is added.
            if cells[s, t] < 0 and (s != here[0] and t != there[0]):
                refined = min(int(first.sizes[s]), int(second.sizes[t]))
                coarse = min(int(half.sizes[sum(first.types[s])]), int(half.sizes[sum(second.types[t])]))
                cells[s, t] = cells[here[s], there[t]] = builder.variable(words * min(refined, coarse))
                if self_complementary(w, second):
                    swapped = second.index[second.canonical(second.types[t][::-1])]
                    cells[s, swapped] = cells[here[s], there[swapped]] = cells[s, t]
    return cells


def tie_to_enumerator(
    builder: Builder, half: WeightClasses, enumerator: Integers, views: dict[int, LocalEnumerator]
) -> None:
    """Add Σ_w X_w = (number of offsets c that see the type) · B, for each type of plane 0 and distance in plane 1."""
    first = views[1].first
    r, others = first.groups
    seen = np.zeros(len(first.types), dtype=np.int64)
    for hops in range(1, len(half.types)):
        for a in range(min(r, hops) + 1):
            if hops - a <= others:
                ways = comb(hops, a) * comb(half.links - hops, r - a)
                seen[first.index[first.canonical((a, hops - a))]] += ways
    for s, (a, i) in enumerate(first.types[1:], start=1):
        for far in range(1, len(half.types)):
            parts = [
                (int(view.variables[s, t]), 1)
                for view in views.values()
                for t in np.flatnonzero(view.second.distances == far)
                if view.variables[s, t] >= 0
            ]
            builder.row([*parts, (int(enumerator[a + i, far]), -int(seen[s]))], 0)


def self_complementary(w: int, second: WeightClasses) -> bool:
    """Whether the w links and the others are routes to the same offset, so that X_w is the mean of both choices."""
    return second.folded and 2 * w == second.links


def _tie_pairs_of_links(builder: Builder, views: dict[int, LocalEnumerator]) -> None:
    """Two links of plane 0, with w and v hops in plane 1, t of them in common: either may be c."""
    for w, view in views.items():
        for v, other in views.items():
            for t in range(v + 1 if v < w else 0):
                common = {t, v - t} if self_complementary(w, view.second) else {t}
                here = view.cells(((0, 1), (both, v - both)) for both in common)
                there = other.cells(((0, 1), (both, w - both)) for both in common)
                add_equality(builder, here, there)


def _tie_planes(builder: Builder, views: dict[int, LocalEnumerator]) -> None:
    """Link c of plane 0 and link d of plane 1: exchanging the planes turns one into the other.

    Link c needs w hops in plane 1, d among them or not; link d needs v hops in plane 0, c among them or not.
    """
    for w, view in views.items():
        for v, other in views.items():
            for c, d in ((0, 0), (0, 1), (1, 0), (1, 1)):
                uses = list(
                    product(
                        (0, 1) if self_complementary(v, view.second) else (c,),
                        (0, 1) if self_complementary(w, view.second) else (d,),
                    )
                )
                here = view.cells(((of_c, v - of_c), (of_d, 1 - of_d)) for of_c, of_d in uses)
                there = other.cells(((of_d, w - of_d), (of_c, 1 - of_c)) for of_c, of_d in uses)
                if (v, c) < (w, d):
                    add_equality(builder, here, there)


def add_equality(builder: Builder, here: list[int], there: list[int]) -> None:
    """Add that the two sums are equal."""
    if here != there:
        builder.row([(v, 1) for v in here] + [(v, -1) for v in there], 0)
