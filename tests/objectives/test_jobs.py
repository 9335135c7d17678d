"""Throughput of jobs, against routes walked one by one."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Network, Site, dual_cube
from isoplane.models.failures.node_subsets import with_nodes
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.torus import Torus
from isoplane.objectives.failures import throughput_per_node
from isoplane.objectives.scale.jobs import job_throughput, quarter_job
from tests.cases import for_each
from tests.models.graphs import offset
from tests.objectives.general.networks import random_rails

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
    quarter = quarter_job(Network(LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=4)))
    assert (quarter.nodes, quarter.together) == (4, None)
    assert quarter.scattered > 0


def test_quarters_of_a_network_are_its_consecutive_nodes():
    for network in NETWORKS:
        size = network.nodes // 4
        jobs = [brute_force(network, range(first, first + size)) for first in range(0, 4 * size, size)]
        used = [throughput for throughput in jobs if throughput is not None]
        assert quarter_job(network).together == (sum(used) / len(used) if used else None)


def test_the_seed_decides_the_scattered_jobs():
    one, same, other = (quarter_job(NETWORKS[4], seed) for seed in (1, 1, 2))
    assert one == same
    assert one.together == other.together
    assert one.scattered != other.scattered


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
        (
            lambda: job_throughput(NETWORKS[0], []),
            r"nodes: float64 of shape \(0,\); expected a list of different nodes",
        ),
        (
            lambda: quarter_job(Network(Torus(shape=(7,)))),
            "network.nodes=7: expected at least 8 nodes for jobs on a .*",
        ),
    ],
)
def test_invalid_jobs_are_rejected_in_one_line(call, message):
    with pytest.raises(InputError, match=f"^{message}$"):
        call()
