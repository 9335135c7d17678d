"""Concurrent flows and the lengths that bound them, verified in exact arithmetic with igraph's distances."""

from collections.abc import Sequence
from fractions import Fraction

import igraph

from isoplane.models.arrays import Ints

MAX_DISTANCE = 1 << 53  # igraph adds lengths as doubles


def verified_flow(
    links: Sequence[tuple[int, int, int]], source: Sequence[int], demand: Ints, flow: Ints, scale: int
) -> Fraction:
    """Return the rate at which a flow carries all demands within the capacities.

    Parameters
    ----------
    links
        Tail, head and capacity of each link; capacity 0 if unlimited.
    source
        The vertex of each source.
    demand : int64[sources, vertices]
        What each source sends to each vertex.
    flow : int64[sources, links]
        Flow of each source over each link.
    scale
        How many times its demand each vertex receives.

    Raises
    ------
    ValueError
        If a flow is negative or not conserved.

    Examples
    --------
    >>> import numpy as np
    >>> verified_flow([(0, 1, 3)], [0], np.array([[0, 2]]), np.array([[4]]), 2)  # 4 units of flow are twice the demand
    Fraction(3, 2)
    """
    load = [0] * len(links)
    for number, (vertex, wanted, units) in enumerate(zip(source, demand.tolist(), flow.tolist(), strict=True)):
        missing = [scale * each for each in wanted]
        missing[vertex] -= scale * sum(wanted)
        for link, ((tail, head, _), passing) in enumerate(zip(links, units, strict=True)):
            if passing < 0:
                raise ValueError(f"flow of source {number} over link {link}: {passing}; expected at least 0")
            missing[head] -= passing
            missing[tail] += passing
            load[link] += passing
        for place, units_missing in enumerate(missing):
            if units_missing:
                raise ValueError(f"flow of source {number}: {units_missing} units missing at {place}; expected 0")
    return min(
        Fraction(scale * capacity, units)
        for (_, _, capacity), units in zip(links, load, strict=True)
        if capacity and units
    )


def verified_bound(
    links: Sequence[tuple[int, int, int]], source: Sequence[int], demand: Ints, length: Sequence[int]
) -> Fraction:
    """Return the upper bound on this rate that integer lengths of links prove; parameters as in `verified_flow`.

    Raises
    ------
    ValueError
        If a length is negative, or positive on an unlimited link, or distances exceed 2^53.

    Examples
    --------
    >>> import numpy as np
    >>> verified_bound([(0, 1, 3)], [0], np.array([[0, 2]]), [1])
    Fraction(3, 2)
    """
    room = 0
    for (_, _, capacity), each in zip(links, length, strict=True):
        if each < 0 or (each and not capacity):
            raise ValueError(f"length {each} of a link of capacity {capacity}; expected at least 0, and 0 if unlimited")
        room += capacity * each
    vertices = demand.shape[1]
    if max(length) * vertices > MAX_DISTANCE:
        raise ValueError(f"length {max(length)}; expected at most {MAX_DISTANCE // vertices}")
    graph = igraph.Graph(vertices, [(tail, head) for tail, head, _ in links], directed=True)
    weights, total = [float(each) for each in length], 0
    for vertex, wanted in zip(source, demand.tolist(), strict=True):
        distances = graph.distances(vertex, weights=weights)[0]
        total += sum(units * int(distance) for units, distance in zip(wanted, distances, strict=True) if units)
    return Fraction(room, total)
