"""Extended generalised fat-trees: their definition, routes, balance, and the fat-trees that are special cases."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Network, Site, family_named
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.routing import channel_cycle, hops, links_of_route, shared_tables, xgft_heaviest_load
from isoplane.objectives import metrics_of
from isoplane.objectives.general import all_to_all_loads
from isoplane.objectives.reference import reference_metrics
from tests.models.graphs import distances
from tests.models.trees import split_mix_64


@st.composite
def trees(draw, largest=150):
    """Draw a tree of two to four levels with a limited number of nodes and of switches, and either routing.

    Half of them have parallel cables.
    """
    levels = draw(st.integers(2, 4))
    cables = draw(st.one_of(st.just(1), st.tuples(*[st.integers(1, 4)] * (levels - 1))))
    children, parents = [draw(st.integers(1, 5))], [1]
    for _ in range(levels - 1):
        children.append(draw(st.integers(1, max(2, min(6, largest // prod(children) // 2)))))
        parents.append(draw(st.integers(1, 5)))
    children[-1] = max(2, children[-1])
    routing, seed = draw(st.sampled_from([("d_mod_k", 1), ("random", 0), ("random", 7)]))
    tree = ExtendedFatTree(tuple(children), tuple(parents), routing, seed, cables_per_pair=cables)
    return tree if tree.switches <= largest else replace(tree, parents=(1,) * levels)


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


@given(trees())
def test_formulas_match_the_plane(tree):
    (plane,) = Network(tree).planes
    assert (len(plane.node_switch), plane.topology.switches) == (tree.nodes, tree.switches)
    assert np.count_nonzero(plane.topology.peer >= 0) == 2 * tree.cables
    ends = np.cumsum((0, *tree.switches_by_level))
    below, above = (np.multiply(number, tree.parallel_cables) for number in (tree.children, tree.parents))
    for (start, end), down, up in zip(pairwise(ends), below, (*above[1:], 0), strict=True):
        assert set(plane.ports_used[start:end].tolist()) == {down + up}
    assert (plane.ports_used.max(), tree.levels) == (tree.ports, len(tree.children))


@given(trees())
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
@given(trees(60))
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


@given(trees())
def test_routes_are_shortest_and_free_of_deadlock_with_one_channel(tree):
    (plane,) = Network(tree).planes
    leaves = tree.switches_by_level[0]
    shortest = distances(plane.topology)[:leaves, plane.routes.target_switch]
    assert np.array_equal(hops(plane.topology, plane.routes)[:leaves], shortest)
    assert channel_cycle(plane.topology, plane.routes, 1) is None


@given(trees())
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


@given(trees())
def test_uplinks_of_a_level_carry_equal_loads_if_and_only_if_their_number_divides_the_nodes_of_a_subtree(tree):
    # The uplinks of a subtree of M = m_1 ... m_l nodes number W = w_1 ... w_{l+1} p_{l+1}; M (N - M) packets leave it.
    tree = replace(tree, routing="d_mod_k", seed=1)
    network = Network(tree, Site(layout=None))
    loads, (plane,) = all_to_all_loads(network), network.planes
    load = loads.load[0][loads.label[0]]
    first = 0
    for level, size in enumerate(tree.switches_by_level[:-1], 1):
        inside, uplinks = prod(tree.children[:level]), prod(tree.parents[: level + 1]) * tree.parallel_cables[level]
        down_ports = tree.children[level - 1] * tree.parallel_cables[level - 1] if level > 1 else 0
        up_ports = slice(down_ports, down_ports + tree.parents[level] * tree.parallel_cables[level])
        switches = np.arange(first, first + size)
        up = load[switches, up_ports]
        down = load[plane.topology.peer[switches, up_ports], plane.topology.peer_port[switches, up_ports]]
        leaving = inside * (tree.nodes - inside)
        assert up.sum() == down.sum() == leaving * (tree.nodes // inside)
        is_equal = len(set(up.ravel().tolist())) == 1
        assert is_equal == (inside % uplinks == 0)
        if is_equal:
            assert set(down.ravel().tolist()) == {leaving // uplinks}
        first += size


@settings(max_examples=40)
@given(trees(60))
def test_a_count_of_the_packets_on_every_link_has_the_heaviest_load_of_the_formula(tree):
    (plane,) = Network(tree).planes
    load = Counter()
    for leaf, (node, column) in product(range(tree.switches_by_level[0]), enumerate(plane.routes.column.tolist())):
        if plane.node_switch[node] != leaf:
            for switch, port, _ in links_of_route(plane.topology, plane.routes, leaf, column):
                load[switch, port] += tree.children[0]
    formula = xgft_heaviest_load(tree.children, tree.parents, tree.parallel_cables)
    assert max(load.values()) == formula if tree.routing == "d_mod_k" else max(load.values()) >= formula
    assert tree.throughput_bound == Fraction(tree.nodes, formula)


@settings(max_examples=15)
@given(trees(60))
def test_the_reference_agrees(tree):
    network = Network(tree)
    assert metrics_of(Design(network)) == reference_metrics(network)


@given(trees())
def test_a_written_family_is_read_back(tree):
    written = tree.write()
    keys = {name: list(value) if isinstance(value, tuple) else value for name, value in written["network"].items()}
    assert family_named(keys["family"]).read({**keys, "nodes_per_switch": written["nodes_per_switch"]}) == tree


def test_routes_of_65536_nodes_take_less_than_16_megabytes():
    (plane,) = Network(ExtendedFatTree((32, 32, 64), (1, 32, 32))).planes
    routes = plane.routes
    assert (plane.nodes, plane.topology.switches) == (65536, 5120)
    assert routes.next_port.nbytes + routes.row.nbytes + routes.column.nbytes + routes.target_switch.nbytes < 16e6


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"parents": (2, 4, 4)}, r"network.parents\[0\]=2: expected 1, as every node has one link"),
        ({"parents": (1, 4)}, r"network.parents=\[1, 4\]: 2 levels; expected 3, as in network.children"),
        ({"children": (4,), "parents": (1,)}, r"network.children=\(4,\): expected a list of 2 to 8 levels"),
        ({"children": 4}, "network.children=4: expected a list of 2 to 8 levels"),
        ({"children": (4, 4, 1)}, r"network.children\[2\]=1: expected an integer from 2 to 1024"),
        ({"children": (0, 4, 8)}, r"network.children\[0\]=0: expected an integer from 1 to 1024"),
        ({"parents": (1, 4, 0)}, r"network.parents\[2\]=0: expected an integer from 1 to 1024"),
        ({"parents": (1, 4, 2.5)}, r"network.parents\[2\]=2.5: expected an integer from 1 to 1024"),
        ({"children": (64, 64, 64)}, r"network=xgft \(3; 64,64,64; 1,4,4\): 262144 nodes; expected at most 131072"),
        # 32 + 512 · 8 + 512² switches
        ({"parents": (1, 512, 512)}, "266272 switches; expected at most 131072"),
        # Rows for level 1 and for 8⁵ + 8⁴ + 8³ + 8² + 8 + 1 subtrees, and columns for 2 · 8⁵ nodes.
        (
            {"children": (1, 2, 8, 8, 8, 8, 8), "parents": (1,) * 7},
            f"{37450 * 65536} entries of the routing table; expected at most 268435456",
        ),
        ({"cables_per_pair": 0}, "network.cables_per_pair=0: expected an integer from 1 to 1024"),
        (
            {"cables_per_pair": (1, 2, 3)},
            r"network.cables_per_pair=\[1, 2, 3\]: expected one number, or 2, one per level but the last",
        ),
        (
            {"cables_per_pair": (2, 200)},
            r"network.cables_per_pair=\(2, 200\): 1600 cables of a switch between levels 2 and 3; expected at most",
        ),
        ({"routing": "shortest"}, "network.routing='shortest': expected d_mod_k, random"),
        ({"seed": 2}, "network.seed=2: has no effect; allowed with network.routing=random"),
        ({"seed": -1, "routing": "random"}, "network.seed=-1: expected an integer from 0 to 9223372036854775807"),
        ({"cable_m": -1}, "network.cable_m=-1"),
    ],
)
def test_an_invalid_tree_is_rejected(keys, message):
    with pytest.raises(InputError, match=message):
        ExtendedFatTree(**keys)
