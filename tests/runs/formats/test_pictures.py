"""Pictures in SVG: what they contain, read as XML."""

import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import igraph
import numpy as np
import pytest

from isoplane.models import InputError, Layout, Network, Site
from isoplane.models.families.torus import Torus
from isoplane.runs.exports.exporters.svg.positions import layers, node_positions, switch_positions
from tests.cases import for_each

from .exported import NETWORKS, exported, texts

SVG = "{http://www.w3.org/2000/svg}"
FREE = replace(NETWORKS["torus"].family, cable_m=None)
FLOOR = Site(layout=Layout(aspects=()))


def words(svg: str) -> Counter:
    """The texts of a picture."""
    return Counter("".join(text.itertext()).strip() for text in ElementTree.fromstring(svg).iter(f"{SVG}text"))


@for_each("name", ["cube", "direct", "tree", "rails"])
def test_a_small_plane_shows_every_switch_with_its_number_every_cable_and_every_node(name):
    network = NETWORKS[name]
    found = texts("svg", exported(network))
    for number, plane in enumerate(network.planes):
        svg = found[f"plane{number}.svg"]
        counts = words(svg)
        assert [switch for switch in range(plane.topology.switches) if counts[str(switch)] != 1] == []
        root = ElementTree.fromstring(svg)
        cables, links = (
            sum(
                len(group.findall(f"{SVG}path"))
                for group in root.iter(f"{SVG}g")
                if group.get("id", "").startswith("LineCollection_")
                and f"stroke-width: {width}" in next(group.iter(f"{SVG}path")).get("style")
            )
            for width in ("0.9", "0.5")
        )
        assert cables == (plane.topology.peer >= 0).sum() // 2
        assert links == (0 if plane.node_cable_mm is None else len(plane.node_switch))


def test_the_floor_plan_counts_all_cables_within_and_between_racks():
    network = Network(FREE, FLOOR)
    given = exported(network)
    svg = texts("svg", given)["floor.svg"]
    (plane,), (rack,) = network.planes, given.floor.of_switches
    switch, port = plane.topology.cable_ends()
    ends = np.stack([rack[switch], rack[plane.topology.peer[switch, port]]], axis=1)
    pairs = {tuple(sorted(pair)) for pair in ends.tolist() if pair[0] != pair[1]}
    metres = plane.cable_mm[switch, port].sum() / 1000
    inside = int((ends[:, 0] == ends[:, 1]).sum())
    title = f"Plane 0: {len(switch)} cables between switches, {inside} of them within racks, {metres:,.0f} m"
    assert words(svg)[title] == 1
    curves = [path.get("d") for path in ElementTree.fromstring(svg).iter(f"{SVG}path") if " Q" in f" {path.get('d')}"]
    assert sum(len(re.findall(r"\bQ", path)) for path in curves) == len(pairs)


def test_large_planes_are_left_out_and_refused_without_a_floor():
    large = Torus(shape=(12, 12), cable_m=None, node_cable_m=2.0)
    assert list(texts("svg", exported(Network(large, FLOOR)))) == ["floor.svg"]
    with pytest.raises(InputError) as caught:
        texts("svg", exported(Network(replace(large, cable_m=1.0))))
    assert str(caught.value) == (
        "format=svg: 144 switches without racks; expected a design with racks, or at most 128 switches in a plane"
    )


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
