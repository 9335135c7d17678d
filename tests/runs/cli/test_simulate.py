"""`isoplane simulate`: what it prints, what it writes, what it rejects."""

import json
import os
import re
import shlex
import signal
from fractions import Fraction

import pytest

from isoplane.runs.simulations.folder import SimulationFolder
from tests.cases import for_each

from .conftest import HANG_S, files, rows, wait_for

CUBE = ("network.n=3", "network.generators=[3,5,7]")
ROUGH = ("measurement=rough", "hardware.longest_cable_m=10")  # short buffers, which fill quickly
SHORT = (*ROUGH, "measurement.max_packets=20000")
SMALL = (*CUBE, *ROUGH, "hydra.run.dir=run")
FAILED = "failed_switches=[P0-S1]"
OUTPUT_FILES = [
    "config.yaml", "curve.csv", "design.json", "distances.csv", "latency-load.png", "latency-load.svg", "links.csv",
    "nodes.csv", "pairs.csv", "report.html", "report.json", "series.csv", "summary.json", "switches.csv",
]  # fmt: skip


def test_the_files_agree_with_each_other(isoplane, tmp_path):
    # What a run prints is in docs/simulator.md, which the tests run.
    isoplane("simulate", *SMALL, "loads=[0.5,0.2]", "saturation=false", "pairs=[[0,31],[4,2]]", "interval_ns=2000")
    run = tmp_path / "run"
    assert files(run) == OUTPUT_FILES
    curve, report = rows(run / "curve.csv"), json.loads((run / "report.json").read_text())
    assert [row["offered_load"] for row in curve] == ["0.2", "0.5"]
    for row, entry in zip(curve, report["runs"], strict=True):
        assert float(row["accepted_load"]) == entry["accepted_load"]["mean"]
        assert float(row["network_half_width_ns"]) == entry["network_latency_ns"]["half_width"]
        assert row["saturated"] == "false"
        distances = [d for d in rows(run / "distances.csv") if d["offered_load"] == row["offered_load"]]
        assert sum(int(d["packets"]) for d in distances) == int(row["packets"])
        received = sum(int(node[f"received_{row['offered_load']}"]) for node in rows(run / "nodes.csv"))
        assert received == int(row["packets"])
    assert [(row["source"], row["destination"]) for row in rows(run / "pairs.csv")] == [("0", "31"), ("4", "2")] * 2
    assert len(rows(run / "nodes.csv")) == 32
    assert len(rows(run / "links.csv")) == 2 * 8 * 3 + 4 * 32  # to and from nodes, in two planes
    assert len(rows(run / "switches.csv")) == 16
    times = [float(row["time_ns"]) for row in rows(run / "series.csv") if row["offered_load"] == "0.2"]
    assert times[:2] == pytest.approx([2000, 4000], abs=1.28)
    assert json.loads((run / "summary.json").read_text()) == {
        "network": "hypercube n=3", "planes": 2, "switches": 8, "nodes": 32, "seed": 1, "traffic": "uniform",
        "runs": 2, "interrupted": False, "saturation": None, "deadlocks": [],
        "verified_by": "network.n=3 'network.generators=[3,5,7]'",
    }  # fmt: skip


def test_any_number_of_workers_writes_the_same_bytes_and_another_seed_others(isoplane, tmp_path):
    words = (*CUBE, *SHORT, "loads=[0.3,0.8]")
    for folder, *more in (
        ("w1", "workers=1", "seed=7", "measurement.tolerance=0.2"),
        ("w2", "workers=2", "seed=7", "measurement.tolerance=0.2"),
        ("other", "workers=2", "seed=8", "saturation=false"),
    ):
        assert isoplane("simulate", *words, *more, f"hydra.run.dir={folder}").code == 0
    assert files(tmp_path / "w1") == OUTPUT_FILES
    for name in files(tmp_path / "w1"):
        if name != "config.yaml":
            assert (tmp_path / "w1" / name).read_bytes() == (tmp_path / "w2" / name).read_bytes(), name
    first, other = (
        {row["offered_load"]: row["network_latency_ns"] for row in rows(tmp_path / folder / "curve.csv")}
        for folder in ("w1", "other")
    )
    assert list(other) == ["0.3", "0.8"]
    assert all(first[load] != latency for load, latency in other.items())


