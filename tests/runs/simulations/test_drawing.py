"""The curve of latency over load."""

import pytest

from isoplane.runs.simulations import latency_load

from .samples import reports


def test_latencies_of_saturated_runs_are_not_drawn_and_their_accepted_loads_are():
    figure = latency_load(reports(), "two planes", None, None)
    latencies, accepted = figure.axes
    stable = [report.offered_load for report in reports() if report.stable]
    drawn = {float(x) for line in latencies.get_lines() for x in line.get_xdata()}
    assert set(stable) <= drawn
    assert 4 not in drawn
    points = {float(x) for line in accepted.get_lines() for x in line.get_xdata()}
    points |= {float(x) for found in accepted.collections for x in found.get_offsets()[:, 0]}
    assert 4 in points


def test_the_computed_delay_and_the_throughput_are_named_where_they_are_known():
    def named(*known):
        return {
            text.get_text() for axes in latency_load(reports(), "", *known).axes for text in axes.get_legend().texts
        }

    more = named(1.25, 231) - named(None, None)
    assert "saturation throughput" in more
    assert len(more) == 2


@pytest.mark.parametrize("kept", [slice(2, 3), slice(0, 1)])
def test_one_run_is_enough(kept):
    assert len(latency_load(reports()[kept], "", None, None).axes) == 2
