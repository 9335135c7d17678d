"""Fat-trees and two-level trees as special cases of extended generalised ones, with and without parallel cables."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Network, Site
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.routing import channel_cycle, hops, leaf_spine_routes, links_of_route
from isoplane.objectives.general import all_to_all_loads

ROUTINGS = [("d_mod_k", 1), ("random", 1), ("random", 5)]


@pytest.mark.parametrize(("routing", "seed"), ROUTINGS)
@pytest.mark.parametrize(
    ("k", "cables"), [(2, 1), (4, 1), (6, 1), (4, 2), (4, (1, 2)), (4, (2, 1)), (12, (2, 3)), (12, (3, 2)), (6, (1, 3))]
)
def test_the_fat_tree_of_identical_switches_is_a_special_case(k, cables, routing, seed):
    half = k // 2
    special = FatTree(k, routing=routing, seed=seed, cables_per_pair=cables)
    lower, upper = np.broadcast_to(cables, 2).tolist()
    pod, groups = half // lower, half // upper
    tree = ExtendedFatTree((half, pod, k // upper), (1, pod, groups), routing, seed, cables_per_pair=cables)
    own, (plane,) = Network(special).planes[0], Network(tree).planes
    assert (tree.nodes, tree.switches, tree.ports, tree.cables) == (
        special.nodes,
        special.switches,
        special.ports,
        special.cables,
    )
    assert set(own.ports_used.tolist()) == {k}
    # Cores are numbered differently: with g cores above aggregation switches i of P in a pod, core i g + j of the
    # fat-tree is i + j P here.
    core, first = np.arange(pod * groups), 2 * k // upper * pod
    order = np.concatenate([np.arange(first), first + core % pod * groups + core // pod])
    assert np.array_equal(own.topology.peer[order], np.where(plane.topology.peer < 0, -1, order[plane.topology.peer]))
    for leaf in range(tree.switches_by_level[0]):
        for node in range(tree.nodes):
            links = links_of_route(plane.topology, plane.routes, leaf, int(plane.routes.column[node]))
            expected = links_of_route(own.topology, own.routes, leaf, int(own.routes.column[node]))
            assert [(int(order[switch]), port) for switch, port, _ in links] == [link[:2] for link in expected]


@pytest.mark.parametrize(("routing", "seed"), ROUTINGS)
@given(st.integers(2, 6), st.integers(1, 5), st.integers(1, 6), st.integers(1, 4))
def test_the_two_level_tree_is_a_special_case(routing, seed, leaves, spines, nodes, cables):
    keys = {"routing": routing, "seed": seed, "cables_per_pair": cables}
    special = LeafSpine(leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=nodes, **keys)
    own = Network(special).planes[0]
    (plane,) = Network(ExtendedFatTree((nodes, leaves), (1, spines), **keys)).planes
    assert np.array_equal(own.topology.peer, plane.topology.peer)
    assert np.array_equal(own.topology.peer_port, plane.topology.peer_port)
    assert np.array_equal(own.node_switch, plane.node_switch)
    for switch in range(leaves):
        for node in range(leaves * nodes):
            one, other = (
                links_of_route(each.topology, each.routes, switch, int(each.routes.column[node]))
                for each in (own, plane)
            )
            assert one == other
    assert channel_cycle(own.topology, own.routes, 1) is None
    if routing == "d_mod_k" and cables == 1:  # leaves and spines in general
        general = leaf_spine_routes(own.topology, leaves, own.node_switch)
        assert np.array_equal(hops(own.topology, general)[:leaves], hops(own.topology, own.routes)[:leaves])
        for switch, node in product(range(leaves), range(leaves * nodes)):
            paths = [
                links_of_route(own.topology, each, switch, int(each.column[node])) for each in (own.routes, general)
            ]
            assert paths[0] == paths[1]


@given(st.integers(2, 5), st.integers(1, 4), st.integers(1, 7), st.integers(2, 4))
def test_parallel_cables_carry_the_loads_of_as_many_spines(leaves, spines, nodes, cables):
    trunks = LeafSpine(leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=nodes, cables_per_pair=cables)
    split = replace(trunks, spine_switches=spines * cables, cables_per_pair=1)
    assert (trunks.cables, trunks.uplinks, trunks.throughput_bound) == (
        split.cables,
        split.uplinks,
        split.throughput_bound,
    )
    loads = []
    for tree in (trunks, split):
        network = Network(tree, Site(layout=None))
        found = all_to_all_loads(network)
        load = found.load[0][found.label[0]]
        both = np.stack([load, load[network.planes[0].topology.peer, network.planes[0].topology.peer_port]])
        loads.append([np.sort(leaf, axis=1).tolist() for leaf in both[:, :leaves, : tree.uplinks].swapaxes(0, 1)])
    assert loads[0] == loads[1]


@pytest.mark.parametrize("family", [FatTree(4), LeafSpine()])
def test_old_records_of_trees_have_no_routing_and_no_seed(family):
    assert not {"routing", "seed"} & family.write()["network"].keys()
    changed = type(family).read({**family.write()["network"], "routing": "random", "seed": 3})
    assert {"routing", "seed"} <= changed.write()["network"].keys()


@pytest.mark.parametrize("family", [FatTree(8), LeafSpine(), ExtendedFatTree()])
def test_records_of_trees_without_parallel_cables_do_not_state_them(family):
    assert "cables_per_pair" not in family.write()["network"]
    changed = type(family).read({**family.write()["network"], "cables_per_pair": 2})
    assert changed.write()["network"]["cables_per_pair"] == 2
    if not isinstance(family, LeafSpine):
        assert changed == replace(changed, cables_per_pair=[2, 2])
    assert len({each.title for each in (family, changed)}) == 2
