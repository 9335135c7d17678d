"""Devices that are absent, exchanged or of another machine are named as such, not by each of their cables."""

import random

import numpy as np
import pytest

from isoplane.models import InputError, Layout, Network, Site, dual_cube
from isoplane.models.cabling.floor_plan import floor_of
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.torus import Torus
from isoplane.runs.cable_check.devices import CabledDevices
from isoplane.runs.cable_check.matching.identification import grown
from isoplane.runs.cable_check.output import csv_of, json_data
from isoplane.runs.cable_check.sentences import text_lines
from tests.cases import for_each
from tests.runs.formats.fabrics import discovery_text, guids

from .samples import as_set, cables_by_plane, checked, imported_network, least_moves, swap, wrong_and_lacking

TREE = Network(FatTree(switch_ports=8))
CABLES = cables_by_plane(TREE)[0]
CUBES = dual_cube(4, (3, 5, 9, 14), nodes_per_switch=2)
PLANES = cables_by_plane(CUBES)
ABSENT = {f"P0-S{switch}" for switch in range(24, 64)}  # of an 8 x 8 torus: three of its rows are built


def lines(check):
    return list(text_lines(check, "x"))


def with_names_of(cables, names):
    return [tuple((names.get(device, device), port) for device, port in pair) for pair in cables]


def test_an_absent_switch_is_one_difference_with_the_nodes_that_only_it_connects():
    at = [pair for pair in CABLES if "P0-S0" in (pair[0][0], pair[1][0])]
    nodes = sorted(device for pair in at for device, _ in pair if device.startswith("N"))
    assert nodes == ["N0", "N1", "N2", "N3"]
    check = checked(TREE, [[pair for pair in CABLES if pair not in at]])
    assert (check.count, check.moves, check.differences) == (1, 0, ())
    assert check.missing == ("P0-S0", *nodes)
    assert lines(check) == [
        f"P0-S0 is not in the files, with 8 cables in the design, nor what only it connects: {', '.join(nodes)}",
        f"x: 1 difference, 0 moves; {len(CABLES) - 8} of {len(CABLES)} cables agree with the design",
    ]


def test_a_port_of_an_absent_switch_that_another_cable_occupies_is_still_a_difference():
    """The cable of a node is at the port of a leaf for a switch above it that is absent."""
    absent = [pair for pair in CABLES if "P0-S32" in (pair[0][0], pair[1][0])]
    rest = [pair for pair in CABLES if pair not in absent]
    free = next(end for pair in absent for end in pair if end[0] != "P0-S32")
    node = next(pair for pair in rest if pair[1][0] == "N15")
    check = checked(TREE, [[pair if pair != node else (free, node[1]) for pair in rest]])
    assert wrong_and_lacking(check) == (as_set([(free, node[1])]), as_set([node]))
    assert (check.count, check.moves) == (2, 1)


def test_exchanged_names_are_said_first_and_what_remains_is_listed_by_the_cables():
    rng, switches = random.Random(4), [f"P0-S{switch}" for switch in range(16)]
    for _ in range(6):
        first, second = rng.sample(switches, 2)
        names = {first: second, second: first}
        check = checked(CUBES, [with_names_of(PLANES[0], names), PLANES[1]])
        assert {end.device for end in check.exchanges[0]} == {first, second}
        assert (check.differences, check.moves_by_cables, check.agrees) == ((), 0, False)
        assert check.moves_by_names == least_moves(as_set(with_names_of(PLANES[0], names)), as_set(PLANES[0]))
        assert lines(check)[0].startswith("exchanged: ")
        assert "have the cables of each other" in lines(check)[0]
        planes = [PLANES[0].copy(), PLANES[1].copy()]
        swap(planes[0], rng)
        check = checked(CUBES, [with_names_of(planes[0], names), planes[1]])
        assert wrong_and_lacking(check) == (
            as_set(planes[0]) - as_set(PLANES[0]),
            as_set(PLANES[0]) - as_set(planes[0]),
        )
        by_names = checked(CUBES, [with_names_of(planes[0], names), planes[1]], identify="names")
        assert by_names.exchanges == check.exchanges
        assert by_names.moves == check.moves_by_names > check.moves


def test_names_that_go_round_are_exchanged_as_well():
    names = {"P0-S1": "P0-S6", "P0-S6": "P0-S11", "P0-S11": "P0-S1"}
    check = checked(CUBES, [with_names_of(PLANES[0], names), PLANES[1]])
    ((*ring, last),) = ([end.device for end in each] for each in check.exchanges)
    assert (set(ring), last, check.differences) == (set(names), ring[0], ())
    assert json_data(check)["exchanged"][0][0]["device"] == ring[0]
    assert sum(row.startswith(",exchanged,device,") for row in csv_of(check).splitlines()) == 3


