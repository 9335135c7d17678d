"""Small circuit assignments shared by several tests."""

import numpy as np
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Hybrid
from isoplane.models.workloads import from_matrix, sparse
from isoplane.objectives import CIRCUITS, Lexicographic
from isoplane.search import Limits, solve

from .programs.brute_force import all_circuits

COMPLETION = ("completion", "bottleneck", "total")
BOTTLENECK = ("bottleneck", "total")
EIGHT_NODES = Hybrid(2, 4, up_gbps=10)  # uplinks as slow as node links
WORKLOAD = sparse(8, 2, 1_000_000, seed=5)


def objective_for(workload=WORKLOAD, components=COMPLETION):
    return Lexicographic(components[0], [(name,) for name in components], CIRCUITS, workload)


def best(space, strategy, limits=None, seed=1, workers=1, components=COMPLETION):
    *_, last = solve(space, objective_for(space.workload, components), strategy, limits or Limits(), seed, workers)
    return last


@st.composite
def workloads(draw, processes):
    cells = st.lists(st.integers(0, 9), min_size=processes**2, max_size=processes**2)
    matrix = np.array(draw(cells)).reshape(processes, processes) * 100_000
    matrix[0, 1] += 1
    return from_matrix(matrix)


def brute_force(space, objective):
    """The best score over all sets of circuits, with the first placement of the space."""
    candidates = (Circuits(pairs) for pairs in all_circuits(space.optical, space.max_circuits))
    return min(objective.point(Design(space.network, circuits, space.placements[0])) for circuits in candidates)
