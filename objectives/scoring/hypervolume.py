"""Hypervolume indicator of a two-dimensional Pareto front."""

from collections.abc import Iterable


def hypervolume(points: Iterable[tuple[int, int]], reference: tuple[int, int]) -> float:
    """Return the fraction of the rectangle between the origin and a reference point that the points dominate.

    Both metrics are minimised; a point beyond the reference in either contributes nothing.

    References
    ----------
    Zitzler and Thiele, Multiobjective evolutionary algorithms, 1999.

    Examples
    --------
    >>> hypervolume([(1, 3), (2, 2)], (4, 4))
    0.3125
    """
    area = 0
    floor = reference[1]
    # Ascending in the first metric, each point adds the strip between its second one and the lowest before.
    for first, second in sorted(points):
        if first < reference[0] and second < floor:
            area += (reference[0] - first) * (floor - second)
            floor = second
    return area / (reference[0] * reference[1])
