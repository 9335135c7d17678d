"""The other files of the cabling: what they say follows from the schedule alone."""

import re
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from igraph import Graph

from isoplane.models import Design, Layout, Network, PriceList, Site, dual_cube
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from tests.cases import for_each
from tests.objectives.general.networks import random_rails

from .files_of import cents, contents, millimetres, rows

LAYOUT = Layout(racks_across=3, racks_deep=4, switches_per_rack=2)
CUBE = Design(dual_cube(4, (3, 5, 7, 9), nodes_per_switch=2, layout=LAYOUT))


@pytest.fixture(scope="module")
def files():
    return contents("cabling", CUBE, pages=True, spares=Fraction(1, 30))


def rack_pair(row):
    return tuple(sorted((row["from_rack"], row["to_rack"])))


def test_every_bundle_has_the_cables_between_its_racks(files):
    cables, bundles = rows(files["schedule.csv"]), rows(files["bundles.csv"])
    assert len({rack_pair(row) for row in bundles}) == len(bundles)
    for bundle in bundles:
        own = [row for row in cables if row["bundle"] == bundle["bundle"]]
        assert {rack_pair(row) for row in own} == {rack_pair(bundle)}
        assert len(own) == int(bundle["cables"])
        assert sum(millimetres(row["length_m"]) for row in own) == millimetres(bundle["length_m"])
        parts = Counter(row["part"] for row in own)
        assert sorted(bundle["parts"].split("; ")) == sorted(f"{count} x {part}" for part, count in parts.items())
    assert sum(int(row["cables"]) for row in bundles) == len(cables)


def test_every_stretch_of_a_tray_has_the_cables_that_pass_it(files):
    passing = Counter()
    for row in rows(files["schedule.csv"]):
        (row_a, place_a), (row_b, place_b) = sorted(
            [int(each) for each in row[f"{end}_rack"][1:].split("-")] for end in ("from", "to")
        )
        low, high = sorted((place_a, place_b))
        passing.update((f"row {row_a}", f"R{row_a}-{at}", f"R{row_a}-{at + 1}") for at in range(low, high))
        passing.update((f"cross {place_b}", f"R{at}-{place_b}", f"R{at + 1}-{place_b}") for at in range(row_a, row_b))
    found = {(row["tray"], row["from_rack"], row["to_rack"]): int(row["cables"]) for row in rows(files["trays.csv"])}
    assert found == passing
    names = {(row["from_rack"], row["to_rack"]): row["trays"] for row in rows(files["bundles.csv"])}
    assert names["R1-1", "R1-1"] == "inside"
    assert names["R1-1", "R1-2"] == "row 1"
    assert names["R1-1", "R2-1"] == "cross 1"
    assert names["R1-1", "R2-2"] == "row 1; cross 2"


def test_switches_are_above_nodes_in_each_rack_by_plane_and_number(files):
    racks = defaultdict(dict)
    for row in rows(files["schedule.csv"]):
        for end in ("from", "to"):
            racks[row[f"{end}_rack"]][int(row[f"{end}_position"])] = row[f"{end}_device"]
    for devices in racks.values():
        assert sorted(devices) == list(range(1, len(devices) + 1))  # no position is empty
        in_order = [devices[position] for position in sorted(devices)]
        numbers = [[int(each) for each in re.findall(r"\d+", device)] for device in in_order]
        keys = [(device[0] == "N", number) for device, number in zip(in_order, numbers, strict=True)]
        assert keys == sorted(keys)


def test_devices_are_mounted_and_cables_connected_once_each_rack_by_rack(files):
    cables, steps = rows(files["schedule.csv"]), rows(files["commissioning.csv"])
    devices = {row[f"{end}_device"]: row[f"{end}_rack"] for row in cables for end in ("from", "to")}
    mounted, up = set(), []
    assert [int(row["step"]) for row in steps] == list(range(1, len(steps) + 1))
    for row, after in zip(steps, [*steps[1:], None], strict=True):
        if row["work"].startswith("mount"):
            assert int(row["devices"]) == list(devices.values()).count(row["rack"])
            mounted.add(row["rack"])
        else:
            is_inside = row["work"].endswith("inside the rack")
            at_rack = [
                cable for cable in cables if row["rack"] in rack_pair(cable) and mounted.issuperset(rack_pair(cable))
            ]
            own = [cable for cable in at_rack if (len(set(rack_pair(cable))) == 1) == is_inside]
            assert int(row["cables"]) == len(own)
            up += own
        assert int(row["links_up"]) == len(up)
        if after is None or after["rack"] != row["rack"]:  # the rack is complete
            links = [(cable["from_device"], cable["to_device"]) for cable in up if cable["kind"] == "switch"]
            for plane in "01":
                switches = [name for name, rack in devices.items() if rack in mounted and name.startswith(f"P{plane}-")]
                built = Graph.TupleList(
                    [*((name, name) for name in switches), *(ends for ends in links if ends[0][1] == plane)]
                )
                parts = len(built.connected_components())
                assert f"switches of plane {plane} in {parts} part{'s' * (parts > 1)}" in row["check"]
    assert mounted == set(devices.values())
    assert (len(up), steps[-1]["check"].startswith(f"{len(up)} links up in all; ")) == (len(cables), True)


