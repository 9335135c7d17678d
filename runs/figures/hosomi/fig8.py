"""Fig. 8: parts of the cost of a network, and the share of the cables between switches."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from isoplane.runs.drawing.panels import panels

from .designs import NETWORKS, Designs
from .drawing import stacks
from .measures import COST_PARTS, Row, rows_of, values_of
from .verdicts import Verdict, agreement_or_report, points_of

TOTAL, SHARE = "network cost", "switch cable share of cost"

__all__ = ["NETWORKS", "compute", "draw", "verdicts"]


def compute(designs: Designs) -> list[Row]:
    """Return the parts, their sum and the share of the switch cables."""
    return rows_of(designs, (*COST_PARTS, TOTAL, SHARE))


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Compare the identical planes and report the others."""
    return agreement_or_report(points_of("Fig 8"), values_of(rows))


def draw(rows: Sequence[Row]) -> Figure:
    """Draw the parts as bars, with the share of the switch cables above."""
    figure, axes = panels(1)
    label = "network cost (k US$ per node)"
    stacks(axes[0], rows, COST_PARTS, (TOTAL, points_of("Fig 8")), label, percent_metric=SHARE)
    return figure
