"""Three-level fat-trees: structure, load balance, and memory of their routes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Network, Site, family_named
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.routing import channel_cycle, forwarding_table, hops
from isoplane.objectives import metrics_of
from isoplane.objectives.general import all_distances, all_to_all_loads
from isoplane.objectives.reference import reference_metrics
from tests.models.trees import three_levels

ports = st.integers(1, 5).map(lambda half: 2 * half)


@st.composite
def trunks(draw):
    """Draw the ports of a switch, and numbers of parallel cables of both levels that divide half of them."""
    half = draw(st.integers(1, 8))
    divisors = [number for number in range(1, half + 1) if half % number == 0]
    return 2 * half, draw(st.sampled_from(divisors)), draw(st.sampled_from(divisors))


@given(trunks(), st.sampled_from([5, 2.5]))
def test_formulas_match_the_plane(sizes, cable_m):
    k, lower, upper = sizes
    family = FatTree(switch_ports=k, cable_m=cable_m, cables_per_pair=(lower, upper))
    (plane,) = Network(family, Site()).planes
    assert len(plane.node_switch) * lower * upper == family.nodes * lower * upper == k**3 // 4
    assert plane.topology.switches * lower * upper == family.switches * lower * upper == 5 * k**2 // 4
    assert (plane.topology.peer >= 0).sum() // 2 == family.cables
    assert set(plane.ports_used.tolist()) == {family.ports} == {k}


@given(ports)
def test_a_written_family_is_read_back(k):
    written = FatTree(switch_ports=k).write()
    keys = {**written["network"], "nodes_per_switch": written["nodes_per_switch"]}
    assert family_named(keys["family"]).read(keys) == FatTree(switch_ports=k)


@given(trunks())
def test_a_fat_tree_matches_an_independent_construction(sizes):
    topology, table, node_switch = three_levels(*sizes)
    (plane,) = Network(FatTree(switch_ports=sizes[0], cables_per_pair=sizes[1:])).planes
    assert np.array_equal(plane.node_switch, node_switch)
    assert np.array_equal(plane.topology.peer, topology.peer)
    assert np.array_equal(plane.topology.peer_port, topology.peer_port)
    routes = plane.routes
    others = np.arange(topology.switches)[:, None] != node_switch  # entries for a switch's own nodes do not count
    assert np.array_equal(routes.next_port[routes.row][:, routes.column][others], table[others])


@pytest.mark.parametrize(("k", "cables"), [(2, 1), (4, 1), (8, 1), (8, 2), (8, (1, 4)), (8, (4, 1))])
def test_routes_are_deadlock_free_shortest_paths(k, cables):
    (plane,) = Network(FatTree(switch_ports=k, cables_per_pair=cables)).planes
    shortest = hops(plane.topology, forwarding_table(plane.topology))
    assert np.array_equal(hops(plane.topology, plane.routes), shortest[:, plane.routes.target_switch])
    assert channel_cycle(plane.topology, plane.routes, 1) is None


@pytest.mark.parametrize(("k", "lower", "upper"), [(4, 1, 1), (8, 1, 1), (16, 1, 1), (12, 2, 3), (8, 1, 4), (8, 4, 1)])
def test_all_links_of_a_level_have_equal_load(k, lower, upper):
    # The uplinks of an edge switch share the traffic that leaves it: k/2 · (N - k/2) over k/2 links. Those of the
    # aggregation switches of a pod of M nodes share the traffic that leaves the pod: M · (N - M) over M links.
    network = Network(FatTree(switch_ports=k, cables_per_pair=(lower, upper)), Site(layout=None))
    half, nodes = k // 2, network.nodes
    (load,) = all_to_all_loads(network).load
    edges, pod = nodes // half, half**2 // lower
    assert set(load[:edges, :half].ravel().tolist()) == {nodes - half}
    assert set(load[edges : 2 * edges, half:].ravel().tolist()) == {nodes - pod}
    # Distances: 0 to k/2 nodes, 2 to the rest of the pod, 4 to all others.
    pairs = [nodes * half, 0, nodes * (pod - half), 0, nodes * (nodes - pod)]
    assert list(all_distances(network).pairs) == pairs


def test_the_reference_agrees():
    for k, cables in ((2, 1), (4, 1), (6, 1), (6, (1, 3)), (8, 2)):
        network = Network(FatTree(switch_ports=k, cables_per_pair=cables))
        assert metrics_of(Design(network)) == reference_metrics(network)


def test_routes_of_93312_nodes_take_less_than_16_megabytes():
    (plane,) = Network(FatTree(switch_ports=72, cable_m=5)).planes
    routes = plane.routes
    assert len(plane.node_switch) == 93312
    assert routes.next_port.nbytes + routes.row.nbytes + routes.column.nbytes + routes.target_switch.nbytes < 16e6


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"switch_ports": 5}, "network.switch_ports=5: expected an even number"),
        ({"switch_ports": 74}, "network.switch_ports=74: expected an integer from 2 to 72"),
        ({"cable_m": -1}, "network.cable_m=-1"),
        ({"cables_per_pair": 5}, "network.cables_per_pair=5: expected an integer from 1 to 4"),
        (
            {"switch_ports": 12, "cables_per_pair": (2, 4)},
            r"network.cables_per_pair=\(2, 4\): expected divisors of 6, half of the ports",
        ),
        ({"cables_per_pair": (1, 2, 1)}, r"cables_per_pair=\[1, 2, 1\]: expected one number, or 2, one per level"),
    ],
)
def test_an_invalid_fat_tree_is_rejected(keys, message):
    with pytest.raises(InputError, match=message):
        FatTree(**keys)
