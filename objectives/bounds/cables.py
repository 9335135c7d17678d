"""The least that the cables of a plane can take: a basis of least weight."""

from isoplane.models import CableTable
from isoplane.models.gf2 import rank

from .program import Integers


def plane_links(n: int, folded: bool) -> tuple[int, ...]:
    """Return the links of plane 0: the unit vectors, and the folded link."""
    return (*(1 << k for k in range(n)), *[(1 << n) - 1] * folded)


def least_weights(weights: Integers, table: CableTable, n: int, folded: bool) -> tuple[int, ...] | None:
    """Return the weights of the links of plane 0, then the least that the links of plane 1 can have, ascending.

    Bases are the bases of a matroid, so the greedy basis has, for each k, the smallest k-th weight of all bases. The
    links of a folded plane add up to zero, and that is their only dependency. So at most r of them lie in a subspace of
    dimension r < n: at least two are outside of every hyperplane, and the heaviest two weigh at least the last of the
    greedy basis each.

    Parameters
    ----------
    weights
        Weight of each generator, such as its length or price, ``int64[2^n]``.
    table
        Tells which generators the catalogue has cables for.
    n, folded
        The planes.

    Returns
    -------
    tuple or None
        None if the catalogue has no cables for plane 0 or for any basis.

    References
    ----------
    Edmonds, Matroids and the greedy algorithm, 1971.

    Examples
    --------
    >>> from isoplane.models import Layout, PriceList, cable_table
    >>> table = cable_table(3, Layout(), PriceList())
    >>> least_weights(table.length_mm, table, 3, folded=False)
    (8000, 8000, 24000, 8000, 8000, 24000)
    """
    allowed = [int(g) for g in (table.length_mm > 0).nonzero()[0]]
    plane0 = plane_links(n, folded)
    basis: list[int] = []
    for generator in sorted(allowed, key=lambda g: (int(weights[g]), g)):
        if rank([*basis, generator]) > len(basis):
            basis.append(generator)
        if len(basis) == n:
            break
    if len(basis) < n or not set(plane0) <= set(allowed):
        return None
    return tuple(int(weights[g]) for g in (*plane0, *basis, *basis[-1:] * folded))