def test_spares_are_a_share_of_each_part_rounded_up(files):
    for row in rows(files["materials.csv"]):
        assert int(row["spares"]) == ceil(Fraction(int(row["count"]), 30))
        assert cents(row["spares_usd"]) == int(row["spares"]) * cents(row["unit_usd"])
    assert {row["spares"] for row in rows(contents("cabling", CUBE)["materials.csv"])} == {"0"}


@given(st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=20)
def test_node_cables_have_an_interface_port_and_a_rail_each(seed):
    network = random_rails(seed)
    prices = PriceList(nics_usd={1: 399, 2: 485, 4: 900})
    files = contents("cabling", Design(Network(network.family, Site(Layout(switches_per_rack=99), prices))))
    cables = {row["label"]: row for row in rows(files["schedule.csv"]) if row["kind"] == "node"}
    rails, slots = defaultdict(list), defaultdict(list)
    for row in rows(files["node_cables.csv"]):
        cable = cables.pop(row["label"])
        assert {row["node"], row["switch"]} == {cable["from_device"], cable["to_device"]}
        assert {row["rail"], row["switch_port"]} == {cable["from_port"], cable["to_port"]}
        assert row["plane"] == cable["plane"]
        rails[row["node"]].append(int(row["rail"]))
        slots[row["node"]].append((int(row["interface"]), int(row["interface_port"])))
    assert not cables
    for node, used in rails.items():
        assert used == list(range(1, len(used) + 1))
        sizes = Counter(interface for interface, _ in slots[node])
        assert slots[node] == [(number, port) for number in sorted(sizes) for port in range(1, sizes[number] + 1)]
        bought = sum(round(100 * prices.nics_usd[size]) for size in sizes.values())
        assert bought == prices.nic_cents(len(used))


def test_node_cables_of_a_fabric_have_the_adapters_and_ports_that_it_states():
    plane = FabricPlane(
        switches=2,
        cables=((0, 1, 1, 1),),
        nodes=((0, 0, 2), (0, 1, 2), (1, 1, 3)),
        adapter_ports=((1, 2), (2, 2), (1, 2)),
    )
    files = contents("cabling", Design(Network(Fabric(planes=(plane,), assumed_cable_m=None))))
    columns = ("node", "interface", "interface_port", "rail", "label")
    assert [tuple(row[column] for column in columns) for row in rows(files["node_cables.csv"])] == [
        ("N0", "1", "2", "2", "P0-S0:2-N0:2"),
        ("N0", "2", "2", "4", "P0-S1:2-N0:4"),
        ("N1", "1", "2", "2", "P0-S1:3-N1:2"),
    ]


def test_the_page_has_every_cable_and_every_step(files):
    page = files["schedule.html"]
    for row in rows(files["schedule.csv"]):
        assert page.count(f">{row['label']}<") == len({row["from_rack"], row["to_rack"]})
    assert page.count("<li><span") == len(rows(files["commissioning.csv"]))
    total = sum(cents(row["price_usd"]) for row in rows(files["materials.csv"]))
    assert f"{total // 100:,}.{total % 100:02d}" in page
    assert "1-2 P0-S0 to P0-S1, 3-4 P1-S0 to P1-S1, 5-8 N0 to N3" in page  # the positions of the first rack
    for row in re.findall(r"<tr>(<th.*?)</tr>", page):
        heads = re.findall(r"<th[^>]*>(.*?)</th>", row)
        assert len(heads) == len({*heads})


def test_the_pages_of_a_rack_have_its_name_in_a_repeated_heading_and_the_cables_that_arrive_there(files):
    cables = rows(files["schedule.csv"])
    sections = re.findall(r"<section>(.*?)</section>", files["schedule.html"], re.DOTALL)
    names = [re.search(r"<thead><tr><th><h2>Rack (.*?)</h2>", section).group(1) for section in sections]
    assert names == list(dict.fromkeys(row["rack"] for row in rows(files["commissioning.csv"])))
    for name, section in zip(names, sections, strict=True):
        assert section.strip().startswith('<table class="rack">')  # browsers repeat the heading of a table
        starting, _, arriving = section.partition("Cables that arrive from other racks")
        cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr class=.*", arriving)]
        wanted = [row for row in cables if row["to_rack"] == name != row["from_rack"]]
        wanted.sort(key=lambda row: (int(row["to_position"]), int(row["to_port"])))
        assert [[*each[1:3], each[4], each[5]] for each in cells] == [
            [row["label"], row["to_position"], row["from_rack"], row["from_position"]] for row in wanted
        ]
        labels = re.findall(r'class="label">(.*?)<', starting)
        assert labels == [row["label"] for row in cables if row["from_rack"] == name]


