"""`isoplane simulate workload=...` on networks of switches: every message, flit by flit, beside the fluid model."""

import csv
import json

import numpy as np
import pytest

from isoplane.models import Network
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.workloads import MappedWorkload, all_to_all
from isoplane.objectives.fluid import NetworkFluidModel

MESH = ("network=full_mesh", "workload=all_to_all", "workload.processes=8", "workload.message_bytes=2048")


def simulated(isoplane, tmp_path, *words, folder="run"):
    """Return the output, the messages and the summary of a run."""
    result = isoplane("simulate", *words, f"hydra.run.dir={folder}")
    assert result.code == 0, result.err
    rows = list(csv.DictReader((tmp_path / folder / "messages.csv").open()))
    return result.out, rows, json.loads((tmp_path / folder / "summary.json").read_text())


def test_every_message_is_written_with_its_times_and_those_of_the_fluid_model(isoplane, tmp_path):
    out, rows, summary = simulated(isoplane, tmp_path, *MESH, "placement=[0,9,2,11,4,13,6,15]")
    assert out.startswith("full_mesh 4x4, 32 nodes, workload all_to_all\n")
    assert len(rows) == 8 * 7
    nodes = {0, 9, 2, 11, 4, 13, 6, 15}
    assert {(int(row["source"]), int(row["destination"])) for row in rows} == {
        (a, b) for a in nodes for b in nodes if a != b
    }
    found = summary["workload"]
    assert max(float(row["arrived_ns"]) for row in rows) == pytest.approx(found["completion_ns"], abs=1e-3)
    messages = MappedWorkload(all_to_all(8, 2048), (0, 9, 2, 11, 4, 13, 6, 15), 32).message_list()
    model = NetworkFluidModel(Network(FullMesh()), messages)
    assert found["fluid"]["completion_ns"] == model.times().completion_ns
    arrived = [float(row["fluid_arrived_ns"]) for row in rows]
    np.testing.assert_allclose(arrived, model.arrivals_ns(), atol=1e-3)
    page = (tmp_path / "run" / "report.html").read_text()
    assert "Workload all_to_all, 56 messages, flit by flit" in page
    assert found["busiest_links"][0]["from"] in page


def test_a_message_is_created_when_those_before_it_have_arrived(isoplane, tmp_path, no_drawing):
    _, rows, _ = simulated(isoplane, tmp_path, *MESH)
    messages = all_to_all(8, 2048).message_list()
    for number, row in enumerate(rows):
        start, end = messages.dependency_start[number : number + 2]
        before = [float(rows[each]["arrived_ns"]) for each in messages.dependency[start:end]]
        assert float(row["created_ns"]) == max(before, default=0)


def test_synchronised_phases_of_a_contention_free_order_never_wait(isoplane, tmp_path, no_drawing):
    words = ("network=full_mesh", "workload=all_to_all", "workload.processes=32", "workload.message_bytes=2048")
    waiting, completions = {}, {}
    for order in ("contention_free", "shift"):
        more = (f"workload.order={order}", "workload.synchronised=true")
        out, _, summary = simulated(isoplane, tmp_path, *words, *more, folder=order)
        waiting[order], completions[order] = summary["workload"]["waiting"], summary["workload"]["completion_ns"]
        assert ("packets waited at" in out) == (order == "shift")
    assert waiting["contention_free"] == []
    assert waiting["shift"][0]["collisions"] > 0
    assert completions["contention_free"] < completions["shift"]


def test_hardware_and_shorter_messages_change_both_models(isoplane, tmp_path, no_drawing):
    _, _, slow = simulated(isoplane, tmp_path, *MESH, "hardware.link_gbps=25", folder="slow")
    _, _, fast = simulated(isoplane, tmp_path, *MESH, folder="fast")
    _, rows, _ = simulated(isoplane, tmp_path, *MESH, "shorten=4", folder="short")
    assert {row["bytes"] for row in rows} == {"512"}
    for model in (lambda found: found["completion_ns"], lambda found: found["fluid"]["completion_ns"]):
        assert 2 < model(slow["workload"]) / model(fast["workload"]) < 4


def test_a_policy_that_depends_on_queues_has_no_fluid_model(isoplane, tmp_path, no_drawing):
    words = ("network.n=3", "network.generators=[3,5,7]", "network.nodes_per_switch=1", "network.policy=adaptive")
    out, rows, summary = simulated(isoplane, tmp_path, *words, "workload=sparse", "workload.processes=8",
                                   "workload.message_bytes=4096")  # fmt: skip
    assert summary["workload"]["fluid"] is None
    assert {row["fluid_arrived_ns"] for row in rows} == {""}
    assert "completion_ns" in out


def test_the_network_of_a_record_carries_a_workload(isoplane, tmp_path, record, no_drawing):
    words = (f"record={record}", "workload=sparse", "workload.processes=20", "workload.message_bytes=1024")
    _, rows, summary = simulated(isoplane, tmp_path, *words, "placement=random", "placement_seed=7")
    assert len(rows) == 20 * 4
    assert summary["nodes"] == 32


def test_times_of_a_placement_are_verified_by_the_reference(isoplane, no_drawing):
    words = ("network=torus", "network.shape=[4,4]", "workload=sparse", "workload.processes=9", "workload.partners=2")
    found = {}
    for placement in ("in_order", "random", "by_cut", "searched"):
        more = (f"placement={placement}", *(["placement_evaluations=300"] if placement == "searched" else []))
        verified, evaluated = (isoplane(verb, *words, *more) for verb in ("verify", "evaluate"))
        assert verified.out == "network: every number agrees with the reference\n"
        found[placement] = next(line for line in evaluated.out.splitlines() if line.startswith("heaviest_load"))
    assert len(set(found.values())) > 1