@for_each(
    ("words", "name"),
    [
        (("record",), "hypercube n=3, 32 nodes, uniform"),
        (("network=torus", "network.nodes_per_switch=2", "network.node_cable_m=2"), "torus 8x8, 128 nodes, uniform"),
        (("network.n=3", "network.generators=identical", "layout=none"), "hypercube n=3, 32 nodes, uniform"),
        ((*CUBE, "traffic=hot_spot"), "hypercube n=3, 32 nodes, hot_spot"),
        (("network=torus", "network.shape=[4,3]", "traffic=tornado"), "torus 4x3, 12 nodes, tornado"),
    ],
)
def test_records_networks_and_patterns_are_simulated(isoplane, no_drawing, record, words, name):
    words = (f"record={record}",) if words == ("record",) else words
    result = isoplane("simulate", *words, *SHORT, "loads=[0.1]", "saturation=false")
    assert (result.code, result.err.count("\n")) == (0, 1)
    assert result.out.startswith(f"{name} traffic\n")


def test_a_saturation_above_its_bound_is_marked_alike_on_the_terminal_in_the_summary_and_on_the_page(
    isoplane, tmp_path, monkeypatch
):
    monkeypatch.setattr("isoplane.runs.simulations.comparison.throughput_bound", lambda *_, **options: Fraction(1, 10))
    words = ("network.n=2", "network.generators=identical", "measurement=rough", "loads=[0.2]")
    out = isoplane("simulate", *words, "hydra.run.dir=run").out
    (line,) = (line for line in out.splitlines() if " is above the bound 0.1000, " in line)
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["saturation"]["warnings"] == [line]
    assert f'<p class="warning">{line}</p>' in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_deadlocks_are_counted_if_they_are_allowed(isoplane, no_drawing, tmp_path):
    words = ("network=torus", "network.shape=[6]", "network.datelines=false", "traffic=tornado", "loads=[1.5]")
    hardware = ("hardware.virtual_channels=1", "hardware.buffer_flits=8", "hardware.deadlock=drop", "saturation=false")
    result = isoplane("simulate", *words, *hardware, "measurement=rough", "hydra.run.dir=run")
    assert result.code == 0
    (row,) = rows(tmp_path / "run" / "curve.csv")
    assert int(row["deadlocks"]) > 0
    assert int(row["dropped_packets"]) > 0


def test_a_signal_after_the_last_load_leaves_a_complete_simulation(isoplane, no_drawing, tmp_path, monkeypatch):
    conclude = SimulationFolder.conclude

    def interrupted(*arguments, **options):
        os.kill(os.getpid(), signal.SIGINT)
        conclude(*arguments, **options)

    monkeypatch.setattr(SimulationFolder, "conclude", interrupted)
    words = ("network.n=2", "network.generators=identical", "measurement=rough", "loads=[0.2]", "saturation=false")
    assert isoplane("simulate", *words, "hydra.run.dir=run").code == 130
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["interrupted"] is False


def test_a_signal_ends_a_simulation_and_keeps_the_completed_loads(start_isoplane, tmp_path):
    # The saturated load finishes; the other one would take for ever.
    words = (*SMALL, "measurement.latency=0.000001", "measurement.max_packets=1000000000000", "workers=2")
    process, out, err = start_isoplane("simulate", *words, "loads=[0.2,3]")
    run = tmp_path / "run"
    wait_for(run / "curve.csv")
    os.kill(process.pid, signal.SIGTERM)
    process.join(HANG_S)
    assert process.exitcode == 130
    assert [row["offered_load"] for row in rows(run / "curve.csv")] == ["3.0"]
    assert json.loads((run / "summary.json").read_text())["interrupted"] is True
    assert files(run) == OUTPUT_FILES
    assert err.read_text().splitlines()[-1] == "interrupted: completed runs are kept"
    assert "3 " in out.read_text()


