"""Places that have nodes if fewer are bought: evenly many at all switches, counted one by one."""

import pickle
import random
from collections import Counter
from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Network
from isoplane.models.cabling.cable_list import cable_list
from isoplane.models.failures.node_subsets import spread_nodes
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.planes.plane import Cabling
from isoplane.models.planes.spread_places import spread_order, spread_places
from isoplane.models.topologies import graph


def plane_of(switches):
    """A plane in which node i is at `switches[i]`."""
    count = max(switches) + 2  # the last one has no places
    topology = graph([(switch, switch + 1) for switch in range(count - 1)])
    return Cabling(topology, np.zeros(topology.peer.shape), np.array(switches), 2000)


def steps(planes):
    """The nodes at each switch of each plane that has places, as nodes are added one by one."""
    counts = [dict.fromkeys(plane.node_switch.tolist(), 0) for plane in planes]
    for place in spread_order(planes).tolist():
        for plane, count in zip(planes, counts, strict=True):
            count[int(plane.node_switch[place])] += 1
        yield counts


SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=9)


@given(SIZES, st.permutations(range(9)))
def test_nodes_are_proportional_to_places_in_each_plane_and_differ_by_at_most_one(sizes, numbers):
    switches = [switch for switch, size in enumerate(sizes) for _ in range(size)]
    random.Random(1).shuffle(switches)
    planes = plane_of(switches), plane_of([numbers[switch] for switch in switches])
    for plane, names in zip(planes, (range(9), numbers), strict=True):
        assert set(plane.node_switch.tolist()) == {names[switch] for switch in switches}
    for bought, counts in enumerate(steps(planes), start=1):
        for count, names in zip(counts, (range(9), numbers), strict=True):
            for switch, size in enumerate(sizes):
                found = count[names[switch]]
                assert abs(found - bought * size / len(switches)) < 2
                assert all(abs(found - count[names[other]]) <= 1 for other in range(len(sizes)) if sizes[other] == size)


@given(SIZES, st.integers(1, 3))
def test_places_of_some_nodes_are_among_those_of_one_more(sizes, several):
    switches = [switch for switch, size in enumerate(sizes) for _ in range(size)]
    planes = [plane_of(random.Random(seed).sample(switches, len(switches))) for seed in range(several)]
    kept = [spread_places(planes, nodes).tolist() for nodes in range(1, len(switches) + 1)]
    assert all(places == sorted(set(places)) and len(places) == number for number, places in enumerate(kept, start=1))
    assert all(set(few) < set(more) for few, more in pairwise(kept))


@pytest.mark.parametrize("stride", [1, 3, 8])
@pytest.mark.parametrize(("switches", "size"), [(8, 8), (12, 5), (16, 4)])
def test_planes_that_attach_nodes_to_other_switches_are_nearly_even(switches, size, stride):
    # The second plane has the nodes of a switch at several ones, as rails have, so that no order is even by itself.
    first = [node // size for node in range(switches * size)]
    planes = plane_of(first), plane_of([(stride * node) % switches if stride % 2 else node % switches
                                       for node in range(switches * size)])  # fmt: skip
    assert all(max(count.values()) - min(count.values()) <= 2 for counts in steps(planes) for count in counts)


@pytest.mark.parametrize("switches", [12, 13, 32, 55])
def test_neighbouring_switches_have_their_share_of_a_partly_filled_round(switches):
    for bought, (count,) in enumerate(steps([plane_of(list(range(switches)))]), start=1):
        filled = [0, *accumulate(count[switch] for switch in range(switches))]
        for begin in range(switches):
            for end in range(begin + 1, switches + 1):
                assert abs(filled[end] - filled[begin] - (end - begin) * bought / switches) < 3


def ends_of(network, places):
    """The cables of a network, with nodes named after their places."""
    cables = cable_list(network.cabling)
    far = np.where(cables.to_node, np.array(places)[np.where(cables.to_node, cables.other, 0)], cables.other)
    columns = (cables.plane, cables.switch, cables.switch_port, cables.to_node, far, cables.other_port)
    return Counter(zip(*(column.tolist() for column in columns), strict=True))


def test_a_network_that_grows_keeps_all_cables_and_ports_of_its_nodes():
    network = Network(MultiPlane(plane=HyperX(shape=(3, 2), nodes_per_switch=3, node_cable_m=2), links_per_node=2))
    before = Counter()
    for nodes in range(1, network.nodes + 1):
        part = pickle.loads(pickle.dumps(spread_nodes(network, nodes)))
        cables = ends_of(part, spread_places(network.cabling, nodes))
        assert before <= cables <= ends_of(network, range(network.nodes))
        assert part.planes[0] is part.planes[1]  # identical planes stay one object
        before = cables
