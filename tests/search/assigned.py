"""Circuit assignments for small networks, as several tests need them."""

from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, HybridNetwork
from isoplane.models.workloads import from_matrix, sparse
from isoplane.objectives.fluid import HybridObjective
from isoplane.search import Limits, solve

COMPLETION = ("completion", "bottleneck", "total")
BOTTLENECK = ("bottleneck", "total")
EIGHT = HybridNetwork(2, 4, up_gbps=10)  # as narrow as a node's link
WORK = sparse(8, 2, 1_000_000, seed=5)


def objective(workload=WORK, components=COMPLETION):
    return HybridObjective(components[0], components, workload)


def best(space, strategy, limits=None, seed=1, workers=1, components=COMPLETION):
    *_, last = solve(space, objective(space.workload, components), strategy, limits or Limits(), seed, workers)
    return last


@st.composite
def workloads(draw, processes):
    cells = st.lists(st.integers(0, 9), min_size=processes**2, max_size=processes**2)
    matrix = np.array(draw(cells)).reshape(processes, processes) * 100_000
    matrix[0, 1] += 1
    return from_matrix(matrix)


def brute_force(space, goal):
    """The best score of all sets of circuits with the placement of the space."""
    pairs = [(a, b) for a in range(4) for b in range(4, 8)]
    every = []
    for count in range(space.most + 1):
        for chosen in combinations(pairs, count):
            if len({node for pair in chosen for node in pair}) == 2 * count:
                every.append(goal.point(Design(space.hybrid, Circuits(chosen), space.placements[0])))
    return min(every)
