"""Exported subnets as files: what a packet does that follows them, and designs that OpenSM cannot deploy."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, Network, Site
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.mathematics.random_graphs import random_regular_edges
from isoplane.models.planes.routing_columns import next_ports_to
from isoplane.models.planes.spread_places import spread_places
from isoplane.models.routing import Paths, Routes, balanced_table, channel_cycle, forwarding_table, up_down
from isoplane.models.topologies import graph
from isoplane.runs.exports.infiniband import check_tables
from isoplane.runs.exports.infiniband.forwarding import forwarding_of, is_acyclic
from isoplane.runs.exports.infiniband.subnet import subnets_of
from tests.cases import for_each, require_refusal
from tests.runs.formats.exported import exported_design

from .networks import MORE_NETWORKS, NETWORKS, of
from .subnets import exported, our_path

ALL_NETWORKS = {**NETWORKS, **MORE_NETWORKS}
END = re.compile(r'\[(\d+)\](?:\((\w+)\))? "(.*)"\[(\d+)\]')
SWITCH, ADAPTER = re.compile(r'Switch (\d+) "(.*)"'), re.compile(r'Hca (\d+) "(.*)"')


def fabric(path):
    """The ends of the cables of an ibsim file, and the GUID of each port of an adapter: (device, port) to both."""
    ends, guids, name = {}, {}, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := SWITCH.fullmatch(line) or ADAPTER.fullmatch(line):
            name, ports = found[2], int(found[1])
        elif found := END.fullmatch(line):
            assert 1 <= int(found[1]) <= ports
            assert (name, int(found[1])) not in ends
            ends[name, int(found[1])] = found[3], int(found[4])
            guids[name, int(found[1])] = int(found[2] or "0", 16)
    return ends, guids


def tables(path):
    """The tables of a file: switch to LID to port."""
    found, table = {}, {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("Unicast"):
            table = found.setdefault(re.search(r"\('(.*)'\):$", line)[1], {})
        elif line.startswith("0x"):
            lid, port = line.split()[:2]
            assert int(lid, 16) not in table
            table[int(lid, 16)] = int(port)
    return found


@for_each("name", ALL_NETWORKS)
def test_a_packet_that_follows_the_files_takes_our_route_between_all_pairs_and_management_reaches_the_switches(
    name, tmp_path
):
    """Management has entries for every switch unless packets could deadlock."""
    network = ALL_NETWORKS[name]()
    (tmp_path / name).mkdir()
    folder = exported(network, tmp_path / name)
    readme = (folder / "README").read_text(encoding="utf-8")
    for number, plane in enumerate(network.planes):
        ends, _ = fabric(folder / f"plane{number}" / "fabric.ibsim")
        assert all(ends[other] == own for own, other in ends.items())
        assert len(ends) == int((plane.topology.peer >= 0).sum()) + 2 * len(plane.node_switch)
        table = tables(folder / f"plane{number}" / "tables.lfts")
        check_routes(network, number, ends, table)
        check_waits_for_links(ends, table)
        managed = set(plane.node_switch.tolist())
        reached = {
            switch
            for switch in range(plane.topology.switches)
            if all(switch + 1 in table[f"P{number}-S{start}"] for start in managed)
        }
        complete = name not in ("oft", "megafly")
        assert reached == (set(range(plane.topology.switches)) if complete else managed)
        assert complete == (f"In plane{number} there are entries for packets between nodes only" not in readme)


@for_each("name", [name for name in ALL_NETWORKS if ALL_NETWORKS[name]().node_cable_mm is not None])
def test_places_without_nodes_have_no_cable_no_lid_and_no_entry_and_those_of_others_keep_ports(name, tmp_path):
    network = ALL_NETWORKS[name]()
    bought = network.nodes // 2
    places = spread_places(network.cabling, bought)
    names = {f"N{place}": f"N{node}" for node, place in enumerate(places.tolist())}
    folders = []
    for part, nodes in (("all", None), ("some", bought)):
        (tmp_path / name / part).mkdir(parents=True)
        folders.append(exported(network, tmp_path / name / part, nodes=nodes))
    for number, plane in enumerate(network.planes):
        every, some = (folder / f"plane{number}" for folder in folders)
        ends, guids = fabric(every / "fabric.ibsim")
        names |= {(device := f"P{number}-S{switch}"): device for switch in range(plane.topology.switches)}
        kept = {
            (names[own], port): (names[other], far)
            for (own, port), (other, far) in ends.items()
            if own in names and other in names
        }
        found, some_guids = fabric(some / "fabric.ibsim")
        assert (found, some_guids.keys()) == (kept, kept.keys())
        assert all(some_guids[own] == guids[own] for own in kept if own[0].startswith("P"))
        links = np.flatnonzero(np.isin(plane.node, places))
        lids = [*range(1, plane.topology.switches + 1), *(plane.topology.switches + 1 + links).tolist()]
        new_lid = {lid: number for number, lid in enumerate(lids, start=1)}
        of_lids = {switch: {new_lid[lid]: port for lid, port in table.items() if lid in new_lid}
                   for switch, table in tables(every / "tables.lfts").items()}  # fmt: skip
        assert tables(some / "tables.lfts") == of_lids
        assert (some / "guid2lid").read_text(encoding="utf-8").count("\n\n") == len(lids)


def test_a_plane_without_links_of_the_bought_nodes_is_refused(tmp_path):
    first, second = NETWORKS["partly_attached"]().planes
    planes = first, replace(second, node_start=np.array([0, 0, 1, 2, 3]))
    network = Network(PlanesFamily("late", planes), Site(layout=None))
    require_refusal(
        lambda: exported(network, tmp_path, nodes=1),
        "^nodes=1: none of these nodes has a link in plane 1; expected at least 2$",
    )


def check_routes(network, number, ends, table):
    plane = network.planes[number]
    for source in range(len(plane.node_switch)):
        for destination in range(len(plane.node_switch)):
            path, end = our_path(network, number, source, destination)
            lid = plane.topology.switches + destination + 1
            device, taken = ends[path[0]][0], [path[0]]
            while device.startswith("P"):
                taken.append((device, table[device][lid]))
                device = ends[taken[-1]][0]
            assert (taken, device) == (path, end)


def check_waits_for_links(ends, table):
    """Links that wait for no other drain, until none is left: of all pairs that a packet may hold at once."""
    held = set()
    for switch, entries in table.items():
        for lid, port in entries.items():
            if port and ends[switch, port][0].startswith("P"):
                then = ends[switch, port][0]
                held.add(((switch, port), (then, table[then][lid])))
    while smaller := {(a, b) for a, b in held if any(c == b for c, _ in held)}:
        assert smaller != held
        held = smaller


@for_each(
    ("name", "parameters", "message"),
    [
        ("torus", {"shape": (4, 4)}, "its routes use 2 classes of virtual channels"),
        ("torus", {"shape": (5, 4), "datelines": False}, "packets can deadlock, since 5 channels form"),
        (
            "torus",
            {"shape": (4, 2), "ties": "parity", "datelines": True},
            "as with network.datelines=false network.routing=up_down netwo",
        ),
        ("rdt", {}, "by different ports: not deployable through OpenSM's file engine, whose tables"),
    ],
)
def test_routes_that_need_lanes_are_refused_with_options_that_work(name, parameters, message, tmp_path):
    engine = "not deployable through OpenSM's file engine"
    folder = tmp_path / f"{name}{len(parameters)}"
    folder.mkdir()
    for says in ("^format=opensm: ", message, engine, "or OpenSM's torus-2QoS, DFSSSP or Nue$"):
        refusal = require_refusal(lambda: exported(of(name, **parameters), folder), says)
    assert list(folder.iterdir()) == []
    options = dict(option.removeprefix("network.").split("=") for option in refusal.options)
    exported(of(name, **parameters | {key: options[key] != "false" and options[key] for key in options}), folder)


def test_source_routes_become_tables_where_those_that_meet_go_on_alike():
    (plane,) = of("mesh", shape=(3, 3), assumed_cable_m=1.0).planes
    table = next_ports_to(plane.routes, np.arange(9))
    paths = []
    for source in range(9):
        for destination in range(9):
            path, switch = [], source
            while switch != destination:
                path.append(int(table[switch, destination]))
                switch = int(plane.topology.peer[switch, path[-1]])
            paths.append(path)
    starts = np.cumsum([0, *map(len, paths)]).astype(np.uint32)
    ports = np.array([port for path in paths for port in path], dtype=np.uint16)
    routes = Routes("table", np.arange(9, dtype=np.int32), paths=Paths(starts, ports))
    assert np.array_equal(forwarding_of(plane.routed(routes), "plane").port, table)
    corner = ports.copy()  # from switch 0 to 8 first along the second dimension, unlike routes through 0 to 8
    first, last = int(starts[8]), int(starts[9])
    corner[first:last] = corner[first:last][::-1]
    routes = Routes("table", np.arange(9, dtype=np.int32), paths=Paths(starts, corner))
    require_refusal(lambda: forwarding_of(plane.routed(routes), "plane"), "plane: routes to switch 8 leave switch ")


@for_each(
    ("design", "message"),
    [
        (lambda: mesh((2,), 255), "format=opensm: plane 0 has a device of 257 ports; expected at most 254"),
        (lambda: mesh((256, 128), 1), "format=opensm: plane 0 needs 65536 LIDs; expected at most 49151"),
    ],
)
def test_planes_that_are_no_subnets_are_refused(design, message):
    require_refusal(lambda: subnets_of(exported_design(design()), "opensm"), message)


def mesh(shape, nodes_per_switch):
    return Design(of("mesh", shape=shape, nodes_per_switch=nodes_per_switch, node_cable_m=2.0))


@given(st.integers(1, 1000), st.sampled_from([forwarding_table, up_down, balanced_table]))
def test_dependencies_of_tables_are_acyclic_where_channels_are(seed, routing):
    topology = graph(random_regular_edges(10, 3, seed))
    routes = routing(topology)
    ports = next_ports_to(routes, np.arange(10))
    assert is_acyclic(topology, ports, np.arange(10)) == (channel_cycle(topology, routes, 1) is None)


def table_text(ports):
    lines = [f"0x{lid:04x} {port:03d} : (Switch portguid 0x{lid + 32:016x}: 'a')" for lid, port in ports.items()]
    return "\n".join(["Unicast lids [0x0-0x9] of switch Lid 1 guid 0x0000000000000021 ('a'):", *lines, ""])


@for_each(
    ("dumped", "log", "code", "message"),
    [
        ({1: 0, 2: 1}, "file tables configured on all switches", 0, "2 entries of 1 switches are those exported"),
        ({1: 0, 2: 2}, "file tables configured on all switches", 1, "LID 0x0002: exported port 001 to port GUID"),
        ({1: 0}, "file tables configured on all switches", 1, "in the switch no entry"),
        ({1: 0, 2: 1, 3: 1}, "file tables configured on all switches", 1, "LID 0x0003: exported no entry"),
        ({1: 0, 2: 1}, "minhop tables configured on all switches", 1, "tables of its routing minhop"),
        ({1: 0, 2: 1}, "", 1, "no line that tables were configured"),
        ({1: 0, 2: 1}, "PARSE ERROR: x\nfile tables configured on all switches", 1, "log: PARSE ERROR: x"),
    ],
)
def test_the_check_names_differences_of_tables_and_problems_in_the_log(dumped, log, code, message, tmp_path, capsys):
    names = [str(tmp_path / name) for name in ("tables", "dump", "log")]
    for path, text in zip(names, (table_text({1: 0, 2: 1}), table_text(dumped), log), strict=True):
        Path(path).write_text(text, encoding="utf-8")
    assert check_tables.main(names) == code
    assert message in capsys.readouterr().out
    assert check_tables.main([names[0], str(tmp_path / "none"), names[2]]) == 1
    assert "none: no such file" in capsys.readouterr().out
