"""Values at the points, bars and cells of charts."""

import re

import pytest

from isoplane.runs.drawing.drawing import drawing_style, new_figure, picture
from isoplane.runs.drawing.values import show_bars, show_drawn, show_points
from isoplane.runs.report.sections.job import time_rows
from isoplane.runs.report.simulated import _time_figure

SHAPE = r'<rect class="value" x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)">\s*<title>([^<]*)</title>'


def drawn(draw):
    """The centre, width and height of each value in points by its text, the figure, and its text alternative."""
    with drawing_style():
        figure = new_figure(3.0)
        axes = figure.subplots()
        draw(axes)
        svg = picture(figure, "name", "A caption.", [("x",)]).values["svg"]
    shapes = {}
    for *numbers, text in re.findall(SHAPE, svg):
        x, y, width, height = map(float, numbers)
        shapes[text] = (x + width / 2, y + height / 2, width, height)
    return shapes, axes, re.search(r'aria-label="([^"]*)"', svg)[1]


def place(axes, x, y):
    """The place of a point on the page in points, from above."""
    figure = axes.figure
    across, up = axes.transData.transform((x, y)) * 72 / figure.dpi
    return across, 72 * figure.get_figheight() - up


def test_values_are_where_their_points_are_and_in_the_text_alternative():
    def draw(axes):
        axes.plot([1, 4], [10, 20])
        axes.set_xlim(0, 5)
        show_points(axes, [(1, 10), (4, 20), (9, 10)], ["a: 10 ns", 'b "q" & c', "outside"])

    shapes, axes, words = drawn(draw)
    assert list(shapes) == ["a: 10 ns", 'b "q" &amp; c']
    for text, point in zip(shapes, [(1, 10), (4, 20)], strict=True):
        assert shapes[text][:2] == pytest.approx(place(axes, *point), abs=0.2)
    assert words == "A caption. Values: a: 10 ns; b &quot;q&quot; &amp; c."


def test_values_of_bars_are_as_large_as_these_and_those_of_empty_ones_can_be_pointed_at():
    shapes, axes, _ = drawn(lambda axes: show_bars(axes.bar([0, 1], [6, 0], 0.5), ["six", "none"]))
    (left, high), (right, low) = place(axes, -0.25, 6), place(axes, 0.25, 0)
    assert shapes["six"][2:] == pytest.approx((right - left, low - high), abs=0.2)
    assert shapes["none"][3] > 0


def test_figures_of_papers_show_what_legends_and_axes_say():
    def draw(axes):
        axes.plot([1, 2], [3.5, 4], label="torus")
        axes.axhline(3.7, label="limit of a link")
        axes.set_xlabel("load")
        axes.set_ylabel("latency\n(ns)")
        show_drawn(axes.figure)

    shapes, _, _ = drawn(draw)
    assert set(shapes) == {"torus: load 1, latency (ns) 3.5", "torus: load 2, latency (ns) 4"}


def test_the_head_and_the_table_of_a_simulation_state_the_same_error_of_the_fluid_model():
    simulated, fluid = 1000.0, 1032.1
    workload = {"completion_ns": simulated, "fluid": {"completion_ns": fluid, "bottleneck_ns": 1.0}}
    assert _time_figure("Completion", simulated, fluid).values["before"][1] == "error +3.21 %"
    assert time_rows(workload, {"runs": []})[1][-1] == "+3.21 %"
