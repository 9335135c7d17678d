"""Pictures of networks: every cable of small ones, bundles of cables of large ones, with the loads of links."""

import csv
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Hybrid, Layout, Network, OpticalOverlay, Site, dual_cube
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.network import NO_SITE
from isoplane.models.placement import by_switch
from isoplane.models.workloads import stencil
from isoplane.objectives.general import all_to_all_loads
from isoplane.runs.drawing.bundles import SHAPE_BLOCKS, blocks_of, bundles_of, shape
from isoplane.runs.drawing.circuit_picture import MAX_CIRCUITS, circuit_picture
from isoplane.runs.drawing.floor_picture import block_pictures, floor_pictures, tiles_of
from isoplane.runs.drawing.link_heat import Heat, colours_of, heat_ends
from isoplane.runs.drawing.network_picture import plane_pictures
from isoplane.runs.report.designs import evaluated_design
from isoplane.runs.report.designs.evaluated import EvaluatedDesign
from isoplane.runs.report.report_data import ReportData
from isoplane.runs.report.sections import network as network_section
from isoplane.runs.report.write import described_design, link_loads
from tests.cases import for_each, require_refusal
from tests.models.families.members import MEMBERS

from .drawn import cables_of, label, links, shapes

FLOOR = Site(Layout(aspects=(), switches_per_rack=4))
SMALL = {
    "cube": dual_cube(4, (3, 5, 9, 14)),
    "torus": Network(Torus(shape=(4, 3), assumed_cable_m=None), FLOOR),
    "tree": Network(FatTree(switch_ports=4), NO_SITE),
    "planes": Network(MultiPlane(plane=Torus(shape=(5,), node_cable_m=2.0)), NO_SITE),
    "double cables": Network(Torus(shape=(2, 4)), NO_SITE),
}


def heat_of(network):
    return EvaluatedDesign("", Design(network)).heat


@for_each("network", SMALL.values())
def test_a_small_network_shows_every_cable_with_its_ends_length_and_load(network):
    heat = heat_of(network)
    for number, (plane, (svg, (_, *rows))) in enumerate(
        zip(network.planes, plane_pictures(network, heat), strict=True)
    ):
        drawn, cables = list(links(svg)), cables_of(plane)
        assert Counter(ends for ends, _, _ in drawn) == Counter(cables)
        lower, port = plane.topology.cable_ends()
        loads = heat.links[number]
        back = loads[plane.topology.peer[lower, port], plane.topology.peer_port[lower, port]]
        names = [(f"P{number}-S{one}", f"P{number}-S{other}") for one, other in cables]
        metres = (plane.cable_mm[lower, port] / 1000).tolist()
        expected = zip(names, metres, loads[lower, port].tolist(), back.tolist(), strict=True)
        assert rows == [(number, *ends, length, there, here) for ends, length, there, here in expected]
        texts = Counter(hover for _, hover, _ in drawn)
        for _, one, other, length, there, here in rows:
            line = f"{one} – {other}{f', {length:g} m' if length else ''}, {max(there, here):.4g} packets"
            assert texts[line], line
        switches = plane.topology.switches
        assert [hover for _, hover in shapes(svg, "devices", "rect")] == [f"P{number}-S{s}" for s in range(switches)]
        largest = max(max(row[-2:]) for row in rows)
        assert re.match(
            rf"Plane {number}: {switches} switches, .*, {len(cables)} cables; the largest load: P", label(svg)
        )
        assert label(svg).endswith(f" {largest:.4g} packets")


def test_planes_with_the_same_switches_have_the_same_positions():
    first, second = ([at for at, _ in shapes(svg, "devices", "rect")] for svg, _ in plane_pictures(SMALL["cube"]))
    assert first == second


groups = st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=12, max_size=12))


@given(groups)
@settings(deadline=None, max_examples=25)
def test_bundles_and_the_cables_within_groups_are_all_cables(of_switches):
    plane, of = SMALL["torus"].planes[0], np.array(of_switches)
    pairs, counts, of_cables = bundles_of(plane, of)
    ends = [tuple(sorted((of_switches[one], of_switches[other]))) for one, other in cables_of(plane)]
    expected = Counter(pair for pair in ends if pair[0] != pair[1])
    assert dict(zip(map(tuple, pairs.tolist()), counts.tolist(), strict=True)) == expected
    assert counts.sum() + (of_cables < 0).sum() == len(ends)


