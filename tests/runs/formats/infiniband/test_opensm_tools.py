"""Exported subnets run: OpenSM sets their tables, ibtracert follows their paths, ibdmchk finds no credit loop."""

import os

import numpy as np
import pytest

from isoplane.models.families._dual_cube import dual_cube
from tests.tools import HANG_S, require_tools

from .networks import NETWORKS, of
from .subnets import exported, our_path, run_readme, traced_paths

NO_CREDIT_LOOP = "-I- no credit loops found"


@pytest.fixture(autouse=True)
def tools():
    """Skip the test where one of the tools is absent."""
    require_tools("ibsim", "opensm", "ibtracert", "ibdmchk")  # dump_fts is in the package of ibtracert


@pytest.mark.parametrize("name", ["cubes", "trunks", "direct_mesh", "two_links", "partly_attached"])
def test_the_tools_set_and_follow_our_routes(name, tmp_path):
    network = NETWORKS[name]()
    folder = exported(network, tmp_path)
    rng = np.random.default_rng(1)
    for number, plane in enumerate(network.planes):
        links, switches = len(plane.node_switch), plane.topology.switches
        pairs = [(a, b) for a, b in rng.integers(0, links, (12, 2)).tolist() if a != b]
        output = run_readme(folder, number, [(switches + a + 1, switches + b + 1) for a, b in pairs])
        # once as OpenSM dumps them, once as dump_fts reads them from the switches
        assert output.count(f"entries of {switches} switches are those exported") == 2
        assert output.count(NO_CREDIT_LOOP) >= 1
        assert output.count(f"-I- Scanned:{links * (links - 1)} CA to CA paths") == 2  # of the subnet, of the .topo
        traces = traced_paths(output)
        for a, b in pairs:
            assert traces[switches + a + 1, switches + b + 1] == our_path(network, number, a, b)


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("sed -i '0,/^0x0002 001/s//0x0002 002/' tables.lfts", "0002000000000000 LID 0x0002: exported port 001 to"),
        ("rm run/guid2lid", "to port GUID 0x0002000000000001; in the switch port "),
    ],
    ids=["an entry", "other LIDs"],
)
def test_other_tables_than_ours_are_noticed(before, found, tmp_path):
    folder = exported(of("mesh", shape=(3, 3), assumed_cable_m=1.0), tmp_path)
    (tmp_path / "ours").write_bytes((folder / "plane0" / "tables.lfts").read_bytes())
    readme = folder / "README"
    readme.write_text(readme.read_text(encoding="utf-8").replace(" tables.lfts run/", " ../../ours run/"), "utf-8")
    output = run_readme(folder, 0, before=before)
    assert found in output
    assert "are those exported" not in output


def test_opensm_needs_no_entries_of_management_but_lids_of_switches_without_nodes_have_no_route(tmp_path):
    network = NETWORKS["oft"]()
    (plane,) = network.planes
    folder = exported(network, tmp_path)
    switches, leaves = plane.topology.switches, np.unique(plane.node_switch).tolist()
    assert plane.topology.peer[0, 0] not in leaves  # behind port 1 of switch 0, from where the tools run
    node = switches + 1
    # Where there is a route an answer is awaited, however slow the machine; elsewhere none ever comes.
    waits_ms = [1000 * HANG_S if switch in leaves else 50 for switch in range(switches)]
    queries = (f"smpquery -t {wait_ms} nodeinfo {switch + 1}" for switch, wait_ms in enumerate(waits_ms))
    tools = ["smpquery -D nodeinfo 0,1", *queries]
    output = run_readme(folder, 0, [(node, switch + 1) for switch in range(switches)], tools=tools)
    traces = traced_paths(output)
    ends = [traces[node, switch + 1][1] for switch in range(switches)]
    assert ends == [f"P0-S{switch}" if switch in leaves else None for switch in range(switches)]
    assert [f"# Node info: Lid {switch + 1}\n" in output for switch in range(switches)] == [
        switch in leaves for switch in range(switches)
    ]
    assert output.count("# Node info: DR path") == 1
    assert " ERR " not in (folder / "plane0" / "run" / "opensm.log").read_text(encoding="utf-8")


@pytest.mark.skipif("ISOPLANE_LONG" not in os.environ, reason="takes minutes; ISOPLANE_LONG=1 runs it")
@pytest.mark.parametrize(
    ("network", "all_pairs"),
    [
        (dual_cube(4, (3, 5, 9, 14), nodes_per_switch=2), True),
        (dual_cube(8, (3, 6, 12, 24, 48, 96, 192, 128), nodes_per_switch=4), False),
    ],
    ids=["16 x 2", "256 x 4"],
)
def test_all_pairs_and_large_subnets(network, all_pairs, tmp_path):
    folder = exported(network, tmp_path)
    for number, plane in enumerate(network.planes):
        links, switches = len(plane.node_switch), plane.topology.switches
        pairs = [(a, b) for a in range(links) for b in range(links) if a != b] if all_pairs else [(0, 1023), (700, 5)]
        output = run_readme(folder, number, [(switches + a + 1, switches + b + 1) for a, b in pairs])
        assert f"{switches * (switches + links)} entries of {switches} switches are those exported" in output
        assert NO_CREDIT_LOOP in output
        assert output.count(f"-I- Scanned:{links * (links - 1)} CA to CA paths") == 2
        traces = traced_paths(output)
        assert all(traces[switches + a + 1, switches + b + 1] == our_path(network, number, a, b) for a, b in pairs)
