"""Bounds on throughput over minimal paths and over detours."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import InputError, Network
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.simulator import Hardware, Scenario, Traffic, throughput_bound
from isoplane.simulator.flits.regions import region_nodes
from tests.cases import for_each
from tests.models.detours import detours_between, minimal

from .detours import DRAGONFLY, OTHERS, SELECTIONS, group_shift


def loads(network, pairs, selection):
    """Return the load of each link, packet by packet, if every packet takes each of its paths with equal probability.

    `pairs` are (source node, destination node, packets); links are (switch, port), ("out", node) and ("in", node).
    """
    plane, detours = network.planes[0], network.detours[0]
    found = Counter()
    for source, destination, packets in pairs:
        found["out", source] += packets
        found["in", destination] += packets
        ends = int(plane.node_switch[source]), int(plane.node_switch[destination])
        paths = [minimal(plane, *ends)] if selection == "minimal" else detours_between(plane, detours, *ends)
        for path in paths:
            for link in path:
                found[link] += Fraction(packets, len(paths))
    return found


def shifted(network, offset):
    """Return the pairs of nodes of group-shift traffic, with one packet in total of each source."""
    size, nodes = region_nodes(network), range(network.nodes)
    groups = len(nodes) // size
    return [(s, d, Fraction(1, size)) for s in nodes for d in nodes if (s // size + offset) % groups == d // size]


@for_each("selection", ["minimal", "valiant"])
@for_each("network", OTHERS)
def test_the_bound_is_the_inverse_load_of_the_busiest_link_over_all_paths(network, selection):
    hardware, nodes = Hardware(path_selection=selection), range(network.nodes)
    uniform = [(s, d, Fraction(1, network.nodes - 1)) for s in nodes for d in nodes if s != d]
    assert throughput_bound(network, "uniform", hardware) == 1 / max(loads(network, uniform, selection).values())
    ahead = loads(network, shifted(network, 2), selection)
    assert throughput_bound(network, group_shift(network, 2), hardware) == 1 / max(ahead.values())
    destinations = (5 * np.arange(network.nodes) + 1) % network.nodes
    table = [(source, int(destinations[source]), Fraction(1)) for source in nodes]
    bound = throughput_bound(network, destinations, hardware)
    assert bound == 1 / max(loads(network, table, selection).values())
    assert bound == throughput_bound(network, Traffic("table", load=1, table=tuple(destinations.tolist())), hardware)


@for_each("h", [2, 3, 4])
def test_adversarial_traffic_over_balanced_dragonflies_has_the_bounds_of_the_formulas(h):
    # a = 2h switches per group and p = h nodes per switch. Minimal: a p nodes share a cable. Valiant, next group: the
    # a h - 1 other cables of a group carry the first and the second half of a p packets. Valiant, h groups ahead: all h
    # cables into a switch of an intermediate group lead on to h cables of the next switch, over one local link, which
    # also carries the first hop of p nodes to h groups, and the last hop of h cables to one of a switches.
    a, p = 2 * h, h
    network = Network(Dragonfly(switches_per_group=a, global_ports=h, groups=a * h + 1, nodes_per_switch=p))
    valiant = Hardware(path_selection="valiant")
    assert throughput_bound(network, group_shift(network)) == Fraction(1, a * p)
    assert throughput_bound(network, group_shift(network), valiant) == Fraction(a * h - 1, 2 * a * p)
    local = throughput_bound(network, group_shift(network, h), valiant)
    assert local == Fraction(a * h - 1, h * a * p + p * h + h * p) < Fraction(1, h)


def test_the_guess_of_the_saturation_is_the_bound_and_with_ugal_the_better_one_of_both():
    def guess(selection):
        return Scenario(DRAGONFLY, Hardware(path_selection=selection), group_shift(DRAGONFLY)).saturation_guess()

    assert [guess(selection) for selection in SELECTIONS] == [Fraction(1, 8), Fraction(7, 16), Fraction(7, 16)]


def test_ugal_has_no_bound():
    with pytest.raises(InputError, match=r"^hardware.path_selection=ugal: no bound, because paths depend on the load"):
        throughput_bound(DRAGONFLY, "uniform", Hardware(path_selection="ugal"))
