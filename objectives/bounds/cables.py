"""The least that the cables of two planes can take."""

import numpy as np

from isoplane.models import CableTable

from .program import Integers

_NEVER = 1 << 62


def plane_links(n: int, folded: bool) -> tuple[int, ...]:
    """Return the links of plane 0: the unit vectors, and the folded link."""
    return (*(1 << k for k in range(n)), *[(1 << n) - 1] * folded)


def greedy_flats(weights: Integers, table: CableTable) -> tuple[list[int], Integers]:
    """Return the lightest basis, and for each vector how many of its first members span it.

    Vectors that the catalogue has no cable for are not taken; what is not spanned gets n + 1.

    Parameters
    ----------
    weights
        Weight of each generator, such as its length or price, ``int64[2^n]``.
    table
        Tells which generators the catalogue has cables for.

    References
    ----------
    Edmonds, Matroids and the greedy algorithm, 1971.
    """
    vectors = np.arange(len(weights))
    flat = np.full(len(weights), len(weights).bit_length(), dtype=np.int64)
    flat[0] = 0
    basis: list[int] = []
    allowed = np.flatnonzero(table.length_mm > 0)
    for generator in allowed[np.argsort(weights[allowed], kind="stable")]:
        if flat[generator] > len(basis):
            spanned = flat[vectors ^ generator] <= len(basis)
            basis.append(int(generator))
            flat[spanned & (flat > len(basis))] = len(basis)
    return basis, flat


def least_weights(weights: Integers, table: CableTable, n: int, folded: bool) -> tuple[int, ...] | None:
    """Return the weights of the links of plane 0, then the least that the links of plane 1 can have, ascending.

    Of all bases the greedy one has, for each k, the smallest k-th weight. The links of a folded plane add up to zero,
    and that is their only dependency. So at most r of them lie in a subspace of dimension r < n: at least two are
    outside of every hyperplane, and the two heaviest weigh at least the last of the greedy basis each.

    Returns
    -------
    tuple or None
        None if the catalogue has no cables for plane 0 or for any basis.

    Examples
    --------
    >>> from isoplane.models import Layout, PriceList, cable_table
    >>> table = cable_table(3, Layout(), PriceList())
    >>> least_weights(table.length_mm, table, 3, folded=False)
    (8000, 8000, 24000, 8000, 8000, 24000)
    """
    basis, _ = greedy_flats(weights, table)
    plane0 = plane_links(n, folded)
    if len(basis) < n or any(table.length_mm[g] <= 0 for g in plane0):
        return None
    return tuple(int(weights[g]) for g in (*plane0, *basis, *basis[-1:] * folded))


def least_plane1(weights: Integers, table: CableTable, n: int, folded: bool) -> int | None:
    """Return a number that no plane 1 weighs less than; some plain cube reaches it."""
    known = least_weights(weights, table, n, folded)
    if known is None:
        return None
    least = sum(known[n + folded :])
    return max(least, _least_circuit(weights, table, n)) if folded else least


def _least_circuit(weights: Integers, table: CableTable, n: int) -> int:
    """Return a number that n + 1 vectors of rank n whose sum is zero never weigh less than.

    Look at the q heaviest coordinates. The vectors that are zero there lie in a subspace of dimension n - q, and are
    independent, so they weigh at least as many of its greedy basis. The others span the q coordinates, are at least q +
    1, and still add up to zero there; each weighs at least the lightest vector with its values of these coordinates.
    """
    q = min(4, n - 1)
    top = sorted(range(n), key=lambda k: int(weights[1 << k]))[n - q :]
    vectors = np.arange(1 << n)
    shadow = sum((vectors >> k & 1) << place for place, k in enumerate(top))
    allowed = table.length_mm > 0
    lightest = [int(np.min(weights[allowed & (shadow == s)], initial=_NEVER)) for s in range(1 << q)]
    below = np.where(shadow == 0, weights, _NEVER)
    inside, _ = greedy_flats(below, table)
    light = [int(weights[g]) for g in inside if below[g] < _NEVER]
    return min(
        outside + sum(light[: n + 1 - size])
        for size, outside in zip(range(n + 2), _spanning_sums(lightest, q, n + 1), strict=True)
        if n + 1 - size <= len(light)
    )


def _spanning_sums(weights: list[int], q: int, most: int) -> list[int]:
    """Return, for 0 to `most` nonzero vectors of GF(2)^q that span it and add up to zero, their least weight."""
    everything = (1 << (1 << q)) - 1  # a subspace is the set of its vectors, one bit each
    reached = {(1, 0): 0}
    sums = [_NEVER]
    for _ in range(most):
        further: dict[tuple[int, int], int] = {}
        for (space, total), weight in reached.items():
            for vector in range(1, 1 << q):
                wider = space if space >> vector & 1 else space | _moved(space, vector, q)
                state = (wider, total ^ vector)
                further[state] = min(further.get(state, _NEVER), weight + weights[vector])
        reached = further
        sums.append(reached.get((everything, 0), _NEVER))
    return sums


def _moved(space: int, vector: int, q: int) -> int:
    """Return the set of vectors, one bit each, with a vector added to each of them."""
    return sum(1 << (x ^ vector) for x in range(1 << q) if space >> x & 1)
