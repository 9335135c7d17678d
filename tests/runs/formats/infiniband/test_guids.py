"""GUIDs of hardware in exported subnets: files that differ in GUIDs only, or one line that names what is missing."""

import random
import re

from isoplane.models.cabling.cable_list import interface_ports
from isoplane.runs.exports.exporters.opensm import NOTE
from isoplane.runs.imports.guid_files import read_guids
from tests.cases import for_each, require_refusal
from tests.runs.formats.copies import cable_ends
from tests.runs.formats.exported import exported, texts
from tests.runs.formats.fabrics import discovery_text

from .networks import MORE_NETWORKS, NETWORKS

PLACEHOLDER = re.compile(r"(?<=0x)000[12][0-9a-f]{12}|(?<=[=(\[]0x)[12][0-9a-f]{12}|(?<=\()[12][0-9a-f]{12}(?=\))")


def ports(network):
    """Plane, node and port of each link of a node."""
    for number, (plane, rails) in enumerate(zip(network.planes, interface_ports(network.cabling), strict=True)):
        for node, rail in zip(plane.node.tolist(), rails.tolist(), strict=True):
            yield number, node, rail


def row(guid, name):
    """A row of a file of names."""
    return f"{'port ' if ':' in name else ''}{guid:#x},{name}"


def hardware(network, rng):
    """A GUID for each placeholder of the format, and the rows of a file of names that states them."""
    switches = [(p, s) for p, plane in enumerate(network.planes) for s in range(plane.topology.switches)]
    ends = {(node, rail) for _, node, rail in ports(network)}
    placeholders = {f"P{p}-S{s}": (2 << 48) + (p << 32) + s for p, s in switches}
    placeholders |= {f"N{node}": (1 << 48) + (node << 16) for node, _ in ends}
    placeholders |= {f"N{node}:{rail}": (1 << 48) + (node << 16) + rail for node, rail in ends}
    drawn = rng.sample(range(1 << 60, 1 << 62), len(placeholders))  # 16 digits each, as placeholders with their zeros
    guids = dict(zip(placeholders.values(), drawn, strict=True))
    rows = [row(guids[number], name) for name, number in placeholders.items()]
    rng.shuffle(rows)
    return guids, "\n".join(["name,device", "spine 0,P0-S0", *rows, ""])


@for_each("name", [*NETWORKS, "stated_ports", "parallel_cables"])
def test_all_guids_of_the_files_are_those_of_a_file_of_names(name, tmp_path):
    network = (NETWORKS | MORE_NETWORKS)[name]()
    guids, text = hardware(network, random.Random(4))
    (tmp_path / "names.csv").write_text(text, encoding="utf-8")
    given = exported(network, guids=read_guids("guids", [tmp_path / "names.csv"])), exported(network)
    found, with_placeholders = (texts("opensm", each) for each in given)
    assert [each.notes for each in given] == [[], [NOTE]]
    readmes = found.pop("README"), with_placeholders.pop("README")
    assert ["GUIDs are placeholders" in readme for readme in readmes] == [False, True]
    replaced = {
        file: PLACEHOLDER.sub(lambda match: f"{guids[int(match[0], 16)]:x}", text)
        for file, text in with_placeholders.items()
    }
    assert found == replaced
    counts = {file.split("/")[-1]: len(PLACEHOLDER.findall(text)) for file, text in with_placeholders.items()}
    assert {file for file, count in counts.items() if count} == {"guid2lid", "tables.lfts", "fabric.ibsim"}


@for_each("name", [*(name for name in NETWORKS if NETWORKS[name]().node_cable_mm is not None), "stated_ports"])
def test_nodes_that_are_not_bought_need_no_guids(name, tmp_path):
    network = (NETWORKS | MORE_NETWORKS)[name]()
    bought = network.nodes // 2
    _, text = hardware(network, random.Random(6))
    device = re.compile(r"N(\d+)")
    kept = [each for each in text.split("\n") if (node := device.search(each)) is None or int(node[1]) < bought]
    for part, lines in (("all", text.split("\n")), ("bought", kept)):
        (tmp_path / part).write_text("\n".join(lines), encoding="utf-8")
    of_all, of_bought = (
        texts("opensm", exported(network, nodes=bought, guids=read_guids("guids", [tmp_path / part])))
        for part in ("all", "bought")
    )
    assert len(kept) < len(text.split("\n"))
    assert of_all == of_bought


def listed(network, rng):
    """A GUID for each device of a network, and the cables of each plane with their ends."""
    planes = [cable_ends(network, number) for number in range(len(network.planes))]
    names = sorted({device for cables in planes for pair in cables for device, _ in pair})
    return dict(zip(names, rng.sample(range(1 << 40, 1 << 60, 256), len(names)), strict=True)), planes


