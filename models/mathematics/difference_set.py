"""Singer's cyclic difference sets: projective planes as sets of residues."""

from functools import cache
from itertools import product

from .finite_field import finite_field

Coefficients = tuple[int, int, int]
Rows = list[list[int]]  # of a table


@cache
def difference_set(q: int) -> tuple[int, ...]:
    """Return q + 1 residues modulo v = q² + q + 1 whose differences are all residues but 0, once each.

    With points i and lines {d + j : d in the set}, these are the points and lines of the projective plane over the
    field with q elements: the points are the powers x^0 to x^(v - 1) of a polynomial modulo a cubic over the field, up
    to factors of the field, if x^v is the first power that is such a factor. The points without x² are a line. Since
    multiplication by x permutes the lines in one cycle, and two lines meet in one point, every difference of two
    residues occurs once.

    Parameters
    ----------
    q
        A prime power.

    References
    ----------
    Singer, A theorem in finite projective geometry and some applications to number theory, 1938.

    Examples
    --------
    >>> difference_set(2)
    (0, 1, 3)
    """
    add, multiply, _ = (table.tolist() for table in finite_field(q))
    # With a constant other than 0, x has an inverse, so its powers repeat: before the power v if the cubic has factors.
    # The constant varies fastest because where 3 divides v, no cubic with a cube as its constant will do.
    cubics = ((constant, linear, square) for square, linear, constant in product(range(q), range(q), range(1, q)))
    cycles = (_cycle(add, multiply, cubic) for cubic in cubics)
    cycle = next(powers for powers in cycles if len(powers) == q * q + q + 1)
    return tuple(index for index, (_, _, square) in enumerate(cycle) if not square)


def _cycle(add: Rows, multiply: Rows, cubic: Coefficients) -> list[Coefficients]:
    """Return the powers of x before the first that is an element of the field; x³ is congruent to `cubic`."""
    constant, linear, square = (multiply[coefficient] for coefficient in cubic)
    element, powers = (1, 0, 0), list[Coefficients]()
    while not powers or element[1:] != (0, 0):
        powers.append(element)
        low, middle, top = element
        element = (constant[top], add[low][linear[top]], add[middle][square[top]])
    return powers
