"""Fig. 2 of the paper on optical circuits: its points, verdicts and files."""

import csv

import pytest

from isoplane.models import Design, InputError
from isoplane.objectives import CIRCUITS, Lexicographic
from isoplane.runs.figures.takizawa.curves import curve_points, curves
from isoplane.runs.figures.takizawa.stencil_times import circuit_counts, curve_table, figure_of, statements
from isoplane.search import CircuitRule, Limits, solve
from tests.runs.cli.conftest import files


def design_of_rule(space) -> Design:
    """A quick stand-in for the search: the rule of the paper."""
    objective = Lexicographic("completion", (("completion",),), CIRCUITS, space.workload)
    *_, best = solve(space, objective, CircuitRule("round_robin"), Limits(), 1)
    return best.design


@pytest.fixture(scope="module")
def torus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fig2")
    found = list(curve_points([0, 4, 64], design_of_rule, periodic=True))
    figure_of(found).write(folder, "fig2_torus")
    return found, statements(found), folder


def test_points_have_the_times_that_follow_from_the_busiest_links(torus):
    points, _, _ = torus
    # A group sends 2 borders x 16 messages of 320 Mbit over 64 Gbit/s: 160 ms; a node 4 over 10 Gbit/s: 128 ms.
    relative = {point.factor: point.relative for point in points if point.rule == "packets"}
    assert relative == pytest.approx({0.25: 4, 0.5: 2, 1: 1, 2: 0.8, 5: 0.8}, rel=1e-5)
    for point in points:  # without circuits there is the packet network alone
        if point.placement == "by_switch" and point.circuits == 0 and point.factor == 1:
            assert (point.used, point.relative) == (0, 1)
    # 64 pairs across borders, 64 circuits: three messages over the link of a node, 96 ms instead of 160.
    (last,) = [point for point in points if (point.curve, point.circuits) == ("SP", 64)]
    assert (last.used, last.relative) == (64, pytest.approx(0.6, rel=1e-5))


def test_every_statement_of_the_paper_holds_on_a_torus(torus):
    assert [verdict.stated for verdict in torus[1] if not verdict.holds and "ours" not in verdict.stated] == []
    assert len(torus[1]) == 1 + 2 * 5


def test_every_point_has_the_spread_of_its_runs(torus):
    for point in torus[0]:
        for median, (least, most) in (
            (point.relative, point.ends),
            (point.relative_by_packets, point.ends_by_packets),
        ):
            assert least <= median <= most
    columns = curve_table(torus[0]).columns
    assert columns[-4:] == ["0", "4", "64", "spread"]
    # Packets only: in a phase all messages begin together and none is relayed: runs hardly differ.
    assert all(point.spread < 1e-6 for point in torus[0] if point.rule == "packets")


def test_all_points_and_verdicts_are_written(torus):
    found, judged, folder = torus
    assert files(folder) == [f"fig2_torus{end}" for end in ("-published.csv", ".csv", ".png", ".svg")]
    with (folder / "fig2_torus.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["curve"] for row in rows} == {name for name, *_ in curves()}
    assert [float(row["relative"]) for row in rows] == pytest.approx([point.relative for point in found], abs=1e-6)
    assert len(judged) == len((folder / "fig2_torus-published.csv").read_text().splitlines()) - 1


def test_numbers_of_circuits_out_of_range_are_bad_input():
    for sizes in ([0], [65]):
        with pytest.raises(InputError, match=f"sizes={sizes[0]}"):
            circuit_counts(sizes)
