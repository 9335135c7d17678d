"""`isoplane export format=cabling`: the metrics of a record, the options, and wrong input."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from tests.runs.formats.cabling.files_of import cents, millimetres

from .conftest import rows

BEST = sorted((Path(__file__).parents[3] / "runs" / "best").glob("*hypercube-n5-*.json"))
HYBRID = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2", "workload=dense")


@pytest.mark.parametrize("path", BEST[:2] + BEST[-2:])
def test_lengths_and_prices_add_up_to_the_metrics_of_the_record(isoplane, tmp_path, path):
    assert isoplane("export", f"record={path}", "format=cabling", "hydra.run.dir=out").code == 0
    record, folder = json.loads(path.read_text(encoding="utf-8")), tmp_path / "out" / "cabling"
    lengths = [millimetres(row["length_m"]) for row in rows(folder / "schedule.csv") if row["kind"] == "switch"]
    price = sum(cents(row["price_usd"]) for row in rows(folder / "materials.csv"))
    nodes = 32 * record["nodes_per_switch"]
    assert record["metrics"]["cable_length_m"] == float(Fraction(sum(lengths), 1000 * len(lengths)))
    assert record["metrics"]["cost_usd_per_node"] == float(Fraction(price, 100 * nodes))


def test_spares_and_moves_are_written_and_the_same_input_gives_the_same_bytes(isoplane, tmp_path):
    words = ("network=hypercube", "network.n=4", "layout.aspects=[]", "format=[cabling,netbox]", "spares=0.1")
    identical = ("evaluate", *words[:3], "network.generators=identical", "save=built.json")
    assert isoplane(*identical).code == 0
    new = ("network.generators=[3,5,7,9]", "rewired_from=built.json")
    for folder in ("a", "b"):
        assert isoplane("export", *words, *new, f"hydra.run.dir={folder}").code == 0
    texts = [{path: (tmp_path / folder / path).read_bytes() for path in PATHS} for folder in ("a", "b")]
    assert texts[0] == texts[1]
    assert [row["spares"] for row in rows(tmp_path / "a/cabling/materials.csv")][:2] == ["4", "7"]  # of 32 and 64
    summary = rows(tmp_path / "a/cabling/moves_summary.csv")
    assert [row["plane_connected"] for row in summary] == ["in every step", "in every step"]


PATHS = [f"cabling/{name}" for name in ("schedule.csv", "schedule.html", "moves.csv")] + ["manifest.json"]


RAILS = (
    "network=multi_plane",
    "network@network.plane=torus",
    "network.plane.shape=[4,4]",
    "network.plane.cable_m=null",
)
FAR = (*RAILS, "network.plane.node_cable_m=2", "network.links_per_node=8", "layout.aspects=[]")


def test_node_cables_are_long_enough_for_the_rack_of_their_switch(isoplane, tmp_path):
    # Two nodes with 8 links in both planes; each node is at two of four racks in a row: half of 32 cables take 0.8 m
    # and 2 m of slack, for which the catalogue has 3 m.
    result = isoplane("export", *FAR, "format=cabling", "hydra.run.dir=out")
    assert (result.code, result.err) == (0, "")
    cables = [row for row in rows(tmp_path / "out/cabling/schedule.csv") if row["kind"] == "node"]
    lengths = Counter((row["from_rack"] == row["to_rack"], row["length_m"], row["remark"]) for row in cables)
    assert lengths == {(True, "2", ""): 16, (False, "3", ""): 16}


def test_circuits_are_read_again_from_the_cross_connects(isoplane, tmp_path):
    given = (*HYBRID[:3], "network.circuits=[[0,2],[3,1]]", "network.placement=[3,1,0,2]")
    assert isoplane("export", *given, "format=optical_switch", "hydra.run.dir=a").code == 0
    again = (*given[:3], "network.circuits=a/optical_switch/cross_connects.csv", given[4])
    assert isoplane("export", *again, "format=optical_switch", "hydra.run.dir=b").code == 0
    assert (tmp_path / "a/manifest.json").read_bytes() == (tmp_path / "b/manifest.json").read_bytes()
