"""Trees and other networks of leaves and spines: definitions, routes, special cases and the counts of papers."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from math import prod

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.mathematics.finite_field import prime_power
from isoplane.models.routing import leaf_spine_routes, links_of_route
from tests.cases import for_each
from tests.models.families.members import extended_trees, fat_trees, full_meshes, orthogonal_trees
from tests.models.trees import split_mix_64, three_levels


def digits(number, radices):
    """Return the mixed-radix digits of a number, the lowest first."""
    found = []
    for radix in radices:
        found.append(number % radix)
        number //= radix
    return found


def labels(tree):
    """Return (level, label) of each switch: digits 1 to l number the switches of a subtree, the others the subtree."""
    found = []
    for level, size in enumerate(tree.switches_by_level, 1):
        radices = (*tree.parents[:level], *tree.children[level:])
        found += [(level, tuple(digits(number, radices))) for number in range(size)]
    return found


@given(extended_trees(150))
def test_switches_of_adjacent_levels_have_a_cable_if_their_labels_agree_in_all_other_digits(tree):
    # The definition: vertices of level l have m digits above l and w digits up to l, and edges from level l to l + 1
    # change digit l + 1 only. The pairs of labels with this property are as many as the cables without parallel ones.
    (plane,) = Network(tree).planes
    label = labels(tree)
    cables = Counter((a, b) for a, peers in enumerate(plane.topology.peer.tolist()) for b in peers if a < b)
    assert sum(cables.values()) == tree.cables
    assert len(cables) == replace(tree, cables_per_pair=1).cables
    for (child, parent), count in cables.items():
        (level, low), (upper, high) = label[child], label[parent]
        assert count == tree.parallel_cables[level]
        assert upper == level + 1
        assert [i for i, (a, b) in enumerate(zip(low, high, strict=True), 1) if a != b] in ([], [level + 1])
    assert [label[leaf][1][1:] for leaf in plane.node_switch] == [
        tuple(digits(node, tree.children)[1:]) for node in range(tree.nodes)
    ]


@settings(max_examples=40)
@given(extended_trees())
def test_routes_go_up_by_the_digits_of_the_choice_and_down_again(tree):
    (plane,) = Network(tree).planes
    topology, routes, label = plane.topology, plane.routes, labels(tree)
    choices = range(tree.nodes) if tree.routing == "d_mod_k" else split_mix_64(tree.nodes, tree.seed)
    for node in range(tree.nodes):
        place, root = digits(node, tree.children), digits(choices[node] % prod(tree.parents), tree.parents)
        for leaf in range(tree.switches_by_level[0]):
            own, passed = label[leaf][1], [leaf]
            for switch, port, _ in links_of_route(topology, routes, leaf, int(routes.column[node])):
                passed.append(int(topology.peer[switch, port]))
                # Of parallel cables, in the order of ports, the one by the digit after those that select the parent.
                level = min(label[switch][0], label[passed[-1]][0])
                cable = choices[node] // prod(tree.parents[: level + 1]) % tree.parallel_cables[level]
                assert np.flatnonzero(topology.peer[switch] == passed[-1]).tolist().index(port) == cable
            # The lowest common ancestors are at the highest level whose digit differs.
            top = max((i for i in range(1, tree.levels) if own[i] != place[i]), default=0)
            up = [(i + 1, (*root[: i + 1], *own[i + 1 :])) for i in range(top + 1)]
            down = [(i + 1, (*root[: i + 1], *place[i + 1 :])) for i in reversed(range(top))]
            assert [label[switch] for switch in passed] == up + down


def test_routes_of_65536_nodes_take_less_than_16_megabytes():
    (plane,) = Network(ExtendedFatTree((32, 32, 64), (1, 32, 32))).planes
    routes = plane.routes
    assert (plane.nodes, plane.topology.switches) == (65536, 5120)
    assert routes.next_port.nbytes + routes.row.nbytes + routes.column.nbytes + routes.target_switch.nbytes < 16e6


def route(plane, leaf, node):
    """The switches and ports of the route from a leaf to a node."""
    links = links_of_route(plane.topology, plane.routes, leaf, int(plane.routes.column[node]))
    return [(switch, port) for switch, port, _ in links]


@given(
    st.sampled_from([("d_mod_k", 1), ("random", 1), ("random", 5)]),
    st.tuples(st.integers(2, 6), st.integers(1, 5), st.integers(1, 6), st.integers(1, 4)),
)
def test_the_two_level_tree_is_a_special_case(rule, sizes):
    leaves, spines, nodes, cables = sizes
    keys = {"routing": rule[0], "seed": rule[1], "cables_per_pair": cables}
    special = LeafSpine(leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=nodes, **keys)
    own = Network(special).planes[0]
    (plane,) = Network(ExtendedFatTree((nodes, leaves), (1, spines), **keys)).planes
    assert np.array_equal(own.topology.peer, plane.topology.peer)
    assert np.array_equal(own.topology.peer_port, plane.topology.peer_port)
    assert np.array_equal(own.node_switch, plane.node_switch)
    pairs = list(product(range(leaves), range(leaves * nodes)))
    assert [route(own, *pair) for pair in pairs] == [route(plane, *pair) for pair in pairs]
    if rule[0] == "d_mod_k" and cables == 1:  # leaves and spines in general
        general = replace(own, routes=leaf_spine_routes(own.topology, leaves, own.node_switch))
        assert [route(own, *pair) for pair in pairs] == [route(general, *pair) for pair in pairs]


@given(fat_trees())
def test_a_fat_tree_matches_an_independent_construction(family):
    seed = family.seed if family.routing == "random" else None
    cables = np.broadcast_to(family.cables_per_pair, 2)
    topology, table, node_switch = three_levels(family.switch_ports, *cables, seed)
    (plane,) = Network(family).planes
    assert np.array_equal(plane.node_switch, node_switch)
    assert np.array_equal(plane.topology.peer, topology.peer)
    assert np.array_equal(plane.topology.peer_port, topology.peer_port)
    routes = plane.routes
    others = np.arange(topology.switches)[:, None] != node_switch  # entries for a switch's own nodes do not count
    assert np.array_equal(routes.next_port[routes.row][:, routes.column][others], table[others])


@for_each("d", range(2, 37))
def test_servers_and_switches_are_those_of_the_paper(d):
    tree = LeafSpine(leaf_switches=2 * d, spine_switches=d, nodes_per_leaf=d)
    assert (tree.nodes, tree.switches, tree.ports) == (2 * d**2, 3 * d, 2 * d)
    mesh = FullMesh(layers=d, uplinks=d, nodes_per_leaf=d)
    assert (mesh.nodes, 2 * mesh.switches, mesh.ports) == (d**2 * (d + 1), 3 * d * (d + 1), 2 * d)
    if prime_power(d - 1):
        tree = OrthogonalFatTree(q=d - 1, sides=2, nodes_per_leaf=d)
        assert (tree.nodes, tree.switches) == (2 * d**3 - 2 * d**2 + 2 * d, 3 * d**2 - 3 * d + 3)
        assert tree.ports == 2 * d


@given(orthogonal_trees)
def test_two_points_share_one_spine_and_twins_share_all(family):
    spines = [set(row) for row in family.spines_of_leaves().tolist()]
    for one, other in combinations(range(family.leaves), 2):
        twins = (other - one) % family.spines == 0
        assert len(spines[one] & spines[other]) == (family.q + 1 if twins else 1)


@given(full_meshes)
def test_two_positions_share_one_spine_in_all_layers(family):
    spines = [set(row) for row in family.spines_of_leaves().tolist()]
    size = family.uplinks + 1
    for one, other in combinations(range(family.leaves), 2):
        assert len(spines[one] & spines[other]) == (family.uplinks if one % size == other % size else 1)
