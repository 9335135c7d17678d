"""Throughput of jobs, against routes walked one by one, and cables that change when a network grows."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network, Site, dual_cube
from isoplane.models.failures.node_subsets import with_nodes
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.graph import Graph
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.torus import Torus
from isoplane.objectives.failures import throughput_per_node
from isoplane.objectives.scale.growth import cables_moved, level_map
from isoplane.objectives.scale.jobs import job_throughput, quarter_job
from tests.assembled import assembled
from tests.cases import for_each, require_refusal
from tests.models.graphs import graph_of, offset
from tests.objectives.general.networks import random_rails
from tests.strategies import connected_edges

NETWORKS = [
    Network(Torus(shape=(4, 3))),
    Network(Torus(shape=(4, 3), nodes_per_switch=2, node_cable_m=1.0)),
    Network(FatTree(switch_ports=4)),
    Network(LeafSpine(leaf_switches=3, spine_switches=2, nodes_per_leaf=4)),
    Network(Dragonfly()),
    dual_cube(3, (3, 5, 7), nodes_per_switch=2, layout=None),
    Network(FatTree(switch_ports=8, cables_per_pair=(2, 4))),
]


def links_between(plane, source, destination):
    """Return the links of the route between two nodes with one link each."""
    routes, here, end = plane.routes, int(plane.node_switch[source]), int(plane.node_switch[destination])
    target = end if routes.column is None else int(routes.column[destination])
    found = []
    while here != end:
        column = target if routes.column is not None else offset(routes, here, end)
        found.append((here, int(routes.next_port[routes.row[here], column])))
        here = int(plane.topology.peer[found[-1]])
    return found


def brute_force(network, nodes):
    """Return the throughput of a job by following every route, in the nearest planes."""
    load = [np.zeros(plane.topology.peer.shape, dtype=object) for plane in network.planes]
    for source in nodes:
        for destination in nodes:
            routes = [links_between(plane, source, destination) for plane in network.planes]
            shortest = min(map(len, routes))
            used = [number for number, route in enumerate(routes) if len(route) == shortest]
            for number in used:
                for link in routes[number]:
                    load[number][link] += Fraction(1, len(used))
    peak = max(each.max() for each in load)
    return Fraction(len(nodes)) / peak if peak else None


@given(st.sampled_from(NETWORKS), st.data())
@settings(deadline=None, max_examples=60)
def test_a_job_has_the_throughput_of_its_routes(network, data):
    nodes = data.draw(st.lists(st.integers(0, network.nodes - 1), min_size=1, max_size=10, unique=True))
    assert job_throughput(network, nodes) == brute_force(network, nodes)


@for_each("network", [*NETWORKS, random_rails(5)])
def test_a_job_on_all_nodes_is_all_to_all(network):
    assert job_throughput(network, range(network.nodes)) == throughput_per_node(network)


def test_a_job_at_one_switch_uses_no_link_between_switches():
    tree = NETWORKS[3]
    assert job_throughput(tree, [0, 1, 2, 3]) is None
    # 4 leaves of 4 nodes: each quarter is a leaf.
    together, scattered = quarter_job(Network(LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=4)))
    assert together is None
    assert scattered > 0


def test_quarters_of_a_network_are_its_consecutive_nodes():
    for network in NETWORKS:
        size = network.nodes // 4
        jobs = [brute_force(network, range(first, first + size)) for first in range(0, 4 * size, size)]
        used = [throughput for throughput in jobs if throughput is not None]
        assert quarter_job(network)[0] == (sum(used) / len(used) if used else None)


def test_the_seed_decides_the_scattered_jobs():
    one, same, other = (quarter_job(NETWORKS[4], seed) for seed in (1, 1, 2))
    assert one == same
    assert one[0] == other[0]
    assert one[1] != other[1]


def test_links_of_the_other_nodes_are_removed():
    network = random_rails(5)
    nodes = [0, network.nodes - 1]
    part = with_nodes(network, nodes)
    kept = [plane for plane in network.planes if np.isin(plane.node, nodes).any()]
    for before, after in zip(kept, part.planes, strict=True):
        for new, old in enumerate(nodes):
            links = slice(before.starts[old], before.starts[old + 1])
            found = slice(after.starts[new], after.starts[new + 1])
            assert after.node_switch[found].tolist() == before.node_switch[links].tolist()
            if before.timing.node_rate_mbps is not None:
                rates = before.timing.node_rate_mbps[links], after.timing.node_rate_mbps[found]
                assert rates[0].tolist() == rates[1].tolist()
    assert part.site == Site(layout=network.site.layout, prices=network.site.prices)


@for_each(
    ("call", "message"),
    [
        (lambda: job_throughput(NETWORKS[0], [0, 12]), "nodes=12: expected an integer from 0 to 11"),
        (lambda: job_throughput(NETWORKS[0], [0, 0]), "nodes: 2, of which 1 differ; expected different nodes"),
        (lambda: job_throughput(NETWORKS[0], []), "nodes: float64 of shape (0,); expected a list of different"),
        (lambda: quarter_job(Network(Torus(shape=(7,)))), "network.nodes=7: expected at least 8 nodes for jobs on a"),
    ],
)
def test_invalid_jobs_are_rejected_in_one_line(call, message):
    require_refusal(call, f"^{message}")


def network_of(edges):
    return Network(Graph(edges=tuple(edges)))


def common_cables(old, new, switch_map):
    """Return the cables that both planes have between the same switches, by the multiplicities of igraph."""
    before, after = (np.array(graph_of(plane.topology).get_adjacency().data) for plane in (old, new))
    kept = 0
    for a in range(len(before)):
        for b in range(a):
            if min(switch_map[a], switch_map[b]) >= 0:
                kept += min(before[a, b], after[switch_map[a], switch_map[b]])
    return kept


@given(connected_edges(8), connected_edges(8), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_kept_cables_are_those_between_the_same_switches(before, after, random):
    old, new = network_of(before), network_of(after)
    sizes = old.family.switches, new.family.switches
    switch_map = [*range(sizes[1]), *[-1] * sizes[0]]
    random.shuffle(switch_map)
    for given_map in (None, (switch_map[: sizes[0]],)):
        maps = [[i if i < sizes[1] else -1 for i in range(sizes[0])]] if given_map is None else given_map
        found = cables_moved(old, new, given_map)
        assert found["kept"] == max(common_cables(old.planes[0], new.planes[0], each) for each in maps)
        assert found["kept"] + found["moved"] + found["removed"] == len(before)
        assert found["kept"] + found["moved"] + found["added"] == len(after)
        assert min(found["added"], found["removed"]) == 0


def test_new_leaves_of_a_tree_move_no_cable():
    # Spines keep their order although their numbers shift; each new leaf adds a cable to each of 3 spines.
    old, new = (Network(LeafSpine(leaf_switches=leaves, spine_switches=3)) for leaves in (4, 6))
    assert level_map(old.planes[0], new.planes[0]).tolist() == [0, 1, 2, 3, 6, 7, 8]
    assert cables_moved(old, new) == {"kept": 12, "moved": 0, "added": 6, "removed": 0}
    assert cables_moved(new, old) == {"kept": 12, "moved": 0, "added": 0, "removed": 6}


def test_planes_are_matched_by_their_index():
    old, new = dual_cube(3, (1, 2, 4)), dual_cube(3, (1, 2, 7))
    # Generator 4 of plane 1 becomes 7: its 4 cables move; those of 1 and 2 and all of plane 0 are kept.
    assert cables_moved(old, new) == {"kept": 20, "moved": 4, "added": 0, "removed": 0}
    one = assembled("one plane", old.planes[:1])
    assert cables_moved(one, old) == {"kept": 12, "moved": 0, "added": 12, "removed": 0}
    assert cables_moved(old, one) == {"kept": 12, "moved": 0, "added": 0, "removed": 12}


@for_each(
    ("switch_map", "message"),
    [
        ((), "switch_map[0]: none; expected a map for each plane"),
        (([0, 1],), "switch_map[0]: an array of shape (2,); expected 3 switches"),
        *((([0, 1, last],), "switch_map[0]: expected different switches from 0 to 3, or -1") for last in (1, 4, -2)),
    ],
)
def test_an_invalid_map_is_rejected_in_one_line(switch_map, message):
    old, new = Network(Torus(shape=(3,))), Network(Torus(shape=(4,)))
    require_refusal(lambda: cables_moved(old, new, switch_map), f"^{message}$")
