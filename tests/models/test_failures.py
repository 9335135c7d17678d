"""Networks with failed cables and switches, against components and distances of igraph."""

from dataclasses import replace

import igraph
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network, Plane, Site, Timing, dual_cube
from isoplane.models.failures.failure_model import FailureModel
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.torus import Torus
from isoplane.models.routing import channel_cycle, forwarding_table
from isoplane.models.topologies import graph
from isoplane.objectives.general import all_to_all_loads, pairs_at_distances
from isoplane.objectives.reference import measure_general
from tests.assembled import assembled
from tests.cases import for_each
from tests.models.graphs import distances, graph_of
from tests.objectives.general.networks import random_rails

NETWORKS = [
    Network(Torus(shape=(4, 3))),
    Network(Mesh(shape=(3, 3), nodes_per_switch=2, node_cable_m=1.0)),
    Network(LeafSpine(leaf_switches=5, spine_switches=3, nodes_per_leaf=3)),
    Network(FatTree(switch_ports=4)),
    Network(FatTree(switch_ports=8, cables_per_pair=(2, 4))),
    Network(Dragonfly(nodes_per_switch=1, switches_per_group=3, global_ports=1, groups=4)),
    dual_cube(3, (3, 5, 7), nodes_per_switch=2),
    dual_cube(3, (1, 2, 4), folded=True, nodes_per_switch=1),
    random_rails(3),
    random_rails(8),
]


