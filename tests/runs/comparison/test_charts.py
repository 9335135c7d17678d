"""The numbers beside the markers of a chart."""

from fractions import Fraction
from itertools import combinations

from isoplane.runs.comparison import charts
from isoplane.runs.comparison.rows import Row
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.drawing.drawing import new_figure
from tests.cases import for_each


@for_each(("most", "scale"), [(4000, "linear"), (24_000, "log")])
def test_numbers_hide_no_others_and_a_wide_axis_of_prices_is_logarithmic(most, scale):
    prices = [3000, *[3500] * 20, most]
    values = [{"cost_usd_per_node": price, "delay_ns": 300.0} for price in prices]
    axes = new_figure(3.0).subplots()
    charts._panel(
        axes, [Row(Arrangement("torus", 1), Fraction(1), None, each) for each in values], range(22), "delay_ns"
    )
    axes.figure.draw_without_rendering()
    written = [text for text in axes.texts if text.get_text().isdigit()]
    assert {"0", "21"} < {text.get_text() for text in written}
    assert len(written) < len(prices)  # there is no room for those of twenty equal designs
    boxes = [text.get_window_extent() for text in written]
    assert not any(one.padded(-1).overlaps(other) for one, other in combinations(boxes, 2))
    assert axes.get_xscale() == scale
