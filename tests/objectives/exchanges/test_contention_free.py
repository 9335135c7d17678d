"""Contention-free orders of families, checked link by link, and by walks over graphs built from the definitions."""

from collections import Counter

from isoplane.models import Network
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
from isoplane.objectives.exchanges import check_order
from tests.cases import for_each, require_refusal

TESTBED = FullMesh(layers=4, uplinks=3, nodes_per_leaf=2)
TRUNKS = FatTree(switch_ports=12, cables_per_pair=(1, 3))
PAIRS = LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=4, cables_per_pair=2)
LEAVES = LeafSpine(leaf_switches=8, spine_switches=3, nodes_per_leaf=3)
KNOWN = [
    *(OrthogonalFatTree(q=q, sides=sides, nodes_per_leaf=q + 1) for q in (2, 3, 4, 5, 7) for sides in (1, 2)),
    OrthogonalFatTree(q=4, nodes_per_leaf=3),  # fewer nodes than uplinks
    *(FullMesh(layers=h, uplinks=h, nodes_per_leaf=h) for h in range(2, 7)),
    TESTBED,
    *(FatTree(switch_ports=ports) for ports in (2, 4, 6, 8)),
    FatTree(switch_ports=8, cables_per_pair=(1, 4)),
    FatTree(switch_ports=12, cables_per_pair=(3, 2)),
    LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=6, cables_per_pair=3),
    LEAVES,
    ExtendedFatTree((4, 3, 5), (1, 2, 3), cables_per_pair=2),
    ExtendedFatTree((6, 2, 2, 3), (1, 2, 3, 4), cables_per_pair=(3, 2, 1)),  # as many links up as down: 6, 6, 4
    ExtendedFatTree((4, 3, 5), (1, 4, 3)),
    ExtendedFatTree((2, 3, 2, 3), (1, 2, 3, 2)),
    *(DirectHypercube(n=4, generators=g, folded=folded) for g in (None, (3, 5, 8, 9)) for folded in (False, True)),
    *(MultiPlane(plane=FullMesh(layers=2), planes=2, policy=policy) for policy in ("nearest", "spray")),
]
JOBS = [
    (OrthogonalFatTree(q=3, sides=2, nodes_per_leaf=4), range(52, 104)),  # one side
    (TESTBED, range(8)),
    (TESTBED, [*range(8), *range(24, 32)]),  # two layers of four
    (TRUNKS, range(36, 108)),  # two of four pods
    (TRUNKS, [*range(36, 42), *range(48, 60)]),
    (PAIRS, [0, 1, 2, 3, 8, 9, 10, 11]),
    (FatTree(switch_ports=8), range(20, 28)),  # leaves of one pod
    (FatTree(switch_ports=8), [*range(16), *range(64, 80), *range(96, 112)]),  # whole pods
    (LEAVES, [3, 4, 5, 15, 16, 17, 18, 19, 20, 21, 22, 23]),
]


@for_each(("family", "nodes"), [*((family, None) for family in KNOWN), *JOBS])
def test_orders_of_whole_networks_and_of_jobs_are_contention_free(family, nodes):
    """N - 1 phases, which is the bound, without a collision."""
    network = Network(family)
    order = contention_free_order(network, nodes)
    checked = check_order(network, order)
    assert checked.contention_free
    assert checked.where() == []
    assert checked.busiest.max() == 1
    assert order.nodes.tolist() == list(range(network.nodes) if nodes is None else nodes)
    assert order.phases == checked.bound == order.processes - 1


def test_the_shift_order_collides_on_the_full_mesh_and_the_check_says_where():
    network = Network(FullMesh())
    checked = check_order(network, order_named("shift", range(32)))
    assert not checked.contention_free
    expected = Counter()
    for phase in range(31):
        counts = Counter(link for node in range(32) for link in full_mesh_walk(node, (node + phase + 1) % 32))
        assert checked.busiest[phase] == max(counts.values())
        expected.update((phase, messages) for messages in counts.values() if messages > 1)
    found = zip(checked.collisions[0].tolist(), checked.collisions[2].tolist(), strict=True)
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


def test_a_job_of_leaves_in_several_pods_collides():
    """Of leaves 0 to 6 in pods of three, 4 sends to 6 and 5 to 0, two leaves further: the first ones of other pods."""
    network, job = Network(FatTree(switch_ports=6)), range(21)
    checked = check_order(network, order_named("shift", job))
    assert 5 in checked.collisions[0]  # a shift by 6 nodes is one by 2 leaves
    require_refusal(
        lambda: contention_free_order(network, job), "3 of 9 nodes of level-2 subtree 2; expected whole ones"
    )


@for_each(
    ("family", "nodes", "message"),
    [
        (FullMesh(layers=2, uplinks=2, nodes_per_leaf=3), None, "3 nodes at a leaf of 2 uplinks; expected at most 2"),
        (OrthogonalFatTree(q=2, nodes_per_leaf=4), None, "4 nodes at a leaf of 3 uplinks; expected at most 3"),
        (FullMesh(), range(12), "4 of 8 nodes of layer 1; expected whole ones, such as nodes 8 to 15"),
        (FullMesh(), [8, *range(8)], "in ascending order"),
        (FullMesh(), range(24, 40), "expected at least two, from 0 to 31"),
        (FatTree(switch_ports=4, routing="random"), None, "network.routing=random: no contention-free order"),
        (LeafSpine(leaf_switches=4, spine_switches=1, cables_per_pair=3), None, "a switch of level 1 has 4 links down"),
        (LeafSpine(leaf_switches=4, spine_switches=2), None, "a switch of level 1 has 4 links down and 2 links up"),
        (Torus(), None, "none is known for network=torus; allowed with network=direct_hypercube, fat_tree, full_mesh"),
        (DirectHypercube(n=3, nodes_per_switch=2, node_cable_m=2.0), None, "nodes_per_switch=2"),
        (MultiPlane(plane=FullMesh(), links_per_node=2), None, "links_per_node=2: no contention-free order"),
    ],
)
def test_networks_and_jobs_without_a_known_order_are_refused(family, nodes, message):
    require_refusal(lambda: contention_free_order(Network(family), nodes), message)


def test_a_mesh_with_more_nodes_than_uplinks_cannot_be_free_of_contention_in_the_fewest_phases():
    """With s = 3 and h = 2, a leaf sends 3 messages to other leaves in a full phase, over 2 uplinks."""
    network = Network(FullMesh(layers=2, uplinks=2, nodes_per_leaf=3))
    checked = check_order(network, order_named("shift", range(network.nodes)))
    assert checked.bound > network.nodes - 1
    assert checked.busiest.max() >= 2
