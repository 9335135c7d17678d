"""Lost switches, racks and planes, against hand-made cases and the reference evaluator."""

from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import InputError, Network, dual_cube
from isoplane.models.failures.failure_model import without_switches
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.torus import Torus
from isoplane.objectives.failures import plane_lost, rack_lost, switch_lost
from isoplane.objectives.reference import measure_general
from tests.cases import for_each


def test_a_lost_leaf_takes_its_nodes_and_a_lost_spine_its_bandwidth():
    # 4 leaves of 2 nodes, 2 spines. Uplink: 2·6/2 packets of 8 nodes: 8/6. Without a leaf: 2·4/2, so 6/4. Without a
    # spine: 2·6, so 8/12.
    lost = switch_lost(Network(LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=2)))
    assert lost.intact.throughput == Fraction(8, 6)
    assert (lost.parts, lost.cases, lost.mean_lost_nodes, lost.max_lost_nodes) == (6, 6, Fraction(4 * 2, 6), 2)
    assert lost.throughput.worst == Fraction(8, 12) / Fraction(8, 6)
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
    found = [measure_general(without_switches(network, [switch]).network).peak_load for switch in range(16)]
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
    assert (lost.parts, lost.max_lost_nodes) == (2, 0)
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
    message = r"rack: arrays of shapes \[\(3,\)\]; expected one rack per switch, \[4\] in the planes"
    with pytest.raises(InputError, match=f"^{message}$"):
        rack_lost(Network(Torus(shape=(4,))), [[0, 0, 1]])
