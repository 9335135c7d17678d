"""Fig. 7: mean cable length, and cost of the cables between switches per node."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from isoplane.runs.drawing.panels import panels

from .designs import NETWORKS, Designs
from .drawing import lines
from .measures import Row, rows_of, values_of
from .verdicts import Verdict, agreement_or_report, points_of

METRICS = ("mean cable length", "switch cable cost")

__all__ = ["NETWORKS", "compute", "draw", "verdicts"]


def compute(designs: Designs) -> list[Row]:
    """Return the numbers of both panels."""
    return rows_of(designs, METRICS)


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Compare the identical planes and report the others."""
    return agreement_or_report(points_of("Fig 7"), values_of(rows))


def draw(rows: Sequence[Row]) -> Figure:
    """Draw both panels over n."""
    figure, axes = panels(2)
    points = points_of("Fig 7")
    lines(axes[0], rows, "mean cable length", points, "mean cable length (m)")
    lines(axes[1], rows, "switch cable cost", points, "switch cable cost (k US$ per node)")
    return figure
