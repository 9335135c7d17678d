"""Racks have one name and one position in all formats; pictures in SVG, read as XML."""

import json
import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Layout, Network, Site
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.files.exact_text import counted
from isoplane.runs.drawing.positions import layers, node_positions, switch_positions
from tests.cases import for_each, require_refusal
from tests.runs.drawing.drawn import SVG, cables_of, hovers, links, shapes

from .cabling.files_of import rows
from .exported import NETWORKS, exported, texts
from .test_slurm import nodes_below, tree_of

PITCH_MM = 800, 2500  # of the paper: across and deep


def ring(switches, nodes):
    """A ring with node i at switch i, modulo the switches."""
    cables = tuple((switch, 1, (switch + 1) % switches, 2) for switch in range(switches))
    return FabricPlane(
        switches=switches,
        cables=cables,
        nodes=tuple((node, node % switches, 3 + node // switches) for node in range(nodes)),
    )


def two_rings(sizes, per_rack, nodes=12):
    """Two planes of different sizes, so that their racks are in different grids."""
    family = Fabric(planes=tuple(ring(switches, nodes) for switches in sizes), assumed_cable_m=None)
    return Network(family, Site(Layout(aspects=(), switches_per_rack=per_rack)))


def expected_racks(network):
    """The name of every device's rack by hand: racks are filled in order of ids, in the grid of each plane."""
    layout, found = network.site.layout, {}
    for number, plane in enumerate(network.planes):
        across, _ = layout.grid(plane.topology.switches)
        for switch in range(plane.topology.switches):
            row, place = divmod(switch // layout.switches_per_rack, across)
            found[f"P{number}-S{switch}"] = f"R{row + 1}-{place + 1}"
    for node in range(network.nodes):  # every node has a link in plane 0
        found[f"N{node}"] = found[f"P0-S{network.planes[0].node_switch[network.planes[0].starts[node]]}"]
    return found


def place_of(rack):
    row, place = re.fullmatch(r"R(\d+)-(\d+)", rack).groups()
    return int(place) - 1, int(row) - 1


def racks_of_schedule(given):
    schedule = rows(texts("cabling", given)["schedule.csv"])
    return {row[f"{end}_device"]: row[f"{end}_rack"] for row in schedule for end in ("from", "to")}


def racks_of_nodes(given):
    """The racks of nodes in the tree of Slurm."""
    tree = tree_of(texts("slurm", given)["topology.conf"])
    return {node: rack for rack in tree if rack.startswith("R") for node in nodes_below(tree, rack)}


networks = st.one_of(
    st.builds(two_rings, st.tuples(st.integers(3, 70), st.integers(3, 70)), st.integers(1, 4)),
    st.just(NETWORKS["cube"]),
)


@given(networks)
@settings(max_examples=25, deadline=None)
def test_every_format_has_each_device_in_the_same_rack(network):
    case, expected = exported(network), expected_racks(network)
    vertices = {each.pop("id"): each for each in json.loads(texts("json", case)["network.json"])["vertices"]}
    assert {name: each["rack"] for name, each in vertices.items()} == expected
    for name, each in vertices.items():
        place = [pitch * at / 1000 for pitch, at in zip(PITCH_MM, place_of(expected[name]), strict=True)]
        assert [each["x_m"], each["y_m"]] == pytest.approx(place)
    dot = re.findall(r'"([\w-]+)" \[.*\brack="([^"]*)"', texts("dot", case)["network.dot"])
    assert dict(dot) == expected
    assert racks_of_schedule(case) == expected
    assert racks_of_nodes(case) == {name: rack for name, rack in expected.items() if name.startswith("N")}


@for_each("sizes", [(16, 60), (60, 16)])
def test_pictures_show_every_rack_at_its_place(sizes):
    # 8 racks of plane 0 or 1, in two rows, are among the 30 racks of the other, or beside them.
    network = two_rings(sizes, 2)
    svg = ElementTree.fromstring(texts("svg", exported(network))["floor.svg"])
    words = ["".join(text.itertext()).strip() for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    names = set(expected_racks(network).values())
    assert sorted(word for word in words if word.startswith("R")) == sorted(2 * list(names))
    for number, picture in enumerate(svg.findall(f"{SVG}svg")):
        drawn = list(shapes(ElementTree.tostring(picture), "devices", "rect"))
        per_rack = Counter(rack for device, rack in expected_racks(network).items() if device.startswith(f"P{number}"))
        assert {rack.partition(":")[0] for _, rack in drawn} == names
        assert all(
            f"{name}: {counted(per_rack[name], 'switch')}, " in " ".join(rack for _, rack in drawn) for name in names
        )
        (x0, y0), *places = [(float(at["x"]), float(at["y"])) for at, _ in drawn]
        assert place_of(drawn[0][1].partition(":")[0]) == (0, 0)
        scale = (float(drawn[0][0]["width"])) / PITCH_MM[0]
        for (x, y), (_, rack) in zip(places, drawn[1:], strict=True):
            across, deep = (at * pitch for at, pitch in zip(place_of(rack.partition(":")[0]), PITCH_MM, strict=True))
            assert (x - x0, y - y0) == pytest.approx((scale * across, scale * deep), abs=2)  # of rounded decimals


FREE = replace(NETWORKS["torus"].family, assumed_cable_m=None)
FLOOR = Site(layout=Layout(aspects=()))


def texts_of(svg: str) -> Counter:
    """The texts of a picture."""
    return Counter((text.text or "").strip() for text in ElementTree.fromstring(svg).iter(f"{SVG}text"))


@for_each("name", ["cube", "direct", "tree", "rails"])
def test_a_small_plane_shows_every_switch_with_its_number_every_cable_and_every_node(name):
    network = NETWORKS[name]
    found = texts("svg", exported(network))
    for number, plane in enumerate(network.planes):
        svg = found[f"plane{number}.svg"]
        counts = texts_of(svg)
        assert [switch for switch in range(plane.topology.switches) if counts[str(switch)] != 1] == []
        assert sorted(ends for ends, _, _ in links(svg)) == sorted(cables_of(plane))
        nodes = Counter(text for text in hovers(svg) if text.startswith("N"))
        assert nodes == (Counter() if plane.node_cable_mm is None else Counter(f"N{n}" for n in range(plane.nodes)))


def test_the_floor_plan_counts_all_cables_within_and_between_racks():
    network = Network(FREE, FLOOR)
    given = exported(network)
    svg = texts("svg", given)["floor.svg"]
    (plane,), (rack,) = network.planes, network.floor.of_switches
    switch, port = plane.topology.cable_ends()
    ends = np.stack([rack[switch], rack[plane.topology.peer[switch, port]]], axis=1)
    pairs = {tuple(sorted(pair)) for pair in ends.tolist() if pair[0] != pair[1]}
    metres = plane.cable_mm[switch, port].sum() / 1000
    inside = int((ends[:, 0] == ends[:, 1]).sum())
    assert texts_of(svg)[f"Plane 0: {len(switch)} cables, {inside} within racks, {metres:,.0f} m"] == 1
    assert {ends for ends, _, _ in links(svg)} == pairs


def test_large_planes_are_left_out_and_refused_without_a_floor():
    large = Torus(shape=(12, 12), assumed_cable_m=None, node_cable_m=2.0)
    assert list(texts("svg", exported(Network(large, FLOOR)))) == ["floor.svg"]
    message = (
        "^format=svg: 144 switches without racks; expected a design with racks, or at most 128 switches in a plane$"
    )
    require_refusal(lambda: texts("svg", exported(Network(replace(large, assumed_cable_m=1.0)))), message)


def test_trees_are_drawn_in_layers_and_other_networks_by_distance():
    (tree,), (torus,) = NETWORKS["tree"].planes, NETWORKS["torus"].planes
    positions, in_layers = switch_positions(tree)
    assert in_layers
    assert np.array_equal(np.argsort(np.unique(positions[:, 1])), np.arange(3))
    assert Counter(layers(tree).tolist()) == {0: 8, 1: 8, 2: 4}
    assert (node_positions(tree, positions, in_layers)[:, 1] < positions[:, 1].min()).all()
    positions, in_layers = switch_positions(torus)
    assert not in_layers
    graph = igraph.Graph([(s, p) for s, row in enumerate(torus.topology.peer.tolist()) for p in row]).simplify()
    apart = np.linalg.norm(positions[:, None] - positions, axis=2)
    hops = np.array(graph.distances())
    assert apart[hops == 1].mean() < apart[hops == 2].mean() < apart[hops == 3].mean()
    assert apart[hops > 0].min() > 0.2
