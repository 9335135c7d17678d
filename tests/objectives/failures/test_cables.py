"""Random cable failures, against the reference evaluator and hand-made cases."""

from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import InputError, Network, Site, dual_cube
from isoplane.models.failures.failure_model import without_cables
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from isoplane.objectives.failures import cable_failures, default_draws
from isoplane.objectives.reference import measure_general
from tests.cases import for_each

NETWORKS = [
    Network(Torus(shape=(4, 4), nodes_per_switch=2, node_cable_m=1.0), Site(layout=None)),
    Network(LeafSpine(leaf_switches=4, spine_switches=3, nodes_per_leaf=3), Site(layout=None)),
    Network(RecursiveDiagonalTorus(side=4), Site(layout=None)),
    dual_cube(3, (3, 5, 7), nodes_per_switch=2, layout=None),
    Network(LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=4, cables_per_pair=2), Site(layout=None)),
]


def measures(network):
    """Return ASPL, diameter and throughput of the reference evaluator."""
    found = measure_general(network)
    return Fraction(found.total_hops, network.nodes**2), found.diameter, network.nodes / Fraction(found.peak_load)


@for_each("network", NETWORKS)
def test_means_and_worst_cases_are_those_of_the_reference_over_the_same_draws(network):
    draws, seed, cables = 4, 7, network.family.cables
    intact = measures(without_cables(network, []).connected_network)
    for summary in cable_failures(network, (0.05, 0.2), draws, seed):
        count = max(1, round(summary.share * cables))
        drawn = [np.random.default_rng([seed, draw]).permutation(cables)[:count] for draw in range(draws)]
        remaining = [without_cables(network, failed) for failed in drawn]
        found = [measures(each.network) for each in remaining if each.lost == 0]
        assert (summary.failed, summary.draws, summary.disconnected) == (count, draws, draws - len(found))
        assert (summary.rerouted.aspl, summary.rerouted.diameter, summary.rerouted.throughput) == intact
        assert (summary.intact.aspl, summary.intact.diameter, summary.intact.throughput) == measures(network)
        for index, (given, worst) in enumerate(
            [(summary.aspl, max), (summary.diameter, max), (summary.throughput, min)]
        ):
            relative = [Fraction(each[index]) / intact[index] for each in found]
            assert (given.mean, given.worst) == (sum(relative) / len(relative), worst(relative))


def test_every_failed_cable_of_a_tree_disconnects_nodes():
    # A path of five switches: whichever cable fails, some nodes are lost, so no draw has measures.
    (summary,) = cable_failures(Network(Mesh(shape=(5,))), shares=[0.25], draws=6)
    assert (summary.failed, summary.disconnected) == (1, 6)
    assert summary.aspl is summary.diameter is summary.throughput is None


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
    with pytest.raises(InputError, match=f"^{message}$"):
        cable_failures(NETWORKS[0], **arguments)
