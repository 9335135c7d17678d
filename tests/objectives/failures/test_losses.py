"""Failed cables and lost switches, racks and planes, against hand-made cases and the reference evaluator."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np

from isoplane.models import Network, Site, dual_cube
from isoplane.models.failures.failure_model import FailureModel
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from isoplane.objectives.failures import (
    Baseline,
    RelativeRange,
    cable_failures,
    default_draws,
    plane_lost,
    rack_lost,
    switch_lost,
)
from isoplane.objectives.reference import measure_general
from isoplane.objectives.reference.plane_steps import NO_PORT, next_port
from tests.cases import for_each, require_refusal
from tests.objectives.general.networks import random_rails

NETWORKS = [
    Network(Torus(shape=(4, 4), nodes_per_switch=2, node_cable_m=1.0), Site(layout=None)),
    Network(LeafSpine(leaf_switches=4, spine_switches=3, nodes_per_leaf=3), Site(layout=None)),
    Network(RecursiveDiagonalTorus(side=4), Site(layout=None)),
    dual_cube(3, (3, 5, 7), nodes_per_switch=1, layout=None),
    Network(LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=4, cables_per_pair=2), Site(layout=None)),
]


def test_a_lost_leaf_takes_its_nodes_and_a_lost_spine_its_bandwidth():
    # 4 leaves of 2 nodes, 2 spines. Uplink: 2·6/2 packets of 8 nodes: 8/6. Without a leaf: 2·4/2, so 6/4: in both cases
    # the link of a node allows 1. Without a spine: 2·6, so 8/12.
    network = Network(LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=2))
    lost = switch_lost(network)
    assert Baseline(network).intact[2:] == (Fraction(8, 6), 1)
    assert (lost.parts, lost.cases, lost.mean_lost_nodes, lost.max_lost_nodes) == (6, 6, Fraction(4 * 2, 6), 2)
    assert lost.throughput.worst == Fraction(8, 12)
    assert lost.worst == 4  # the first spine
    assert lost.throughput.mean == (4 * 1 + 2 * Fraction(8, 12)) / 6


def test_a_lost_middle_of_a_path_takes_the_smaller_part():
    # Switches 0 to 4: without 0 or 4 four nodes remain, without 1 or 3 three; without 2 the first two.
    lost = switch_lost(Network(Mesh(shape=(5,))))
    assert (lost.mean_lost_nodes, lost.max_lost_nodes) == (Fraction(1 + 2 + 3 + 2 + 1, 5), 3)
    # Middle links: 2·3 packets of 5 nodes; 2·2 of 4; 1·2 of 3; 1·1 of 2.
    relative = [each / Fraction(5, 6) for each in (Fraction(4, 4), Fraction(3, 2), Fraction(2, 1))]
    assert lost.throughput.worst == relative[0]
    assert lost.throughput.mean == (2 * relative[0] + 2 * relative[1] + relative[2]) / 5


def test_losses_are_those_of_the_reference():
    network = dual_cube(3, (3, 5, 7), nodes_per_switch=2, layout=None)
    found = [measure_general(FailureModel(network).after(switches=[switch]).network).peak_load for switch in range(16)]
    relative = [measure_general(network).peak_load / Fraction(peak) for peak in found]
    lost = switch_lost(network)
    assert lost.max_lost_nodes == 0
    assert (lost.throughput.mean, lost.throughput.worst) == (sum(relative) / 16, min(relative))


def test_a_rack_takes_the_switches_of_all_planes():
    network = dual_cube(3, (3, 5, 7), nodes_per_switch=2)
    racks = np.arange(8) // 2
    lost = rack_lost(network, (racks, racks))
    assert (lost.parts, lost.mean_lost_nodes, lost.max_lost_nodes) == (4, 4, 4)
    # In racks of their own, switches of plane 0 leave the other plane to all nodes.
    apart = rack_lost(network, (racks, racks + 4))
    assert (apart.parts, apart.max_lost_nodes) == (8, 0)


@for_each("n", [2, 3, 5])
def test_two_identical_planes_lose_half_of_their_throughput_with_one(n):
    lost = plane_lost(dual_cube(n, tuple(1 << i for i in range(n)), layout=None))
    assert (lost.parts, lost.max_lost_nodes, lost.worst) == (2, 0, None)
    assert lost.throughput.mean == lost.throughput.worst == Fraction(1, 2)


def test_without_any_plane_nothing_remains():
    lost = plane_lost(Network(Torus(shape=(4,))))
    assert (lost.mean_lost_nodes, lost.throughput.mean) == (4, 0)


def test_many_switches_are_sampled_by_the_seed():
    network = Network(Mesh(shape=(70,)))
    one, same, other = (switch_lost(network, seed) for seed in (1, 1, 2))
    assert (one.parts, one.cases) == (70, 16)
    assert one == same
    assert one != other
    assert switch_lost(Network(Mesh(shape=(64,)))).cases == 64


def test_invalid_racks_are_rejected_in_one_line():
    ring = Network(Torus(shape=(4,)))
    require_refusal(
        lambda: rack_lost(ring, [[0, 0, 1]]), "^rack: arrays of shapes [(3,)]; expected one rack per switch, [4]"
    )


def measures(network, is_direct):
    """Return ASPL, diameter and throughput of the reference evaluator, and the throughput within all links."""
    found = measure_general(network)
    throughput = network.nodes / Fraction(found.peak_load)
    if len(network.planes) > 1:
        limited = rate_over_all_links(network)
    else:  # nodes have one link, or are parts of their switches
        limited = throughput if is_direct else min(throughput, 1)
    return Fraction(found.total_hops, network.nodes**2), found.diameter, throughput, limited


@for_each("network", NETWORKS)
def test_means_and_worst_cases_are_those_of_the_reference_over_the_same_draws(network):
    draws, seed, cables, is_direct = 4, 7, network.family.cables, network.node_cable_mm is None
    intact = measures(FailureModel(network).after(cables=[]).connected_network, is_direct)
    before = Baseline(network)
    assert (before.rerouted, before.intact) == (intact, measures(network, is_direct))
    for summary in cable_failures(network, (0.05, 0.2), draws, seed):
        count = max(1, round(summary.share * cables))
        drawn = [np.random.default_rng([seed, draw]).permutation(cables)[:count] for draw in range(draws)]
        if count == 1 and cables <= 256:
            drawn = [[cable] for cable in range(cables)]
        remaining = [FailureModel(network).after(cables=failed) for failed in drawn]
        found = [measures(each.network, is_direct) for each in remaining if each.lost == 0]
        assert (summary.failed, summary.draws, summary.disconnected) == (count, len(drawn), len(drawn) - len(found))
        for index, (given, worst) in enumerate(
            [(summary.aspl, max), (summary.diameter, max), (None, min), (summary.throughput, min)]
        ):
            if given is None:
                continue
            relative = [Fraction(each[index]) / intact[index] for each in found]
            assert (given.mean, given.worst) == (sum(relative) / len(relative), worst(relative))


def test_every_failed_cable_of_a_tree_disconnects_nodes():
    # A path of five switches: whichever cable fails, some nodes are lost, so no draw has measures.
    (summary,) = cable_failures(Network(Mesh(shape=(5,))), shares=[0.25], draws=6)
    assert (summary.failed, summary.draws, summary.disconnected) == (1, 4, 4)
    assert summary.aspl is summary.diameter is summary.throughput is None


def test_each_of_a_few_cables_fails_once_where_a_share_is_one():
    square = Network(Torus(shape=(4,)))
    one, other = (cable_failures(square, (0.01, 0.1), draws, seed) for draws, seed in ((1, 1), (20, 2)))
    assert one == other
    assert [(summary.failed, summary.draws, summary.disconnected) for summary in one] == [(1, 4, 0)] * 2
    # A path of four has 2 * (3 * 1 + 2 * 2 + 1 * 3) hops, and the square 4 * (1 + 1 + 2).
    assert (one[0].aspl.mean, one[0].aspl.worst) == (Fraction(20, 16), Fraction(20, 16))


def test_the_seed_decides_the_draws():
    one, same, other = (cable_failures(NETWORKS[0], (0.2,), 3, seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_large_networks_have_fewer_draws():
    units = tuple(1 << i for i in range(10))
    assert [default_draws(dual_cube(n, units[:n], layout=None)) for n in (9, 10)] == [20, 5]  # 2 · 512 and 2 · 1,024


@for_each(
    ("arguments", "message"),
    [
        ({"shares": (0.1, 0)}, "shares: 0; expected shares above 0 and up to 1"),
        ({"shares": (float("nan"),)}, "shares: nan; expected shares above 0 and up to 1"),
        ({"draws": 0}, "draws=0: expected an integer from 1 to 10000"),
        ({"seed": -1}, "seed=-1: expected an integer of at least 0"),
    ],
)
def test_invalid_arguments_are_rejected_in_one_line(arguments, message):
    require_refusal(lambda: cable_failures(NETWORKS[0], **arguments), f"^{message}$")


def _walk(plane, start, end):
    """Return the links between switches from a link of a node to one of another, along the routes."""
    target = int((plane.node_switch if plane.routes.column is None else plane.routes.column)[end])
    first, switch, last, links = *plane.node_switch[[start, start, end]], []

    def port_at(switch):
        return int(next_port(plane, np.array([first]), np.array([switch]), target, int(last), len(links))[0])

    while (port := port_at(switch)) != NO_PORT:
        links.append((int(switch), port))
        switch = plane.topology.peer[switch, port]
    assert switch == last
    return links


def _rate(plane, end, *link):
    """Return the rate of a link in Mbit/s; 1 if the plane states none."""
    rates = plane.timing.rate_mbps if end == "switch" else plane.timing.node_rate_mbps
    return 1 if rates is None else int(rates[link])


def rate_over_all_links(network):
    """Return the rate of each node at which a link saturates, those of nodes included: packets counted one by one.

    A path is its plane and its links, each with the kind of its start; those of all weighted planes share a packet.
    """
    loads, count = Counter(), len(network.planes)
    weights = {"nearest": None, "spray": (1,) * count}.get(network.policy, network.policy)
    for source, end in product(range(network.nodes), repeat=2):
        paths = [
            [(number, "from", a), (number, "to", b), *((number, "switch", *link) for link in _walk(plane, a, b))]
            for number, plane in enumerate(network.planes)
            for a in np.flatnonzero(plane.node == source)
            for b in np.flatnonzero(plane.node == end)
        ]
        planes = [[path for path in paths if path[0][0] == number] for number in range(count)]
        groups = [(1, paths)] if weights is None else [each for each in zip(weights, planes, strict=True) if each[1]]
        for weight, group in groups:
            shortest = [path for path in group if len(path) == min(map(len, group))]
            share = Fraction(weight, sum(each for each, _ in groups) * len(shortest))
            for path in shortest:
                loads.update(dict.fromkeys(path, share))
    return network.nodes / max(load / _rate(network.planes[plane], *link) for (plane, *link), load in loads.items())


def two(plane):
    return Network(MultiPlane(plane=plane, planes=2), Site(layout=None))


@for_each(
    "network",
    [
        two(Torus(shape=(5,), nodes_per_switch=1, node_cable_m=1.0)),
        two(HyperX(shape=(3, 2), nodes_per_switch=1)),
        two(LeafSpine(leaf_switches=3, spine_switches=2, nodes_per_leaf=1)),
        LeafSpine(leaf_switches=3, spine_switches=2, nodes_per_leaf=2),
        dual_cube(3, (3, 5, 7), nodes_per_switch=1, layout=None).family,
    ],
)
def test_every_loss_is_limited_by_all_links_also_those_of_nodes(network):
    network = network if isinstance(network, Network) else Network(network, Site(layout=None))
    model, intact = FailureModel(network), rate_over_all_links(network)
    racks = [np.arange(switches) // 2 for switches in network.plane_switches]
    parts = np.split(np.arange(model.switches), np.cumsum(network.plane_switches)[:-1])
    in_rack = [np.flatnonzero(np.concatenate(racks) == rack) for rack in range(int(max(map(max, racks))) + 1)]
    for loss, lost in (
        (switch_lost(network), [[switch] for switch in range(model.switches)]),
        (rack_lost(network, racks), in_rack),
        (plane_lost(network), parts),
    ):
        remaining = [model.after(switches=part).network for part in lost]
        rates = [0 if each is None else rate_over_all_links(each) / intact for each in remaining]
        assert (loss.throughput.mean, loss.throughput.worst) == (Fraction(sum(rates), len(rates)), min(rates))
    (cables,) = cable_failures(network, shares=[1e-9])
    remaining = [model.after(cables=[cable]) for cable in range(model.cables)]
    rates = [rate_over_all_links(each.network) / intact for each in remaining if not each.lost]
    assert (cables.throughput.mean, cables.throughput.worst) == (sum(rates) / len(rates), min(rates))


@for_each("seed", range(24))
def test_all_links_limit_under_any_policy_with_any_rates_and_links_of_nodes(seed):
    network = random_rails(seed)
    assert Baseline(network).throughput(network) == rate_over_all_links(network)


def test_a_node_that_keeps_one_of_two_links_sends_at_most_at_its_rate():
    # In rings of 5 a link is on (1 + 2) · 5 routes, each of 2² packets, of which half take the plane: 30, of 50 packets
    # of a node. The only remaining link of a node carries all 50.
    network = two(Torus(shape=(5, 5), nodes_per_switch=2, node_cable_m=1.0))
    assert Baseline(network).intact[2:] == (Fraction(50, 30), Fraction(50, 30))
    lost = switch_lost(network)
    assert lost.throughput == RelativeRange(Fraction(3, 5), Fraction(3, 5))
    # With one node a node sends no more than its two links carry, although the links between switches would carry more.
    single = two(Torus(shape=(5, 5), nodes_per_switch=1, node_cable_m=1.0))
    assert Baseline(single).intact[2:] == (Fraction(25 * 2, 15), 2)


def test_nodes_that_are_parts_of_switches_are_limited_by_cables_alone():
    ring = Network(Torus(shape=(5,)))
    assert Baseline(ring).intact[2:] == (Fraction(5, 3), Fraction(5, 3))
    # The path that remains has more than a link of its nodes would carry, as each half of it has 2 · 2 of 4 packets.
    assert switch_lost(ring).throughput.worst == 1 / Fraction(5, 3)