def test_three_swaps_are_no_exchange_of_names():
    """Of two switches with 6 cables each, three pairs are exchanged at equal ports."""
    found = dict(enumerate(PLANES[0]))
    at = {name: {p: n for n, pair in found.items() for d, p in pair if d == name} for name in ("P0-S0", "P0-S15")}
    for port in (1, 2, 5):
        here, there = at["P0-S0"][port], at["P0-S15"][port]
        exchange = {("P0-S0", port): ("P0-S15", port), ("P0-S15", port): ("P0-S0", port)}
        for number in (here, there):
            found[number] = tuple(exchange.get(end, end) for end in found[number])
    check = checked(CUBES, [list(found.values()), PLANES[1]])
    assert (check.exchanges, check.moves, len(check.differences)) == ((), 6, 3)


def test_the_listing_of_another_machine_is_reported_as_that():
    other = Network(HyperX(shape=(4, 5), nodes_per_switch=2))
    network = Network(Torus(shape=(4, 5), nodes_per_switch=2, node_cable_m=1.0))
    (cables,) = cables_by_plane(other)
    nothing = "found=plane0: nothing was compared, as this seems to be another machine: {} of 60 devices have a GUID or"
    with pytest.raises(InputError, match=nothing.format(60)):
        checked(network, [cables])
    check = checked(network, [cables], identify="names")  # who knows better may see them all
    assert lines(check)[0] == "x seems to list another machine"
    assert f"{check.count} differences" in lines(check)[-1]
    with pytest.raises(InputError, match=nothing.format(58)):
        checked(network, [discovery_text(cables, names={"N0": "A", "P0-S3": "B"})])


def test_a_smaller_machine_that_fits_into_the_design_is_another_one_but_a_part_of_the_same_is_not():
    design = Network(Torus(shape=(8, 8), node_cable_m=1.0))  # 128 cables between switches, 64 of nodes
    (cables,) = cables_by_plane(Network(Torus(shape=(4, 6), node_cable_m=1.0)))  # 72
    names = {device: f"at{number}" for number, device in enumerate({device for pair in cables for device, _ in pair})}
    for text in (discovery_text(cables), discovery_text(cables, names=names)):  # also where most of the 72 fit
        with pytest.raises(InputError, match="another machine"):
            checked(design, [text])
    check = checked(design, [text], identify="cables")
    assert 2 * check.agreeing > check.found
    built = [pair for pair in cables_by_plane(design)[0] if not any(device in ABSENT for device, _ in pair)]
    for first in range(0, 14, 2):  # seven swaps are more than a few
        (a, b), (c, d) = built[first : first + 2]
        built[first : first + 2] = [(a, d), (c, b)]
    check = checked(design, [built])
    assert (check.is_another, len(check.absent)) == (False, len(ABSENT))
    shown = [line for line in lines(check) if "not in the files" in line]
    assert (len(shown), shown[-1]) == (9, f"{len(ABSENT) - 8} more devices are not in the files: ...")


def test_a_listing_without_a_guid_or_name_of_the_fabric_is_of_another_machine(tmp_path):
    network, _ = imported_network(tmp_path / "a", [discovery_text(CABLES)])
    strange = {device: f"other{number}" for number, device in enumerate({d for pair in CABLES for d, _ in pair})}
    text = discovery_text(CABLES, names=strange, guid={name: 0x900000 + 64 * i for i, name in enumerate(strange)})
    with pytest.raises(InputError, match="another machine: 0 of "):
        checked(network, [text])
    assert checked(network, [text], identify="cables").agrees
    assert checked(network, [discovery_text(CABLES, names=strange)]).agrees  # all names are new, but GUIDs are known


def test_two_listings_of_one_plane_are_an_error():
    with pytest.raises(InputError, match="found=plane1: lists switches of plane 0, as plane0 does; expected one file"):
        checked(CUBES, [PLANES[0], PLANES[0]])
    number = guids(dict.fromkeys(device for pair in PLANES[1] for device, _ in pair))
    part = [pair for pair in PLANES[1] if "P1-S3" not in (pair[0][0], pair[1][0])]
    with pytest.raises(InputError, match="found=plane1: lists switches of plane 1, as plane0 does"):
        checked(CUBES, [discovery_text(cables, guid=number) for cables in (PLANES[1], part)])