def test_given_lengths_that_are_too_short_between_racks_are_marked():
    torus = Torus(shape=(4, 4), assumed_cable_m=3, node_cable_m=2)
    network = Network(MultiPlane(plane=torus), Site(Layout(aspects=(), switches_per_rack=2, slack_m=1)))
    remarks = Counter()
    for row in rows(contents("cabling", Design(network))["schedule.csv"]):
        (a, b), (c, d) = ([int(each) for each in row[f"{end}_rack"][1:].split("-")] for end in ("from", "to"))
        needed = abs(a - c) * 2500 + abs(b - d) * 800 + 1000
        short = (a, b) != (c, d) and needed > 3000
        assert row["remark"] == (f"too short: {needed / 1000:g} m" if short else "")
        remarks[short] += 1
    assert min(remarks[False], remarks[True]) > 0


HEADER = (
    "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,"
    "type,status,label,color,length,length_unit"
)


def test_cables_are_those_of_the_schedule():
    prices = PriceList(copper_to_m=2.5)
    design = Design(dual_cube(4, (3, 5, 7, 9), layout=Layout(aspects=()), prices=prices))
    text = contents("netbox", design)["cables.csv"]
    assert text.splitlines()[0] == HEADER
    found = {
        row["label"]: {(row[f"side_{side}_device"], row[f"side_{side}_name"]) for side in "ab"} for row in rows(text)
    }
    schedule = {row["label"]: row for row in rows(contents("cabling", design)["schedule.csv"])}
    assert found == {
        label: {(row[f"{end}_device"], f"P{row[f'{end}_port']}") for end in ("from", "to")}
        for label, row in schedule.items()
    }
    for row in rows(text):
        assert row["side_a_type"] == row["side_b_type"] == "dcim.interface"
        assert (row["length"], row["length_unit"]) == (schedule[row["label"]]["length_m"], "m")
        assert row["type"] == ("dac-passive" if float(row["length"]) <= 2.5 else "aoc")
        assert re.fullmatch("[0-9a-f]{6}", row["color"])
        assert row["status"] == "planned"


@for_each(("metres", "expected"), [(2.345, ("234.5", "cm")), (2.34, ("2.34", "m")), (0, ("", ""))])
def test_lengths_have_at_most_two_decimals_and_are_left_out_if_unknown(metres, expected):
    network = Network(Torus(shape=(3,), assumed_cable_m=metres, node_cable_m=metres), Site(layout=None))
    found = rows(contents("netbox", Design(network))["cables.csv"])
    assert {(row["length"], row["length_unit"]) for row in found} == {expected}
    assert {row["type"] for row in found} == {""}


def test_files_of_an_imported_fabric_have_the_names_of_its_devices():
    names = DeviceNames((("leaf <a>", "twin", "twin"),), ("host7",))
    plane = FabricPlane(switches=3, cables=((0, 1, 1, 1), (1, 2, 2, 2)), nodes=((0, 0, 2),))
    fabric = Network(Fabric(planes=(plane,), names=names), Site(LAYOUT))
    at_site = names.by_device()
    rewired = Network(replace(fabric.family, names=None), fabric.site)  # a new design of the same devices
    for design, options in ((fabric, {}), (rewired, {"rewired_from": Design(fabric)})):
        files = contents("cabling", Design(design), pages=True, **options)
        for row in rows(files["schedule.csv"]):
            assert [row["from_name"], row["to_name"]] == [at_site[row["from_device"]], at_site[row["to_device"]]]
        (row,) = rows(files["node_cables.csv"])
        assert (row["node_name"], row["switch_name"]) == ("host7", "leaf <a>")
        assert "P0-S0 leaf &lt;a&gt;, 2" in files["schedule.html"]
        assert "3 N0 (host7)" in files["schedule.html"]
        cables = rows(contents("netbox", Design(design), **options)["cables.csv"])
        sides = {(row["side_a_device"], row["side_b_device"]) for row in cables}
        assert sides == {("leaf <a>", "P0-S1"), ("P0-S1", "P0-S2"), ("leaf <a>", "host7")}  # NetBox has one twin only
