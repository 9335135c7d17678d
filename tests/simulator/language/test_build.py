"""Networks are built as their programs state."""

from dataclasses import replace
from importlib import resources

import pytest
from hypothesis import assume, given, settings

from isoplane.models import InputError
from isoplane.models.routing import channel_cycle, hops
from isoplane.simulator.language import network_of_program, parse_program, read_program
from tests.cases import for_each

from .listing import LISTING
from .test_round_trip import programs

PROGRAMS = resources.files("isoplane.conf") / "programs"


def degrees(topology):
    return set((topology.peer >= 0).sum(axis=1).tolist())


@for_each(
    ("file", "name", "longest", "links"),
    [
        ("torus-64x64", "torus 64x64", 64, {4}),
        ("torus-16x16x16", "torus 16x16x16", 24, {6}),
        ("hypercube-12", "direct_hypercube n=12", 12, {12}),
        # Vector routing has routes one hop longer than the diameter; links of rank 4 are loops.
        ("rdt-2-4-1", "rdt 64x64", 9, {4, 8}),
    ],
)
def test_the_shipped_networks_have_the_published_routes_and_degrees(file, name, longest, links):
    with resources.as_file(PROGRAMS / f"{file}.ndl") as path:
        network = network_of_program(read_program(path))
    (plane,) = network.planes
    assert (network.title, network.nodes, network.plane_switches, network.node_cable_mm) == (name, 4096, (4096,), None)
    assert hops(plane.topology, plane.routes).max() == longest
    assert degrees(plane.topology) == links
    assert not plane.cable_mm.any()


@for_each(
    ("statements", "free_of_deadlock"),
    [
        ("(NetworkTopology Torus 4 4)", False),
        ("(NetworkTopology Torus 4 4)(DateLines Yes)(VirtualChannels 2)", True),
        ("(NetworkTopology Torus 4 4)(RoutingAlgorithm UpDown)", True),
        ("(NetworkTopology Torus 5 5)(RoutingAlgorithm ShortestPath)", False),
        ("(NetworkTopology Mesh 4 4)", True),
        ("(NetworkTopology Hypercube 4)", True),
        ("(NetworkTopology Graph 3)(NetworkLink 0 1)(NetworkLink 1 2)(NetworkLink 2 0)", True),
    ],
)
def test_the_stated_routing_is_built(statements, free_of_deadlock):
    program = parse_program(LISTING + statements)
    (plane,) = network_of_program(program).planes
    cycle = channel_cycle(plane.topology, plane.routes, program.virtual_channels)
    assert (cycle is None) == free_of_deadlock


@settings(max_examples=20)
@given(programs())
def test_every_program_can_be_built_unless_hop_classes_need_more_channels(program):
    assume(program.nodes <= 256)
    network = network_of_program(replace(program, hop_classes=False))
    assert network.nodes == program.nodes
    (plane,) = network.planes
    route_length = hops(plane.topology, plane.routes)
    assert route_length.min() == 0
    if program.hop_classes and route_length.max() > program.virtual_channels:
        with pytest.raises(InputError, match=rf"VirtualChannels {program.virtual_channels}:|HopClasses Yes:"):
            network_of_program(program)
    elif program.hop_classes:
        (plane,) = network_of_program(program).planes
        assert channel_cycle(plane.topology, plane.routes, program.virtual_channels) is None
