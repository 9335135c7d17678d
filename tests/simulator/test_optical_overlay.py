"""Packets over circuits and a packet network of any family: times by hand, and those of the two-level tree."""

import numpy as np

from isoplane.models import Circuits, Hybrid, Network, OpticalOverlay, Site
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.workloads import from_matrix, sparse
from isoplane.simulator import simulate_hybrid
from tests.cases import for_each


@for_each(
    ("packet", "pairs", "completion_ns"),
    [
        (Torus(shape=(8,)), (), 100 + 4 * (90 + 5)),  # 10^4 bits at 100 Gbit/s; switches of 90 ns and cables of 1 m
        (Torus(shape=(8,), node_cable_m=2.0), (), 100 + 4 * (90 + 5) + 90 + 2 * 10),
        (Torus(shape=(8,)), ((0, 4),), 100 + 80),
        (Torus(shape=(8,)), ((0, 3),), 100 + 4 * (90 + 5)),  # node 3 is in another group, and no circuit leads to 4
    ],
)
def test_an_uncontended_message_takes_its_bits_and_the_delays_of_its_way(packet, pairs, completion_ns):
    sent = np.zeros((8, 8), dtype=int)
    sent[0, 4] = 1250
    overlay, messages = OpticalOverlay(packet=packet), from_matrix(sent).message_list()
    assert simulate_hybrid(overlay, Circuits(pairs), messages, site=Site()).completion_ns == completion_ns


@for_each("relay", ["messages", "packets"])
def test_a_message_alone_takes_as_long_over_the_planes_of_a_tree_as_in_it(relay):
    tree = Hybrid(3, 2)
    packet = PlanesFamily("tree", Network(tree).planes)
    overlay = OpticalOverlay(packet=packet, group_size=2, circuit_gbps=32, circuit_ns=80)
    circuits = Circuits(((0, 2),))
    for source, destination in ((0, 1), (0, 2), (1, 3), (1, 5)):
        sent = np.zeros((6, 6), dtype=int)
        sent[source, destination] = 10_000
        messages = from_matrix(sent).message_list()
        ours, theirs = (simulate_hybrid(each, circuits, messages, relay=relay) for each in (overlay, tree))
        assert ours.completion_ns == theirs.completion_ns


def test_links_carry_the_bytes_of_the_tree():
    tree, messages = Hybrid(3, 2), sparse(6, 2, message_bytes=100_000, seed=1).message_list()
    overlay = OpticalOverlay(
        packet=PlanesFamily("tree", Network(tree).planes), group_size=2, circuit_gbps=32, circuit_ns=80
    )
    ours, theirs = (simulate_hybrid(each, Circuits(((0, 2), (3, 5))), messages) for each in (overlay, tree))
    assert sorted(ours.link_bytes.tolist()) == sorted(theirs.link_bytes.tolist())
