"""Parallel circuits: the native model, the reference and packet simulation agree."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Hybrid
from isoplane.models.placement import by_switch
from isoplane.models.workloads import dense, from_matrix
from isoplane.objectives.fluid import FluidModel, bottleneck_bound_ns
from isoplane.objectives.reference.fluid_times import tree_times
from isoplane.simulator import simulate_hybrid
from tests.cases import for_each

SMALL = Hybrid(2, 4, 3, up_gbps=20)


@st.composite
def designs(draw):
    """Draw a network with up to three ports per node, circuits, some of them parallel, and a traffic matrix."""
    groups, size = draw(st.sampled_from([(2, 3), (3, 2), (4, 2), (2, 5)]))
    hybrid = Hybrid(groups, size, draw(st.integers(2, 3)), up_gbps=20, circuit_gbps=draw(st.sampled_from([5, 32])))
    pairs = [(a, b) for a in range(hybrid.nodes) for b in range(a) if hybrid.group_of(a) != hybrid.group_of(b)]
    free, chosen = Counter(dict.fromkeys(range(hybrid.nodes), hybrid.ports_per_node)), []
    for a, b in draw(st.lists(st.sampled_from(pairs[:6]), max_size=8)):
        if free[a] and free[b]:
            chosen.append((a, b))
            free.subtract((a, b))
    cells = draw(st.lists(st.integers(0, 9), min_size=hybrid.nodes**2, max_size=hybrid.nodes**2))
    matrix = np.array(cells).reshape(hybrid.nodes, hybrid.nodes) * 1000
    matrix[0, -1] += 1
    return hybrid, Circuits(tuple(chosen)), from_matrix(matrix)


@settings(deadline=None, max_examples=25)
@given(designs())
def test_native_code_the_reference_and_packets_send_the_same_bytes_over_each_circuit(design):
    hybrid, circuits, workload = design
    messages, model = workload.message_list(), FluidModel(hybrid, workload.message_list())
    loads = model.loads(circuits)
    packets = simulate_hybrid(hybrid, circuits, messages)
    carried = [int(b) for b, link in zip(packets.link_bytes, packets.links, strict=True) if link.kind == "circuit"]
    assert carried == [load for both in zip(loads.ahead, loads.back, strict=True) for load in both]
    times = model.times(circuits)
    reference = tree_times(hybrid, messages, circuits, by_switch(hybrid.nodes), "messages")
    assert (times.bottleneck_ns, times.total_ns) == (round(reference["bottleneck_ns"]), round(reference["total_ns"]))
    assert max(max(one, default=0) for one in loads.all()) == reference["heaviest_load_bytes"]
    assert times.bottleneck_ns >= bottleneck_bound_ns(hybrid, messages, len(circuits))


def test_conversations_share_parallel_circuits_and_each_stays_on_one():
    circuits = Circuits(((0, 4),) * 3)
    loads = FluidModel(SMALL, dense(8, seed=2).message_list()).loads(circuits)
    single = FluidModel(SMALL, dense(8, seed=2).message_list()).loads(Circuits(((0, 4),)))
    assert sum(loads.ahead) == single.ahead[0]
    assert sum(loads.back) == single.back[0]
    assert max(loads.ahead) < single.ahead[0]
    matrix = np.zeros((8, 8), dtype=int)
    matrix[1, 5] = 1_250_000  # a single conversation: a millisecond at 10 Gbit/s
    one_conversation = FluidModel(SMALL, from_matrix(matrix).message_list()).loads(circuits)
    assert sorted(one_conversation.ahead) == [0, 0, 1_250_000]


@for_each("parallel", [2, 3, 4, 8])
def test_many_conversations_are_spread_evenly(parallel):
    circuits = Circuits(((0, 64),) * parallel)
    taken = Counter(circuits.circuit_index(0, 64, s, d) for s in range(64) for d in range(64, 128))
    assert set(taken) == set(range(parallel))
    assert max(taken.values()) < 1.1 * 64 * 64 / parallel
