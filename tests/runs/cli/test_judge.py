"""`search judge=simulator`: the packet simulation of a design, which never alters its record."""

import json
from fractions import Fraction

import pytest

from isoplane.runs.report.sections.packets import load_points
from isoplane.runs.simulations import hybrid, judge
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.simulator import Precision

from .conftest import files

SEARCH = ("search", "network.n=3")


@pytest.fixture(autouse=True)
def rough(monkeypatch):
    """Measure no more precisely than these tests need."""
    monkeypatch.setattr(judge, "PRECISION", Precision(latency=0.05, accepted=0.05, max_latencies=8, max_packets=4096))
    monkeypatch.setattr(judge, "TOLERANCE", Fraction(1, 5))


def json_files(tmp_path, name):
    return {
        path.name: path.read_bytes() for path in (tmp_path / name).glob("*/*.json") if "checkpoint" not in str(path)
    }


def test_the_judge_adds_a_simulation_and_a_section_of_the_page_and_alters_no_record(isoplane, tmp_path):
    assert isoplane(*SEARCH, "hydra.run.dir=plain").code == 0
    result = isoplane(*SEARCH, "judge=simulator", "hydra.run.dir=judged")
    assert result.code == 0
    assert "\nsimulated: latency 2" in result.out
    assert "ns at load 0.129; saturation throughput 1." in result.out
    (name,) = (path.name for path in (tmp_path / "plain/records").iterdir())
    assert (tmp_path / "plain/records" / name).read_bytes() == (tmp_path / "judged/records" / name).read_bytes()
    assert not (tmp_path / "plain/simulation").exists()
    simulation = json.loads((tmp_path / "judged/simulation" / name).read_text())
    expected = {"record": name, "seed": 1, "traffic": "uniform", "nodes": 32}
    assert {key: simulation[key] for key in expected} == expected
    assert simulation["hardware"]["link_gbps"] == 100
    # The delay of the design is 231 ns, and its routes limit the throughput to 31/24.
    assert simulation["low_load"]["network_latency_ns"]["mean"] == pytest.approx(235, abs=8)
    assert 1 < simulation["saturation"]["throughput"] < 31 / 24 * 1.03
    runs = load_points(simulation)
    assert [run[0] for run in runs] == sorted(run[0] for run in runs)
    assert {stable for *_, stable in runs} == {True, False}
    report = tmp_path / "judged" / "report.html"
    page = report.read_text(encoding="utf-8")
    assert page.count('<section id="packets">') == 1
    assert "Simulation results" in page
    assert "saturation throughput</th>" in page
    assert '<th scope="row">computed for this design</th><td>0</td><td>231.0</td>' in page
    report.unlink()
    assert isoplane("report", "run=judged").code == 0
    assert report.read_text(encoding="utf-8") == page


def test_all_designs_of_a_front_are_judged_the_same_for_any_number_of_workers(isoplane, tmp_path):
    front = ("search", "network.n=4", "objective=front", "objective.metrics=[aspl,cable_length]", "judge=simulator")
    for workers in (1, 2):
        assert isoplane(*front, f"workers={workers}", f"hydra.run.dir=w{workers}").code == 0
    assert len(list((tmp_path / "w1/simulation").iterdir())) == 2
    assert json_files(tmp_path, "w1") == json_files(tmp_path, "w2")
    page = (tmp_path / "w1/report.html").read_text()
    assert page.count('<tr><th scope="row">hypercube-n4-front-') == 1  # beside "this design"


def test_ctrl_c_during_the_simulation_keeps_the_result_and_a_resume_continues_it(isoplane, tmp_path, monkeypatch):
    def interrupted(*_):
        INTERRUPT.requested = True
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(INTERRUPT, "requested", False)
        patch.setattr(judge, "saturation", interrupted)
        result = isoplane(*SEARCH, "judge=simulator", "hydra.run.dir=run")
    assert result.code == 130
    resumed = "interrupted during the simulation; continue with isoplane search resume=run"
    assert result.err.splitlines()[-1] == resumed
    assert "report.html" not in files(tmp_path / "run")
    before = json_files(tmp_path, "run")
    assert len(before) == 1
    result = isoplane("search", "resume=run")
    assert result.code == 0
    assert "simulated: " in result.out
    assert "Simulation results" in (tmp_path / "run/report.html").read_text(encoding="utf-8")
    assert isoplane(*SEARCH, "judge=simulator", "hydra.run.dir=uninterrupted").code == 0
    resumed, uninterrupted = (tmp_path / run / "simulation" for run in ("run", "uninterrupted"))
    for name in before:
        assert (resumed / name).read_bytes() == (uninterrupted / name).read_bytes()


def test_a_run_from_before_the_judge_option_resumes(isoplane, no_drawing, tmp_path):
    words = ("layout=none", "strategy=anneal", "objective=aspl")
    assert isoplane("search", "network.n=5", *words, "stop.evaluations=2000", "hydra.run.dir=run").code == 0
    config = tmp_path / "run" / "config.yaml"
    config.write_text(config.read_text().replace("judge: null\n", ""))
    assert isoplane("search", "resume=run", "stop.evaluations=4000").code == 0


def test_a_damaged_simulation_is_named_in_the_error(isoplane, ended_search, tmp_path):
    ended_search(*SEARCH[1:])
    (name,) = (path.name for path in (tmp_path / "run/records").iterdir())
    (tmp_path / "run/simulation").mkdir()
    for text in ("{", '{"record": "x"}'):
        (tmp_path / "run/simulation" / name).write_text(text)
        result = isoplane("report", "run=run")
        assert result.code == 2
        assert f"simulation/{name}: " in result.err
        assert "expected a file written by search judge=simulator" in result.err


CIRCUITS = (
    "search", "network=hybrid", "network.groups=2", "network.nodes_per_group=4", "network.up_gbps=10",
    "workload=sparse", "workload.processes=8", "workload.partners=2", "workload.message_bytes=4000000",
    "objective=completion", "network.circuits=2", "strategy=matching", "judge=simulator",
)  # fmt: skip


def test_long_messages_of_circuits_are_shortened_by_default(isoplane, tmp_path, no_drawing, monkeypatch):
    monkeypatch.setattr(hybrid, "MAX_PACKETS", 1)
    # A ninth of 4 MB is still 100 packets; a tenth is not.
    for word, shorten in (("shorten=auto", 9), ("shorten=2", 2)):
        assert isoplane(*CIRCUITS, word, f"hydra.run.dir=run{shorten}").code == 0
        (file,) = (tmp_path / f"run{shorten}" / "simulation").iterdir()
        assert json.loads(file.read_text())["shorten"] == shorten


def test_a_resume_continues_an_interrupted_simulation_of_circuits(isoplane, tmp_path, no_drawing, monkeypatch):
    def interrupted(*_, on_progress, **__):
        INTERRUPT.requested = True
        on_progress(0.5)

    with monkeypatch.context() as patch:
        patch.setattr(INTERRUPT, "requested", False)
        patch.setattr(hybrid, "simulate_hybrid", interrupted)
        result = isoplane(*CIRCUITS, "hydra.run.dir=run")
    assert result.code == 130
    assert "interrupted during the simulation" in result.err
    assert not list((tmp_path / "run" / "simulation").iterdir())
    assert isoplane("search", "resume=run").code == 0
    (file,) = (tmp_path / "run" / "simulation").iterdir()
    assert json.loads(file.read_text())["shorten"] == 1
