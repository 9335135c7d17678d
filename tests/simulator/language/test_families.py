"""Programs describe networks of the families in configs, with the same parameters, planes, records and simulations."""

import json
from dataclasses import replace
from fractions import Fraction
from importlib import resources

import numpy as np
import pytest
from hypothesis import assume, given, settings

from isoplane.models import InputError, Network, Site, SwitchModel, family_named
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.graph import Graph
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from isoplane.models.routing import channel_cycle, hops
from isoplane.simulator.language import Graph as StatedGraph
from isoplane.simulator.language import (
    network_keys,
    network_of_program,
    read_program,
    run_program,
)
from tests.cases import for_each, require_refusal

from .programs import program_of
from .test_round_trip import programs

PROGRAMS = sorted(
    (file for file in (resources.files("isoplane.conf") / "programs").iterdir() if file.name.endswith(".ndl")),
    key=lambda file: file.name,
)
SHORTEST = "(RoutingAlgorithm ShortestPath)"
TILE = "1212 2121 1212 2121"
LINKS = "(NetworkLink 0 1 2.5m)(NetworkLink 1 2)(NetworkLink 2 0 0.007m)"
NO_CABLE = {"assumed_cable_m": 0}
FAMILIES = [
    ("Torus 4 3", "", Torus(shape=(4, 3), datelines=False, **NO_CABLE)),
    ("Torus 4 3", "(DateLines Yes)(VirtualChannels 2)", Torus(shape=(4, 3), **NO_CABLE)),
    ("Torus 4 3", SHORTEST, Torus(shape=(4, 3), datelines=False, routing="shortest", **NO_CABLE)),
    ("Mesh 4 3", "(RoutingAlgorithm UpDown)", Mesh(shape=(4, 3), routing="up_down", **NO_CABLE)),
    ("RDT 2 4 1 8 8", "", RecursiveDiagonalTorus(side=8, routing="vector", **NO_CABLE)),
    ("RDT 2 4 1 8 8", "(DateLines Yes)(VirtualChannels 3)", RecursiveDiagonalTorus(side=8, **NO_CABLE)),
    ("RDT 2 2 1 4 4", f"(RankTile {TILE})", RecursiveDiagonalTorus(side=4, tile=TILE, routing="vector", **NO_CABLE)),
    ("Hypercube 1", "", DirectHypercube(n=1, **NO_CABLE)),
    ("FoldedHypercube 3", "(Generators 7 3 5)", DirectHypercube(n=3, folded=True, generators=(3, 5, 7), **NO_CABLE)),
    ("Graph 3", LINKS, Graph(edges=((0, 1, 2.5), (1, 2), (2, 0, 0.007)), **NO_CABLE)),
    (
        "Graph 3",
        f"{LINKS}{SHORTEST}(HopClasses Yes)",
        Graph(edges=((0, 1, 2.5), (1, 2), (2, 0, 0.007)), routing="hop_classes", **NO_CABLE),
    ),
]


@for_each(("topology", "statements", "family"), FAMILIES)
def test_a_program_describes_the_network_of_a_family_on_a_site_with_its_switches(topology, statements, family):
    program = program_of(f"(NetworkTopology {topology})", statements=statements)
    # A head flit leaves one clock of 20 ns after its hardware delay, and a direct network has no node delay.
    delay_ns = 20 * (1 + program.hardware_delay_clocks)
    site = Site(switch=SwitchModel("program", Fraction(delay_ns), Fraction(5), 0))
    assert network_of_program(program) == Network(family, site)


def recorded_keys(family):
    """The keys of a family in a record, after a round trip through JSON."""
    written = json.loads(json.dumps(family.write()))
    return {**written["network"], "nodes_per_switch": written["nodes_per_switch"]}


@for_each("file", PROGRAMS)
def test_the_family_of_every_shipped_program_can_be_recorded(file):
    with resources.as_file(file) as path:
        program = read_program(path)
    keys, family = network_keys(program), network_of_program(program).family
    assert keys["family"] == family.name
    assert family_named(family.name).read(keys) == family
    assert family_named(family.name).read(recorded_keys(family)) == family
    assert family.nodes == program.nodes == 4096


@settings(max_examples=30)
@given(programs())
def test_any_program_has_a_network_unless_hop_classes_need_more_channels(program):
    assume(program.nodes <= 256)
    network = network_of_program(replace(program, hop_classes=False))
    family, (plane,) = network.family, network.planes
    assert family_named(family.name).read(recorded_keys(family)) == family
    assert (family.nodes, family.switches) == (program.nodes, plane.topology.switches)
    assert family.cables == (plane.topology.peer >= 0).sum() // 2
    assert family.ports == plane.ports_used.max()
    lengths = plane.cable_mm[np.nonzero(plane.topology.peer >= 0)]
    stated_mm = sum(mm for _, _, mm in program.topology.links) if isinstance(program.topology, StatedGraph) else 0
    assert lengths.sum() == 2 * stated_mm
    route_length = hops(plane.topology, plane.routes)
    assert route_length.min() == 0
    if program.hop_classes and route_length.max() > program.virtual_channels:
        with pytest.raises(InputError, match=rf"VirtualChannels {program.virtual_channels}:|HopClasses Yes:"):
            network_of_program(program)
    elif program.hop_classes:
        (plane,) = network_of_program(program).planes
        assert channel_cycle(plane.topology, plane.routes, program.virtual_channels) is None


MINIMAL = "(RoutingAlgorithm ShortestPath)(HopClasses Yes)"


@for_each(
    ("topology", "channels", "says"),
    [
        (
            "(NetworkTopology Torus 8)",
            1,
            "^VirtualChannels 1: expected at least 4 with HopClasses, because the longest",
        ),
        ("(NetworkTopology Mesh 18)", 16, "^HopClasses Yes: expected No, because routes of 17 hops need 17 virtual"),
    ],
)
def test_too_few_channels_are_rejected_with_the_number_needed(topology, channels, says):
    program = program_of(topology, statements=f"{MINIMAL}(VirtualChannels {channels})")
    require_refusal(lambda: run_program(program), says)


@for_each("flow", ["StoreAndForward", "VirtualCutThrough", "Wormhole"])
def test_a_ring_that_deadlocks_on_shortest_paths_does_not_with_hop_classes(flow):
    def run(statements):
        routing = "(RoutingAlgorithm ShortestPath)(VirtualChannels 4)"
        return run_program(program_of(flow=flow, created=2000, interval="8clock", statements=routing + statements))

    shortest_paths, hop_classes = run(""), run("(HopClasses Yes)")
    assert shortest_paths.deadlocks > 0
    assert (hop_classes.deadlocks, hop_classes.messages_dropped, hop_classes.messages_arrived) == (0, 0, 2000)