def test_the_racks_that_are_built_are_compared_alone():
    network = dual_cube(4, (3, 5, 9, 14), nodes_per_switch=2, layout=Layout(switches_per_rack=4, aspects=()))
    planes = cables_by_plane(network)
    floor = floor_of(network.planes, network.site.layout)
    names = [f"P{plane}-S{switch}" for plane in range(2) for switch in range(16)] + [f"N{node}" for node in range(32)]
    racks = [*floor.of_switches[0], *floor.of_switches[1], *floor.of_nodes]
    rack_of = {name: floor.names[rack] for name, rack in zip(names, racks, strict=True)}
    built = floor.names[:2]

    def ends_in(pair, racks):
        return sum(rack_of[device] in racks for device, _ in pair)

    half = [[pair for pair in cables if ends_in(pair, built) == 2] for cables in planes]
    check = checked(network, half, racks=built)
    assert (check.agrees, check.designed) == (True, sum(map(len, half)))
    assert not checked(network, half).agrees
    assert checked(network, planes, racks=built).agrees
    for number in range(4):
        rng = random.Random(number)
        wrong = [half[0].copy(), half[1].copy()]
        swap(wrong[number % 2], rng)
        check = checked(network, wrong, racks=built)
        found, designed = (as_set([*both[0], *both[1]]) for both in (wrong, half))
        assert wrong_and_lacking(check) == (found - designed, designed - found)
    first = [pair for pair in half[0] if rack_of[pair[0][0]] != built[0] or rack_of[pair[1][0]] != built[0]]
    assert checked(network, [first, half[1]], racks=[built[1]]).agrees
    with pytest.raises(InputError, match="racks=R9-9: no such rack; expected some of R1-1, R1-2"):
        checked(network, half, racks=["R9-9"])
    bare = Network(Torus(shape=(3,), node_cable_m=1.0))
    with pytest.raises(InputError, match="racks=R1-1: the design has no layout; expected one with racks"):
        checked(Network(bare.family, Site(None)), cables_by_plane(bare), racks=["R1-1"])


def test_a_line_of_an_exchange_names_the_devices_of_the_site(tmp_path):
    names = {f"P0-S{switch}": f"MF0;sw{switch}:MQM8700/U1" for switch in range(80)}
    numbers = guids(sorted({device for pair in CABLES for device, _ in pair}))
    network, _ = imported_network(tmp_path / "a", [discovery_text(CABLES, names=names, guid=numbers)])
    exchanged = {"P0-S0": "P0-S3", "P0-S3": "P0-S0"}
    found = discovery_text(with_names_of(CABLES, exchanged), names=names, guid=numbers)
    check = checked(network, [found])
    shown = [f"sw{switch} (P0-S{switch}, {numbers[f'P0-S{switch}']:#x})" for switch in (0, 3)]
    assert lines(check) == [
        f"exchanged: {shown[0]} and {shown[1]} have the cables of each other",
        "first exchange these names, or the devices: 0 of 16 moves remain",
        f"x: 1 difference, 0 moves; {len(CABLES)} of {len(CABLES)} cables agree with the design",
    ]


def test_names_are_exchanged_also_where_ports_are_ignored_unless_neighbours_are_the_same():
    exchanged = {"P0-S0": "P0-S9", "P0-S9": "P0-S0"}
    found = [with_names_of(PLANES[0], exchanged), PLANES[1]]
    check = checked(CUBES, found, ports="ignore")
    assert {end.device for end in check.exchanges[0]} == set(exchanged)
    assert (check.moves_by_cables, check.differences, check.agrees) == (0, (), False)
    above = {"P0-S64": "P0-S65", "P0-S65": "P0-S64"}  # two spines of the tree, which lead to the same switches
    leaves, others = ({end[0] for pair in CABLES for end in pair if spine in dict(pair)} - {spine} for spine in above)
    assert leaves == others
    assert checked(TREE, [with_names_of(CABLES, above)]).exchanges
    assert checked(TREE, [with_names_of(CABLES, above)], ports="ignore").agrees


@for_each("identified", [0, 1])
def test_a_device_of_the_design_is_identified_with_one_device_of_the_fabric(identified):
    # Two switches with a cable, both identified; in the fabric the cable of one of them leads to a third switch.
    known = [identified, 1 - identified]
    design, found = (
        CabledDevices(
            ("switch",) * count, np.ones(count, bool), np.zeros(count, int), np.zeros(count, int), 2, np.array(mate)
        )
        for count, mate in ((2, [-1, 3, -1, 1]), (3, [-1, -1, -1, 5, -1, 3]))
    )
    assert grown(design, found, np.array([*known, -1]), []).tolist() == [*known, -1]
