"""Convergence of the best score during the search."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

from isoplane.models import Network
from isoplane.objectives import Lexicographic
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, WIDTH_IN, label, new_figure, picture
from isoplane.runs.drawing.objective_text import printed_bound, printed_title
from isoplane.runs.drawing.values import show_points

from ..history import HistoryRow
from ..report_data import ReportData

ORDER = 30
LOG_FROM = 100  # ratio of last to first time from which the axis is logarithmic


def block(data: ReportData) -> Block | None:
    """Return the chart of a search with a history."""
    if not data.history or data.objective is None:
        return None
    points, improvements, bound = curve(data.history, data.objective, data.network, data.summary)
    # A chart of a single point would be blank but for a dot.
    part = _chart(points, improvements, bound, data.objective) if len(points) > 1 else _text(*points[0], data.objective)
    return Block("convergence", "Convergence of the search", [part])


def curve(
    history: Sequence[HistoryRow], objective: Lexicographic, network: Network, summary: Mapping[str, Any] | None
) -> tuple[list[tuple[int, float, float]], int, float | None]:
    """Return the best printed value over the search of a history with at least one row.

    A design that joins a Pareto front need not improve the score, nor does the row that records an optimality proof.

    Returns
    -------
    list[tuple[int, float, float]]
        Evaluations, seconds and the first component of the score, as printed, at each improvement; the last of them
        again at the end of the search by its summary, if it continued after that.
    int
        Number of improvements.
    float | None
        The best proven bound in the same unit.
    """
    improvements: list[HistoryRow] = []
    # A design that exceeds a limit may have a better value than any that meets it.
    meeting = [row for row in history if objective.meets_limits(row.score)]
    for row in meeting or history:
        if not improvements or row.score < improvements[-1].score:
            improvements.append(row)
    points = [(row.evaluations, row.seconds, objective.printed(row.score, network)) for row in improvements]
    end = summary or {}
    evaluations = max(end.get("evaluations") or 0, history[-1].evaluations)
    seconds = max(end.get("seconds") or 0.0, history[-1].seconds)
    if (evaluations, seconds) != points[-1][:2]:
        points.append((evaluations, seconds, points[-1][2]))
    known = [printed_bound(objective, row.bound, network) for row in history if row.bound]
    bounds = [low for low in known if low is not None]
    return points, len(improvements), bounds[-1] if bounds else None


def _text(evaluations: int, seconds: float, value: float, objective: Lexicographic) -> Part:
    """Return in words what is known of a search that ended with its only improvement."""
    name = printed_title(objective).replace("\n", " ")
    found = f"{name} {value:,.10g} after {evaluations:,} evaluations, {seconds:.2f} s"
    return Part.text(f"One improvement, with which the search ended: {found}.")


def _chart(
    points: Sequence[tuple[int, float, float]], improvements: int, bound: float | None, objective: Lexicographic
) -> Part:
    """Draw the best value over evaluations and over seconds."""
    evaluations, seconds, values = zip(*points, strict=True)
    figures = [new_figure(3.0, WIDTH_IN / 2) for _ in range(2)]
    left, right = (figure.subplots() for figure in figures)
    name = printed_title(objective).replace("\n", " ")
    texts = [f"{name} {value:,.10g} after {n:,} evaluations, {s:.2f} s" for n, s, value in points]
    _steps(left, evaluations, values, improvements, bound, texts)
    left.xaxis.set_major_formatter(EngFormatter(sep="\N{NO-BREAK SPACE}"))
    for axes in (left, right):
        axes.yaxis.set_major_formatter("{x:,.10g}")
    label(left, "evaluations", printed_title(objective), "both")
    _steps(right, seconds, values, improvements, bound, texts)
    label(right, "time since the start (s)", printed_title(objective), "both")
    if bound is not None:
        left.legend(loc="best")
    better = "higher" if objective.higher_is_better else "lower"
    return picture(
        figures,
        "convergence",
        "Each dot is an improvement of the score, including tie-breakers, and the line is the best value found so far: "
        f"{better} is better, and a long flat end means that more time did not help.",
        [("evaluations", "seconds", "best"), *points],
    )


def _steps(
    axes: Axes,
    moments: Sequence[float],
    values: Sequence[float],
    improvements: int,
    bound: float | None,
    texts: Sequence[str],
) -> None:
    smallest = min((moment for moment in moments if moment > 0), default=1)
    logarithmic = moments[-1] > LOG_FROM * smallest
    shown = [max(moment, smallest) for moment in moments] if logarithmic else list(moments)
    axes.step(shown, values, where="post", color=LIGHT["plane0"], linewidth=1.6)
    axes.plot(shown[:improvements], values[:improvements], "o", color=LIGHT["plane0"], markersize=3.5)
    show_points(axes, zip(shown, values, strict=True), texts)
    if bound is not None:
        axes.axhline(bound, color=LIGHT["alarm"], linestyle=(0, (4, 3)), linewidth=1.1, label="proven bound")
    if logarithmic:
        axes.set_xscale("log")
    else:
        axes.set_xlim(left=0)
