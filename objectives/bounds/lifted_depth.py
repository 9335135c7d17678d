"""The lifted program for the sum of distances, with views from links and from sums of a few links.

The view from an offset of r hops in plane 0 and w in plane 1 obeys the same laws as that from a link. Two offsets with
given routes are counted in the views of both, which ties the views.
"""

from itertools import product

from .enumerator import cube_classes, distance_costs
from .lifted_enumerator import (
    LocalEnumerator,
    add_equality,
    add_lifted_enumerator,
    add_local_enumerator,
    self_complementary,
    tie_to_enumerator,
)
from .program import Builder, Integers, Program
from .weight_classes import WeightClasses

Views = dict[tuple[int, int], LocalEnumerator]  # by the hops of c in plane 0 and in plane 1


def lifted_program(n: int, folded: bool, depth: int = 1) -> Program:
    """Return a program that the sum of distances is not below; it is at least as tight as `sum_program`.

    Parameters
    ----------
    n, folded
        The network.
    depth
        The most hops in plane 0 of the offsets that have views; below (n + folded) / 2.

    Examples
    --------
    >>> len(lifted_program(5, False).cost), len(lifted_program(5, False, depth=2).cost)
    (175, 387)
    """
    builder, half = Builder(), cube_classes(n, folded)
    add_deep_enumerator(builder, half, distance_costs(half, half), depth)
    return builder.build()


def add_deep_enumerator(builder: Builder, half: WeightClasses, cost: Integers, depth: int) -> tuple[Integers, Views]:
    """Add B with a symmetric cost, its laws, and views from offsets of up to `depth` hops; return B and the views."""
    enumerator, links = add_lifted_enumerator(builder, half, cost)
    views = {(1, w): view for w, view in links.items()}
    for r in range(2, depth + 1):
        level = {w: add_local_enumerator(builder, half, int(enumerator[r, w]), w, r) for w in range(1, len(half.types))}
        tie_to_enumerator(builder, half, enumerator, level)
        views |= {(r, w): view for w, view in level.items()}
    for one, other in product(views, views):
        if one <= other:
            _tie_offsets(builder, half, views, one, other)
            _tie_exchanged(builder, half, views, one, other)
    return enumerator, views


def _tie_offsets(
    builder: Builder, half: WeightClasses, views: Views, one: tuple[int, int], other: tuple[int, int]
) -> None:
    """Two offsets whose routes share a links of plane 0 and t links of plane 1: either may be c."""
    (r, w), (i, v) = one, other
    if r == i == 1:
        return  # tied already
    for a in range(min(r, i) + 1):
        for t in range(min(w, v) + 1):
            common = {t, *([v - t] if self_complementary(w, half) else [])}
            common |= {w - both for both in common} if self_complementary(v, half) else set()
            here = views[one].cells(((a, i - a), (both, v - both)) for both in common)
            there = views[other].cells(((a, r - a), (both, w - both)) for both in common)
            add_equality(builder, here, there)


def _tie_exchanged(
    builder: Builder, half: WeightClasses, views: Views, one: tuple[int, int], other: tuple[int, int]
) -> None:
    """Exchange the planes and the roles of two offsets, one of i hops in plane 0 and v in plane 1."""
    (r, w), (v, i) = one, other
    if r == v == 1:
        return  # tied already
    for a in range(min(r, i) + 1):
        for t in range(min(w, v) + 1):
            ours = {a, *([r - a] if self_complementary(i, half) else [])}
            theirs = {t, *([v - t] if self_complementary(w, half) else [])}
            uses = list(product(ours, theirs))
            here = views[one].cells(((x, i - x), (y, v - y)) for x, y in uses)
            there = views[other].cells(((y, w - y), (x, r - x)) for x, y in uses)
            add_equality(builder, here, there)
