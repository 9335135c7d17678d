"""Distances after the loss of a cable, a switch, a plane or a rack, against what is left of the network."""

from fractions import Fraction

import numpy as np

from isoplane.models import Layout, Network, Site, dual_cube
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.random_regular import RandomRegular
from isoplane.objectives import exact_metric, exact_metrics
from isoplane.objectives.general import GeneralExact
from isoplane.objectives.reference.faults import cube_fault_integers, fault_integers, rack_integers
from tests.cases import for_each
from tests.objectives.everything import all_bases

from .networks import random_network, random_rails

CABLE, SWITCH, HOPS = "cable_fault_diameter", "switch_fault_diameter", "cable_fault_hops"
PLANE, PLANE_HOPS = "plane_fault_diameter", "plane_fault_hops"


def after_losses(network):
    exact = GeneralExact(network)
    return defined({name: getattr(exact, name) for name in (CABLE, SWITCH, HOPS, PLANE, PLANE_HOPS)})


def defined(values):
    return {name: value for name, value in values.items() if value is not None}


def node_distances(network, lost):
    """Return the hops between all ordered pairs of nodes, over switches that are not lost, given by plane and number.

    From every node, level by level, in the planes that carry packets; as many as switches without a path.
    """
    carrying = [
        (number, plane)
        for number, plane in enumerate(network.planes)
        if isinstance(network.policy, str) or network.policy[number]
    ]
    far = sum(network.plane_switches)
    hops = [[0 if a == b else far for b in range(network.nodes)] for a in range(network.nodes)]
    for number, plane in carrying:
        peers = plane.topology.peer.tolist()
        links = [set() for _ in range(network.nodes)]
        for node, switch in zip(plane.node.tolist(), plane.node_switch.tolist(), strict=True):
            links[node] |= {switch} - {switch for at, switch in lost if at == number}
        for node, level in enumerate(links):
            seen, away = set(), 0
            while level:
                seen |= level
                for other, ends in enumerate(links):
                    if ends & level:
                        hops[node][other] = min(hops[node][other], away)
                ahead = {peer for switch in level for peer in peers[switch] if peer >= 0 and (number, peer) not in lost}
                level, away = ahead - seen, away + 1
    return hops


@for_each("network", [*map(random_network, range(12)), *map(random_rails, range(24))])
def test_every_plane_is_lost_in_turn(network):
    shares = [1] * len(network.planes) if isinstance(network.policy, str) else network.policy
    parts = [{(plane, switch) for switch in range(network.plane_switches[plane])} for plane in np.flatnonzero(shares)]
    left = [node_distances(network, lost) for lost in parts]
    expected = {}
    if len(parts) > 1:
        expected = {
            PLANE: max(max(map(max, hops)) for hops in left),
            PLANE_HOPS: max(sum(map(sum, hops)) for hops in left),
        }
    found = after_losses(network)
    assert {name: found[name] for name in (PLANE, PLANE_HOPS) if name in found} == expected


def laid_out(network, random):
    """The network in racks of up to four switches of each plane, or of some nodes."""
    layout = Layout(
        switches_per_rack=int(random.integers(1, 5)), aspects=(), nodes_per_rack=int(random.integers(20, 40))
    )
    return Network(network.family, Site(layout=layout, prices=network.site.prices))


@for_each("seed", range(30))
def test_every_rack_is_lost_in_turn_with_its_switches_and_nodes(seed):
    random = np.random.default_rng(seed)
    network = laid_out((random_network if seed % 2 else random_rails)(seed), random)
    floor = network.floor
    at = [set() for _ in range(network.nodes)]
    for number, plane in enumerate(network.planes):
        if isinstance(network.policy, str) or network.policy[number]:
            for node, switch in zip(plane.node.tolist(), plane.node_switch.tolist(), strict=True):
                at[node].add((number, switch))
    diameters, means = [], []
    for rack in range(len(floor.names)):
        lost = {(number, s) for number, racks in enumerate(floor.of_switches) for s in np.flatnonzero(racks == rack)}
        left = [node for node in range(network.nodes) if floor.of_nodes[node] != rack and at[node] - lost]
        hops = node_distances(network, lost)
        between = [hops[a][b] for a in left for b in left]
        diameters.append(max(between, default=0))
        means.append(Fraction(sum(between), max(1, len(between))))
    found = GeneralExact(network)
    if len(floor.names) < 2:
        assert (found.rack_fault_diameter, found.rack_fault_aspl_nhops) == (None, None)
        return
    expected = {"rack_fault_diameter": max(diameters), "rack_fault_aspl": int(max(means) * 10**9 + Fraction(1, 2))}
    assert (found.rack_fault_diameter, found.rack_fault_aspl_nhops) == tuple(expected.values())
    assert rack_integers(network) == expected


