"""Linear algebra over GF(2); a vector is an integer whose bit i is coordinate i."""

from collections.abc import Sequence
from math import factorial, prod


def dependency(vectors: Sequence[int]) -> tuple[int, tuple[int, ...]] | None:
    """Find the first vector that is a linear combination of earlier ones.

    Returns
    -------
    tuple or None
        Its index and the indices of the earlier vectors whose XOR it is (none of them for the zero vector), or None if
        the vectors are independent.

    Examples
    --------
    >>> dependency([3, 5, 6])
    (2, (0, 1))
    """
    pivots: dict[int, tuple[int, int]] = {}  # leading bit -> reduced vector, bit set of the inputs that sum to it
    for index, vector in enumerate(vectors):
        used = 0
        while vector:
            lead = vector.bit_length() - 1
            if lead not in pivots:
                pivots[lead] = (vector, used | 1 << index)
                break
            vector ^= pivots[lead][0]
            used ^= pivots[lead][1]
        else:
            # Reduced to 0: the vectors that were used sum to this one.
            return index, tuple(k for k in range(index) if used >> k & 1)
    return None


def rank(vectors: Sequence[int]) -> int:
    """Return the dimension of the span of the vectors.

    Examples
    --------
    >>> rank([3, 5, 6])
    2
    """
    pivots: dict[int, int] = {}
    for vector in vectors:
        while vector:
            lead = vector.bit_length() - 1
            if lead not in pivots:
                pivots[lead] = vector
                break
            vector ^= pivots[lead]
    # The reduced vectors have different leading bits, so they are independent.
    return len(pivots)


def coordinates_of_units(basis: Sequence[int]) -> tuple[int, ...]:
    """Return the coordinates of every unit vector in a basis: the columns of the inverse matrix.

    Bit k of entry i is set if basis vector k is a summand of unit vector i.

    Raises
    ------
    ValueError
        If the vectors are not a basis.

    Examples
    --------
    >>> coordinates_of_units([3, 5, 7])
    (7, 6, 5)
    """
    n = len(basis)
    rows = [
        (vector, 1 << k) for k, vector in enumerate(basis)
    ]  # per row: a sum of basis vectors, bit set of its summands
    for i in range(n):
        pivot = next((r for r in range(i, n) if rows[r][0] >> i & 1), None)
        # Bits from n on would survive the elimination, which covers columns 0 to n - 1 only.
        if pivot is None or rows[pivot][0] >> n:
            raise ValueError(f"{list(basis)} is not a basis of GF(2)^{n}")
        rows[i], rows[pivot] = rows[pivot], rows[i]
        vector, used = rows[i]
        rows = [(v ^ vector, u ^ used) if r != i and v >> i & 1 else (v, u) for r, (v, u) in enumerate(rows)]
    return tuple(used for _, used in rows)


def independent_sets(n: int, size: int) -> int:
    """Return the number of sets of `size` linearly independent vectors in GF(2)^n: Π_{i<size} (2^n - 2^i) / size!.

    Examples
    --------
    >>> independent_sets(3, 3)
    28
    """
    return prod((1 << n) - (1 << i) for i in range(size)) // factorial(size)
