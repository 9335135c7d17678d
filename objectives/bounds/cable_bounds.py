"""Lower bounds on the total length or price of the cables of two planes."""

from functools import cache

import numpy as np

from isoplane.models import CableTable

from .linear_program import Integers

_INFINITE = 1 << 62


def plane_links(n: int, folded: bool) -> tuple[int, ...]:
    """Return the links of plane 0: the unit vectors, and the folded link."""
    return (*(1 << k for k in range(n)), *[(1 << n) - 1] * folded)


def greedy_flats(weights: Integers, table: CableTable) -> tuple[list[int], Integers]:
    """Return the minimum-weight basis and, per vector, the length of the shortest prefix of the basis that spans it.

    Vectors without a cable in the catalogue are excluded; vectors that are not spanned get n + 1.

    Parameters
    ----------
    weights
        Weight of each generator, such as its length or price, ``int64[2^n]``.
    table
        Identifies the generators with cables in the catalogue.

    References
    ----------
    Edmonds, Matroids and the greedy algorithm, 1971.
    """
    vectors = np.arange(len(weights))
    flat = np.full(len(weights), len(weights).bit_length(), dtype=np.int64)
    flat[0] = 0
    basis: list[int] = []
    allowed = np.flatnonzero(table.length_mm > 0)
    # Stable, so that among equal weights the basis does not depend on the sorting algorithm.
    for generator in allowed[np.argsort(weights[allowed], kind="stable")]:
        if flat[generator] > len(basis):
            # A vector is in the new span if it, or its sum with the generator, is in the old one.
            spanned = flat[vectors ^ generator] <= len(basis)
            basis.append(int(generator))
            flat[spanned & (flat > len(basis))] = len(basis)
    return basis, flat


def link_weight_bounds(weights: Integers, table: CableTable, n: int, folded: bool) -> tuple[int, ...] | None:
    """Return the weights of the links of plane 0, then lower bounds on the sorted weights of the links of plane 1.

    By the matroid property the greedy basis minimises the k-th smallest weight for every k at once (Edmonds, 1971). The
    links of a folded plane sum to zero, which is their only dependency, so at most r of them lie in a subspace of
    dimension r < n: at least two lie outside every hyperplane, and the two heaviest each weigh at least as much as the
    last element of the greedy basis.

    Returns
    -------
    tuple or None
        None if the catalogue lacks cables for plane 0, or for every basis.

    Examples
    --------
    >>> from isoplane.models import Layout, PriceList, cable_table
    >>> table = cable_table(3, Layout(), PriceList())
    >>> link_weight_bounds(table.length_mm, table, 3, folded=False)
    (8000, 8000, 24000, 8000, 8000, 24000)
    """
    basis, _ = greedy_flats(weights, table)
    plane0 = plane_links(n, folded)
    if len(basis) < n or any(table.length_mm[g] <= 0 for g in plane0):
        return None
    return tuple(int(weights[g]) for g in (*plane0, *basis, *basis[-1:] * folded))


def plane1_weight_bound(weights: Integers, table: CableTable, n: int, folded: bool) -> int | None:
    """Return a lower bound on the total weight of plane 1; a plain cube attains it."""
    bounds = link_weight_bounds(weights, table, n, folded)
    if bounds is None:
        return None
    greedy = sum(bounds[n + folded :])
    return max(greedy, _folded_plane1_bound(weights, table, n)) if folded else greedy


def _folded_plane1_bound(weights: Integers, table: CableTable, n: int) -> int:
    """Return a lower bound on the weight of n + 1 vectors of rank n that sum to zero.

    Project onto the q heaviest coordinates. The vectors with projection zero are independent in a subspace of dimension
    n - q, so they weigh at least as much as that many elements of its greedy basis. The projections of the others span
    GF(2)^q and sum to zero, so there are at least q + 1; each weighs at least as much as the lightest vector
    with its projection. `_spanning_sums` minimises over all such projections, and the minimum over the number of others
    is the bound.
    """
    q = min(4, n - 1)
    top = sorted(range(n), key=lambda k: int(weights[1 << k]))[n - q :]
    vectors = np.arange(1 << n)
    projection = sum((vectors >> k & 1) << bit for bit, k in enumerate(top))
    allowed = table.length_mm > 0
    lightest = [int(np.min(weights[allowed & (projection == s)], initial=_INFINITE)) for s in range(1 << q)]
    inside_weights = np.where(projection == 0, weights, _INFINITE)
    # Vectors of other projections come last in the greedy order, at infinite weight, and are dropped.
    inside_basis, _ = greedy_flats(inside_weights, table)
    basis_weights = [int(weights[g]) for g in inside_basis if inside_weights[g] < _INFINITE]
    return min(
        outside_weight + sum(basis_weights[: n + 1 - size])
        for size, outside_weight in zip(range(n + 2), _spanning_sums(lightest, q, n + 1), strict=True)
        # Otherwise the catalogue has too few independent vectors with projection zero.
        if n + 1 - size <= len(basis_weights)
    )


def _spanning_sums(weights: list[int], q: int, max_size: int) -> list[int]:
    """Return the minimum weight of 0 to `max_size` nonzero vectors of GF(2)^q that span it and sum to zero.

    Dynamic programming over states (spanned subspace, sum of the vectors); a subspace is a bit set of its vectors.
    """
    whole_space = (1 << (1 << q)) - 1
    # Bit 0 alone is the zero space, which contains only the vector 0.
    reached = {(1, 0): 0}
    sums = [_INFINITE]
    for _ in range(max_size):
        extended: dict[tuple[int, int], int] = {}
        for (space, total), weight in reached.items():
            for vector in range(1, 1 << q):
                # A subspace and its coset by a new vector together are the next subspace.
                spanned = space if space >> vector & 1 else space | _translate(space, vector, q)
                state = (spanned, total ^ vector)
                extended[state] = min(extended.get(state, _INFINITE), weight + weights[vector])
        reached = extended
        sums.append(reached.get((whole_space, 0), _INFINITE))
    return sums


@cache  # of the few subspaces of GF(2)^4, asked for thousands of times
def _translate(space: int, vector: int, q: int) -> int:
    """Return a bit set of vectors translated by a vector."""
    return sum(1 << (x ^ vector) for x in range(1 << q) if space >> x & 1)
