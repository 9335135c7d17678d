"""`search network=hybrid judge=simulator`: packet simulations of circuits, next to what the fluid model predicts."""

import json
import re

import pytest

from isoplane.runs.simulations import hybrid
from isoplane.runs.terminal.interrupt import INTERRUPT
from tests.cases import for_each

SIZE = ("network=hybrid", "network.groups=2", "network.nodes_per_group=4", "network.up_gbps=10")
WORK = ("workload=sparse", "workload.processes=8", "workload.partners=2", "workload.message_bytes=4000000")
SEARCH = ("search", *SIZE, *WORK, "objective=completion", "network.circuits=2", "strategy=matching")


def simulation_of(folder):
    """The only simulation of a run."""
    (file,) = (folder / "simulation").iterdir()
    return json.loads(file.read_text())


def test_the_judge_adds_a_simulation_and_alters_no_record(isoplane, tmp_path, no_drawing):
    assert isoplane(*SEARCH, "hydra.run.dir=plain").code == 0
    result = isoplane(*SEARCH, "judge=simulator", "shorten=4", "hydra.run.dir=run")
    assert result.code == 0, result.err
    assert re.search(
        r"\nsimulated: completion with relay by messages .* ms, .*; messages shorter by a factor of 4\n", result.out
    )
    (record,) = (tmp_path / "run" / "records").iterdir()
    assert record.read_bytes() == (tmp_path / "plain" / "records" / record.name).read_bytes()
    simulation, metrics = simulation_of(tmp_path / "run"), json.loads(record.read_text())["metrics"]
    assert (simulation["record"], simulation["shorten"]) == (record.name, 4)
    for name, predicted in simulation["fluid"].items():
        assert predicted == pytest.approx(metrics[name] / 4, rel=1e-3)
        assert simulation[name] == pytest.approx(predicted, rel=0.03)
        for curve in simulation["arrived"][name].values():
            assert curve["bytes"][-1] == 16 * 1_000_000
        assert simulation["arrived"][name]["packets"]["ns"][-1] == pytest.approx(simulation[name], abs=1e-3)
        assert simulation["arrived"][name]["fluid"]["ns"][-1] == pytest.approx(predicted, abs=0.6)
    times = [link["busy_ns"] for link in simulation["busiest_links"]]
    assert times == sorted(times, reverse=True)
    assert times[0] == simulation["busiest_link_ns"] == pytest.approx(metrics["bottleneck_ns"] / 4)


def test_long_messages_are_shortened_by_default(isoplane, tmp_path, no_drawing, monkeypatch):
    monkeypatch.setattr(hybrid, "MAX_PACKETS", 1)
    # A ninth of 4 MB is still 100 packets; a tenth is not.
    for word, shorten in (("shorten=auto", 9), ("shorten=2", 2)):
        assert isoplane(*SEARCH, "judge=simulator", word, f"hydra.run.dir=run{shorten}").code == 0
        assert simulation_of(tmp_path / f"run{shorten}")["shorten"] == shorten


def test_the_report_has_both_completions_side_by_side_and_keeps_them_when_rewritten(isoplane, tmp_path):
    assert isoplane(*SEARCH, "judge=simulator", "shorten=4", "hydra.run.dir=run").code == 0
    report = tmp_path / "run" / "report.html"
    page = report.read_text(encoding="utf-8")
    assert page.count('<section id="packets">') == 1
    assert "Simulation results" in page
    assert "<th>packets (ms)</th><th>fluid model (ms)</th>" in page
    assert "shorter than those of the workload by a factor of 4." in page
    report.unlink()
    assert isoplane("report", "run=run").code == 0
    assert report.read_text(encoding="utf-8") == page


def test_a_resume_continues_an_interrupted_simulation(isoplane, tmp_path, no_drawing, monkeypatch):
    def interrupted(*_, on_progress, **__):
        INTERRUPT.requested = True
        on_progress(0.5)

    with monkeypatch.context() as patch:
        patch.setattr(INTERRUPT, "requested", False)
        patch.setattr(hybrid, "simulate_hybrid", interrupted)
        result = isoplane(*SEARCH, "judge=simulator", "hydra.run.dir=run")
    assert result.code == 130
    assert "interrupted during the simulation" in result.err
    assert not list((tmp_path / "run" / "simulation").iterdir())
    assert isoplane("search", "resume=run").code == 0
    assert simulation_of(tmp_path / "run")["shorten"] == 1


@for_each("text", ["{", "[]", '{"record": "x"}'])
def test_a_damaged_simulation_is_named_in_the_error(isoplane, ended_search, tmp_path, text):
    ended_search(*SEARCH[1:], "judge=simulator", "shorten=40")
    (file,) = (tmp_path / "run" / "simulation").iterdir()
    file.write_text(text)
    result = isoplane("report", "run=run")
    assert result.code == 2
    assert f"simulation/{file.name}: " in result.err
