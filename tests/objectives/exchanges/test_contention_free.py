"""Contention-free orders of families, checked link by link, and by walks over graphs built from the definitions."""

from collections import Counter
from itertools import combinations

import pytest

from isoplane.models import InputError, Network
from isoplane.models.exchanges.contention_free_order import contention_free_order
from isoplane.models.exchanges.exchange_orders import order_named
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.families.torus import Torus
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.mathematics.difference_set import difference_set
from isoplane.objectives.exchanges import check_order
from tests.models import trees


def assert_contention_free(family, nodes=None):
    """Check an order: N - 1 phases, which is the bound, without a collision."""
    network = Network(family)
    order = contention_free_order(network, nodes)
    checked = check_order(network, order)
    assert checked.contention_free
    assert checked.where() == []
    assert checked.busiest.max() == 1
    assert order.nodes.tolist() == list(range(network.nodes) if nodes is None else nodes)
    assert order.phases == checked.bound == order.processes - 1


@pytest.mark.parametrize("q", [2, 3, 4, 5, 7, 8, 9])
@pytest.mark.parametrize("sides", [1, 2])
def test_orthogonal_fat_trees(q, sides):
    assert_contention_free(OrthogonalFatTree(q=q, sides=sides, nodes_per_leaf=q + 1))


@pytest.mark.parametrize("sides", [1, 2])
def test_orthogonal_fat_trees_with_fewer_nodes_than_uplinks(sides):
    assert_contention_free(OrthogonalFatTree(q=4, sides=sides, nodes_per_leaf=3))


def test_a_job_on_one_side_of_an_orthogonal_fat_tree():
    assert_contention_free(OrthogonalFatTree(q=3, sides=2, nodes_per_leaf=4), range(52, 104))


@pytest.mark.parametrize("h", range(2, 9))
def test_multi_layer_full_meshes(h):
    assert_contention_free(FullMesh(layers=h, uplinks=h, nodes_per_leaf=h))


@pytest.mark.parametrize("nodes", [range(8), range(8, 24), [*range(8), *range(24, 32)], range(32)])
def test_the_testbed_with_1_2_and_4_layers(nodes):
    assert_contention_free(FullMesh(layers=4, uplinks=3, nodes_per_leaf=2), nodes)


@pytest.mark.parametrize("ports", [2, 4, 6, 8])
def test_fat_trees(ports):
    assert_contention_free(FatTree(switch_ports=ports))


@pytest.mark.parametrize(
    "tree",
    [
        FatTree(switch_ports=8, cables_per_pair=(1, 4)),
        FatTree(switch_ports=12, cables_per_pair=(3, 2)),
        LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=6, cables_per_pair=3),
        ExtendedFatTree((4, 3, 5), (1, 2, 3), cables_per_pair=2),
        ExtendedFatTree((6, 2, 2, 3), (1, 2, 3, 4), cables_per_pair=(3, 2, 1)),  # as many links up as down: 6, 6, 4
    ],
    ids=lambda tree: tree.title,
)
def test_trees_with_parallel_cables(tree):
    assert_contention_free(tree)


def test_jobs_on_parts_of_trees_with_parallel_cables():
    assert_contention_free(FatTree(switch_ports=12, cables_per_pair=(1, 3)), range(36, 108))  # two of four pods
    assert_contention_free(FatTree(switch_ports=12, cables_per_pair=(1, 3)), [*range(36, 42), *range(48, 60)])
    tree = LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=4, cables_per_pair=2)
    assert_contention_free(tree, [0, 1, 2, 3, 8, 9, 10, 11])


@pytest.mark.parametrize("nodes", [range(16, 48), range(20, 28), [*range(16), *range(64, 80), *range(96, 112)]])
def test_jobs_on_whole_pods_or_on_leaves_of_one_pod_of_a_fat_tree(nodes):
    assert_contention_free(FatTree(switch_ports=8), nodes)


def test_jobs_on_any_leaves_of_a_two_level_tree():
    tree = LeafSpine(leaf_switches=8, spine_switches=3, nodes_per_leaf=3)
    assert_contention_free(tree)
    assert_contention_free(tree, [3, 4, 5, 15, 16, 17, 18, 19, 20, 21, 22, 23])


