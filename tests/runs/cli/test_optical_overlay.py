"""Circuits over packet networks of any family on the command line: every verb, and what is rejected."""

import json

from isoplane.runs.records import read_record, verify
from tests.cases import for_each

RING = ("network=optical_overlay", "network@network.packet=torus", "network.packet.shape=[8]")
TWO_PLANES = (
    "network=optical_overlay",
    "network@network.packet=multi_plane",
    "network.packet.plane.shape=[2,2]",
    "network.packet.plane.nodes_per_switch=2",
)
WORK = ("workload=sparse", "workload.processes=8", "workload.partners=2", "workload.message_bytes=1000000")
SEARCH = ("objective=completion", "network.circuits=2", "hydra.run.dir=run", "stop.seconds=null")


def best_of(folder):
    """Return the path of the best record of a run."""
    return folder / "records" / json.loads((folder / "summary.json").read_text())["best"]


def test_a_search_leaves_a_verified_record_and_is_evaluated_and_reported(isoplane, tmp_path, no_drawing):
    result = isoplane("search", *TWO_PLANES, *WORK, *SEARCH, "strategy=anneal", "stop.evaluations=100")
    assert result.code == 0, result.err
    record = read_record(best_of(tmp_path / "run"))
    assert verify(record) == []
    assert record["network"]["family"] == "optical_overlay"
    assert record["bound_source"]["placement"] == "free"
    assert 0 < record["bound"][0] <= record["score"][0] <= int(result.out.split("completion_ns")[1].split()[1])
    path = f"record={best_of(tmp_path / 'run')}"
    assert isoplane("verify", path).code == 0
    assert str(record["metrics"]["completion_ns"]) in isoplane("evaluate", path).out
    assert isoplane("report", path).code == 0


@for_each("strategy", ["matching", "enumerate"])
def test_every_rule_and_the_enumeration_end_with_a_record(ended_search, tmp_path, strategy):
    words = ("objective=completion", "stop.seconds=null", "network.circuits=1", "network.placement=by_communication")
    ended_search(*RING, *WORK, *words, f"strategy={strategy}", "stop.evaluations=100")
    record = read_record(best_of(tmp_path / "run"))
    assert verify(record) == []
    assert (record["status"] == "optimal") == (strategy == "enumerate")


def test_transfers_are_simulated_over_one_plane_and_rejected_over_several(isoplane, tmp_path, no_drawing):
    result = isoplane("simulate", *RING, *WORK, "network.circuits=[[0,4]]", "hydra.run.dir=simulated")
    assert result.code == 0, result.err
    result = isoplane("simulate", *TWO_PLANES, *WORK, "hydra.run.dir=rejected")
    assert (result.code, result.out) == (2, "")
    assert "2 paths from node 0 to node 1" in result.err
    assert "expected a packet network of one plane" in result.err
    searched = isoplane("search", *TWO_PLANES, *WORK, *SEARCH, "judge=simulator")
    assert (searched.code, searched.out) == (2, "")
    assert searched.err == result.err.replace("simulate", "search", 1)
