"""Imports of a fabric that runs: ibsim simulates it, OpenSM routes it, and ``ibtracert`` follows the same paths."""

import re

import numpy as np
import pytest

from isoplane.models import Network, Site, family_named
from isoplane.models.families.fabric import Fabric
from isoplane.runs.imports.import_fabric import FABRIC, imported, write_fabric
from isoplane.runs.imports.imported_tables import with_tables
from isoplane.runs.imports.importer import source_of

from .copies import cable_ends, copied_fabric
from .ibsim import simulated_subnet

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
        assert fabric.placed[0].plane.nodes == copied_fabric(network, "up_down").planes[0].nodes
        found = {frozenset(((a, p), (b, q))) for a, p, b, q in fabric.placed[0].plane.cables}
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
    for source, destination in rng.integers(0, network.nodes, (24, 2)).tolist():
        if source == destination:
            continue
        trace = run("ibtracert", str(lids[f"N{source}"]), str(lids[f"N{destination}"])).stdout
        hops = HOP.findall(trace)
        left = [int(port) for port, *_ in hops[1:]]  # the port by which each switch forwards
        switches = [int(name.removeprefix("P0-S")) for _, kind, _, name in hops if kind == "switch"]
        start, links = built.links(np.array([source]), np.array([destination]), 0)
        between = [ports[link] for link in links[start[0] : start[1]] if link < len(ports)]
        assert [[switch, port - 1] for switch, port in zip(switches, left, strict=True)][:-1] == between
