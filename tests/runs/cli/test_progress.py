"""The progress line shows how close a search is to its bound, and how long a proof will still take."""

from dataclasses import replace

from isoplane.models import Site
from isoplane.objectives import CUBES, Lexicographic
from isoplane.runs.terminal.progress import ProgressLine
from isoplane.search import ConnectionSets, Limits, Progress
from isoplane.search.core.forecast import Forecast
from tests.cases import for_each

ASPL = Lexicographic("aspl", (("sum_of_distances",),), CUBES)
NETWORK = ConnectionSets(8, site=Site(layout=None)).identical
PROGRESS = Progress(2_000_000, (), seconds=10.0, improved_at=5, score=(800,), network=NETWORK, bound=(796,))
FORECAST = Forecast(1440.0, 360.0)


def test_the_line_shows_the_gap_and_the_time_left():
    line = ProgressLine(ASPL, Limits(seconds=60), 2, interactive=False).line(PROGRESS)
    assert line == "  10.0 s  best aspl 3.125  gap 0.50 %  50 s left  200.0 k/s with 2 workers  2e+06 evaluations"


@for_each(
    ("evaluations", "rate"),
    [(35_200_000, "3.52 M/s"), (10_000_000, "1.00 M/s"), (352_000, "35.2 k/s"), (10_000, "1.0 k/s"), (352, "35.2 /s")],
)
def test_the_unit_of_the_rate_fits_slow_evaluations_as_well_as_fast_ones(evaluations, rate):
    progress = replace(PROGRESS, evaluations=evaluations)  # in 10 s
    assert f"  {rate}  {evaluations:.3g} evaluations" in ProgressLine(ASPL, Limits(), interactive=False).line(progress)


def test_every_component_has_its_gap_in_the_line():
    objective = Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES)
    line = ProgressLine(objective, Limits(), interactive=False).line
    bounded = replace(PROGRESS, score=(80000, 29248000), bound=(80000, 21056000))
    assert "  best aspl_and_traffic 80000  gap 0.00 % / 28.01 %  " in line(bounded)
    assert "  gap unknown / 28.01 %  " in line(replace(bounded, bound=(None, 21056000)))


def test_without_a_bound_or_a_single_value_there_is_no_gap():
    front = Lexicographic("front", (("sum_of_distances", "max_load"),), CUBES, front=("sum_of_distances", "max_load"))
    assert "gap" not in ProgressLine(ASPL, Limits(), interactive=False).line(replace(PROGRESS, bound=(None,)))
    assert "gap" not in ProgressLine(front, Limits(), interactive=False).line(PROGRESS)


@for_each(
    ("searched", "left", "complete", "expected"),
    [
        (1 / 73, FORECAST, False, "1.37 % searched; about 0.4 core-hours left (0.3 to 0.5)"),
        (0.0, FORECAST, False, "0 % searched; about 0.4 core-hours left (0.3 to 0.5)"),
        (0.0, None, False, "0 % searched"),
        (1.0, None, True, None),
        (None, None, False, None),
    ],
)
def test_an_unfinished_proof_shows_an_estimate_of_the_remaining_time(searched, left, complete, expected):
    progress = replace(PROGRESS, searched=searched, left=left, complete=complete)
    assert ProgressLine(ASPL, Limits(), 2, interactive=False).outlook(progress) == expected


def test_the_line_ends_with_the_state_in_which_the_search_ended(capsys):
    line = ProgressLine(ASPL, Limits(seconds=60), interactive=False)
    line.show(replace(PROGRESS, searched=0.0))
    line.show(replace(PROGRESS, searched=0.5))  # too early for another line
    line.show(replace(PROGRESS, searched=1.0, bound=(800,), complete=True))
    line.close()
    line.close()
    first, last = capsys.readouterr().err.splitlines()
    assert ("0 % searched" in first, "50 s left" in first) == (True, True)
    assert ("gap 0.00 %  100 % searched" in last, "left" in last) == (True, False)


def test_a_score_at_its_bound_is_not_said_to_be_unsearched():
    line = ProgressLine(ASPL, Limits(), interactive=False)
    proven = replace(PROGRESS, searched=0.0, bound=(800,))
    assert "searched" not in line.line(proven)
    assert line.outlook(proven) is None


def test_the_line_shows_an_estimate_of_the_remaining_time_of_a_proof():
    line = ProgressLine(ASPL, Limits(seconds=60), interactive=False).line(
        replace(PROGRESS, searched=0.0, left=FORECAST)
    )
    assert "  0 % searched  about 0.4 core-hours left (0.3 to 0.5)  50 s left  " in line
