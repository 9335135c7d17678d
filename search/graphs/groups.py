"""Groups of symmetries that graphs may have: semidirect products of an abelian group and a cyclic one."""

from collections.abc import Iterator
from itertools import product
from math import gcd

import numpy as np

from isoplane.models.arrays import Ints

# (a, c, b, p, q, r, s): elements (v, j), v of Z_a x Z_c, j of Z_b; (v, j) (v', j') = (v + M^j v', j + j'), where the
# matrix M = [[p, q], [r, s]] is an automorphism of Z_a x Z_c with M^b = 1.
Group = tuple[int, int, int, int, int, int, int]

COMPARED_ORDER = 128  # groups of up to so many elements are compared: of isomorphic ones, the first is given
SWAPS = ((0, 1, 1, 0), (0, 1, 1, 1), (0, 1, -1, 0), (0, 1, -1, -1))  # of the two factors of Z_a x Z_a


def groups_of(switches: int, degree: int, symmetry: str = "auto") -> list[Group]:
    """Return the groups whose orders divide a number of switches, each of which can act freely on a regular graph.

    An order that leaves an odd number of ends of edges needs elements that are their own inverse, so it is even.

    Parameters
    ----------
    switches, degree
        Of the graphs.
    symmetry
        As in `GraphVariable`.

    Examples
    --------
    Of order 8, the cyclic group, Z4 x Z2, Z2 x Z2 x Z2 and the dihedral group are found.

    >>> [group[:3] for group in groups_of(8, 3) if group[0] * group[1] * group[2] == 8]
    [(8, 1, 1), (4, 1, 2), (4, 2, 1), (2, 2, 2)]
    """
    if symmetry == "none":
        return [cyclic(1)]
    found = []
    for order in divisors(switches):
        if switches // order * degree % 2 and order % 2:
            continue
        found += _of_order(order) if symmetry == "auto" else [cyclic(order)]
    return found


def cyclic(order: int) -> Group:
    """Return the cyclic group of an order."""
    return order, 1, 1, 1, 0, 0, 1


def _of_order(order: int) -> list[Group]:
    """Return groups of an order: the cyclic one, then the others."""
    groups: dict[object, Group] = {}
    for a in reversed(divisors(order)):
        for c in divisors(gcd(a, order // a)):
            b = order // (a * c)
            for matrix in [(1, 0, 0, 1), *_matrices(a, c, b)]:
                group = a, c, b, *matrix
                if c == 1 and b > 1 and matrix == (1, 0, 0, 1):
                    continue  # Z_a x Z_b: c is the smaller factor
                groups.setdefault(_class(group) if order <= COMPARED_ORDER else group, group)
    return list(groups.values())


def _matrices(a: int, c: int, b: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield automorphisms M != 1 of Z_a x Z_c with M^b = 1: of both factors, shears, and exchanges of equal factors.

    Of those of both factors that generate the same group of them, the first.
    """
    if b == 1:
        return
    seen = set()
    diagonal = product([1, *multipliers(a, b)], (0, a // c), (0, 1), [1, *multipliers(c, b)])
    sheared = [each for each in diagonal if c > 1 or not (each[1] or each[2])]
    swaps = [(p, q, r % a, s % a) for p, q, r, s in SWAPS] if a == c > 1 else []
    for matrix in [*sheared, *swaps]:
        powers = _powers(matrix, a, c, b)
        if powers is not None and len(powers) > 1 and powers not in seen:
            seen.add(powers)
            yield matrix


def _powers(matrix: tuple[int, int, int, int], a: int, c: int, b: int) -> frozenset[tuple[int, ...]] | None:
    """Return the powers of a matrix; None if that of b is not 1."""
    p, q, r, s = matrix
    one = (1 % a, 0, 0, 1 % c)
    power, found = one, set[tuple[int, ...]]()
    for _ in range(b):
        found.add(power)
        i, j, k, l = power  # noqa: E741
        power = ((p * i + q * k) % a, (p * j + q * l) % a, (r * i + s * k) % c, (r * j + s * l) % c)
    return frozenset(found) if power == one else None


def _class(group: Group) -> object:
    """Return what isomorphic groups share: the order of each element, its number of roots, and of commuting ones."""
    table = _table(group)
    elements = np.arange(len(table))
    squares = np.bincount(table[elements, elements], minlength=len(table))
    commuting = (table == table.T).sum(axis=1)
    power, order = elements.copy(), np.ones_like(elements)
    while power.any():
        order += power != 0
        power = np.where(power != 0, table[power, elements], 0)
    return tuple(sorted(zip(order.tolist(), squares.tolist(), commuting.tolist(), strict=True)))


def _table(group: Group) -> Ints:
    """Return the products of all elements i + a (l + c j)."""
    a, c, b, *matrix = group
    moduli = np.array([[a], [c]])
    powers: list[Ints] = [np.eye(2, dtype=np.int64)]
    for _ in range(b - 1):
        power: Ints = np.array(matrix, dtype=np.int64).reshape(2, 2) @ powers[-1] % moduli
        powers.append(power)
    j, l, i = (axis.ravel() for axis in np.meshgrid(range(b), range(c), range(a), indexing="ij"))  # noqa: E741
    images = np.array(powers)[j] @ np.stack([i, l])
    table: Ints = (i[:, None] + images[:, 0]) % a + a * ((l[:, None] + images[:, 1]) % c + c * ((j[:, None] + j) % b))
    return table


def multipliers(a: int, b: int) -> list[int]:
    """Return numbers k above 1 with k^b = 1 modulo a, one for each set of their powers.

    Examples
    --------
    >>> multipliers(7, 3), multipliers(8, 2)
    ([2], [3, 5, 7])
    """
    found: dict[frozenset[int], int] = {}
    for k in range(2, a):
        if b > 1 and pow(k, b, a) == 1:
            found.setdefault(frozenset(pow(k, j, a) for j in range(b)), k)
    return list(found.values())


def divisors(number: int) -> list[int]:
    """Return the divisors of a number, ascending."""
    return [divisor for divisor in range(1, number + 1) if number % divisor == 0]
