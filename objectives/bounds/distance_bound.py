"""Bounds of the sum of distances."""

from functools import lru_cache

from isoplane.models.checks import check_int

from .certificates import proven, read_certificate, write_certificate
from .enumerations import enumerated_sum
from .enumerator import sum_program
from .lifted_depth import lifted_program
from .program import Program
from .solver import multipliers

# The depth of the lifted program by dimension, as far as it is solved in minutes; beyond, the split enumerator serves.
DEPTHS = {
    False: {3: 1, 4: 1, 5: 1, 6: 2, 7: 3, 8: 2, 9: 2, 10: 2, 11: 1, 12: 1},
    True: {3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 3, 10: 3, 11: 3, 12: 3, 13: 1, 14: 1, 15: 1, 16: 1},
}


@lru_cache(maxsize=64)
def sum_bound(n: int, folded: bool, enumerated: bool = True) -> int:
    """Return a number that no sum of distances of a dual-plane cube is below.

    Its certificate proves it, or the kept proof of an exact search where that says more.

    Parameters
    ----------
    n
        Dimension, 2..16.
    folded
        Whether both planes are folded.
    enumerated
        Whether the kept proof of an exact search counts, too.

    Raises
    ------
    InputError
        If n is beyond 2..16.

    Examples
    --------
    >>> sum_bound(5, folded=False)  # reached
    58
    >>> sum_bound(7, folded=False), sum_bound(7, folded=False, enumerated=False)
    (344, 342)
    """
    check_int("network.n", n, 2, 16)
    name, program = certified_program(n, folded)
    kept = read_certificate(name, n, folded)
    if kept is None:
        raise FileNotFoundError(f"no certificate {name} for n={n}, folded={folded}: run `make bounds`")
    found = enumerated_sum(n, folded) if enumerated else None
    return max(proven(program, kept["multipliers"]), found or 0)


def certify_sum(n: int, folded: bool) -> int:
    """Solve the program of a network's sum of distances, keep its certificate, and return the bound."""
    name, program = certified_program(n, folded)
    found = multipliers(program)
    write_certificate(name, n, folded, found)
    return proven(program, found)


def certified_program(n: int, folded: bool) -> tuple[str, Program]:
    """Return the program whose certificate is kept, and its name."""
    depth = DEPTHS[folded].get(n)
    return ("split", sum_program(n, folded)) if depth is None else ("lifted", lifted_program(n, folded, depth))
