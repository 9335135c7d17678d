"""Bounds of the sum of distances."""

from functools import lru_cache

from isoplane.models.checks import check_int

from .certificates import proven, read_certificate, write_certificate
from .lifted import lifted_program
from .program import Program
from .solver import multipliers
from .split import sum_program

LARGEST_LIFTED = {False: 12, True: 16}  # a plain cube of n = 13 would take hours


@lru_cache(maxsize=64)
def sum_bound(n: int, folded: bool) -> int:
    """Return a number that no sum of distances of a dual-plane cube is below, as its certificate proves.

    Parameters
    ----------
    n
        Dimension, 2..16.
    folded
        Whether both planes are folded.

    Raises
    ------
    InputError
        If n is beyond 2..16.

    Examples
    --------
    >>> sum_bound(5, folded=False)  # reached
    58
    """
    check_int("network.n", n, 2, 16)
    name, program = _program(n, folded)
    kept = read_certificate(name, n, folded)
    if kept is None:
        raise FileNotFoundError(f"no certificate {name} for n={n}, folded={folded}: run `make bounds`")
    return proven(program, kept["multipliers"])


def certify_sum(n: int, folded: bool) -> int:
    """Solve the program of a network's sum of distances, keep its certificate, and return the bound."""
    name, program = _program(n, folded)
    found = multipliers(program)
    write_certificate(name, n, folded, found)
    return proven(program, found)


def _program(n: int, folded: bool) -> tuple[str, Program]:
    """Return the program whose certificate is kept: the lifted one where it can be solved and is of use."""
    if 2 < n <= LARGEST_LIFTED[folded]:
        return "lifted", lifted_program(n, folded)
    return "split", sum_program(n, folded)