@pytest.mark.parametrize(("children", "parents"), [((4, 3, 5), (1, 4, 3)), ((2, 3, 2, 3), (1, 2, 3, 2))])
def test_trees_of_any_number_of_levels(children, parents):
    assert_contention_free(ExtendedFatTree(children=children, parents=parents))


@pytest.mark.parametrize("generators", [None, (3, 5, 8, 9)])
@pytest.mark.parametrize("folded", [False, True])
def test_the_xor_order_on_cubes_with_routes_in_dimension_order(generators, folded):
    assert_contention_free(DirectHypercube(n=4, generators=generators, folded=folded))


def test_the_xor_order_takes_63_phases_on_the_cube_of_64_nodes():
    network = Network(DirectHypercube(n=6))
    checked = check_order(network, order_named("xor", range(64)))
    assert (checked.order.phases, checked.bound, checked.contention_free) == (63, 63, True)


@pytest.mark.parametrize("policy", ["nearest", "spray"])
def test_identical_planes(policy):
    assert_contention_free(MultiPlane(plane=FullMesh(layers=2), planes=2, policy=policy))


def test_the_shift_order_collides_on_the_full_mesh_and_the_check_says_where():
    network = Network(FullMesh())
    checked = check_order(network, order_named("shift", range(32)))
    assert not checked.contention_free
    expected = Counter()
    for phase in range(31):
        counts = Counter(link for node in range(32) for link in full_mesh_walk(node, (node + phase + 1) % 32))
        assert checked.busiest[phase] == max(counts.values())
        expected.update((phase, messages) for messages in counts.values() if messages > 1)
    found = zip(checked.collisions.phase.tolist(), checked.collisions.messages.tolist(), strict=True)
    assert Counter(found) == expected
    # Two further, both nodes of leaf 0 send to leaf 1, over the only spine of the two.
    assert checked.where(1) == ["phase 1: 2 messages over switch 0 port 0 to switch 16"]


def full_mesh_walk(source, destination, h=3, per_leaf=2):
    """Return the directed links of a message in the testbed: spines by pair of positions, or by the destination."""
    leaves = source // per_leaf, destination // per_leaf
    links = [("out", source), ("into", destination)]
    if leaves[0] == leaves[1]:
        return links
    i, j = (leaf % (h + 1) for leaf in leaves)
    if i == j:  # the spines of {i, 0}, {i, 1}, ... in turn
        j = [other for other in range(h + 1) if other != i][destination % h]
    spine = frozenset((i, j))
    return [*links, (leaves[0], spine), (spine, leaves[1])]


def oft_walk(q, per_leaf, source, destination):
    """Return the directed links of a message in a one-sided tree: over the only spine that both leaves share."""
    v, differences = q * q + q + 1, difference_set(q)
    leaves = source // per_leaf, destination // per_leaf
    links = [("out", source), ("into", destination)]
    if leaves[0] == leaves[1]:
        return links
    first, second = ({(leaf + d) % v for d in differences} for leaf in leaves)
    (spine,) = first & second
    return [*links, ("up", leaves[0], spine), ("down", spine, leaves[1])]


def table_walk(topology, table, node_switch, source, destination):
    """Return the directed links of a message that follows a table by destination node."""
    links, switch = [("out", source), ("into", destination)], node_switch[source]
    while switch != node_switch[destination]:
        port = table[switch][destination]
        links.append((switch, port))
        switch = topology.peer[switch, port]
    return links


def assert_walks_are_disjoint(order, walk):
    for phase in order.destination.tolist():
        links = [link for source, destination in enumerate(phase) for link in walk(source, destination)]
        assert len(set(links)) == len(links)


@pytest.mark.parametrize("q", [2, 3])
def test_messages_of_a_phase_share_no_link_of_the_projective_plane(q):
    order = contention_free_order(Network(OrthogonalFatTree(q=q, sides=1, nodes_per_leaf=q + 1)))
    assert_walks_are_disjoint(order, lambda source, destination: oft_walk(q, q + 1, source, destination))


