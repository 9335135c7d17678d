"""Topologies for Slurm, read by Slurm's own controller, and the trees in them."""

import getpass
import os
import re
import socket
import subprocess
import time
from collections import Counter
from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube, Design, Layout, Network, Site, dual_cube
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.runs.exports.exporters import slurm as exporter
from isoplane.runs.exports.exporters.slurm import host_list
from tests.cases import for_each, require_refusal
from tests.runs.formats.exported import exported_design, texts
from tests.strategies import bases_up_to
from tests.tools import HANG_S, require_tools

FLOOR = Site(Layout(aspects=()))
CUBES = dual_cube(4, (3, 5, 9, 14), nodes_per_switch=2, layout=Layout(switches_per_rack=2, aspects=()))
COLUMN = dual_cube(3, (3, 5, 7), nodes_per_switch=1, layout=Layout(switches_per_rack=2, racks_across=1, racks_deep=4))
CUBE = dual_cube(6, (1, 2, 4, 8, 16, 32), nodes_per_switch=3)
SLURM_CONF = """ClusterName=test
SlurmctldHost=localhost
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmctldPort={port}
SlurmctldPidFile={folder}/slurmctld.pid
StateSaveLocation={folder}
SelectType=select/cons_tres
TopologyPlugin=topology/tree
NodeName=N[0-{last}] NodeHostname=localhost Port=[{first_port}-{last_port}]
PartitionName=all Nodes=ALL Default=YES
"""


def exported(network, tree):
    return texts("slurm", exported_design(Design(network), slurm_tree=tree))


def names_in(text):
    """Return the names in a list of hosts such as R1-4,R2-[1-2,5]."""
    found = set()
    for prefix, ranges, name in re.findall(r"([^,\[]+)\[([^\]]+)\]|([^,\[]+)", text):
        ends = [[int(end) for end in part.split("-")] for part in ranges.split(",") if part]
        digits = len(ranges.split("-")[0].split(",")[0]) if ranges.startswith("0") else 1
        found |= {f"{prefix}{number:0{digits}}" for each in ends for number in range(each[0], each[-1] + 1)} or {name}
    return found


def tree_of(text):
    """Return the nodes or switches directly below each switch of a topology.conf, or of what scontrol prints."""
    found = {}
    for line in text.splitlines():
        fields = dict(word.split("=", 1) for word in line.split())
        found[fields["SwitchName"]] = names_in(fields.get("Switches") or fields["Nodes"])
    return found


def nodes_below(tree, switch):
    return {node for each in tree[switch] for node in (nodes_below(tree, each) if each in tree else {each})}


def free_port():
    with socket.socket() as unused:
        unused.bind(("localhost", 0))
        return unused.getsockname()[1]


def listens(port):
    with socket.socket() as tried:
        return tried.connect_ex(("localhost", port)) == 0


@pytest.fixture
def slurm(tmp_path):
    """Return a function that starts a controller with a topology, and returns its tree or why it ended."""
    tools = require_tools("slurmctld", "scontrol")

    def show(topology, nodes):
        port, config, log = free_port(), tmp_path / "slurm.conf", tmp_path / "log"
        values = {"user": getpass.getuser(), "port": port, "folder": tmp_path, "last": nodes - 1}
        config.write_text(SLURM_CONF.format(**values, first_port=1024, last_port=1023 + nodes))
        (tmp_path / "topology.conf").write_text(topology)
        with log.open("w") as file:
            controller = subprocess.Popen([tools["slurmctld"], "-D", "-c", "-f", config], stdout=file, stderr=file)
        try:
            while controller.poll() is None:
                if listens(port):
                    environment = {**os.environ, "SLURM_CONF": str(config)}
                    command = [tools["scontrol"], "show", "topology"]
                    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
                time.sleep(0.05)
            return log.read_text()
        finally:
            controller.terminate()
            controller.wait(timeout=HANG_S)

    return show


@for_each(("network", "tree"), [(CUBES, "racks"), (CUBES, "distance"), (COLUMN, "racks")])
def test_scontrol_shows_the_tree(slurm, network, tree):
    written = exported(network, tree)["topology.conf"]
    shown = slurm(written, network.nodes)
    assert tree_of(shown) == tree_of(written)
    levels = {line.split()[0]: int(line.split()[1].removeprefix("Level=")) for line in shown.splitlines()}
    assert max(levels.values()) == (1 if network is COLUMN else 2)


networks = st.one_of(
    st.builds(lambda shape: Network(Torus(shape=shape), FLOOR), st.sampled_from([(3, 3), (2, 3, 4), (10,), (9, 9)])),
    st.builds(
        lambda basis: dual_cube(basis.n, basis.generators, nodes_per_switch=2, layout=Layout(aspects=())),
        bases_up_to(5),
    ),
    st.builds(lambda ports: Network(FatTree(switch_ports=ports), FLOOR), st.sampled_from([2, 4, 6])),
    st.builds(
        lambda seed: Network(RandomRegular(switches=14, degree=3, nodes_per_switch=3, seed=seed), FLOOR),
        st.integers(0, 99),
    ),
)


@given(networks, st.sampled_from(exporter.TREES))
@settings(max_examples=30)
def test_every_node_and_group_is_below_exactly_one_switch_of_the_level_above(network, kind):
    files = exported(network, kind)
    tree = tree_of(files["topology.conf"])
    (document,) = yaml.safe_load(files["topology.yaml"])
    assert (document["topology"], document["cluster_default"]) == (kind, True)
    switches = document["tree"]["switches"]
    assert {each["switch"]: names_in(each.get("children") or each["nodes"]) for each in switches} == tree
    below = [each for members in tree.values() for each in members]
    nodes = {f"N{node}" for node in range(network.nodes)}
    assert len(below) == len(set(below))
    (top,) = tree.keys() - set(below)
    assert set(below) == nodes | (tree.keys() - {top})
    assert nodes_below(tree, top) == nodes


