"""Lifted program for the sum of distances, with local enumerators of links and of sums of a few links.

The local enumerator of an offset of r hops in plane 0 and w in plane 1 satisfies the same constraints as that of a
link. A pair of offsets whose routes share given numbers of links is counted in the local enumerators of both, which
links them by equations. Depth r_max uses the levels 1 <= r <= r_max of the hierarchy of pairs of codewords.
"""

from itertools import product

from ..linear_program import Integers, LinearProgram, ProgramBuilder
from .enumerator import cube_classes, distance_costs
from .lifted_enumerator import (
    LocalEnumerator,
    add_equality,
    add_lifted_enumerator,
    add_local_enumerator,
    self_complementary,
    tie_to_enumerator,
)
from .weight_classes import WeightClasses

LocalEnumerators = dict[tuple[int, int], LocalEnumerator]  # by the hops of c in plane 0 and in plane 1


def lifted_program(n: int, folded: bool, depth: int = 1) -> LinearProgram:
    """Return a program for a lower bound on the sum of distances, at least as tight as `sum_program`.

    Parameters
    ----------
    n, folded
        The network.
    depth
        Maximum number of hops in plane 0 of offsets with local enumerators; below (n + folded) / 2.

    Examples
    --------
    >>> len(lifted_program(5, False).cost), len(lifted_program(5, False, depth=2).cost)
    (175, 387)
    """
    builder, classes = ProgramBuilder(), cube_classes(n, folded)
    add_deep_enumerator(builder, classes, distance_costs(classes, classes), depth)
    return builder.build()


def add_deep_enumerator(
    builder: ProgramBuilder, classes: WeightClasses, cost: Integers, depth: int
) -> tuple[Integers, LocalEnumerators]:
    """Add B with a symmetric cost and local enumerators of offsets of up to `depth` hops; return B and those."""
    enumerator, links = add_lifted_enumerator(builder, classes, cost)
    local_enumerators = {(1, w): local for w, local in links.items()}
    for r in range(2, depth + 1):
        level = {
            w: add_local_enumerator(builder, classes, int(enumerator[r, w]), w, r) for w in range(1, len(classes.types))
        }
        tie_to_enumerator(builder, classes, enumerator, level)
        local_enumerators |= {(r, w): local for w, local in level.items()}
    for one, other in product(local_enumerators, local_enumerators):
        # Exchanging the two only exchanges the sides of their equations.
        if one <= other:
            _tie_offsets(builder, classes, local_enumerators, one, other)
            _tie_exchanged(builder, classes, local_enumerators, one, other)
    return enumerator, local_enumerators


def _tie_offsets(
    builder: ProgramBuilder,
    classes: WeightClasses,
    local_enumerators: LocalEnumerators,
    one: tuple[int, int],
    other: tuple[int, int],
) -> None:
    """Equate the counts of pairs of offsets that share a links of plane 0 and t of plane 1: either may be c.

    The cells in `left` count such pairs as seen from offsets of r and w hops, those in `right` from offsets of i and v
    hops. Complementary routes of half length are averaged, so the overlaps with both are included.
    """
    (r, w), (i, v) = one, other
    if r == i == 1:
        return  # equated by `add_lifted_enumerator`
    for a in range(min(r, i) + 1):
        for t in range(min(w, v) + 1):
            common = {t, *([v - t] if self_complementary(w, classes) else [])}
            common |= {w - shared for shared in common} if self_complementary(v, classes) else set()
            left = local_enumerators[one].cells(((a, i - a), (shared, v - shared)) for shared in common)
            right = local_enumerators[other].cells(((a, r - a), (shared, w - shared)) for shared in common)
            add_equality(builder, left, right)


def _tie_exchanged(
    builder: ProgramBuilder,
    classes: WeightClasses,
    local_enumerators: LocalEnumerators,
    one: tuple[int, int],
    other: tuple[int, int],
) -> None:
    """Equate the counts of pairs of offsets before and after exchanging the planes and the roles of the two."""
    (r, w), (v, i) = one, other
    if r == v == 1:
        return  # equated by `add_lifted_enumerator`
    for a in range(min(r, i) + 1):
        for t in range(min(w, v) + 1):
            in_plane0 = {a, *([r - a] if self_complementary(i, classes) else [])}
            in_plane1 = {t, *([v - t] if self_complementary(w, classes) else [])}
            uses = list(product(in_plane0, in_plane1))
            left = local_enumerators[one].cells(((x, i - x), (y, v - y)) for x, y in uses)
            right = local_enumerators[other].cells(((y, w - y), (x, r - x)) for x, y in uses)
            add_equality(builder, left, right)