CUBES = ("network.n=3", "network.generators=[3,5,7]")
MESSAGE_LIST = """CommunicationPattern 1
# id source destination bytes
4 0 31 256
9 31 0 512 after 4 delay 2usec
"""


@pytest.fixture
def message_list(tmp_path):
    (tmp_path / "answer.cpf").write_text(MESSAGE_LIST)
    return "messages=answer.cpf"


def test_listed_messages_are_simulated_to_the_last_one(isoplane, no_drawing, tmp_path, message_list):
    result = isoplane("simulate", *CUBES, message_list, "hydra.run.dir=run")
    assert (result.code, result.err.count("\n")) == (0, 1)
    lines = result.out.splitlines()
    assert lines.pop(0) == "hypercube n=3, 32 nodes, listed traffic"
    assert lines[1].split("  ")[:2] == ["link rates", "link rates"]
    assert lines[2].split()[-1] == "complete"
    # 235.52 ns to node 31 (docs/simulator.md), 2 µs of computing, rounded up to 1563 ticks of 1.28 ns, and the same way
    # back with one packet more, of 8 flits of 2.56 ns.
    assert lines[3] == f"completed after {2 * 235.52 + 1563 * 1.28 + 8 * 2.56:.1f} ns: 2 messages"
    assert lines[4] == f"simulation: {tmp_path / 'run'}"
    (run_report,) = json.loads((tmp_path / "run" / "report.json").read_text())["runs"]
    assert run_report["completed_ns"] == pytest.approx(2 * 235.52 + 1563 * 1.28 + 8 * 2.56)
    received = f"received_{run_report['offered_load']}"
    assert sum(int(node[received]) for node in rows(tmp_path / "run" / "nodes.csv")) == 2
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["saturation"] is None


@for_each("words", [("network=torus", "network.shape=[4,4]"), ("record=a cube.json",), ("record=a cube.json", FAILED)])
def test_the_last_line_has_commands_that_work_for_the_same_network(isoplane, no_drawing, tmp_path, words, record):
    (tmp_path / "a cube.json").write_bytes(record.read_bytes())
    result = isoplane("simulate", *words, *SHORT, "loads=[0.3]", "saturation=false")
    command, _, page = result.err.splitlines()[-1].removeprefix("next: isoplane ").partition("; ")
    assert shlex.split(command) == ["evaluate" if FAILED in words else "verify", *words]
    assert re.fullmatch("" if FAILED in words else r"open outputs/simulate-\S+/report\.html in a browser", page)
    assert isoplane(*shlex.split(command)).code == 0


def test_records_and_families_without_generators_run_listed_messages(isoplane, no_drawing, message_list, record):
    for words in ((f"record={record}",), ("network=mesh", "hardware.deadlock=drop")):
        result = isoplane("simulate", *words, message_list)
        assert (result.code, result.err.count("\n")) == (0, 1)
        assert "completed after " in result.out


def test_messages_dropped_in_a_deadlock_are_reported(isoplane, no_drawing, tmp_path):
    # Six messages of two packets chase each other around a ring whose buffers hold one packet.
    lines = [f"{node} {node} {(node + 3) % 6} 2048" for node in range(6)]
    (tmp_path / "chase.cpf").write_text("\n".join(["CommunicationPattern 1", *lines, "6 0 1 8 after 0,1,2,3,4,5"]))
    words = ("network=torus", "network.shape=[6]", "network.datelines=false", "messages=chase.cpf")
    hardware = ("hardware.virtual_channels=1", "hardware.buffer_flits=8", "hardware.deadlock=drop")
    result = isoplane("simulate", *words, *hardware)
    assert (result.code, result.err.count("\n")) == (0, 1)
    (line,) = [line for line in result.out.splitlines() if line.startswith("not completed: ")]
    assert line.endswith(" dropped")
    assert "of 7 messages arrived" in line
    assert not line.endswith(" 0 dropped")
