"""Lower bounds against every set of circuits of small networks, with times that are not whole ns."""

from itertools import combinations, permutations, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Hybrid, Placement
from isoplane.models.workloads import from_matrix
from isoplane.objectives.fluid import FluidModel, bottleneck_bound_ns
from isoplane.objectives.fluid.circuits.bounds import free_bound_ns


@st.composite
def problems(draw):
    hybrid = Hybrid(
        *draw(st.sampled_from([(2, 2), (3, 1), (2, 3), (4, 1)])),
        node_gbps=draw(st.sampled_from([10, 9.7, 7])),
        up_gbps=draw(st.sampled_from([10, 3, 63.9])),
        circuit_gbps=draw(st.sampled_from([32, 31.3])),
    )
    cells = draw(st.lists(st.integers(0, 4000), min_size=hybrid.nodes**2, max_size=hybrid.nodes**2))
    matrix = np.array(cells).reshape(hybrid.nodes, hybrid.nodes)
    matrix[0, 1] += 1
    return hybrid, from_matrix(matrix).message_list(), draw(st.integers(0, hybrid.max_circuits))


def sets_of_circuits(hybrid, max_circuits):
    pairs = [(a, b) for a, b in combinations(range(hybrid.nodes), 2) if hybrid.group_of(a) != hybrid.group_of(b)]
    for count in range(max_circuits + 1):
        for chosen in combinations(pairs, count):
            if len({node for pair in chosen for node in pair}) == 2 * count:
                yield Circuits(chosen)


@settings(deadline=None)
@given(problems())
def test_no_circuits_beat_the_bound(problem):
    hybrid, messages, max_circuits = problem
    model = FluidModel(hybrid, messages)
    best = min(model.times(circuits).bottleneck_ns for circuits in sets_of_circuits(hybrid, max_circuits))
    assert bottleneck_bound_ns(hybrid, messages, max_circuits) <= best


@settings(deadline=None, max_examples=12)
@given(problems())
def test_no_placement_beats_the_bound_over_all_placements(problem):
    hybrid, messages, max_circuits = problem
    model = FluidModel(hybrid, messages)
    placements = [Placement(nodes) for nodes in permutations(range(hybrid.nodes))][:24]
    max_circuits = min(max_circuits, 2)
    designs = product(placements, sets_of_circuits(hybrid, max_circuits))
    best = min(model.times(circuits, placement).bottleneck_ns for placement, circuits in designs)
    assert free_bound_ns(hybrid, messages, max_circuits) <= best