def test_messages_of_a_phase_share_no_link_of_the_testbed():
    assert_walks_are_disjoint(contention_free_order(Network(FullMesh())), full_mesh_walk)


def test_messages_of_a_phase_share_no_link_of_trees():
    for family, (topology, table, node_switch) in (
        (LeafSpine(leaf_switches=4, spine_switches=3, nodes_per_leaf=3), trees.two_levels(4, 3, 3)),
        (FatTree(switch_ports=4), trees.three_levels(4)),
        (FatTree(switch_ports=8, cables_per_pair=(2, 4)), trees.three_levels(8, 2, 4)),
        (
            LeafSpine(leaf_switches=3, spine_switches=2, nodes_per_leaf=4, cables_per_pair=2),
            trees.two_levels(3, 4, 2, 2),
        ),
    ):
        order = contention_free_order(Network(family))
        assert_walks_are_disjoint(order, lambda s, d, args=(topology, table, node_switch): table_walk(*args, s, d))


def test_a_job_of_leaves_in_several_pods_collides():
    """Of leaves 0 to 6 in pods of three, 4 sends to 6 and 5 to 0, two leaves further: the first ones of other pods."""
    network, job = Network(FatTree(switch_ports=6)), range(21)
    checked = check_order(network, order_named("shift", job))
    assert 5 in checked.collisions.phase  # a shift by 6 nodes is one by 2 leaves
    with pytest.raises(InputError, match="3 of 9 nodes of level-2 subtree 2; expected whole ones"):
        contention_free_order(network, job)


@pytest.mark.parametrize(
    ("family", "nodes", "message"),
    [
        (FullMesh(layers=2, uplinks=2, nodes_per_leaf=3), None, "3 nodes at a leaf of 2 uplinks; expected at most 2"),
        (OrthogonalFatTree(q=2, nodes_per_leaf=4), None, "4 nodes at a leaf of 3 uplinks; expected at most 3"),
        (FullMesh(), range(12), "4 of 8 nodes of layer 1; expected whole ones, such as nodes 8 to 15"),
        (FullMesh(), [8, *range(8)], "in ascending order"),
        (FullMesh(), range(24, 40), "expected at least two, from 0 to 31"),
        (FatTree(switch_ports=4, routing="random"), None, "network.routing=random: no contention-free order"),
        (
            LeafSpine(leaf_switches=4, spine_switches=1, cables_per_pair=3),
            None,
            "a switch of level 1 has 4 links down and 3 links up",
        ),
        (LeafSpine(leaf_switches=4, spine_switches=2), None, "a switch of level 1 has 4 links down and 2 links up"),
        (Torus(), None, "none is known for network=torus; allowed with network=direct_hypercube, fat_tree, full_mesh"),
        (DirectHypercube(n=3, nodes_per_switch=2, node_cable_m=2.0), None, "nodes_per_switch=2"),
        (MultiPlane(plane=FullMesh(), links_per_node=2), None, "links_per_node=2: no contention-free order"),
    ],
)
def test_networks_and_jobs_without_a_known_order_are_refused(family, nodes, message):
    with pytest.raises(InputError, match=message):
        contention_free_order(Network(family), nodes)


def test_a_mesh_with_more_nodes_than_uplinks_cannot_be_free_of_contention_in_the_fewest_phases():
    """With s = 3 and h = 2, a leaf sends 3 messages to other leaves in a full phase, over 2 uplinks."""
    network = Network(FullMesh(layers=2, uplinks=2, nodes_per_leaf=3))
    checked = check_order(network, order_named("shift", range(network.nodes)))
    assert checked.bound > network.nodes - 1
    assert checked.busiest.max() >= 2


def test_pairs_of_positions_have_one_spine():
    """The walks of the testbed use all six spines."""
    links = {link for s in range(32) for d in range(32) if s != d for link in full_mesh_walk(s, d)}
    spines = {end for link in links for end in link if isinstance(end, frozenset)}
    assert spines == {frozenset(pair) for pair in combinations(range(4), 2)}
