"""Megaflies: their cables, their routes, and loads by formula."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Network, Site, family_named
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.megafly import Megafly
from isoplane.models.routing import channel_cycle, links_of_route
from isoplane.models.site.part_costs import PartCosts
from isoplane.objectives import metrics_of
from isoplane.objectives.reference import reference_metrics
from tests.models.graphs import graph_of

ARRANGEMENTS = ("absolute", "relative", "circulant")


@st.composite
def megaflies(draw):
    """A small Megafly, balanced or not."""
    spines, h = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    return Megafly(
        leaves_per_group=draw(st.integers(1, 4)),
        spines_per_group=spines,
        global_ports=h,
        groups=draw(st.integers(2, min(spines * h + 1, 8))),
        arrangement=draw(st.sampled_from(ARRANGEMENTS)),
        nodes_per_leaf=draw(st.integers(1, 4)),
    )


def group_of(family, switch):
    """The group of a switch, and whether it is a spine."""
    if switch < family.leaves:
        return switch // family.leaves_per_group, False
    return (switch - family.leaves) // family.spines_per_group, True


@given(megaflies())
def test_groups_are_complete_bipartite_graphs_with_equally_many_cables_between_their_spines(family):
    edges = graph_of(family.topology()).get_edgelist()
    inside, between = Counter(), Counter()
    for one, other in edges:
        (group, is_spine), (other_group, other_is_spine) = group_of(family, one), group_of(family, other)
        if group == other_group:
            assert not is_spine
            assert other_is_spine
            inside[one, other] += 1
        else:
            assert is_spine
            assert other_is_spine
            between[group, other_group] += 1
    leaves, spines = family.leaves_per_group, family.spines_per_group
    assert len(inside) == family.groups * leaves * spines
    assert set(inside.values()) == {1}
    per_pair = spines * family.global_ports // (family.groups - 1)
    assert between == dict.fromkeys(combinations(range(family.groups), 2), per_pair)
    assert len(edges) == family.cables


@given(megaflies())
def test_formulas_match_the_plane(family):
    (plane,) = Network(family).planes
    assert (len(plane.node_switch), plane.topology.switches) == (family.nodes, family.switches)
    assert plane.ports_used.max() == family.ports
    leaf, uplink = np.indices((family.leaves, family.uplinks))
    assert np.array_equal(plane.topology.peer[leaf, uplink] - family.leaves, family.spines_of_leaves())


@given(megaflies())
def test_global_cables_are_those_of_a_dragonfly_with_the_spines_as_switches(family):
    values = {"global_ports": family.global_ports, "groups": family.groups, "arrangement": family.arrangement}
    other = Dragonfly(switches_per_group=family.spines_per_group, **values).topology()
    ours = family.topology().peer[family.leaves :, family.leaves_per_group :][:, : family.global_ports]
    theirs = other.peer[:, family.spines_per_group - 1 :]
    assert np.array_equal(np.where(ours >= 0, ours - family.leaves, -1), theirs)


@given(megaflies())
def test_packets_go_up_over_at_most_one_global_cable_and_down(family):
    (plane,) = Network(family).planes
    columns = plane.routes.targets(plane.node_switch)
    for source in range(family.leaves):
        for node, column in zip(plane.node_switch.tolist(), columns.tolist(), strict=True):
            links = links_of_route(plane.topology, plane.routes, source, column)
            visited = [group_of(family, switch) for switch, _, _ in links] + [group_of(family, node)]
            own, other = group_of(family, source)[0], group_of(family, node)[0]
            if source == node:
                assert links == []
            elif own == other:
                assert visited == [(own, False), (own, True), (own, False)]
            else:
                assert visited == [(own, False), (own, True), (other, True), (other, False)]


@given(megaflies())
def test_routes_have_no_deadlock_in_one_class(family):
    (plane,) = Network(family).planes
    assert plane.routes.channels is None
    assert channel_cycle(plane.topology, plane.routes, 1) is None


@given(megaflies())
def test_the_cables_of_two_groups_share_their_traffic(family):
    # Cable r mod c leads to node r of l p in a group: the first l p mod c of the c cables lead to one more than others.
    (plane,) = Network(family).planes
    load = Counter()
    columns = plane.routes.targets(plane.node_switch).tolist()
    for source in range(family.leaves):
        for column in columns:
            for switch, port, _ in links_of_route(plane.topology, plane.routes, source, column):
                peer = int(plane.topology.peer[switch, port])
                if group_of(family, switch)[0] != group_of(family, peer)[0]:
                    load[switch, port] += family.nodes_per_leaf
    nodes = family.leaves_per_group * family.nodes_per_leaf
    cables = family.spines_per_group * family.global_ports // (family.groups - 1)
    shares = [nodes * (nodes // cables + (cable < nodes % cables)) for cable in range(cables)]
    expected = Counter(share for share in shares if share)
    pairs = family.groups * (family.groups - 1)
    assert Counter(load.values()) == {share: pairs * count for share, count in expected.items()}


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize("h", [1, 2, 3])
def test_a_balanced_megafly_of_full_size_has_equal_loads(arrangement, h):
    # A global link carries h² · h² packets. A link up carries those of h nodes to h³ nodes of the h groups behind its
    # spine, and to h - 1 nodes at other leaves of the group; a link down as many.
    sizes = {"leaves_per_group": h, "spines_per_group": h, "global_ports": h, "groups": h * h + 1, "nodes_per_leaf": h}
    family = Megafly(arrangement=arrangement, **sizes)
    assert (family.nodes, family.ports) == (h**4 + h**2, 2 * h)
    network = Network(family, Site(layout=None))
    metrics = metrics_of(Design(network))
    assert metrics["peak_load"] == h * (h**3 + h - 1)
    assert metrics["diameter"] == 3
    assert metrics == reference_metrics(network)


@given(megaflies())
def test_metrics_agree_with_the_reference_and_records_are_read_back(family):
    network = Network(family, Site(layout=None))
    assert metrics_of(Design(network)) == reference_metrics(network)
    assert family_named("megafly").read({**family.write()["network"], "nodes_per_switch": None}) == family


def test_nodes_of_a_leaf_use_different_spines_if_groups_have_several_cables():
    # Two groups of two leaves: cables 0 and 1 belong to spine 0, cables 2 and 3 to spine 1; each leaf has two nodes.
    sizes = {"leaves_per_group": 2, "spines_per_group": 2, "global_ports": 2, "groups": 2, "nodes_per_leaf": 2}
    (plane,) = Network(Megafly(**sizes)).planes
    columns = plane.routes.targets(plane.node_switch)[4:]  # the nodes of group 1
    assert plane.routes.next_port[plane.routes.row[0], columns].tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"groups": 18}, "network.groups=18: expected an integer from 2 to 17"),
        ({"arrangement": "palm"}, "network.arrangement='palm': expected absolute, relative, circulant"),
        ({"spines_per_group": 0}, "network.spines_per_group=0: expected an integer from 1 to 256"),
        ({"leaves_per_group": 257}, "network.leaves_per_group=257: expected an integer from 1 to 256"),
        ({"global_ports": 0}, "network.global_ports=0: expected an integer from 1 to 128"),
        ({"nodes_per_leaf": 0}, "network.nodes_per_leaf=0: expected an integer from 1 to"),
    ],
)
def test_a_wrong_parameter_is_named(values, says):
    with pytest.raises(InputError, match=says):
        Megafly(**values)


def test_a_table_that_takes_too_much_memory_is_rejected():
    half = 32  # 1025 groups of 33 rows, for 1025 · 1024 nodes
    family = Megafly(
        leaves_per_group=half, spines_per_group=half, global_ports=half, groups=half**2 + 1, nodes_per_leaf=half
    )
    with pytest.raises(InputError, match=f"{1025 * 33} x {1025 * 1024} routes to nodes; expected at most"):
        family.routes()


@pytest.mark.parametrize(
    ("nodes", "ports", "throughput", "links", "even"),
    [
        # leaves, spines, global ports, groups, nodes per leaf: every spine has as many cables to each other group
        (287, 25, Fraction(3, 5), 1, (12, 12, 4, 2, 12)),
        (687, 34, Fraction(3, 5), 1, (23, 15, 8, 2, 15)),
        (3000, 40, Fraction(9, 10), 2, (19, 20, 21, 8, 20)),
    ],
)
def test_no_candidate_is_left_out_whose_cables_are_spread_evenly(nodes, ports, throughput, links, even):
    names = ("leaves_per_group", "spines_per_group", "global_ports", "groups", "nodes_per_leaf")
    known, costs = Megafly(**dict(zip(names, even, strict=True))), PartCosts(switch=ports)
    assert (known.nodes >= nodes, known.ports <= ports, known.throughput_bound >= throughput) == (True, True, True)
    candidates = Megafly.candidates(nodes, ports, throughput, links, costs)
    chosen = next(member for member in candidates if member.throughput_bound >= throughput)
    assert costs.of(chosen.switches, chosen.cables) <= costs.of(known.switches, known.cables)
