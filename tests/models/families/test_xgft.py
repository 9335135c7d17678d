"""Extended generalised fat-trees: their definition and routes, and the trees that are special cases."""

from collections import Counter
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.routing import leaf_spine_routes, links_of_route, shared_tables
from tests.cases import for_each
from tests.models.families.members import extended_trees, fat_trees
from tests.models.trees import split_mix_64


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


@given(extended_trees(150))
def test_rows_are_shared_by_all_switches_of_a_subtree_and_by_those_of_level_1(tree):
    (plane,) = Network(tree).planes
    routes = plane.routes
    rows, columns = routes.next_port.shape
    assert rows == 1 + sum(prod(tree.children[level:]) for level in range(2, tree.levels + 1))
    assert columns <= tree.nodes
    full = routes.next_port[routes.row][:, routes.column]
    shared = shared_tables(full, plane.node_switch)
    assert shared.next_port.shape[0] <= rows
    assert shared.next_port.shape[1] <= columns


def test_routes_of_65536_nodes_take_less_than_16_megabytes():
    (plane,) = Network(ExtendedFatTree((32, 32, 64), (1, 32, 32))).planes
    routes = plane.routes
    assert (plane.nodes, plane.topology.switches) == (65536, 5120)
    assert routes.next_port.nbytes + routes.row.nbytes + routes.column.nbytes + routes.target_switch.nbytes < 16e6


def same_ends(plane, other, order):
    """Whether both planes have the same cables, with the switches of the second in an order."""
    return np.array_equal(plane.topology.peer[order], np.where(other.topology.peer < 0, -1, order[other.topology.peer]))


def route(plane, leaf, node):
    """The switches and ports of the route from a leaf to a node."""
    links = links_of_route(plane.topology, plane.routes, leaf, int(plane.routes.column[node]))
    return [(switch, port) for switch, port, _ in links]


@settings(max_examples=15)
@given(fat_trees())
def test_the_fat_tree_of_identical_switches_is_a_special_case(special):
    k, half = special.switch_ports, special.switch_ports // 2
    lower, upper = np.broadcast_to(special.cables_per_pair, 2).tolist()
    pod, groups = half // lower, half // upper
    keys = {"routing": special.routing, "seed": special.seed, "cables_per_pair": special.cables_per_pair}
    tree = ExtendedFatTree((half, pod, k // upper), (1, pod, groups), **keys)
    own, (plane,) = Network(special).planes[0], Network(tree).planes
    # Cores are numbered differently: with g cores above aggregation switches i of P in a pod, core i g + j of the
    # fat-tree is i + j P here.
    core, first = np.arange(pod * groups), 2 * k // upper * pod
    order = np.concatenate([np.arange(first), first + core % pod * groups + core // pod])
    assert same_ends(own, plane, order)
    for leaf, node in product(range(tree.switches_by_level[0]), range(0, tree.nodes, max(1, tree.nodes // 40))):
        assert [(int(order[switch]), port) for switch, port in route(plane, leaf, node)] == route(own, leaf, node)


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
    assert same_ends(own, plane, np.arange(leaves + spines))
    assert np.array_equal(own.topology.peer_port, plane.topology.peer_port)
    assert np.array_equal(own.node_switch, plane.node_switch)
    pairs = list(product(range(leaves), range(leaves * nodes)))
    assert [route(own, *pair) for pair in pairs] == [route(plane, *pair) for pair in pairs]
    if rule[0] == "d_mod_k" and cables == 1:  # leaves and spines in general
        general = replace(own, routes=leaf_spine_routes(own.topology, leaves, own.node_switch))
        assert [route(own, *pair) for pair in pairs] == [route(general, *pair) for pair in pairs]


@for_each("family", [FatTree(8), LeafSpine(), ExtendedFatTree()])
def test_records_of_trees_state_only_what_differs_from_old_ones(family):
    absent = {"cables_per_pair"} | ({"routing", "seed"} if not isinstance(family, ExtendedFatTree) else set())
    assert not absent & family.write()["network"].keys()
    changed = type(family).read({**family.write()["network"], "routing": "random", "seed": 3, "cables_per_pair": 2})
    assert absent <= changed.write()["network"].keys()
    if not isinstance(family, LeafSpine):
        assert changed == replace(changed, cables_per_pair=[2, 2])
    assert len({each.title for each in (family, replace(family, cables_per_pair=2))}) == 2
