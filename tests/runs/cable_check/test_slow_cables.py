"""Cables at a low rate: named with their ports, and a difference unless the design states the rate."""

import csv
import json
from dataclasses import replace
from io import StringIO

from isoplane.models import Network, Site
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.torus import Torus
from isoplane.runs.cable_check import check_cables
from isoplane.runs.cable_check.merged_fabric import merged
from isoplane.runs.cable_check.output import csv_of, json_text
from isoplane.runs.cable_check.sentences import text_lines
from isoplane.runs.imports.discovery.discovered_fabric import DiscoveredFabric
from isoplane.runs.imports.discovery.link_rate import LinkRate
from isoplane.runs.imports.importers.ibnetdiscover import parse_ibnetdiscover
from tests.cases import for_each
from tests.runs.formats.fabrics import discovery_text
from tests.runs.formats.import_sources import planes_of, source

from .samples import cables_by_plane

RING = Network(Torus(shape=(4,), nodes_per_switch=2, node_cable_m=2.0), Site(layout=None))
CABLES = cables_by_plane(RING)[0]
RIGHT = discovery_text(CABLES).replace("4xSDR", "4xHDR")


def listing(slow, rate="1xSDR"):
    """The ring with a low rate at both ends of a cable of a given index."""
    fabric = parse_ibnetdiscover(source(RIGHT, "x", "found"))
    ends = CABLES[slow]
    names = [device.name for device in fabric.devices]
    cables = [
        cable._replace(rate=LinkRate(int(rate[0]), rate[2:]))
        if {(names[cable.device], cable.port), (names[cable.other], cable.other_port)} == {*ends}
        else cable
        for cable in fabric.cables
    ]
    return replace(fabric, cables=tuple(cables))


def lines(check):
    return list(text_lines(check, "x"))


@for_each("slow", range(len(CABLES)))
@for_each("ports", ["exact", "ignore"])
def test_a_cable_below_the_rate_of_most_of_its_kind_is_a_difference(slow, ports):
    check = check_cables(RING, ["x"], [listing(slow)], ports=ports)
    first, second = sorted(CABLES[slow], key=lambda end: (end[0][0] == "N", end))
    shown = f"1xSDR among 4xHDR: {first[0]}:{first[1]} - {second[0]}:{second[1]}"
    assert shown in lines(check)
    assert not check.agrees
    assert lines(check)[-1] == "x: 0 differences, 0 moves, 1 cable at a low rate; 12 of 12 cables agree with the design"
    (row,) = csv.DictReader(StringIO(csv_of(check)))
    assert (row["kind"], row["row"], row["device_a"], row["port_b"]) == ("slow", "1xSDR", first[0], f"{second[1]}")
    (cable,) = json.loads(json_text(check))["slow_cables"]
    assert (cable["rate"], cable["expected"], cable["basis"]) == ("1xSDR", "4xHDR", "most")


def test_cables_without_a_rate_and_nodes_at_another_rate_than_cables_are_none():
    fabric = parse_ibnetdiscover(source(RIGHT, "x", "found"))
    bare = DiscoveredFabric(fabric.devices, tuple(cable._replace(rate=None) for cable in fabric.cables))
    kinds = [device.kind for device in fabric.devices]
    slow_nodes = tuple(
        cable._replace(rate=LinkRate(4, "EDR")) if "adapter" in (kinds[cable.device], kinds[cable.other]) else cable
        for cable in fabric.cables
    )
    for each in (bare, replace(fabric, cables=slow_nodes)):
        check = check_cables(RING, ["x"], [each])
        assert check.agrees
        assert check.slow == ()


def test_rates_that_the_design_states_are_expected():
    slow_text = RIGHT.replace('"N3" lid 7 4xHDR', '"N3" lid 7 2xHDR')
    designs = []
    for text in (RIGHT, slow_text):
        planes, _ = planes_of(text)
        designs.append(Network(Fabric(planes=planes), Site(layout=None)))
    index = next(number for number, pair in enumerate(CABLES) if "N3" in (pair[0][0], pair[1][0]))
    found = listing(index, "2xHDR")
    lower, same = (check_cables(design, ["x"], [found]) for design in designs)
    assert not lower.agrees
    assert "2xHDR, 4xHDR in the design: P0-S1:4 - N3:1" in lines(lower)
    assert same.agrees
    assert "2xHDR among 4xHDR, as in the design: P0-S1:4 - N3:1" in lines(same)
    assert check_cables(designs[1], ["x"], [parse_ibnetdiscover(source(RIGHT, "x", "found"))]).agrees


def test_a_cable_that_two_files_list_has_the_lower_of_their_rates_and_a_note_says_so():
    fast, slow = listing(0, "4xHDR"), listing(0)
    line = slow.cables[0].line
    for (first, second), shown in (((fast, slow), ("4xHDR", "1xSDR")), ((slow, fast), ("1xSDR", "4xHDR"))):
        fabric = merged(["a", "b"], [first, second])
        assert sorted(map(str, fabric.rates.values()))[:2] == ["1xSDR", "4xHDR"]
        at = f"{shown[0]} in a, line {line} and {shown[1]} in b, line {line}"
        assert fabric.notes == (f"a cable with {at}: the lower rate counts",)


def test_a_check_says_what_the_files_have_beyond_cables():
    index = next(number for number, cable in enumerate(CABLES) if cable[1][0] == "N3")
    text = RIGHT.replace('"N3" lid 7 4xHDR', '"N3" lid 7 2xHDR')
    fabric = parse_ibnetdiscover(source(text, "x", "found"))
    check = check_cables(RING, ["x"], [fabric])
    assert [check.found_end(end)[:2] for end in check.slow[0].cable] == [*CABLES[index]]
    assert [line for line in lines(check) if line.startswith("x: a cable with 2xHDR in line ")]
    assert json.loads(json_text(check))["notes"] == [f"x: {note}" for note in fabric.notes]
