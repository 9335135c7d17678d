"""Cables and switches that fail: what remains is measured and simulated, whatever the names that they have."""

import csv
from pathlib import Path

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
    assert text.rstrip().endswith("2")
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


def test_a_simulation_without_a_cable_takes_the_repaired_routes(isoplane):
    result = isoplane("simulate", *SQUARE, *QUICK, "failed_cables=[P0-S0:1-S1:2]", "hydra.run.dir=run")
    assert result.out.startswith("torus 4 without P0-S0:1-S1:2, 8 nodes, uniform traffic\n")
    with Path("run/links.csv").open() as file:
        ends = {(row["from"], row["to"]) for row in csv.DictReader(file)}
    assert ends.isdisjoint({("s0", "s1"), ("s1", "s0")})
    assert {("s0", "s3"), ("s1", "s2")} <= ends
    assert not Path("run/design.json").exists()
    few = isoplane("simulate", *RING, *QUICK, "failed_cables=[P0-S0:1-S1:2]")  # a path of six switches
    assert "hardware.virtual_channels=4: expected an integer of at least 5" in few.err
    for option in ("pairs=[[0,1]]", "placement=[0,1,2]", "messages=none.csv"):
        refused = isoplane("simulate", *SQUARE, *QUICK, "failed_switches=P0-S1", option)
        assert refused.code == 2
        assert refused.err.count("names nodes by number, but 2 nodes of torus 4 would be cut off; expected") == 1
