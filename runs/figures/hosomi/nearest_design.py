"""Designs that match the published ones in delay and traffic."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from isoplane.models import ConnectionSet, Network
from isoplane.objectives import evaluate_batch
from isoplane.runs.report.designs.evaluated_cubes import EvaluatedCubes

Generators = NDArray[np.uint32]


def nearest_design(starts: Iterable[EvaluatedCubes], delay_ns: float, traffic: float) -> Network:
    """Return a network whose delay (published formula) and traffic are close to given ones.

    Steepest descent on |delay / given - 1| + |traffic / given - 1| from each start; the best result is returned. A step
    adds one generator to another, or exchanges two coordinates of all generators, which changes only the lengths of
    cables. If no step improves, all pairs of steps are tried; a descent ends if none of these improves either.

    Parameters
    ----------
    starts
        Designs of two planes with a layout.
    delay_ns, traffic
        Target values of `delay_paper_ns` and `max_traffic`.

    References
    ----------
    Hosomi et al. 2021, section 3.4: these two numbers are all that is known of the simulated designs.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> cube = dual_cube(4, (1, 2, 4, 8))
    >>> nearest_design([EvaluatedCubes("", Design(cube))], 354, 4) == cube
    True
    """
    return min((_descent(start, delay_ns, traffic) for start in starts), key=lambda end: end[0])[1]


def _descent(start: EvaluatedCubes, delay_ns: float, traffic: float) -> tuple[float, Network]:
    current = np.array(start.cubes.planes[1].connections.generators, dtype=np.uint32)
    distance = float(_distances(start, current[None], delay_ns, traffic)[0])
    while True:
        steps = np.stack(list(_steps(current)))
        distances = _distances(start, steps, delay_ns, traffic)
        if distances.min() >= distance:
            steps = np.stack([second for first in steps for second in _steps(first)])
            distances = _distances(start, steps, delay_ns, traffic)
        best = int(np.argmin(distances))
        if distances[best] >= distance:
            return distance, _network(start, current)
        current, distance = steps[best], float(distances[best])


def _steps(generators: Generators) -> Iterator[Generators]:
    n = len(generators)
    for i, j in permutations(range(n), 2):
        changed = generators.copy()
        changed[i] ^= generators[j]
        yield changed
    for i, j in combinations(range(n), 2):
        differ = (generators >> np.uint32(i) ^ generators >> np.uint32(j)) & np.uint32(1)
        yield generators ^ (differ << np.uint32(i) | differ << np.uint32(j))


def _distances(start: EvaluatedCubes, batch: Generators, delay_ns: float, traffic: float) -> NDArray[np.float64]:
    cubes, site = start.cubes, start.network.site
    values = evaluate_batch(batch, cubes.folded, site.layout, site.prices, site.switch, cubes.nodes_per_switch)
    assert values.delay_paper_ns is not None
    distances: NDArray[np.float64] = np.abs(values.delay_paper_ns / delay_ns - 1)
    return distances + np.abs(values.max_traffic / traffic - 1)


def _network(start: EvaluatedCubes, generators: Generators) -> Network:
    cubes = start.cubes
    second = replace(cubes.planes[1], connections=ConnectionSet(cubes.n, tuple(generators.tolist())))
    return Network(replace(cubes, planes=(cubes.planes[0], second)), start.network.site)