@for_each("name", ["cubes", "two_links", "fat_tree", "partly_attached"])
def test_listings_with_our_names_tell_the_guid_at_the_end_of_each_cable(name, tmp_path):
    network = NETWORKS[name]()
    guid, planes = listed(network, random.Random(5))
    paths = [tmp_path / f"{number}.txt" for number in range(len(planes))]
    for path, cables in zip(paths, planes, strict=True):
        shown = {device: f"{device} HCA-1" for device in guid if device.startswith("N")}
        path.write_text(discovery_text(cables, guid=guid, names=shown), encoding="utf-8")
    rows = [row(number, device) for device, number in guid.items()]
    rows += [row(guid[f"N{node}"] + rail, f"N{node}:{rail}") for _, node, rail in ports(network)]
    (tmp_path / "names.csv").write_text("\n".join(["name,device", *rows]), encoding="utf-8")
    both = (read_guids("guids", files) for files in (paths, [tmp_path / "names.csv"]))
    by_cable, by_name = (texts("opensm", exported(network, guids=given)) for given in both)
    assert by_cable == by_name


MESH = MORE_NETWORKS["hyperx"]()  # a plane of 3 x 4 switches with two nodes each
EXPECTED = "expected one for each switch and each port of a node; nodes=NUMBER exports fewer nodes"


def rows_of(network):
    _, text = hardware(network, random.Random(1))
    return sorted(text.splitlines()[2:], key=lambda each: each.split(",")[1])


@for_each(
    ("device", "becomes", "message"),
    [
        ("N7:1", None, f"no GUID of N7:1; {EXPECTED}"),
        ("N7:1", "N7", f"no GUID of N7:1; {EXPECTED}"),
        ("P0-S3", "P0-S2", "P0-S2 has the GUIDs 0x"),
        ("N7:1", "N6:1", "N6:1 has the GUIDs 0x"),
    ],
)
def test_the_first_device_or_port_without_one_guid_is_named(device, becomes, message, tmp_path):
    rows = [each.split(",") for each in rows_of(MESH)]
    kept = [(guid, becomes if name == device else name) for guid, name in rows]
    kept = [f"{guid},{name}" for guid, name in kept if name is not None]
    path = tmp_path / "names.csv"
    path.write_text("\n".join(["name,device", *kept]), encoding="utf-8")
    says = f"^guids={path}: {message}"
    require_refusal(lambda: texts("opensm", exported(MESH, guids=read_guids("guids", [path]))), says)


@for_each(
    ("device", "like", "message"),
    [
        ("N7:1", "P0-S3", "N7:1 has the GUID {} of P0-S3; expected a GUID of its own"),
        ("N7", "N6:1", "N7 has the GUID {} of N6:1; expected a GUID of its own"),
        ("N7:1", "N7", None),
    ],
)
def test_two_devices_with_one_guid_are_named_but_a_port_may_have_that_of_its_adapter(device, like, message, tmp_path):
    guid = {name: int(number.removeprefix("port "), 16) for number, name in (each.split(",") for each in rows_of(MESH))}
    guid[device] = guid[like]
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]  # no file has a GUID of two devices
    for path, names in zip(paths, (set(guid) - {device}, {device}), strict=True):
        rows = [row(guid[name], name) for name in sorted(names)]
        path.write_text("\n".join(["name,device", *rows]), encoding="utf-8")
    given = read_guids("guids", paths)
    if message is None:
        assert f"caguid={guid['N7']:#x}\n" in texts("opensm", exported(MESH, guids=given))["plane0/fabric.ibsim"]
        return
    message = f"^guids={paths[0]},{paths[1]}: {message.format(hex(guid[device]))}$"
    require_refusal(lambda: texts("opensm", exported(MESH, guids=given)), message)


def test_a_node_of_several_adapters_has_the_guid_of_its_first_port(tmp_path):
    (port,) = (each.split(",")[0] for each in rows_of(MESH) if each.endswith(",N7:1"))
    path = tmp_path / "names.csv"
    path.write_text("\n".join(["name,device", *rows_of(MESH), "0x123,N7"]), encoding="utf-8")
    files = texts("opensm", exported(MESH, guids=read_guids("guids", [path])))
    assert f"caguid={port.removeprefix('port ')}\n" in files["plane0/fabric.ibsim"]


def test_a_cable_to_another_node_than_in_the_design_is_an_error(tmp_path):
    guid, (cables,) = listed(MESH, random.Random(2))
    (a, b), (c, d) = cables[-1], cables[-5]
    path = tmp_path / "found.txt"
    path.write_text(discovery_text([*cables[:-5], (a, d), *cables[-4:-1], (c, b)], guid=guid), encoding="utf-8")
    message = f"^guids={path}: {c[0]}:{c[1]} leads to {b[0]}; expected {d[0]}, as in the design$"
    require_refusal(lambda: texts("opensm", exported(MESH, guids=read_guids("guids", [path]))), message)
