"""A fabric with names of its own: its file recognises the devices, whatever they are called."""

import csv
import random
import re
from io import StringIO

from isoplane.models import Network
from isoplane.models.families.torus import Torus
from isoplane.runs.cable_check.output import csv_of, json_data
from isoplane.runs.cable_check.sentences import text_lines
from tests.cases import for_each
from tests.runs.formats.fabrics import discovery_text, guids

from . import site_judge
from .samples import as_set, cables_by_plane, checked, imported_network, swap


@for_each(("judge", "count"), [(site_judge.same, 15), (site_judge.damaged, 40)])
def test_random_fabrics_agree_with_their_listings_and_are_mended_by_the_fewest_moves(tmp_path, judge, count):
    """`benchmarks/site_names.py` tries more fabrics."""
    for seed in range(count):
        folder = tmp_path / f"{judge.__name__}{seed}"
        folder.mkdir()
        assert judge(random.Random(seed), folder) == ""


HOSTS = (("leaf0", 0), ("spine", 2))
TWO_LEAVES = [(("S0", 3), ("S1", 3)), (("S0", 1), ("N0", 1)), (("S0", 2), ("N1", 1)), (("S1", 1), ("N2", 1))]


def test_a_description_of_several_devices_names_none_of_them(tmp_path):
    names = {"N0": "ConnectX", "N1": "ConnectX", "S0": "leaf", "S1": "rack ConnectX", "N2": "rack ConnectX"}
    text = discovery_text(TWO_LEAVES, names=names)
    network, known = imported_network(tmp_path / "a", [text])
    assert not {"ConnectX", "rack ConnectX"} & set(known)
    assert {device.partition(":")[0] for device in known.values()} == {"P0-S0", "P0-S1", "N0", "N1", "N2"}
    for options in ({}, {"names": known}):
        assert checked(network, [text], **options).agrees


def test_a_new_device_with_the_description_of_another_one_is_identified_by_its_cables(tmp_path):
    number = guids(["S0", "S1", "N0", "N1", "N2"])
    network, _ = imported_network(tmp_path / "a", [discovery_text(TWO_LEAVES, guid=number, names={"S1": "leaf"})])
    replaced = {**number, "S0": 0x77}
    check = checked(network, [discovery_text(TWO_LEAVES, guid=replaced, names={"S0": "leaf", "S1": "leaf"})])
    assert (check.agrees, check.by_cables) == (True, (("leaf", "P0-S0"),))


def test_a_file_of_names_may_have_those_in_descriptions():
    network = Network(Torus(shape=(3,), node_cable_m=1.0))
    (cables,) = cables_by_plane(network)
    names = {f"leaf{each}": f"P0-S{each}" for each in range(3)} | {f"node0{each}": f"N{each}" for each in range(3)}
    shown = {
        device: f"{name} mlx5_0" if device.startswith("N") else f"MF0;{name}:MQM8700/U1"
        for name, device in names.items()
    }
    assert checked(network, [discovery_text(cables, names=shown)], names=names, identify="names").agrees


@for_each("is_named", [False, True])
def test_guids_and_names_of_the_fabric_tell_what_cables_do_not(tmp_path, is_named):
    """In a ring of three switches, two exchanged cables of nodes are the same ring with other names."""
    ring = [(("S0", 1), ("S1", 2)), (("S1", 1), ("S2", 2)), (("S2", 1), ("S0", 2))]
    nodes = [((f"S{number}", 3), (f"N{number}", 1)) for number in range(3)]
    names = None if is_named else dict.fromkeys(("S0", "S1", "S2", "N0", "N1", "N2"), "factory")
    network, _ = imported_network(tmp_path / str(is_named), [discovery_text([*ring, *nodes], names=names)])
    swapped = [*ring, nodes[0], (nodes[1][0], nodes[2][1]), (nodes[2][0], nodes[1][1])]
    number = guids(dict.fromkeys(device for pair in [*ring, *nodes] for device, _ in pair))
    if is_named:  # all adapters and switches are new
        number = {device: guid + 0x5000 for device, guid in number.items()}
    check = checked(network, [discovery_text(swapped, names=names, guid=number)])
    assert [each.kind for each in check.differences] == ["swapped"]
    assert checked(network, [discovery_text(swapped, names=names, guid=number)], identify="cables").agrees


