"""Ids and hosts of imported devices, and imports of a fabric that ibsim simulates and OpenSM routes."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

from isoplane.models import Network, Site, family_named
from isoplane.models.cabling.cable_list import rails_of
from isoplane.models.families.fabric import Fabric
from isoplane.runs.imports.discovery.descriptions import host_name, is_without_host
from isoplane.runs.imports.given_devices import GivenDevices
from isoplane.runs.imports.import_fabric import FABRIC, imported, write_fabric
from isoplane.runs.imports.imported_tables import with_tables
from isoplane.runs.imports.importer import source_of
from tests.cases import for_each, require_refusal

from .copies import cable_ends, copied_fabric
from .fabrics import discovery_text, dump_text, guids
from .ibsim import simulated_subnet
from .import_sources import source

# Two planes over three nodes, in one file: a path of three switches, and two switches with a cable.
EDGES = "b a\nb c\ny x\na N1\nb N7\nc N3\nx N1\nx N3\ny N7\n"
SWITCHES, NODES = (("a", "b", "c"), ("x", "y")), ("N1", "N3", "N7")
NAMED = {"c": "P1-S0", "a": "P1-S1", "b": "P1-S2", "y": "P0-S0", "x": "P0-S1", "N7": "N0", "N1": "N1", "N3": "N2"}


def given(devices, text=EDGES):
    names = None if devices is None else GivenDevices(Path("names.csv"), devices)
    return imported([source(text)], None, None, names)


def named(fabric):
    return dict(fabric.named_devices())


def ends(fabric):
    """The cables of all planes and links of nodes, by name."""
    found = set()
    for part, plane in zip(fabric.parts, fabric.planes, strict=True):
        switches = part.switches
        found |= {frozenset((switches[a], switches[b])) for a, _, b, _ in plane.cables}
        found |= {frozenset((switches[switch], fabric.nodes[node])) for node, switch, _ in plane.nodes}
    return found


def test_a_name_and_a_guid_of_one_device_may_not_disagree():
    cables = [(("S0", 1), ("S1", 1)), (("S0", 2), ("N0", 1)), (("S1", 2), ("N1", 1))]
    numbers = guids(["S0", "S1", "N0", "N1"])
    devices = {"S0": "P0-S1", "S1": "P0-S0", "N0": "N1", "N1": "N0"}
    agreeing = {**devices, hex(numbers["S0"]): "P0-S1", hex(numbers["N0"]): "N1:2"}
    assert given(agreeing, discovery_text(cables)).parts[0].switches == ("S1", "S0")
    message = f"names=names.csv: S0 is P0-S1, but {numbers['S0']:#x} P0-S0; expected one device"
    disagreeing = {**agreeing, hex(numbers["S0"]): "P0-S0"}
    require_refusal(lambda: given(disagreeing, discovery_text(cables)), message)


@for_each(
    ("changes", "message"),
    [
        ({"b": None}, "no device for b; expected an entry for each switch and node"),
        ({"b": "P1-S0"}, "b and c are P1-S0; expected one device"),
        (
            {"b": "P1-S3"},
            "no device is P1-S2, though b is P1-S3; expected P1-S0 to P1-S2, one for each of 3 devices$",
        ),
        (
            {"N3": "N9"},
            "no device is N2, though N3 is N9; expected N0 to N2, one for each of 3 devices; isoplane check-cables ",
        ),
        ({"b": "P0-S0", "y": "P1-S2"}, "x is P0-S1, but is not in the plane of P0-S0"),
    ],
)
def test_the_first_device_without_an_id_of_its_own_is_named(changes, message):
    devices = {name: device for name, device in {**NAMED, **changes}.items() if device is not None}
    require_refusal(lambda: given(devices), f"^names=names.csv: {message}")


def test_any_order_of_ids_is_the_same_fabric():
    random = Random(1)
    for _ in range(20):
        devices = {}
        for plane, names in enumerate(SWITCHES):
            order = random.sample(range(len(names)), len(names))
            devices |= {name: f"P{plane}-S{switch}" for name, switch in zip(names, order, strict=True)}
        devices |= {name: f"N{node}" for name, node in zip(NODES, random.sample(range(3), 3), strict=True)}
        assert named(given(devices)) == devices
        assert ends(given(devices)) == ends(given(NAMED))


PRODUCT = "MT4123 ConnectX6   Mellanox Technologies"
SHOWN = {
    "N0": "h1 HCA-1", "N1": "h1 HCA-2", "N2": PRODUCT, "N3": PRODUCT, "N4": "node07", "N5": "node07",
    "N6": "localhost mlx5_0", "N7": "login mlx5_0",
}  # fmt: skip
CABLES = [(("S0", 1), ("S1", 1)), *(((f"S{node % 2}", 2 + node), (f"N{node}", 1)) for node in range(8))]
NUMBERS = guids(["S0", "S1", *SHOWN])


def listing(form, shown=SHOWN):
    return form(CABLES, names=shown, guid=NUMBERS)


@for_each("form", [discovery_text, dump_text])
def test_adapters_without_a_host_are_counted_and_the_others_are_rails_of_their_hosts(form):
    fabric = given(None, listing(form))
    unknown = [f"{PRODUCT} {NUMBERS[name]:#x}" for name in ("N2", "N3")]
    assert sorted(fabric.nodes) == sorted((*unknown, "h1", "localhost mlx5_0", "node07", "login"))
    (warning,) = fabric.notes
    assert warning.startswith("warning: 3 of 6 nodes are adapters without the name of a host, such as 'MT4123 ")
    assert ", beside 3 hosts. Adapters of one host become one node by names= with one device for all" in warning
    (plane,) = fabric.planes
    node = [fabric.nodes[each] for each in plane.node]
    assert [node.count(name) for name in ("h1", "node07", "login")] == [2, 2, 1]
    assert rails_of(plane.node, plane.node_adapter_ports).max() == 2


def test_a_file_of_names_joins_adapters_and_its_own_names_give_the_same_fabric_again():
    first = given(None, listing(discovery_text))
    devices = dict(first.named_devices())
    kept, moved = (devices[hex(NUMBERS[name])] for name in ("N2", "N3"))
    joined = given({name: kept if own == moved else own for name, own in devices.items()}, listing(discovery_text))
    assert (len(joined.nodes), joined.notes) == (
        5,
        ("names=names.csv: joins 6 nodes into 5, as they have equal devices",),
    )
    names = dict(joined.named_devices())
    assert {names[hex(NUMBERS[name])].partition(":")[0] for name in ("N2", "N3")} == {kept}
    again = given(names, listing(discovery_text))
    assert list(again.planes) == list(joined.planes)
    assert dict(again.named_devices()) == names


@for_each(
    ("description", "host"),
    [
        ("h1 HCA-12", "h1"), ("H_32000 HCA-1 (Mellanox HCA)", "H_32000"), ("nvidia-dgx01 mlx5_0", "nvidia-dgx01"),
        ("cn1 hfi1_0", "cn1"), ("cn1 qib0", "cn1"), ("cn1 ibP2p1s0f1", "cn1"), ("cn1 rocep1s0", "cn1"),
        ("cn1  ibx0002c90300001dd1", "cn1"), ("node-3-mlx5_1", "node-3"), ("cn1/mlx5_bond_0", "cn1"),
        ("gpu-7.site", "gpu-7.site"), ("MT25408 ConnectX Mellanox Technologies", ""), ("MT4119", ""),
        ("(none) mlx5_0", ""), ("localhost HCA-1", ""), ("H-0002c90300001dd0", ""), ("Mellanox", ""), ("", ""),
        ("ConnectX-6", ""), ("mlx5_0", ""), ("HCA-1", ""), (" ", ""),
    ],
)  # fmt: skip
def test_descriptions_have_a_host_or_are_those_of_adapters_without_one(description, host):
    assert host_name(description) == host
    assert is_without_host(description) == (not host)


@for_each("description", ["MT" + "1" * 200_000 + "!", "a" + "1" * 200_000 + "!", "HCA " * 50_000 + "\n"])
def test_time_to_read_a_description_is_linear_in_its_length(description):  # hours otherwise
    assert host_name(description) == ""
    assert is_without_host(description) == description.startswith("HCA")


HOP = re.compile(r'^\[(\d+)\] -> (switch|ca) port \{\w+\}\[(\d+)\] lid \d+-\d+ "(.*)"$', re.M)
RANDOM = "random_regular", {"switches": 10, "degree": 3, "nodes_per_switch": 2}
TREE = "fat_tree", {"switch_ports": 4}


@pytest.fixture(params=[(*RANDOM, "minhop"), (*TREE, "ftree")], ids=lambda param: param[2])
def running(request, tmp_path):
    """A network, and a function that runs tools in its simulated subnet, in which OpenSM has set the tables."""
    name, parameters, engine = request.param
    network = Network(family_named(name)(**parameters), Site(layout=None))
    with simulated_subnet(tmp_path, cable_ends(network, 0)) as run:
        routed = run("opensm", "-o", "-f", str(tmp_path / "log"), "-R", engine, "--console", "off", "-D", "0x43")
        assert routed.returncode == 0
        yield network, run


def test_what_the_tools_list_is_the_fabric_that_runs_and_routes_are_those_that_packets_take(running, tmp_path):
    network, run = running
    for name, words in (("found.txt", ("ibnetdiscover",)), ("fts.txt", ("dump_fts",))):
        (tmp_path / name).write_text(run(*words).stdout, encoding="utf-8")
    fabrics = []
    for listing, tables in (("found.txt", "opensm-lfts.dump"), ("opensm-subnet.lst", "fts.txt"), ("net", "fts.txt")):
        fabric = imported([source_of("file", tmp_path / listing)], None, None)
        fabric = with_tables(fabric, [source_of("tables", tmp_path / tables)])
        assert fabric.planes[0].nodes == copied_fabric(network, "up_down").planes[0].nodes
        found = {frozenset(((a, p), (b, q))) for a, p, b, q in fabric.planes[0].cables}
        copied = copied_fabric(network, "up_down").planes[0].cables
        assert found == {frozenset(((a, p), (b, q))) for a, p, b, q in copied}
        fabrics.append(fabric)
    assert all(np.array_equal(each.tables[0], fabrics[0].tables[0]) for each in fabrics)

    write_fabric(fabrics[0], tmp_path)
    plane = (built := Network(Fabric.read({"file": tmp_path / FABRIC}))).planes[0]
    ports = np.argwhere(plane.topology.peer >= 0).tolist()
    rng = np.random.default_rng(1)
    dump = (tmp_path / "opensm-lfts.dump").read_text(encoding="utf-8")
    lids = {name: int(lid, 16) for lid, name in re.findall(r"0x(\w{4}) \d{3} # Channel Adapter .*'(N\d+)'", dump)}
    for start_node, destination in rng.integers(0, network.nodes, (24, 2)).tolist():
        if start_node == destination:
            continue
        trace = run("ibtracert", str(lids[f"N{start_node}"]), str(lids[f"N{destination}"])).stdout
        hops = HOP.findall(trace)
        left = [int(port) for port, *_ in hops[1:]]  # the port by which each switch forwards
        switches = [int(name.removeprefix("P0-S")) for _, kind, _, name in hops if kind == "switch"]
        start, links = built.route_links(np.array([start_node]), np.array([destination]), 0)
        between = [ports[link] for link in links[start[0] : start[1]] if link < len(ports)]
        assert [[switch, port - 1] for switch, port in zip(switches, left, strict=True)][:-1] == between
