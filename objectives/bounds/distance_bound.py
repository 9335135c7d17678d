"""Lower bound on the sum of distances."""

from fractions import Fraction
from functools import lru_cache

from isoplane.models.checks import check_int

from .certificates import proven, read_certificate, write_certificate
from .enumerations import enumerated_sum
from .enumerators.enumerator import sum_program
from .enumerators.lifted_depth import lifted_program
from .linear_program import LinearProgram
from .solver import multipliers

# Depth of the lifted program by dimension, chosen for a solution time of minutes; other n use the split enumerator.
DEPTHS = {
    False: {3: 1, 4: 1, 5: 1, 6: 2, 7: 3, 8: 2, 9: 2, 10: 2, 11: 1, 12: 1},
    True: {3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 3, 10: 3, 11: 3, 12: 3, 13: 1, 14: 1, 15: 1, 16: 1},
}


def sum_bound(n: int, folded: bool, enumerated: bool = True) -> int:
    """Return a lower bound on the sum of distances of dual-plane cubes.

    It is proven by its certificate, or by the stored proof of an exact search if that is stronger.

    Parameters
    ----------
    n
        Dimension, 2..16.
    folded
        Whether both planes are folded.
    enumerated
        Whether the stored proof of an exact search is used as well.

    Raises
    ------
    InputError
        If n is outside 2..16.

    Examples
    --------
    >>> sum_bound(5, folded=False)  # attained
    58
    >>> sum_bound(7, folded=False), sum_bound(7, folded=False, enumerated=False)
    (344, 342)
    """
    check_int("network.n", n, 2, 16)
    minimum = enumerated_sum(n, folded) if enumerated else None
    return max(_certified_sum(n, folded), minimum or 0)


@lru_cache(maxsize=64)
def _certified_sum(n: int, folded: bool) -> int:
    """Return the bound that the stored certificate proves; to build its program takes most of the time."""
    name, program = certified_program(n, folded)
    certificate = read_certificate(name, n, folded)
    if certificate is None:
        raise FileNotFoundError(f"no certificate {name} for n={n}, folded={folded}: run `make bounds`")
    # Certificates hold no bound: it is recomputed from multipliers, none of which can prove too much.
    return proven(program, certificate["multipliers"])


@lru_cache(maxsize=64)
def relabelled_sum_bound(n: int, folded: bool) -> Fraction:
    """Return a lower bound on the sum of distances if any permutation of the switches makes plane 1 of plane 0.

    The pairs (x, p(x)) of all switches x and their places are a code in the product of two schemes of cubes. Its
    distance distribution, the mean over all switches of the number of others at i hops in one plane and j in the other,
    fulfils the inequalities of `sum_program` (Delsarte 1973), as that of a linear code does, but need not be integers.

    Examples
    --------
    >>> float(round(relabelled_sum_bound(7, folded=False), 6))  # reached; 344 is the least of a basis
    336.0
    """
    program = sum_program(n, folded)
    return Fraction(*program.bound(multipliers(program)))


def certify_sum(n: int, folded: bool) -> int:
    """Solve the linear program for the sum of distances, store its certificate, and return the bound."""
    name, program = certified_program(n, folded)
    duals = multipliers(program)
    write_certificate(name, n, folded, duals)
    return proven(program, duals)


def certified_program(n: int, folded: bool) -> tuple[str, LinearProgram]:
    """Return the name and the linear program of the stored certificate."""
    depth = DEPTHS[folded].get(n)
    return ("split", sum_program(n, folded)) if depth is None else ("lifted", lifted_program(n, folded, depth))
