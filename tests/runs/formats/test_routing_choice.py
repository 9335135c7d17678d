"""The routing that an import chooses, against the routings of the families that are imported."""

import re
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from isoplane.models import InputError, Network, Site, family_named
from isoplane.models.families.fabric import Fabric
from isoplane.models.routing import channel_cycle
from isoplane.objectives.failures import throughput_per_node
from isoplane.runs.exports.infiniband.forwarding import forwarding_of
from isoplane.runs.imports import routing_choice
from isoplane.runs.imports.routing_choice import rated_routings, routing_content, routing_lines
from tests.cases import for_each
from tests.models.families.members import FABRIC, PAIR
from tests.runs.formats.copies import copied_fabric


@pytest.fixture(autouse=True)
def short_search(monkeypatch):
    monkeypatch.setattr("isoplane.models.routing.balanced.MIN_MOVES", 1 << 18)


def renumbered(fabric):
    """The same fabric with switches and nodes in random order."""
    (plane,), rng = fabric.planes, Random(1)
    switch, node = (rng.sample(range(count), count) for count in (plane.switches, fabric.nodes))
    cables = tuple((switch[a], port, switch[b], other) for a, port, b, other in plane.cables)
    nodes = tuple(sorted((node[each], switch[at], port) for each, at, port in plane.nodes))
    return replace(fabric, planes=(replace(plane, cables=cables, nodes=nodes),))


def rated(name, **keys):
    """The network of a family, its copy as an import without tables, and the rated routings of that."""
    network = Network(family_named(name)(**keys), Site(layout=None))
    fabric = renumbered(copied_fabric(network, None))
    return network, fabric, rated_routings(fabric)


def throughputs(found):
    return {each.routing: each.throughput_per_node for each in found if not each.problem}


@for_each(
    ("name", "keys"),
    [
        ("leaf_spine", {"leaf_switches": 6, "spine_switches": 4, "nodes_per_leaf": 4}),
        ("leaf_spine", {"leaf_switches": 4, "spine_switches": 2, "nodes_per_leaf": 4, "cables_per_pair": 2}),
        ("fat_tree", {"switch_ports": 4}),
        ("fat_tree", {"switch_ports": 8, "cables_per_pair": [2, 2]}),
        ("xgft", {"children": (2, 3), "parents": (1, 2)}),
    ],
)
def test_a_tree_has_the_throughput_of_its_family_on_one_virtual_channel(name, keys):
    network, fabric, (chosen, *others) = rated(name, **keys)
    assert chosen.virtual_channels == 1
    assert chosen.throughput_per_node == throughput_per_node(network)
    assert chosen.throughput_per_node >= max(throughputs(others).values())
    built = Network(replace(fabric, routing=chosen.routing), Site(layout=None))
    assert throughput_per_node(built) == chosen.throughput_per_node
    (plane,) = built.planes
    assert channel_cycle(plane.topology, plane.routes, virtual_channels=1) is None


def test_classes_of_virtual_channels_are_used_up_to_those_of_the_hardware(monkeypatch):
    _, _, found = rated("torus", shape=(8,), nodes_per_switch=2, node_cable_m=2.0)
    reasons = {each.routing: each for each in found}
    assert (found[0].routing, found[0].virtual_channels) == ("balanced", 2)
    assert "may deadlock: 8 channels form a dependency cycle: P0-S0:" in reasons["shortest"].problem
    monkeypatch.setattr(routing_choice, "MAX_VIRTUAL_CHANNELS", 1)
    _, _, found = rated("torus", shape=(8,), nodes_per_switch=2, node_cable_m=2.0)
    reasons = {each.routing: each for each in found}
    assert found[0].routing == "balanced_up_down"
    assert reasons["balanced"].problem == "needs 2 virtual channels, more than 1"


@for_each(
    ("name", "keys"),
    [
        ("torus", {"shape": (4, 3), "node_cable_m": 2.0}),
        ("hyperx", {"shape": (3, 3)}),
        ("dragonfly", {}),
        ("megafly", {"groups": 3}),
        ("fat_tree", {"switch_ports": 4}),
    ],
)
def test_the_routing_for_opensm_is_the_best_that_its_export_takes(name, keys):
    _, fabric, found = rated(name, **keys)
    lines = "\n".join(routing_lines(found))
    told = re.search(r"format=opensm.*network.routing=(\w+)", lines)
    routing = found[0].routing if told is None else told[1]
    taken = []
    for each in throughputs(found):
        (plane,) = Network(replace(fabric, routing=each), Site(layout=None)).planes
        with suppress(InputError):
            forwarding_of(plane, each)
            taken.append(each)
    assert routing == taken[0]


def test_a_large_plane_keeps_a_routing_that_needs_no_search(monkeypatch):
    monkeypatch.setattr(routing_choice, "MAX_SWITCHES", 5)
    monkeypatch.setattr(routing_choice, "MAX_SWITCHES_UP_DOWN", 4)
    _, _, found = rated("torus", shape=(6,), nodes_per_switch=1, node_cable_m=2.0)
    assert found[0].routing == "up_down"
    assert routing_lines(found)[:2] == [
        "routing=up_down: free from deadlock with 1 virtual channel",
        "not chosen: shortest: not tried in a plane of 6 switches; at most 5",
    ]
    _, _, found = rated("torus", shape=(5,), nodes_per_switch=1, node_cable_m=2.0)
    reasons = {each.routing: each.problem for each in found}
    assert reasons["balanced_up_down"] == "not tried in a plane of 5 switches; at most 4"
    assert reasons["balanced"] == ""


def test_planes_share_a_routing_and_its_number_is_that_of_all_of_them():
    fabric = Fabric(planes=(replace(FABRIC, nodes=((0, 0, 1), (1, 1, 1), (2, 2, 8))),) * 2)
    chosen = rated_routings(fabric)[0]
    built = Network(replace(fabric, routing=chosen.routing), Site(layout=None))
    assert chosen.throughput_per_node == throughput_per_node(built)
    assert routing_content([chosen])["routings"][0]["throughput_per_node"] == float(chosen.throughput_per_node)


def test_fabrics_without_throughput_have_a_routing_or_none():
    apart = Fabric(planes=(FABRIC, replace(PAIR, nodes=((0, 0, 2), (2, 1, 2)))))  # nodes 1 and 2 share no plane
    assert rated_routings(apart)[0].throughput_per_node is None
    assert rated_routings(Fabric(planes=(replace(PAIR, switches=1, cables=(), nodes=((0, 0, 2),)),))) == []


def test_a_fabric_that_no_routing_can_take_keeps_the_default_and_the_reason():
    nodes = tuple((node, 0, 2 + node) for node in range(1025))
    found = rated_routings(Fabric(planes=(replace(PAIR, nodes=nodes),)))
    assert routing_lines(found)[0].startswith("routing=up_down: plane.node_switch: switch 0 has 1025 nodes; expected")
    assert len(routing_lines(found)) == 5
