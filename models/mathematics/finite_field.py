"""Finite fields, as tables of sums and products."""

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int
from ..errors import InputError

MAX_ORDER = 256

Table = NDArray[np.int64]


def prime_power(q: int) -> tuple[int, int] | None:
    """Return the prime p and the exponent k of q = p^k; None if q is not a prime power.

    Examples
    --------
    >>> prime_power(27), prime_power(12)
    ((3, 3), None)
    """
    # The least divisor above 1 is a prime.
    p = next((divisor for divisor in range(2, q + 1) if q % divisor == 0), 0)
    k, rest = 0, q
    while p and rest % p == 0:
        rest, k = rest // p, k + 1
    return (p, k) if rest == 1 and k else None


def check_prime_power(name: str, value: object, low: int = 2, high: int = MAX_ORDER) -> int:
    """Return a value if it is a prime power within limits.

    Raises
    ------
    InputError
        If it is not, naming the nearest prime powers.

    Examples
    --------
    >>> check_prime_power("network.q", 6)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: network.q=6: expected a prime power, such as 5 or 7
    """
    q = check_int(name, value, low, high)
    if prime_power(q) is None:
        below = next((order for order in range(q - 1, low - 1, -1) if prime_power(order)), None)
        above = next((order for order in range(q + 1, high + 1) if prime_power(order)), None)
        nearest = " or ".join(str(order) for order in (below, above) if order is not None)
        raise InputError(f"{name}={q}: expected a prime power, such as {nearest}")
    return q


@cache
def finite_field(q: int) -> tuple[Table, Table, Table]:
    """Return the field with q elements, as tables of sums and products and as the powers of a primitive element.

    Elements are numbered 0 to q - 1; 0 and 1 are the zero and the one. Element Σ a_i p^i, with 0 ≤ a_i < p, is the
    polynomial Σ a_i x^i modulo a monic polynomial f of degree k over the integers modulo p, where q = p^k. The first f
    is taken for which the powers of x are all q - 1 polynomials but 0: these then have inverses, so the residues are a
    field, and x is a primitive element.

    Returns
    -------
    int64[q, q], int64[q, q]
        Sums and products.
    int64[q - 1]
        The powers ξ^0, ξ^1, ..., ξ^(q - 2) of a primitive element ξ: all elements but 0.

    References
    ----------
    Lidl and Niederreiter, Finite Fields, 1997: existence of primitive polynomials.

    Examples
    --------
    >>> _, multiply, _ = finite_field(4)
    >>> multiply.tolist()
    [[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2]]
    """
    check_prime_power("q", q)
    p, k = prime_power(q) or (0, 0)
    # In a fixed order: the first primitive polynomial decides the numbers of the elements, and with them all cables.
    candidates = (_powers(p, remainder) for remainder in product(range(p), repeat=k))
    powers = np.array(next(found for found in candidates if len(found) == q - 1))
    place = p ** np.arange(k)
    digits = np.arange(q)[:, None] // place % p
    # Without carries: polynomials are added coefficient by coefficient.
    add = (digits[:, None] + digits) % p @ place
    multiply = np.zeros((q, q), dtype=np.int64)
    exponent = np.arange(q - 1)
    # Exponents add modulo q - 1, the order of x; products with 0, which is no power of x, stay 0.
    multiply[powers[:, None], powers] = powers[(exponent[:, None] + exponent) % (q - 1)]
    return add, multiply, powers


def _powers(p: int, remainder: tuple[int, ...]) -> list[int]:
    """Return 1, x, x², ... until they repeat, where x^k is congruent to the polynomial with these coefficients."""
    element, powers, seen = (1, *[0] * (len(remainder) - 1)), list[int](), set[int]()
    while True:
        number = sum(digit * p**index for index, digit in enumerate(element))
        # 0 ends the powers as a repetition does: all that follow are 0.
        if number in seen or not number:
            return powers
        powers.append(number)
        seen.add(number)
        # Times x: x · x^(k-1) is congruent to the remainder, so the top coefficient returns as a multiple of it.
        shifted = (0, *element[:-1])
        element = tuple((low + element[-1] * top) % p for low, top in zip(shifted, remainder, strict=True))
