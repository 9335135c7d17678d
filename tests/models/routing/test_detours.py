from itertools import pairwise

import igraph
import numpy as np
from hypothesis import given, settings

from isoplane.models import Family, Network, family_named, family_names
from isoplane.models.deadlock.detour_dependencies import detour_dependencies
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.polar_fly import PolarFly
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.routing import (
    ChannelRule,
    Detours,
    channel_cycle,
    detour_channel_cycle,
    dragonfly_detours,
    dragonfly_minimal,
)
from isoplane.models.topologies import GlobalCables, dragonfly
from tests.cases import for_each
from tests.models.detours import all_paths
from tests.models.families.members import dragonflies
from tests.models.graphs import distances

DRAGONFLIES = dragonflies().filter(lambda family: family.groups > 2)


def with_classes(topology, rule, path):
    """Return the channels of a path by the definition of `ChannelRule`."""
    channel_class, dimension, channels = rule.start, None, []
    for switch, port in path:
        if dimension not in (None, rule.dimension[port]):
            channel_class = 0
        channel_class += bool(rule.dateline[switch, port])
        dimension = rule.dimension[port]
        channels.append((switch, port, channel_class))
    return channels


def check_dependencies(plane, detours):
    """Check the dependencies against all paths, and that they are acyclic; return the number of classes in use."""
    topology, rule = plane.topology, detours.channels
    paths = [with_classes(topology, rule, path) for path in all_paths(plane, detours)]
    expected = {pair for path in paths for pair in pairwise(path)}
    shape = (topology.switches, topology.ports, rule.classes)
    found = detour_dependencies(topology, plane.routes, detours)
    channels = [[tuple(map(int, np.unravel_index(number, shape))) for number in pair] for pair in found]
    assert len(channels) == len(expected)
    assert {tuple(pair) for pair in channels} == expected
    assert igraph.Graph.TupleList([tuple(map(str, pair)) for pair in expected], directed=True).is_dag()
    assert detour_channel_cycle(topology, plane.routes, detours, rule.classes) is None
    return 1 + max(channel_class for path in paths for _, _, channel_class in path)


@settings(max_examples=15)
@given(DRAGONFLIES)
def test_detours_of_dragonflies_cross_two_global_cables_and_are_free_of_deadlock_with_three_classes(family):
    (plane,), a = Network(family).planes, family.switches_per_group
    (detours,) = Network(family).detours
    for path in all_paths(plane, detours):
        is_global = [int(port >= a - 1) for _, port in path]
        assert sum(is_global) <= 2
        assert not any(one == other == 0 for one, other in pairwise(is_global)), "two local hops in a row"
    assert check_dependencies(plane, detours) == detours.channels.classes == 3


@for_each(
    "family",
    [HyperX(shape=(4,)), HyperX(shape=(3, 3)), SlimFly(q=3), PolarFly(q=2), Dragonfly(groups=4, routing="hop_classes")],
)
def test_detours_by_switch_have_a_class_for_each_hop_of_both_halves(family):
    network = Network(family)
    (plane,), (detours,) = network.planes, network.detours
    assert detours.channels.classes == 2 * distances(plane.topology).max()
    assert check_dependencies(plane, detours) == detours.channels.classes


def test_two_classes_do_not_suffice_for_detours_in_dragonflies():
    cables = GlobalCables(4, 2, 9, "relative")
    topology, routes, detours = dragonfly(cables), dragonfly_minimal(cables), dragonfly_detours(cables)
    one_class = ChannelRule(np.zeros(5, dtype=np.int32), np.zeros((36, 5), dtype=np.bool_), classes=1)
    assert channel_cycle(topology, routes, 2) is None
    cycle = detour_channel_cycle(topology, routes, Detours(detours.region, detours.next_port, one_class), 1)
    assert all(
        topology.peer[switch, port] == after for (switch, port, _), (after, _, _) in pairwise([*cycle, cycle[0]])
    )


@settings(max_examples=25)
@given(DRAGONFLIES)
def test_a_switch_takes_its_own_global_cable_to_a_group_if_it_has_one(family):
    topology, (detours,), a = family.topology(), Network(family).detours, family.switches_per_group
    entry, hops = detours.ends(topology)
    for switch in range(topology.switches):
        groups = {int(peer) // a for peer in topology.peer[switch, a - 1 :] if peer >= 0}
        for group in set(range(family.groups)) - {switch // a}:
            assert hops[switch, group] == (1 if group in groups else 2)
            assert entry[switch, group] // a == group
        assert (entry[switch, switch // a], hops[switch, switch // a]) == (switch, 0)


def test_switches_without_a_cable_to_a_group_divide_its_cables_among_themselves():
    # 4 switches with 2 global ports, 3 other groups: 2 cables to each, at switches 0 and 1, 0 and 2, 1 and 2.
    cables = GlobalCables(4, 2, 4, "relative")
    topology, detours = dragonfly(cables), dragonfly_detours(cables)
    own = {group: [s for s in range(4) if group in topology.peer[s, 3:] // 4] for group in (1, 2, 3)}
    assert own == {1: [0, 1], 2: [0, 2], 3: [1, 2]}
    exits = {g: [int(topology.peer[s, detours.next_port[s, g]]) for s in range(4) if s not in own[g]] for g in own}
    assert exits == {1: [0, 1], 2: [2, 2], 3: [1, 2]}  # switch i takes cable i mod 2


def test_families_of_low_diameter_have_detours():
    offering = {name for name in family_names() if family_named(name).detours is not Family.detours}
    assert offering == {"dragonfly", "hyperx", "polar_fly", "slim_fly"}
