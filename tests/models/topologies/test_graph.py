import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.topologies import graph, graph_cables_mm
from tests.cases import for_each
from tests.models.graphs import graph_of

EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda edge: edge[0] != edge[1]), min_size=1)


@given(EDGES)
def test_a_topology_has_the_edges_of_its_graph(edges):
    topology = graph(edges, switches=10)
    assert sorted(graph_of(topology).get_edgelist()) == sorted((min(edge), max(edge)) for edge in edges)


@given(EDGES)
def test_the_k_th_edge_of_a_switch_is_at_port_k(edges):
    topology = graph(edges)
    for switch in range(topology.switches):
        peers = [b if a == switch else a for a, b in edges if switch in (a, b)]
        assert topology.peer[switch].tolist() == peers + [-1] * (topology.ports - len(peers))


def test_cables_have_the_lengths_of_the_edges_at_both_ends():
    edges = [(0, 1, 2.5), (1, 2), (1, 0, "0.001")]
    assert graph(edges).peer.tolist() == [[1, 1, -1], [0, 2, 0], [1, -1, -1]]
    assert graph_cables_mm(edges).tolist() == [[2500, 1, 0], [2500, 0, 1], [0, 0, 0]]


@for_each(
    ("edges", "switches", "message"),
    [
        ([], None, "edges=[]: expected a list with at least one edge"),
        ([(0, 1), (2, 2)], None, "edges=(2, 2): expected edges between two switches"),
        ([(0, 1, 2, 3)], None, "edges=(0, 1, 2, 3): expected (switch, switch) or (switch, switch, metres)"),
        ([7], None, "edges=7: expected (switch, switch) or (switch, switch, metres)"),
        ([(0, "1")], None, "edges='1': expected an integer from 0 to 1048575"),
        ([(0, 3)], 3, "edges=3: expected an integer from 0 to 2"),
        ([(0, 1)], 1, "switches=1: expected an integer from 2 to 1048576"),
        ([(0, 1)] * 65535, None, "edges: a switch with 65535 ports; expected at most 65534"),
    ],
)
def test_bad_edges_are_reported_with_the_allowed_values(edges, switches, message):
    with pytest.raises(InputError, match=re.escape(message) + "$"):
        graph(edges, switches)


def test_a_bad_length_is_reported_with_the_allowed_values():
    message = "edges.length=0.0001: expected a length in metres with at most three decimals"
    with pytest.raises(InputError, match=re.escape(message)):
        graph_cables_mm([(0, 1, 0.0001)])


def test_arrays_of_edges_are_the_same_graph_and_checked_alike():
    edges = [(0, 3), (1, 2), (3, 1), (0, 3)]
    listed, array = graph(edges, 5), graph(np.array(edges), 5)
    assert (listed.peer == array.peer).all()
    assert (listed.peer_port == array.peer_port).all()
    for wrong in ([(0, 1), (2, 2)], [(0, 5)], [(-1, 2)]):
        messages = []
        for written in (wrong, np.array(wrong)):
            with pytest.raises(InputError) as error:
                graph(written, 5)
            messages.append(str(error.value))
        assert messages[0] == messages[1]
    with pytest.raises(InputError, match=r"edges: int64 of shape \(2, 3\); expected pairs of switches"):
        graph(np.ones((2, 3), dtype=np.int64))


def test_arrays_of_all_ports_are_limited_before_they_are_made():
    hub = np.stack([np.zeros(5000, dtype=np.int64), np.arange(1, 5001)], axis=1)
    far = np.array([[0, (1 << 20) - 1]])
    with pytest.raises(
        InputError, match="edges: 1048576 switches, of which one has 5001 ports; expected a product of at"
    ):
        graph(np.concatenate([hub, far]))
