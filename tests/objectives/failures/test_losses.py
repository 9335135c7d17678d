"""Failed cables and lost switches, racks and planes, against hand-made cases and the reference evaluator."""

from fractions import Fraction

import numpy as np

from isoplane.models import Network, Site, dual_cube
from isoplane.models.failures.failure_model import FailureModel
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from isoplane.objectives.failures import Baseline, cable_failures, default_draws, plane_lost, rack_lost, switch_lost
from isoplane.objectives.reference import measure_general
from tests.cases import for_each, require_refusal

NETWORKS = [
    Network(Torus(shape=(4, 4), nodes_per_switch=2, node_cable_m=1.0), Site(layout=None)),
    Network(LeafSpine(leaf_switches=4, spine_switches=3, nodes_per_leaf=3), Site(layout=None)),
    Network(RecursiveDiagonalTorus(side=4), Site(layout=None)),
    dual_cube(3, (3, 5, 7), nodes_per_switch=2, layout=None),
    Network(LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=4, cables_per_pair=2), Site(layout=None)),
]


def test_a_lost_leaf_takes_its_nodes_and_a_lost_spine_its_bandwidth():
    # 4 leaves of 2 nodes, 2 spines. Uplink: 2·6/2 packets of 8 nodes: 8/6. Without a leaf: 2·4/2, so 6/4. Without a
    # spine: 2·6, so 8/12.
    network = Network(LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=2))
    lost = switch_lost(network)
    assert Baseline(network).intact[2] == Fraction(8, 6)
    assert (lost.parts, lost.cases, lost.mean_lost_nodes, lost.max_lost_nodes) == (6, 6, Fraction(4 * 2, 6), 2)
    assert lost.throughput.worst == Fraction(8, 12) / Fraction(8, 6)
    assert lost.worst == 4  # the first spine
    assert lost.throughput.mean == (4 * Fraction(6, 4) + 2 * Fraction(8, 12)) / 6 / Fraction(8, 6)


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


def measures(network):
    """Return ASPL, diameter and throughput of the reference evaluator."""
    found = measure_general(network)
    return Fraction(found.total_hops, network.nodes**2), found.diameter, network.nodes / Fraction(found.peak_load)


@for_each("network", NETWORKS)
def test_means_and_worst_cases_are_those_of_the_reference_over_the_same_draws(network):
    draws, seed, cables = 4, 7, network.family.cables
    intact = measures(FailureModel(network).after(cables=[]).connected_network)
    before = Baseline(network)
    assert (before.rerouted, before.intact) == (intact, measures(network))
    for summary in cable_failures(network, (0.05, 0.2), draws, seed):
        count = max(1, round(summary.share * cables))
        drawn = [np.random.default_rng([seed, draw]).permutation(cables)[:count] for draw in range(draws)]
        if count == 1 and cables <= 256:
            drawn = [[cable] for cable in range(cables)]
        remaining = [FailureModel(network).after(cables=failed) for failed in drawn]
        found = [measures(each.network) for each in remaining if each.lost == 0]
        assert (summary.failed, summary.draws, summary.disconnected) == (count, len(drawn), len(drawn) - len(found))
        for index, (given, worst) in enumerate(
            [(summary.aspl, max), (summary.diameter, max), (summary.throughput, min)]
        ):
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
