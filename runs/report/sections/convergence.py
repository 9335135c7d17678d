"""Convergence of the best score during the search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

from isoplane.models import Network
from isoplane.objectives import Lexicographic
from isoplane.runs.drawing.block import Block, Chart
from isoplane.runs.drawing.drawing import LIGHT, Picture, label, new_figure, picture

from ..history import HistoryRow
from ..objective_text import printed_title
from ..report_data import ReportData

ORDER = 30
LOG_FROM = 100  # ratio of last to first time from which the axis is logarithmic


@dataclass(frozen=True)
class Curve:
    """The best printed value over the search: value k holds from time k onwards.

    Attributes
    ----------
    evaluations, seconds
        Times of the improvements, and the end if the search continued after the last of them.
    values
        The first component of the score, as printed.
    bound
        The best proven bound in the same unit, or None.
    improvements
        Number of improvements.
    """

    evaluations: tuple[int, ...]
    seconds: tuple[float, ...]
    values: tuple[float, ...]
    bound: float | None
    improvements: int


def block(data: ReportData) -> Block | None:
    """Return the chart of a search with a history."""
    if not data.history or data.objective is None:
        return None
    found = curve(data.history, data.objective, data.network, data.summary)
    return Block("convergence", "Convergence of the search", [Chart(_chart(found, data.objective))])


def curve(
    history: Sequence[HistoryRow], objective: Lexicographic, network: Network, summary: Mapping[str, Any] | None
) -> Curve:
    """Return the convergence of a history with at least one row; a summary gives the end of the search.

    A design that joins a Pareto front need not improve the score, nor does the row that records an optimality proof.
    """
    improvements: list[HistoryRow] = []
    for row in history:
        if not improvements or row.score < improvements[-1].score:
            improvements.append(row)
    evaluations = [row.evaluations for row in improvements]
    seconds = [row.seconds for row in improvements]
    values = [objective.printed(row.score, network) for row in improvements]
    end = summary or {}
    last = (
        max(end.get("evaluations") or 0, history[-1].evaluations),
        max(end.get("seconds") or 0.0, history[-1].seconds),
    )
    if last != (evaluations[-1], seconds[-1]):
        evaluations.append(last[0])
        seconds.append(last[1])
        values.append(values[-1])
    bounds = [objective.printed((row.bound[0],), network) for row in history if row.bound and row.bound[0] is not None]
    return Curve(tuple(evaluations), tuple(seconds), tuple(values), bounds[-1] if bounds else None, len(improvements))


def _chart(found: Curve, objective: Lexicographic) -> Picture:
    """Draw the best value over evaluations and over seconds."""
    figure = new_figure(3.0)
    left, right = figure.subplots(1, 2, sharey=True)
    _steps(left, found.evaluations, found)
    left.xaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))
    left.yaxis.set_major_formatter("{x:,.10g}")
    label(left, "evaluations", printed_title(objective), "both")
    _steps(right, found.seconds, found)
    label(right, "time since the start (s)", "", "both")
    if found.bound is not None:
        left.legend(loc="best")
    better = "higher" if objective.higher_is_better else "lower"
    return picture(
        figure,
        "convergence",
        "Each dot is an improvement of the score, including tie-breakers, and the line is the best value found so far: "
        f"{better} is better, and a long flat end means that more time did not help.",
    )


def _steps(axes: Axes, moments: Sequence[float], found: Curve) -> None:
    smallest = min((moment for moment in moments if moment > 0), default=1)
    logarithmic = moments[-1] > LOG_FROM * smallest
    shown = [max(moment, smallest) for moment in moments] if logarithmic else list(moments)
    axes.step(shown, found.values, where="post", color=LIGHT["plane0"], linewidth=1.6)
    dots = slice(0, found.improvements)
    axes.plot(shown[dots], found.values[dots], "o", color=LIGHT["plane0"], markersize=3.5)
    if found.bound is not None:
        axes.axhline(found.bound, color=LIGHT["alarm"], linestyle=(0, (4, 3)), linewidth=1.1, label="proven bound")
    if logarithmic:
        axes.set_xscale("log")
    else:
        axes.set_xlim(left=0)
