"""Minimal routing in any graph, with one class of virtual channels per hop."""

from itertools import combinations

import igraph
import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.models.routing import channel_cycle, hops
from isoplane.simulator.language import network_of_program, run_program
from tests.cases import for_each

from .programs import program_of

GROUPS, SWITCHES = 5, 4  # a dragonfly: complete groups, one cable between any two of them
MINIMAL = "(RoutingAlgorithm ShortestPath)(HopClasses Yes)"


def dragonfly():
    """The cables of a dragonfly: switch k of group g has the cable to group g + k + 1, modulo the number of groups."""
    within_groups = [
        (SWITCHES * g + a, SWITCHES * g + b) for g in range(GROUPS) for a, b in combinations(range(SWITCHES), 2)
    ]
    # Seen from group g + k + 1, this cable has the offset 5 - (k + 1): it ends at switch 3 - k there.
    between_groups = [
        (SWITCHES * g + k, SWITCHES * ((g + k + 1) % GROUPS) + SWITCHES - 1 - k)
        for g in range(GROUPS)
        for k in range(SWITCHES)
    ]
    return within_groups + [(a, b) for a, b in between_groups if a < b]


def text_of(edges):
    switches = 1 + max(max(edge) for edge in edges)
    return f"(NetworkTopology Graph {switches})" + "".join(f"(NetworkLink {a} {b})" for a, b in edges)


def plane_of(topology, statements):
    (plane,) = network_of_program(program_of(topology, statements=statements)).planes
    return plane


def test_a_dragonfly_has_at_most_three_hops_and_no_deadlock():
    edges = dragonfly()
    assert len(edges) == 5 * 6 + 10
    plane = plane_of(text_of(edges), MINIMAL + "(VirtualChannels 3)")
    distances = np.array(igraph.Graph(edges=edges).distances())
    assert distances.max() == 3
    assert np.array_equal(hops(plane.topology, plane.routes), distances)
    assert channel_cycle(plane.topology, plane.routes, 3) is None


@for_each(
    ("topology", "channels", "expected"),
    [
        (
            text_of(dragonfly()),
            2,
            "VirtualChannels 2: expected at least 3 with HopClasses, because the longest route has 3",
        ),
        ("(NetworkTopology Torus 8)", 1, "VirtualChannels 1: expected at least 4 with HopClasses, because the longest"),
        (
            "(NetworkTopology Mesh 18)",
            16,
            "HopClasses Yes: expected No, because routes of 17 hops need 17 virtual channels, but at most 16 exist",
        ),
    ],
)
def test_too_few_channels_are_rejected_with_the_number_needed(topology, channels, expected):
    program = program_of(topology, statements=f"{MINIMAL}(VirtualChannels {channels})")
    with pytest.raises(InputError, match=f"^{expected}"):
        run_program(program)


@for_each("flow", ["StoreAndForward", "VirtualCutThrough", "Wormhole"])
def test_a_ring_that_deadlocks_on_shortest_paths_does_not_with_hop_classes(flow):
    def run(statements):
        routing = "(RoutingAlgorithm ShortestPath)(VirtualChannels 4)"
        return run_program(program_of(flow=flow, created=2000, interval="8clock", statements=routing + statements))

    shortest_paths, hop_classes = run(""), run("(HopClasses Yes)")
    assert shortest_paths.deadlocks > 0
    assert (hop_classes.deadlocks, hop_classes.messages_dropped, hop_classes.messages_arrived) == (0, 0, 2000)
