"""Bounds of the sum of distances."""

from functools import lru_cache

from .certificates import proven, read_certificate, write_certificate
from .lifted import lifted_program
from .solver import multipliers
from .split import sum_program


@lru_cache(maxsize=64)
def sum_bound(n: int, folded: bool) -> int:
    """Return a number that no sum of distances of a dual-plane cube is below.

    It is proven by the certificate of the lifted program, or where there is none by the split weight enumerator, which
    is solved here and now; either way with exact integers.

    Parameters
    ----------
    n
        Dimension, 2..16.
    folded
        Whether both planes are folded.

    Examples
    --------
    >>> sum_bound(5, folded=False)  # reached
    58
    """
    kept = read_certificate("lifted", n, folded)
    if kept is not None:
        return proven(lifted_program(n, folded), kept["multipliers"])
    program = sum_program(n, folded)
    return proven(program, multipliers(program))


def certify_sum(n: int, folded: bool) -> int:
    """Solve the lifted program, keep its certificate, and return the bound."""
    program = lifted_program(n, folded)
    found = multipliers(program)
    write_certificate("lifted", n, folded, found)
    return proven(program, found)