@for_each("folded", [False, True])
@for_each("per_rack", [1, 2, 3, 4, 5, 8])
def test_cubes_have_the_distances_of_any_network_after_the_loss_of_a_rack(per_rack, folded):
    layout = Layout(switches_per_rack=per_rack, aspects=())
    for n in range(2, 6):
        generators = tuple(int(each) for each in all_bases(4)[97 * per_rack][:n]) + (1 << 4,) * (n > 4)
        generators = generators if n > 3 else tuple(1 << i | 1 for i in range(n))
        network = dual_cube(n, generators, folded, layout=layout)
        exact, expected = exact_metrics(network), rack_integers(network)
        assert {
            "rack_fault_diameter": exact.rack_fault_diameter,
            "rack_fault_aspl": exact.rack_fault_aspl_nhops,
        } == expected


def distances(switches, cables, lost):
    """Return the distances between all ordered pairs of switches, `lost` between those that are not connected."""
    found = []
    for start in switches:
        hops, level = {start: 0}, {start}
        while level:
            level = {b for a in level for b in switches if (a, b) in cables or (b, a) in cables} - hops.keys()
            hops |= dict.fromkeys(level, max(hops.values()) + 1)
        found += [hops.get(switch, lost) for switch in switches]
    return found


@for_each(("switches", "degree", "seed"), [(8, 3, 1), (8, 3, 2), (9, 4, 1), (10, 3, 3), (11, 4, 1), (12, 5, 2)])
def test_all_distances_are_searched_anew_without_each_cable_and_each_switch(switches, degree, seed):
    network = Network(RandomRegular(switches=switches, degree=degree, seed=seed, nodes_per_switch=1))
    peers = network.planes[0].topology.peer.tolist()
    everything = set(range(switches))
    cables = {(switch, peer) for switch in everything for peer in peers[switch] if peer > switch}
    without_cables = [distances(everything, cables - {cable}, switches) for cable in cables]
    without_switches = [distances(everything - {switch}, cables, switches) for switch in everything]
    expected = {CABLE: max(map(max, without_cables)), SWITCH: max(map(max, without_switches))}
    assert after_losses(network) == expected | {HOPS: max(map(sum, without_cables))}


@for_each("network", [*map(random_network, range(25)), *map(random_rails, range(25))])
def test_losses_in_planes_with_any_links_of_nodes_match_the_reference(network):
    assert after_losses(network) == defined(fault_integers(network))


def test_nodes_that_a_loss_cuts_off_are_as_many_hops_away_as_there_are_switches():
    path = Network(Mesh(shape=(3,)))  # 0 - 1 - 2: without a cable, four ordered pairs are cut off and two are not
    assert after_losses(path) == {CABLE: 3, SWITCH: 3, HOPS: 4 * 3 + 2 * 1}


@for_each(("n", "folded"), [(2, False), (2, True), (3, False), (3, True), (4, False), (4, True)])
def test_cubes_have_the_distances_of_any_network_after_losses(n, folded):
    for basis in all_bases(n)[:: max(1, len(all_bases(n)) // 12)].tolist():
        network = dual_cube(n, tuple(basis), folded, nodes_per_switch=1)
        exact = exact_metrics(network)
        expected = fault_integers(network)
        assert {name: exact_metric(exact, name) for name in expected} == expected
        assert after_losses(network) == cube_fault_integers(network) == expected