def failures(network, seed):
    """Draw some cables, switches and links of nodes to fail, up to a third of each."""
    rng, model = np.random.default_rng(seed), FailureModel(network)
    cables = rng.permutation(model.cables)[: rng.integers(model.cables // 3 + 1)]
    switches = rng.permutation(model.switches)[: rng.integers(model.switches // 3 + 1)]
    links = sum(len(plane.node_switch) for plane in network.planes)
    return cables, switches, rng.permutation(links)[: rng.integers(links // 3 + 1)]


def failed_links(network, node_links):
    """Whether each link of a node fails, by plane."""
    sizes = [len(plane.node_switch) for plane in network.planes]
    return np.split(np.isin(np.arange(sum(sizes)), node_links), np.cumsum(sizes)[:-1])


def remaining_graphs(network, cables, switches, failed):
    """Return, per plane, the igraph component with the most node links, as a graph of named switches."""
    first_cable = first_switch = 0
    for plane, is_failed in zip(network.planes, failed, strict=True):
        whole = graph_of(plane.topology)
        whole.vs["id"] = range(whole.vcount())
        ends = sorted(
            (min(a, b), int(port))
            for (a, port), b in np.ndenumerate(plane.topology.peer)
            if b >= 0 and (a, port) < (b, plane.topology.peer_port[a, port])
        )
        failed = [ends[cable - first_cable] for cable in cables if 0 <= cable - first_cable < len(ends)]
        whole.delete_edges([whole.get_eid(a, int(plane.topology.peer[a, port])) for a, port in set(failed)])
        gone = {switch - first_switch for switch in switches}
        whole.delete_vertices([switch for switch in range(plane.topology.switches) if switch in gone])
        links = np.bincount(plane.node_switch[~is_failed], minlength=plane.topology.switches)
        parts = whole.connected_components().subgraphs()
        counts = [int(links[part.vs["id"]].sum()) for part in parts]
        best = max(range(len(parts)), key=lambda i: (counts[i], -min(parts[i].vs["id"]))) if parts else None
        yield parts[best] if parts and counts[best] else igraph.Graph(0, vertex_attrs={"id": []})
        first_cable, first_switch = first_cable + len(ends), first_switch + plane.topology.switches


def is_simple(network):
    return all(graph_of(plane.topology).is_simple() for plane in network.planes)


@given(st.sampled_from([network for network in NETWORKS if is_simple(network)]), st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=60)
def test_what_remains_is_the_largest_component_of_every_plane(network, seed):
    cables, switches, node_links = failures(network, seed)
    found = FailureModel(network).after(cables, switches, node_links)
    failed = failed_links(network, node_links)
    graphs = list(remaining_graphs(network, cables, switches, failed))
    reached = [set(part.vs["id"]) for part in graphs]
    attached = [
        [
            any(
                int(plane.node_switch[link]) in part and not is_failed[link]
                for link in range(plane.starts[node], plane.starts[node + 1])
            )
            for plane, part, is_failed in zip(network.planes, reached, failed, strict=True)
        ]
        for node in range(network.nodes)
    ]
    for one in found.nodes:
        for other in found.nodes:
            assert np.any(np.array(attached[one]) & attached[other])
    if len(network.planes) == 1:
        assert found.nodes.tolist() == [node for node, (link,) in enumerate(attached) if link]
    assert found.lost == network.nodes - len(found.nodes)
    if found.network is None:
        return
    sizes = [(part.vcount(), part.ecount()) for part in graphs if part.vcount()]
    planes = [(plane.topology.switches, graph_of(plane.topology).ecount()) for plane in found.network.planes]
    assert [size for size in sizes if size in planes] == planes
    for plane in found.network.planes:
        assert channel_cycle(plane.topology, plane.routes, plane.routes.channels.classes) is None


@given(st.sampled_from(NETWORKS), st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=60)
def test_the_remaining_network_has_the_loads_and_distances_of_the_reference(network, seed):
    found = FailureModel(network).after(*failures(network, seed)).network
    if found is None:
        return
    reference = measure_general(Network(found.family, Site(layout=None)))
    loads = all_to_all_loads(found)
    assert loads.peak == reference.peak_load * loads.peak_parts
    assert len(pairs_at_distances(found)) - 1 == reference.diameter


@for_each("network", NETWORKS)
def test_without_failures_all_routes_are_kept(network):
    same = FailureModel(network).after()
    assert same.nodes.tolist() == list(range(network.nodes))
    before, after = all_to_all_loads(network), all_to_all_loads(same.network)
    assert (after.peak, after.parts) == (before.peak, before.parts)
    assert pairs_at_distances(same.network) == pairs_at_distances(network)
    for old, new in zip(network.planes, same.network.planes, strict=True):
        assert np.array_equal(old.topology.peer, new.topology.peer)
        assert np.array_equal(old.cable_mm, new.cable_mm)
        assert np.array_equal(old.node_switch, new.node_switch)
        assert old.node_cable_mm == new.node_cable_mm
    assert (same.network.site, same.network.policy) == (network.site, network.policy)


def test_routes_without_a_failed_cable_do_not_change():
    # Links that carry no more than before the failure are not relieved; packets detour around one cable of a 5-ring.
    ring = Network(Torus(shape=(5,), nodes_per_switch=1, node_cable_m=1.0, datelines=False, routing="shortest"))
    before = ring.planes[0].routes.next_port
    (plane,) = FailureModel(ring).after(cables=[0]).network.planes  # 0 - 1
    after = plane.routes.next_port
    assert (plane.topology.peer >= 0).sum() == 8
    kept = [(2, 3), (3, 2), (2, 4), (4, 2), (3, 4), (4, 3), (1, 2), (2, 1), (0, 4), (4, 0), (0, 3), (3, 0)]
    assert all(before[pair] == after[pair] for pair in kept)
    assert distances(plane.topology).max() == 4


def test_the_smaller_set_of_nodes_without_a_common_plane_is_lost():
    # Plane 0 loses switch 0 with nodes 0 and 1, plane 1 switch 2 with node 2: nodes 0 and 1 cannot reach node 2.
    topology = graph([(0, 1), (1, 2), (2, 0)])
    plane = Plane(
        topology, np.zeros((3, 2)), np.array([0, 0, 2, 1, 1], dtype=np.int32), 1000, routes=forwarding_table(topology)
    )
    found = FailureModel(assembled("two", (plane, plane))).after(switches=[0, 3 + 2])
    assert found.nodes.tolist() == [0, 1, 3, 4]
    assert [np.diff(each.starts).tolist() for each in found.network.planes] == [[0, 0, 1, 1], [1, 1, 1, 1]]


def test_a_plane_without_a_share_does_not_connect_nodes():
    (plane,) = Network(Torus(shape=(4,), node_cable_m=1.0)).planes
    network = assembled("two", (plane, plane), (1, 0))
    assert FailureModel(network).after(switches=[0, 1, 2, 3]).network is None
    assert FailureModel(network).after(switches=[4, 5, 6, 7]).network.policy == (1,)


def test_rates_and_delays_follow_their_cables_and_nodes():
    topology = graph([(0, 1), (1, 2), (2, 3), (3, 0)])
    rate = 100 + np.add.outer(np.arange(4), np.zeros(2, dtype=int)) + np.where(topology.peer >= 0, topology.peer, 0)
    timing = Timing(rate, np.arange(1, 5), rate * 2, np.arange(4) * 3, np.arange(4) * 7)
    plane = Plane(topology, rate * 0, np.arange(4, dtype=np.int32), 0, timing=timing, routes=forwarding_table(topology))
    (left,) = FailureModel(assembled("ring", (plane,))).after(switches=[1]).network.planes
    assert left.timing.node_rate_mbps.tolist() == [1, 3, 4]
    assert left.timing.node_delay_ps.tolist() == [0, 6, 9]
    assert left.timing.switch_delay_ps.tolist() == [0, 14, 21]
    assert sorted(left.timing.rate_mbps.ravel().tolist()) == [0, 0, 103, 103, 105, 105]  # 0 - 3 and 2 - 3
    direct = replace(plane, node_cable_mm=None, timing=Timing(rate))
    (left,) = FailureModel(assembled("direct", (direct,))).after(switches=[1]).network.planes
    assert (left.node_cable_mm, left.timing.node_rate_mbps.tolist()) == (0, [105] * 3)  # the fastest link, 2 - 3
