"""Cables and switches that fail: what remains is measured and simulated, whatever the names that they have."""

import csv
import json
from pathlib import Path

import pytest

from isoplane.models import Network
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.fabric import Fabric, FabricPlane
from isoplane.runs.exports.failed_parts import failed_parts
from tests.cases import for_each, require_refusal

RING = ("network=torus", "network.shape=[6]", "network.nodes_per_switch=2", "network.node_cable_m=2")
SQUARE = ("network=torus", "network.shape=[4]", *RING[2:])
QUICK = ("loads=[0.1]", "saturation=false", "measurement=rough")


def column(text, row):
    """The last number of a row before its unit."""
    return float(next(line for line in text.splitlines() if line.startswith(row)).split()[-2])


def test_metrics_without_a_switch_are_those_of_the_nodes_that_remain(isoplane):
    text = isoplane("evaluate", *RING, "failed_switches=[P0-S1]").out.partition("without P0-S1, ")[2]
    # A path of five switches.
    assert column(text, "aspl") == sum(abs(a - b) for a in range(5) for b in range(5)) / 25
    assert column(text, "diameter") == 4
    assert [line.split()[-1] for line in text.splitlines() if line.startswith("nodes cut off")] == ["2"]
    assert text.splitlines()[-1] == "cut off: N2, N3"
    intact, remaining = json.loads(isoplane("evaluate", *RING, "failed_switches=[P0-S1]", "format=json").out)
    assert remaining["design"] == f"{intact['design']} without P0-S1"
    assert (remaining["diameter"], remaining["nodes_cut_off"], intact["nodes_cut_off"]) == (4, 2, 0)
    assert (remaining["names_cut_off"], intact["names_cut_off"]) == (["N2", "N3"], None)
    # The middle of a path, with a cable on either side of it: two switches of four nodes remain, the first ones.
    text = isoplane("evaluate", *RING, "failed_switches=P0-S0", "failed_cables=[P0-S3:1-S4:2]").out
    assert column(text.partition("without ")[2], "diameter") == 2
    assert "among the other nodes" in text


def test_names_of_the_site_are_those_of_switches(isoplane):
    Path("ring.edges").write_text("a b\nb c\nc d\nd a\na N0\nb N1\nc N2\nd N3\n")
    assert isoplane("import", "file=ring.edges", "hydra.run.dir=site").code == 0
    given = ("evaluate", "network=fabric", "network.file=site/fabric.json")
    texts = [isoplane(*given, f"failed_switches={name}").out for name in ("P0-S1", "b")]
    assert texts[0].replace("without P0-S1", "without b") == texts[1]
    simulated = ("simulate", *given[1:], *QUICK, "failed_switches=[b]", "hydra.run.dir=run")
    assert isoplane(*simulated).code == 0
    with Path("run/switches.csv").open() as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["a", "c", "d"]


def test_cables_are_named_by_their_devices_with_those_of_nodes(isoplane):
    """The only cable of two devices needs no ports; names are those of the site or of exports, in either order."""
    Path("ring.edges").write_text("a b\nb c\nc d\nd a\na e\nc e\na host-1\nb host-2\nc host-3\nd host-4\n")
    assert isoplane("import", "file=ring.edges", "hydra.run.dir=site").code == 0

    def without(name):
        given = ("evaluate", "network=fabric", "network.file=site/fabric.json", f"failed_cables={name}")
        result = isoplane(*given)
        assert result.code == 0, result.err
        return result.out.partition(f"without {name}, ")[2]

    texts = [without(name) for name in ("P0-S0:1-S1:1", "a-b", "b:1-a:1", "P0-S1-P0-S0", "P0-S0-b")]
    assert len(set(texts)) == 1
    assert column(texts[0], "diameter") == 3  # b is now an end of a path over c
    # Without the cable of its node, b has none; the other three are on a ring of four with e between two of them.
    texts = [without(name) for name in ("P0-S1:3-N1:1", "host-2-b", "b:3-N1:1")]
    assert len(set(texts)) == 1
    assert texts[0].endswith("1\ncut off: host-2\n")
    assert column(texts[0], "aspl") == pytest.approx((4 * 1 + 2 * 2) / 9, abs=1e-6)


