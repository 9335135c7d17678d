"""The output folder of a simulation, and its chart of latency against load."""

import csv
import json
import xml.etree.ElementTree as ET

import pytest

from isoplane.models import InputError
from isoplane.runs.simulations.drawing import latency_load
from isoplane.runs.simulations.folder import SimulationFolder
from isoplane.simulator import Saturation

from .samples import SCENARIO, reports


def folder_in(path):
    return SimulationFolder(path / "run", {"loads": [0.25]}, SCENARIO)


def names(path):
    return sorted(file.name for file in path.iterdir())


def test_nothing_is_written_before_the_first_run_ends(tmp_path):
    folder = folder_in(tmp_path)
    assert names(tmp_path) == []
    folder.add(reports()[1])
    assert names(tmp_path / "run") == ["config.yaml", "curve.csv"]


def test_the_curve_is_sorted_by_load_whichever_run_ends_first(tmp_path):
    folder = folder_in(tmp_path)
    for report in reversed(reports()):
        folder.add(report)
    with (tmp_path / "run" / "curve.csv").open(newline="") as file:
        assert [float(row["offered_load"]) for row in csv.DictReader(file)] == [0.25, 0.5, 4]


def test_the_summary_describes_the_simulation_and_its_interruption(tmp_path):
    folder = folder_in(tmp_path)
    folder.add(reports()[0])
    saturation = Saturation(throughput=1.25, stable_load=1.2, saturated_load=None, largest_accepted=1.5, reports=())
    folder.conclude(reports()[:1], saturation, interrupted=True)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert (summary["planes"], summary["switches"], summary["nodes"], summary["runs"]) == (2, 8, 16, 1)
    assert summary["interrupted"] is True
    assert summary["saturation"]["throughput"] == 1.25
    assert "reports" not in summary["saturation"]
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    assert len(report["runs"]) == 1


def test_a_folder_is_not_used_twice(tmp_path):
    folder_in(tmp_path).add(reports()[0])
    with pytest.raises(InputError, match=r"hydra\.run\.dir=.*: holds a run already; expected a new or empty folder"):
        folder_in(tmp_path)


def test_file_names_chosen_by_a_program_stay_in_the_folder_and_overwrite_nothing(tmp_path):
    folder = folder_in(tmp_path)
    folder.add(reports()[0])
    folder.write_named("../a b.dof", "1")
    folder.write_named("curve.csv", "2")
    assert names(tmp_path / "run") == ["a_b.dof", "config.yaml", "curve.csv", "program-curve.csv"]
    assert names(tmp_path) == ["run"]


def test_figures_of_the_same_numbers_are_byte_identical(tmp_path):
    drawn = []
    for subfolder in ("first", "second"):
        folder = folder_in(tmp_path / subfolder)
        folder.add(reports()[0])
        folder.draw("latency-load", latency_load(reports(), "title", 1.25, 231, "link rates"))
        drawn.append([(tmp_path / subfolder / "run" / f"latency-load.{kind}").read_bytes() for kind in ("svg", "png")])
    assert drawn[0] == drawn[1]
    assert drawn[0][1].startswith(b"\x89PNG")
    assert ET.fromstring(drawn[0][0]).tag.endswith("svg")


def test_saturated_runs_are_drawn_with_their_accepted_loads_but_without_latencies():
    figure = latency_load(reports(), "two planes", None, None, "link rates")
    latencies, accepted = figure.axes
    stable = [report.offered_load for report in reports() if report.stable]
    drawn = {float(x) for line in latencies.get_lines() for x in line.get_xdata()}
    assert set(stable) <= drawn
    assert 4 not in drawn
    points = {float(x) for line in accepted.get_lines() for x in line.get_xdata()}
    points |= {float(x) for markers in accepted.collections for x in markers.get_offsets()[:, 0]}
    assert 4 in points


def test_the_legend_names_the_computed_delay_and_the_throughput_if_they_are_known():
    def legend_texts(*known):
        return {
            text.get_text()
            for axes in latency_load(reports(), "", *known, "link rates").axes
            for text in axes.get_legend().texts
        }

    added = legend_texts(1.25, 231) - legend_texts(None, None)
    assert "saturation throughput" in added
    assert len(added) == 2