@for_each("network", [SMALL["cube"], SMALL["torus"], dual_cube(7, (1, 3, 5, 9, 17, 33, 65))])
def test_the_floor_has_the_bundles_between_racks_as_wide_as_their_cables(network):
    heat = heat_of(network)
    names, of_planes = network.floor.names, network.floor.of_switches
    for number, (svg, (columns, *rows)) in enumerate(floor_pictures(network, heat)):
        plane, rack = network.planes[number], of_planes[number]
        ends = [tuple(sorted((int(rack[one]), int(rack[other])))) for one, other in cables_of(plane)]
        between = Counter(pair for pair in ends if pair[0] != pair[1])
        drawn = list(links(svg))
        assert {pair for pair, _, _ in drawn} == set(between)
        assert len(drawn) == len(between) == len(rows)
        counts = {pair: int(re.search(r": (\d+) cable", hover)[1]) for pair, hover, _ in drawn}
        assert counts == between
        widths = [(between[pair], width) for pair, _, width in drawn]
        assert widths == sorted(widths)  # the widest on top, and no narrower one stands for more cables
        assert {(row[1], row[2]): row[3] for row in rows} == {
            (names[one], names[other]): count for (one, other), count in between.items()
        }
        lower, port = plane.topology.cable_ends()
        values = heat.of_cables(number, plane).max(axis=1)
        for pair in between:
            chosen = [cable for cable, of_cable in enumerate(ends) if of_cable == pair]
            row = next(row for row in rows if row[1:3] == (names[pair[0]], names[pair[1]]))
            metres = plane.cable_mm[lower, port][chosen] / 1000
            assert row[4:] == pytest.approx((metres.min(), metres.max(), values[chosen].max()))
        assert columns[-1] == "load_packets"
        assert f"{len(ends)} cables, {len(ends) - sum(between.values())} within racks" in label(svg)


