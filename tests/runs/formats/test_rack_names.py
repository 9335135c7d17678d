"""A rack has one name and one position in all formats, which explain the lengths of cables."""

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Layout, Network, Site
from isoplane.models.families.fabric import Fabric
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.runs.report.sections.floor import floor_plan
from tests.cases import for_each

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
    family = Fabric(planes=tuple(ring(switches, nodes) for switches in sizes), cable_m=None)
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
    plan = floor_plan(network, switch_id=15)  # the page of a design
    for number in (0, 1):
        place = place_of(expected_racks(network)[f"P{number}-S15"])
        centre = [(at + part) * pitch / 1000 for at, part, pitch in zip(place, (0.5, 0.3), PITCH_MM, strict=True)]
        assert plan.centres_m[plan.home(number)].tolist() == pytest.approx(centre)