def test_racks_are_below_their_rows_and_rows_of_one_rack_are_not_a_level():
    tree = tree_of(exported(CUBES, "racks")["topology.conf"])
    for row in (1, 2):
        assert tree[f"row{row}"] == {f"R{row}-{place}" for place in range(1, 5)}
    assert tree["floor"] == {"row1", "row2"}
    tree = tree_of(exported(COLUMN, "racks")["topology.conf"])
    assert tree["floor"] == {f"R{row}-1" for row in range(1, 5)}
    assert len(tree) == 5


@given(st.permutations(range(6)))
@settings(max_examples=10)
def test_groups_by_hops_in_a_cube_are_its_subcubes(order):
    # Generators in any order: eight switches at the least mean distance are a subcube, three nodes at each.
    network = Network(replace(CUBE.family, planes=(Cube(ConnectionSet.basis(6, [1 << i for i in order])),)), CUBE.site)
    tree = tree_of(exported(network, "distance")["topology.conf"])
    assert Counter(name.split("-")[0] for name in tree) == {"level0": 64, "level1": 8, "level2": 1}
    for name in (f"level1-{index}" for index in range(8)):
        switches = [int(node[1:]) // 3 for node in nodes_below(tree, name)]
        assert len({switch ^ switches[0] for switch in switches}) == 8
        spanned = 0
        for switch in switches:
            spanned |= switch ^ switches[0]
        assert spanned.bit_count() == 3


@for_each(
    ("layout", "tree", "message"),
    [
        (None, "racks", "format=slurm: the design has no layout; expected a design with racks"),
        (Layout(), "rows", "slurm_tree=rows: expected racks, distance"),
    ],
)
def test_trees_that_a_design_does_not_have_are_rejected_before_the_first_file(layout, tree, message):
    network = dual_cube(3, (3, 5, 7), layout=layout)
    files = exporter.files(exported_design(Design(network), slurm_tree=tree))
    require_refusal(lambda: next(files), f"^{message}$")


@for_each(
    ("names", "text"),
    [
        (("node0", "node1", "node10"), "node[0-1,10]"),
        (("node08", "node09", "node10", "node100"), "node[08-10],node100"),
        (("a1", "b1", "login", "gpu-a", "gpu-a2"), "a1,b1,login,gpu-a,gpu-a2"),
        (("n5", "n3", "n4", "n9"), "n[5,3-4,9]"),
    ],
)
def test_a_list_of_hosts_keeps_the_zeros_of_numbers(names, text):
    assert host_list(names) == text
    assert names_in(text) == set(names)


@for_each("tree", exporter.TREES)
def test_racks_of_the_layout_are_not_taken_for_those_of_a_site(tree):
    plane = FabricPlane(switches=2, cables=((0, 3, 1, 3),), nodes=((0, 0, 1), (1, 1, 1)))
    for names in (None, DeviceNames((("leaf0", "leaf1"),), ("node07", "node08"))):
        given = exported_design(Design(Network(Fabric(planes=(plane,), names=names), FLOOR)), slurm_tree=tree)
        texts("slurm", given)
        is_said = any("racks and rows are those of the layout, not of the site" in note for note in given.notes)
        assert is_said == (names is not None and tree == "racks")


def test_nodes_of_a_site_have_its_names_and_names_that_slurm_refuses_are_an_error():
    plane = FabricPlane(switches=2, cables=((0, 3, 1, 3),), nodes=((0, 0, 1), (1, 1, 1)))
    switches = (("leaf0", "leaf1"),)
    network = Network(Fabric(planes=(plane,), names=DeviceNames(switches, ("node07", "node08"))), FLOOR)
    for tree in ("racks", "distance"):
        files = exported(network, tree)
        assert names_in(files["topology.conf"].split("Nodes=")[-1].split()[0]) == {"node07", "node08"}
        assert "node[07-08]" in files["topology.yaml"]
    design = Design(Network(Torus(shape=(2,), nodes_per_switch=1, node_cable_m=1.0), FLOOR))
    files = texts("slurm", exported_design(design, rewired_from=Design(network), slurm_tree="distance"))
    assert "node[07-08]" in files["topology.yaml"]  # as cabling and NetBox call them
    odd = replace(network, family=replace(network.family, names=DeviceNames(switches, ("node 7", "node08"))))
    message = "format=slurm: 'node 7' is the name of N0; expected letters, digits"
    require_refusal(lambda: exported(odd, "distance"), message)


@for_each(
    ("switches", "shown"),
    [
        (("leaf0", "leaf1"), ("leaf0", "leaf1", "level1-0")),
        (("leaf 0", "leaf1"), ("level0-0", "level0-1", "level1-0")),  # Slurm knows no blanks
        (("leaf0", "level1-0"), ("level0-0", "level0-1", "level1-0")),
    ],
)
def test_switches_of_nodes_at_one_switch_have_its_name_at_the_site(switches, shown):
    nodes = tuple((node, node // 2, 1 + node % 2) for node in range(4))
    plane = FabricPlane(switches=2, cables=((0, 3, 1, 3),), nodes=nodes)
    names = DeviceNames((switches,), ("a", "b", "c", "d"))
    tree = tree_of(exported(Network(Fabric(planes=(plane,), names=names), FLOOR), "distance")["topology.conf"])
    assert tree == {shown[0]: {"a", "b"}, shown[1]: {"c", "d"}, shown[2]: {shown[0], shown[1]}}
