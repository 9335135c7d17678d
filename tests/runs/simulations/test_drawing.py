"""The chart of latency against load."""

from isoplane.runs.simulations import latency_load

from .samples import reports


def test_saturated_runs_are_drawn_with_their_accepted_loads_but_without_latencies():
    figure = latency_load(reports(), "two planes", None, None)
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
            text.get_text() for axes in latency_load(reports(), "", *known).axes for text in axes.get_legend().texts
        }

    added = legend_texts(1.25, 231) - legend_texts(None, None)
    assert "saturation throughput" in added
    assert len(added) == 2
