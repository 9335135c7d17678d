"""Workloads on networks of switches: simulated flit by flit beside the fluid model, evaluated and recorded."""

import csv
import json
import re

import numpy as np
import pytest

from isoplane.models import Network
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.workloads import MappedWorkload, all_to_all
from isoplane.objectives.fluid import NetworkFluidModel

EXCHANGE = ("workload=all_to_all", "workload.message_bytes=1000")
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


def test_times_of_a_placement_are_verified_by_the_reference(isoplane, no_drawing):
    words = ("network=torus", "network.shape=[4,4]", "workload=sparse", "workload.processes=9", "workload.partners=2")
    found = {}
    for placement in ("random", "by_cut", "searched"):
        more = (f"placement={placement}", *(["placement_evaluations=300"] if placement == "searched" else []))
        verified, evaluated = (isoplane(verb, *words, *more) for verb in ("verify", "evaluate"))
        assert verified.out == "network: every number agrees with the reference\n"
        found[placement] = next(line for line in evaluated.out.splitlines() if line.startswith("heaviest_load"))
    assert len(set(found.values())) > 1


def test_any_routing_bounds_what_the_routes_reach(isoplane):
    # 240 messages of 1,000 bytes and 2 hops on average (16 nodes, none to itself: 512 hops) over 64 links are 8 a link.
    words = ("network=torus", "network.shape=[4,4]", *EXCHANGE, "workload.processes=16", "workload.order=shift")
    result = isoplane("evaluate", *words, "any_routing=true")
    assert (result.code, result.err) == (0, "")
    shown = {line.rsplit(maxsplit=2)[0]: line.split()[-2] for line in result.out.splitlines() if line.endswith(" ns")}
    assert shown["no routing is below"] == shown["over the best routes found"] == "640"
    assert shown["over the routes of the network"] == "960"
    assert "exchange in 15 phases, at least 15 over any routes" in result.out
    assert re.search(r"^exchange in 15 phases, order shift, at least \d+ over these routes: up to ", result.out, re.M)
    assert "at least 3.75 times as long as a shard takes on a link, over the links out of 15 nodes" in result.out
    # The phases of 32 processes, two on each node, are none of the nodes.
    shared = isoplane("evaluate", *words, "workload.processes=32", "workload.processes_per_node=2")
    assert (shared.code, "exchange in" in shared.out) == (0, False)


def test_a_record_holds_the_messages_of_a_trace_and_is_verified_without_it(isoplane, tmp_path):
    (tmp_path / "trace.txt").write_text(
        "".join(f"{i} send {i ^ 1} 0 9000\n{i} recv {i ^ 1} 0 9000\n" for i in range(4))
    )
    network = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2", "network.ports_per_node=1")
    words = ("workload=trace", "workload.file=trace.txt", "stop.evaluations=20", "hydra.run.dir=out")
    assert isoplane("search", *network, *words).code == 0
    (record,) = (tmp_path / "out" / "records").glob("*.json")
    assert json.loads(record.read_text())["workload"]["kind"] == "messages"
    (tmp_path / "trace.txt").unlink()
    assert isoplane("verify", f"record={record}").code == 0


WORKLOAD_OF_12 = ("workload=stencil", "workload.shape=[3,4]", "workload.message_bytes=5000", "workload.iterations=1")


def test_a_workload_adds_its_times_to_the_metrics_of_a_network(isoplane):
    words = ("network=mesh", "network.shape=[2,3]", "network.nodes_per_switch=2", "network.node_cable_m=2")
    without_workload, result = isoplane("evaluate", *words), isoplane("evaluate", *words, *WORKLOAD_OF_12)
    assert (result.code, result.err) == (0, "")
    times = [line.split() for line in result.out.splitlines() if line.split()[0].endswith(("_ns", "_bytes"))]
    assert [name for name, *_ in times if name not in ("delay_ns", "delay_paper_ns")] == [
        *(f"{name}_ns" for name in ("completion", "completion_min", "completion_max")),
        *("synchronised_ns", "bottleneck_ns", "total_ns", "heaviest_load_bytes"),
    ]
    metrics = {line.split()[0]: line.split()[1:] for line in result.out.splitlines()}
    assert all(metrics[line.split()[0]] == line.split()[1:] for line in without_workload.out.splitlines()[2:])
    assert ", stencil: 34 messages x 1" in result.out
    verified = isoplane("verify", *words, *WORKLOAD_OF_12)
    assert (verified.code, verified.out) == (0, "network: every number agrees with the reference\n")


def test_the_rate_of_links_decides_the_times_of_a_workload(isoplane):
    # On a ring each node sends 5,000 bytes over the link to its neighbour, at 100 and at 12.5 Gbit/s.
    ring = ("network=torus", "network.shape=[4]", *WORKLOAD_OF_12, "workload.shape=[4]")
    times = []
    for rate in ("100", "12.5"):
        result = isoplane("evaluate", *ring, f"switch.link_gbps={rate}")
        times.append(next(line.split()[1] for line in result.out.splitlines() if line.startswith("bottleneck_ns")))
    assert [int(time) for time in times] == [400, 3200]
