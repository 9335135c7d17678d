"""The progress line says how near a search is to its bound, and how long a proof will take."""

from dataclasses import replace

import pytest

from isoplane.objectives import Objective
from isoplane.runs.cli.progress import ProgressLine
from isoplane.search import ConnectionSets, Limits, Progress

ASPL = Objective("aspl", (("sum_of_distances",),))
PROGRESS = Progress(2_000_000, 10.0, 5, (800,), ConnectionSets(8, layout=None).identical, bound=(796,))


def test_the_line_tells_the_gap_and_the_time_left():
    line = ProgressLine(ASPL, Limits(seconds=60), 2, interactive=False).line(PROGRESS)
    assert line == "  10.0 s  2e+06 evaluations  200.0 k/s of 2 workers  best aspl 3.125  gap 0.5 %  50 s left"


@pytest.mark.parametrize(
    ("evaluations", "rate"),
    [(35_200_000, "3.52 M/s"), (10_000_000, "1.00 M/s"), (352_000, "35.2 k/s"), (10_000, "1.0 k/s"), (352, "35.2 /s")],
)
def test_the_unit_of_the_rate_fits_slow_evaluations_as_well_as_fast_ones(evaluations, rate):
    progress = replace(PROGRESS, evaluations=evaluations)  # in 10 s
    assert f"evaluations  {rate}  best" in ProgressLine(ASPL, Limits(), interactive=False).line(progress)


def test_without_a_bound_or_a_single_value_there_is_no_gap():
    front = Objective("front", (("sum_of_distances", "max_load"),), ("sum_of_distances", "max_load"))
    assert "gap" not in ProgressLine(ASPL, Limits(), interactive=False).line(replace(PROGRESS, bound=(None,)))
    assert "gap" not in ProgressLine(front, Limits(), interactive=False).line(PROGRESS)


@pytest.mark.parametrize(
    ("searched", "complete", "expected"),
    [
        # A part of 1 / 73 took 10 s of two workers, so 72 · 20 s = 0.4 h are left.
        (1 / 73, False, "1.37 % searched; about 0.4 core-hours are left"),
        (1.0, True, None),
        (None, False, None),
    ],
)
def test_a_part_of_a_proof_tells_what_the_rest_takes(searched, complete, expected):
    progress = replace(PROGRESS, searched=searched, complete=complete)
    assert ProgressLine(ASPL, Limits(), 2, interactive=False).outlook(progress) == expected
