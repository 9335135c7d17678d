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


@given(ports, st.sampled_from([5, 2.5]))
def test_formulas_match_the_plane(k, cable_m):
    family = FatTree(switch_ports=k, cable_m=cable_m)
    (plane,) = Network(family, Site()).planes
    assert len(plane.node_switch) == family.nodes == k**3 // 4
    assert plane.topology.switches == family.switches == 5 * k**2 // 4
    assert (plane.topology.peer >= 0).sum() // 2 == family.cables
    assert set(plane.ports_used.tolist()) == {family.ports} == {k}


@given(ports)
def test_a_written_family_is_read_back(k):
    written = FatTree(switch_ports=k).write()
    keys = {**written["network"], "nodes_per_switch": written["nodes_per_switch"]}
    assert family_named(keys["family"]).read(keys) == FatTree(switch_ports=k)


@given(ports)
def test_a_fat_tree_matches_an_independent_construction(k):
    topology, table, node_switch = three_levels(k)
    (plane,) = Network(FatTree(switch_ports=k)).planes
    assert np.array_equal(plane.node_switch, node_switch)
    assert np.array_equal(plane.topology.peer, topology.peer)
    routes = plane.routes
    others = np.arange(topology.switches)[:, None] != node_switch  # entries for a switch's own nodes do not count
    assert np.array_equal(routes.next_port[routes.row][:, routes.column][others], table[others])


@pytest.mark.parametrize("k", [2, 4, 8])
def test_routes_are_deadlock_free_shortest_paths(k):
    (plane,) = Network(FatTree(switch_ports=k)).planes
    shortest = hops(plane.topology, forwarding_table(plane.topology))
    assert np.array_equal(hops(plane.topology, plane.routes), shortest[:, plane.routes.target_switch])
    assert channel_cycle(plane.topology, plane.routes, 1) is None


@pytest.mark.parametrize("k", [4, 8, 16])
def test_all_links_of_a_level_have_equal_load(k):
    # The uplinks of an edge switch share the traffic that leaves it: k/2 · (N - k/2) over k/2 links. Those of the
    # aggregation switches of a pod share the traffic that leaves the pod: (k/2)² · (N - (k/2)²) over (k/2)² links.
    network = Network(FatTree(switch_ports=k), Site(layout=None))
    half, nodes = k // 2, network.nodes
    (load,) = all_to_all_loads(network).load
    edges = k * half
    assert set(load[:edges, :half].ravel().tolist()) == {nodes - half}
    assert set(load[edges : 2 * edges, half:].ravel().tolist()) == {nodes - half**2}
    # Distances: 0 to k/2 nodes, 2 to the rest of the pod, 4 to all others.
    pairs = [nodes * half, 0, nodes * (half**2 - half), 0, nodes * (nodes - half**2)]
    assert list(all_distances(network).pairs) == pairs


def test_the_reference_agrees():
    for k in (2, 4, 6):
        network = Network(FatTree(switch_ports=k))
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
    ],
)
def test_an_invalid_fat_tree_is_rejected(keys, message):
    with pytest.raises(InputError, match=message):
        FatTree(**keys)
