"""Megaflies: their cables, their routes, and loads by formula."""

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given

from isoplane.models import Network
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.megafly import Megafly
from isoplane.models.routing import links_of_route
from isoplane.models.site.part_costs import PartCosts
from tests.cases import for_each
from tests.models.families.members import megaflies


def group_of(family, switch):
    """The group of a switch, and whether it is a spine."""
    if switch < family.leaves:
        return switch // family.leaves_per_group, False
    return (switch - family.leaves) // family.spines_per_group, True


@given(megaflies())
def test_cables_are_those_of_complete_bipartite_graphs_and_of_a_dragonfly_with_the_spines_as_switches(family):
    leaf, uplink = np.indices((family.leaves, family.uplinks))
    spine = family.topology().peer[leaf, uplink] - family.leaves
    assert np.array_equal(spine, family.spines_of_leaves())
    assert np.array_equal(spine, leaf // family.leaves_per_group * family.spines_per_group + uplink)
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


@for_each(
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