def test_racks_become_tiles_if_there_are_too_many_bundles():
    network = SMALL["cube"]
    single, size = tiles_of(network)
    assert (single.tolist(), size) == (list(range(4)), (1, 1))
    for most in range(30):
        tile, size = tiles_of(network, most)
        assert (np.diff(np.unique(tile)) == 1).all()
        bundles = [
            bundles_of(plane, tile[of]) for plane, of in zip(network.planes, network.floor.of_switches, strict=True)
        ]
        assert sum(len(counts) for _, counts, _ in bundles) <= most or len(np.unique(tile)) == 1
        row, place = network.floor.row - 1, network.floor.place - 1
        assert (
            len({(r // size[0], p // size[1]) for r, p in zip(row.tolist(), place.tolist(), strict=True)})
            == tile.max() + 1
        )


@for_each("family", [Torus(shape=(12, 12)), FatTree(switch_ports=12), Dragonfly()])
def test_large_planes_without_racks_have_blocks_of_switches_of_one_layer(family):
    network = Network(family, NO_SITE)
    (plane,) = network.planes
    ((svg, (_, *rows)),) = block_pictures(network, heat_of(network))
    within = int(re.search(r"(\d[\d,]*) within blocks", label(svg))[1].replace(",", ""))
    assert sum(row[3] for row in rows) + within == len(cables_of(plane))
    for most in (1, 7, 40, 1000):
        block, layer = blocks_of(plane, most)
        assert len(layer) <= most + len(set(layer.tolist()))
        assert len({(b, int(layer[b])) for b in block.tolist()}) == len(layer) == block.max() + 1
    height = {int(switch): 0 for switch in plane.node_switch}
    assert {int(layer[block[switch]]) for switch in height} == {0}


@given(st.one_of(*MEMBERS.values()))
@settings(deadline=None, max_examples=20)
def test_every_family_has_a_small_picture_of_its_shape(family):
    plane = Network(family, Site(layout=None)).cabling[0]
    picture = shape(plane, "7 <a>")
    assert picture == shape(plane, "7 <a>")
    assert len(picture) < 40_000
    count = picture.count("<rect")
    assert count == plane.topology.switches or SHAPE_BLOCKS / 4 < count < 2 * SHAPE_BLOCKS
    assert label(picture).startswith(f"7 <a>: a plane of {plane.topology.switches:,} switches")


@for_each(("n", "generators", "folded"), [(3, (3, 5, 7), False), (4, (3, 5, 9, 14), True)])
def test_the_loads_of_the_generators_of_cubes_are_those_of_the_general_evaluator(n, generators, folded):
    network = dual_cube(n, generators, folded, nodes_per_switch=3)
    loads, heat = all_to_all_loads(network), evaluated_design("", Design(network)).heat
    for number, links_of_plane in enumerate(heat.links):
        assert links_of_plane == pytest.approx(loads.packets(number))


def test_under_a_workload_links_show_how_long_they_are_busy():
    work, network = stencil((4, 3), 1_250_000, iterations=2), SMALL["torus"]
    design = evaluated_design("", Design(network), work)
    assert design.heat.unit == "ms"
    between = max(float(links_of_plane.max()) for links_of_plane in design.heat.links)
    # Nodes have neighbours in the torus too, so the cables between switches are as busy as any link.
    assert between == pytest.approx(design.metrics["bottleneck_ns"] / 1e6)


@for_each(
    "hybrid", [Hybrid(2, 4), OpticalOverlay(packet=LeafSpine(nodes_per_leaf=4, leaf_switches=2, spine_switches=2))]
)
def test_circuits_are_drawn_between_their_nodes_with_their_busy_times(hybrid):
    circuits = Circuits(((0, 4), (1, 5)))
    design = evaluated_design("", Design(Network(hybrid), circuits, by_switch(8)), stencil((2, 4), 1_250_000))
    svg, (_, *rows) = circuit_picture(design.network, circuits, design.heat)
    assert sorted(ends for ends, _, _ in links(svg)) == list(circuits.pairs)
    assert [row[:3] for row in rows] == [("circuit", f"N{one}", f"N{other}") for one, other in circuits.pairs]
    assert [row[4:] for row in rows] == list(
        zip(design.busy_ms.ahead.tolist(), design.busy_ms.back.tolist(), strict=True)
    )
    owners = [text for at, text in shapes(svg, "devices", "circle")][-4:]
    assert owners == ["N0", "N1", "N4", "N5"]
    cables = np.concatenate([links_of_plane[links_of_plane > 0] for links_of_plane in design.heat.links])
    busy = design.busy_ms
    assert sorted(cables) == pytest.approx(
        sorted(ms for kind in (busy.up, busy.down, busy.cables) for ms in kind if ms)
    )


def test_the_most_heavily_loaded_circuits_are_drawn():
    hybrid = Hybrid(2, 40, 32)
    pairs = tuple((one, 40 + other) for one in range(40) for other in range(30))
    heat = Heat(
        [np.zeros((3, 2))], "busy time", "ms", np.random.default_rng(1).permutation(2 * len(pairs)).reshape(-1, 2)
    )
    svg, (_, *rows) = circuit_picture(Network(hybrid), Circuits(pairs), heat)
    values = heat.circuits.max(axis=1)
    least = np.sort(values)[-MAX_CIRCUITS]
    assert {ends for ends, _, _ in links(svg)} == {
        pair for pair, value in zip(pairs, values, strict=True) if value >= least
    }
    assert len(rows) == len(pairs)


def test_links_without_load_have_a_colour_of_their_own():
    plane = SMALL["torus"].planes[0]
    loads = np.where(plane.topology.peer >= 0, np.arange(12)[:, None], 0).astype(np.float64)
    heat = Heat([loads], "load", "packets")
    values, ends = heat.of_cables(0, plane).max(axis=1), heat_ends(heat, [plane])
    levels, colours = colours_of(values, ends, 0)
    assert len(colours) == len(ends)
    assert (colours[0] == "baseline") == bool((values == 0).any())
    level_of_value = dict(zip(values.tolist(), levels.tolist(), strict=True))
    assert [level_of_value[value] for value in sorted(level_of_value)] == sorted(level_of_value.values())
    flat = replace_links(heat, np.where(plane.topology.peer >= 0, 7.0, 0))
    assert heat_ends(flat, [plane]) == []
    assert colours_of(flat.of_cables(0, plane).max(axis=1), [], 1)[1] == ["plane1"]


def replace_links(heat, values):
    return heat._replace(links=[values])


def test_the_page_of_a_simulation_shows_the_loads_of_its_links(tmp_path):
    network, path = SMALL["torus"], tmp_path / "links.csv"
    (plane,) = network.planes
    lower, port = plane.topology.cable_ends()
    lines = [f"0,s{s},s{plane.topology.peer[s, p]},{p},0.1,{(s + p) / 100}" for s, p in zip(lower, port, strict=True)]
    path.write_text("\n".join(["plane,from,to,port,load_0.1,load_0.5", "0,n0,s0,0,1,1", *lines, ""]))
    record = described_design(Design(network), None, {})
    block = network_section.block(ReportData(record, simulations=[{"links": link_loads(path)}]))
    data = list(csv.DictReader(block.parts[0].values["data"].splitlines()))
    shown = [float(row["simulated_load_%"]) for row in data]
    assert shown == pytest.approx([float(s + p) for s, p in zip(lower, port, strict=True)])


@for_each("text", ["", "plane,from\n", "plane,from,to,port,load\n0,s0,sx,0,x\n"])
def test_a_damaged_table_of_links_is_reported_in_one_line(tmp_path, text):
    path = tmp_path / "links.csv"
    path.write_text(text)
    require_refusal(lambda: link_loads(path), "; expected the links.csv of isoplane simulate$")
