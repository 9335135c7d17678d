"""Fig. 6: cost of the network per node; the totals stated with Fig. 8 are its published points."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from isoplane.runs.drawing.panels import panels

from .designs import NETWORKS, Designs
from .drawing import lines
from .measures import Row, rows_of, values_of
from .verdicts import Verdict, agreement_or_report, points_of

METRIC = "network cost"

__all__ = ["NETWORKS", "compute", "draw", "verdicts"]


def compute(designs: Designs) -> list[Row]:
    """Return the cost of every design."""
    return rows_of(designs, (METRIC,))


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Compare the published totals of the identical planes and report the others."""
    return agreement_or_report(points_of("Fig 8"), values_of(rows))


def draw(rows: Sequence[Row]) -> Figure:
    """Draw the cost over n."""
    figure, axes = panels(1)
    lines(axes[0], rows, METRIC, points_of("Fig 8"), "network cost (k US$ per node)")
    return figure