def test_a_device_that_cables_identify_is_called_as_in_the_files_beside_its_name_in_the_design(tmp_path):
    number = guids(["S0", "S1", "N0", "N1", "N2"])
    names = {"S0": "MF0;leaf0:MQM8700/U1", "S1": "MF0;leaf1:MQM8700/U1"}
    network, _ = imported_network(tmp_path / "a", [discovery_text(TWO_LEAVES, names=names, guid=number)])
    exchanged = {"S0": names["S1"], "S1": names["S0"]}, {**number, "S0": number["S1"], "S1": number["S0"]}
    moved = [*TWO_LEAVES[:3], (("S1", 2), ("N2", 1))]
    check = checked(network, [discovery_text(moved, names=exchanged[0], guid=exchanged[1])], identify="cables")
    leaf = f"leaf0:2 ({number['S0']:#x}, in the design leaf1:2, P0-S1:2)"  # GUID and name are those of one device
    assert next(text_lines(check, "x")).startswith(f"1. moved: {leaf} - N2")
    assert json_data(check)["differences"][0]["found_at_site"][0][0] == ("leaf0", 2, hex(number["S0"]))


def test_every_line_names_the_devices_of_the_site_and_their_guids(tmp_path):
    """Two uplinks of a leaf are exchanged; a host has two adapters, of which the second one is at another switch."""
    cables = [(("S0", 1), ("S2", 1)), (("S0", 2), ("S2", 2)), (("S1", 1), ("S2", 3)), (("S0", 5), ("N0", 1))]
    cables += [(("S0", 6), ("N1", 1)), (("S1", 5), ("N2", 1))]
    names = {name: f"MF0;{host}:MQM8700/U1" for name, host in (("S0", "leaf0"), ("S1", "leaf1"), ("S2", "spine"))}
    names |= {"N0": "node00 mlx5_0", "N1": "node01 mlx5_0", "N2": "node01 mlx5_1"}
    number = guids(["S0", "S1", "S2", "N0", "N1", "N2"])
    network, _ = imported_network(tmp_path / "a", [discovery_text(cables, names=names, guid=number)])
    swapped = [(("S0", 1), ("S2", 2)), (("S0", 2), ("S2", 1)), *cables[2:5], (("S1", 6), ("N2", 1))]
    check = checked(network, [discovery_text(swapped, names=names, guid=number)])
    lines = list(text_lines(check, "x"))
    leaf, spine = (f"{host}:{{0}} (P0-S{switch}:{{0}}, {number[f'S{switch}']:#x})" for host, switch in HOSTS)
    assert lines[:2] == [
        f"1. swapped: {leaf.format(1)} - {spine.format(2)}, {leaf.format(2)} - {spine.format(1)}; expected "
        f"{leaf.format(2)} - {spine.format(2)}, {leaf.format(1)} - {spine.format(1)}",
        f"   swap the ends at {leaf.format(1)} and {leaf.format(2)}",
    ]
    adapter = f"node01 mlx5_1:1 (N1:2, {number['N2']:#x})"  # port 1 of the adapter, port 2 of the node
    assert lines[2].startswith(f"2. moved: leaf1:6 (P0-S1:6, {number['S1']:#x}) - {adapter}; expected ")
    found = {(name, port, int(guid, 16)) for name, port, guid in json_data(check)["differences"][1]["found_at_site"][0]}
    assert found == {("leaf1", 6, number["S1"]), ("node01 mlx5_1", 1, number["N2"])}
    assert json_data(check)["moves"]["count"] == 3  # two of the swap
    row = next(row for row in csv.DictReader(StringIO(csv_of(check))) if row["kind"] == "moved")
    assert (row["name_a"], row["own_port_a"], row["guid_a"]) == ("leaf1", "6", hex(number["S1"]))
    assert (row["name_b"], row["own_port_b"], row["guid_b"]) == ("node01 mlx5_1", "1", hex(number["N2"]))
    assert (row["device_b"], row["port_b"]) == ("N1", "2")


@for_each("swaps", [0, 2])
def test_without_names_of_the_design_switches_have_the_numbers_of_an_import(swaps):
    """Of the automorphisms that the cables allow, that with switches in the natural order of names."""
    network, rng = Network(Torus(shape=(4, 5), nodes_per_switch=2, node_cable_m=1.0)), random.Random(3)
    cables = cables_by_plane(network)[0]
    for _ in range(swaps):
        swap(cables, rng)
    devices = {device: int(re.split("[SN]", device)[1]) + 1 for pair in cables for device, _ in pair}
    names = {device: f"{'host' if device[0] == 'N' else 'sw'}{number}" for device, number in devices.items()}
    check = checked(network, [discovery_text(cables, names=names)])
    own = {names[device]: device for device in devices if device[0] == "P"}
    assert {listed.name: name for listed, name in check.identified if listed.name in own} == own
    assert (check.automorphisms, check.agreeing) == (20, len(as_set(cables) & as_set(cables_by_plane(network)[0])))