def test_cables_that_are_not_one_are_refused_with_what_is_allowed(isoplane):
    pair = ("evaluate", "network=torus", "network.shape=[2,3]")
    unknown = isoplane(*pair, "failed_cables=[a]")
    assert unknown.code == 2
    assert "failed_cables=a: expected cables as format=cabling labels them, or between two devices" in unknown.err
    links = ("evaluate", "network=multi_plane", "network.planes=1", "network.links_per_node=2")
    several = isoplane(*links, "network.plane.shape=[2]", "failed_cables=P0-S0-N0")
    assert "failed_cables=P0-S0-N0: 2 cables; expected one with its ports, of P0-S0:" in several.err


@for_each(
    ("name", "says"),
    [
        ("sw-0-sw-2", "no cable joins sw-0 and sw-2; those of sw-0 lead to sw-1, sw-3, host-aa$"),
        ("sw-2:1-host-aa:1", "no cable joins sw-2 and host-aa; those of sw-2 lead to sw-1, sw-3, N2$"),
        ("P0-S0:1-S2:1", "no cable joins P0-S0 and P0-S2; those of P0-S0 lead to P0-S1, P0-S3, N0$"),
        ("P0-S1:1-S0:1", "no such cable; expected P0-S0:1-S1:1, between P0-S1 and P0-S0$"),
        ("sw-0-host-zz", "no device is called host-zz; expected cables"),
        ("sw9-sw-0", "no device is called sw9; expected cables"),
        ("a-b", "no device is called a; expected cables"),
        ("sw-0-twin", "2 devices are called twin; expected cables"),
        ("sw-8-sw-9", "^failed_cables=sw-8-sw-9: expected cables as format=cabling labels them, or between two"),
    ],
)
def test_a_name_of_two_devices_is_refused_with_the_unknown_one_or_with_the_cables_that_there_are(name, says):
    """Of a ring of four switches, one without a node."""
    plane = FabricPlane(
        switches=4,
        cables=((0, 1, 1, 1), (1, 2, 2, 1), (2, 2, 3, 1), (0, 2, 3, 2)),
        nodes=((0, 0, 3), (1, 1, 3), (2, 2, 3)),
    )
    names = DeviceNames((("sw-0", "sw-1", "sw-2", "sw-3"),), ("host-aa", "twin", "twin"))
    config = {"failed_cables": [name], "failed_switches": None}
    require_refusal(lambda: failed_parts(config, Network(Fabric(planes=(plane,), names=names))), says)


@for_each("name", ["0x00A0:1-0xa1:1", "0xa1-0xA0", "MF0;sw-0:M/U1-0xa1", "sw-1-0xA0", "0xa1-P0-S0"])
def test_guids_and_descriptions_name_the_ends_of_cables_as_they_name_switches(name):
    plane = FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=((0, 0, 3), (1, 1, 3)))
    aliases = {"0xa0": "P0-S0", "MF0;sw-0:M/U1": "P0-S0", "0xa1": "P0-S1", "sw-0": "P0-S0", "sw-1": "P0-S1"}
    names = DeviceNames((("sw-0", "sw-1"),), ("host-a", "host-b"), tuple(sorted(aliases.items())))
    network = Network(Fabric(planes=(plane,), names=names))
    assert failed_parts({"failed_cables": [name], "failed_switches": None}, network) == ((name,), [0], [], [])
    assert failed_parts({"failed_cables": None, "failed_switches": ["0x00a0"]}, network) == (("0x00a0",), [], [0], [])


def test_a_simulation_without_a_cable_takes_the_repaired_routes(isoplane):
    result = isoplane("simulate", *SQUARE, *QUICK, "failed_cables=[P0-S0:1-S1:2]", "hydra.run.dir=run")
    assert result.out.startswith("torus 4 without P0-S0:1-S1:2, 8 nodes, uniform traffic\n")
    with Path("run/links.csv").open() as file:
        ends = {(row["from"], row["to"]) for row in csv.DictReader(file)}
    assert ends.isdisjoint({("s0", "s1"), ("s1", "s0")})
    assert {("s0", "s3"), ("s1", "s2")} <= ends
    assert not Path("run/design.json").exists()
    few = isoplane("simulate", *RING, *QUICK, "failed_cables=[P0-S0:1-S1:2]")  # a path of six switches
    assert "routes of up to 5 hops" in few.err
    assert "expected hardware.virtual_channels=5 or more" in few.err
    for option in ("pairs=[[0,1]]", "placement=[0,1,2]", "messages=none.csv"):
        refused = isoplane("simulate", *SQUARE, *QUICK, "failed_switches=P0-S1", option)
        assert refused.code == 2
        assert refused.err.count("names nodes by number, but 2 nodes of torus 4 would be cut off; expected") == 1
