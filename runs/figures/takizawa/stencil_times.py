"""Fig. 2: time of a stencil against the number of optical circuits; on a grid, and on a torus.

References
----------
Takizawa, Endo and Matsuoka, section 3 and Fig. 2.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from isoplane.models import Design
from isoplane.models.checks import check_int
from isoplane.objectives import CIRCUITS, Lexicographic
from isoplane.runs.config.setup import fleet_of
from isoplane.runs.drawing.panels import panels
from isoplane.runs.figures.checked import Checked, CheckedStatement, statement_table, verdict
from isoplane.runs.figures.figure import Compute, Figure
from isoplane.runs.figures.searches import search_of
from isoplane.runs.folder.folder_lock import RECORDS
from isoplane.runs.terminal.table import Table
from isoplane.search import CircuitSpace

from .curves import FACTORS, PLACEMENTS, REDUCED, CurvePoint, curve_points

COMPONENTS = (("completion",), ("bottleneck",), ("total",))
MAX_CIRCUITS = 64
STRONG_RISE, SLIGHT_RISE = 1.5, 1.1  # at least half as much again; at most a tenth more
COLUMNS: Mapping[str, Callable[[CurvePoint], object]] = {
    "curve": lambda point: point.curve,
    "up_factor": lambda point: f"{point.factor:g}",
    "circuits": lambda point: point.circuits,
    "used": lambda point: point.used,
    "completion_ns": lambda point: point.completion_ns,
    "completion_by_packets_ns": lambda point: point.completion_by_packets_ns,
    "relative": lambda point: f"{point.relative:.6f}",
    "relative_by_packets": lambda point: f"{point.relative_by_packets:.6f}",
    "least": lambda point: f"{point.ends[0]:.6f}",
    "most": lambda point: f"{point.ends[1]:.6f}",
    "least_by_packets": lambda point: f"{point.ends_by_packets[0]:.6f}",
    "most_by_packets": lambda point: f"{point.ends_by_packets[1]:.6f}",
}
STYLES = {
    "SP": ("#0072B2", "s-"),
    "CP": ("#D55E00", "^-"),
    "SP, any nodes": ("#0072B2", "s:"),
    "CP, any nodes": ("#D55E00", "^:"),
    "best for SP": ("#0072B2", "o--"),
    "best for CP": ("#D55E00", "o--"),
    "best placement": ("#009E73", "D--"),
}


def check(data: Mapping[str, Any], *, periodic: bool) -> Compute:
    """Require settings of searches and numbers of circuits in range."""
    search, fleet_context = search_of(data, by_dimension=False), fleet_of(data)
    counts = circuit_counts(data["sizes"])

    def compute(folder: Path) -> Figure:
        with fleet_context as fleet:

            def find(space: CircuitSpace) -> Design:
                print(f"at most {space.max_circuits} circuits, placement {space.placement}", file=sys.stderr)
                objective = Lexicographic("completion", COMPONENTS, CIRCUITS, space.workload)
                return search(space, objective, fleet, folder, None).design

            points = list(curve_points(counts, find, periodic=periodic))
        return replace(figure_of(points), places={"records": RECORDS})

    return compute


def circuit_counts(sizes: Sequence[object]) -> list[int]:
    """Return maximum numbers of circuits in ascending order, each once."""
    counts = sorted({check_int("sizes", count, 0, MAX_CIRCUITS) for count in sizes})
    check_int("sizes", counts[-1] if counts else 0, 1, MAX_CIRCUITS)
    return counts


def figure_of(points: Sequence[CurvePoint]) -> Figure:
    """Return the figure of some points: a file with all of them, and one with the statements of the paper."""
    checked = statement_table(statements(points), ("statement", "ours", "verdict"))
    tables = {"": Table.of(points, COLUMNS), "-published": checked}
    return Figure(tables, lambda: draw(points), (curve_table(points), checked))


def statements(points: Sequence[CurvePoint]) -> list[CheckedStatement]:
    """Check the statements of section 3, and that our times never exceed the paper's."""
    by_curve: dict[str, list[CurvePoint]] = {}
    for point in points:
        by_curve.setdefault(point.curve, []).append(point)
    checked = [_packets(by_curve)]
    for name in PLACEMENTS:
        checked += _hybrid(name, by_curve)
        checked.append(_never_above(name, by_curve))
    return checked


def _packets(by_curve: dict[str, list[CurvePoint]]) -> CheckedStatement:
    relative = {factor: by_curve[f"packets only, U x {factor:g}"][0].relative for factor in FACTORS}
    values = ", ".join(f"{value:.2f} at U x {factor:g}" for factor, value in relative.items())
    grows = relative[REDUCED] >= STRONG_RISE * relative[1.0]
    return Checked("packets only takes far longer with slower uplinks", values, verdict(grows))


def _hybrid(name: str, by_curve: dict[str, list[CurvePoint]]) -> list[CheckedStatement]:
    with_circuits = [point for point in by_curve[name] if point.circuits > 0]
    first, last = with_circuits[0], with_circuits[-1]
    full = by_curve[f"packets only, U x {FACTORS[-1]:g}"][0]
    narrow = [point for point in by_curve[f"{name}, U x {REDUCED:g}"] if point.circuits > 0]
    most = max(slower.relative / usual.relative for slower, usual in zip(narrow, with_circuits, strict=True))
    return [
        Checked(
            f"{name} takes longer than packets only with few circuits",
            f"{first.relative:.2f} with {first.circuits}",
            verdict(first.relative > 1),
        ),
        Checked(
            f"{name} takes less time with more circuits",
            f"{first.relative:.2f} with {first.circuits}, {last.relative:.2f} with {last.circuits}",
            verdict(last.relative < first.relative),
        ),
        Checked(
            f"{name} reaches the packet network with full bisection",
            f"{last.relative:.3f} ({last.relative_by_packets:.3f} by packets) for {full.relative:.3f}",
            verdict(last.completion_ns <= full.completion_ns),
        ),
        Checked(
            f"{name} hardly slows down with slower uplinks",
            f"at most {most:.3f} times as long at U x {REDUCED:g}",
            verdict(most <= SLIGHT_RISE),
        ),
    ]


def _never_above(name: str, by_curve: dict[str, list[CurvePoint]]) -> CheckedStatement:
    pairs = list(zip(by_curve[f"best for {name}"], by_curve[name], strict=True))
    least, most = (choose(theirs.relative / ours.relative for ours, theirs in pairs) for choose in (min, max))
    ours = f"{name} takes {least:.2f} to {most:.2f} times as long"
    return Checked(f"ours is never above {name}", ours, verdict(least >= 1))


def draw(points: Sequence[CurvePoint]) -> Drawing:
    """Draw relay by messages on the left, by packets on the right."""
    drawing, axes = panels(2)
    for panel, attribute, ends in zip(
        axes, ("relative", "relative_by_packets"), ("ends", "ends_by_packets"), strict=True
    ):
        _panel(panel, points, attribute, ends)
    axes[0].set_ylabel("time relative to packets only at 64 Gbit/s")
    axes[0].set_title("(a) whole messages relayed", loc="left")
    axes[1].set_title("(b) packets relayed", loc="left")
    drawing.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper")
    return drawing


def _panel(panel: Axes, points: Sequence[CurvePoint], attribute: str, ends: str) -> None:
    """Draw the curves, and a bar through each point from the shortest to the longest of its runs."""
    for name, (colour, style) in STYLES.items():
        curve = [point for point in points if point.curve == name]
        heights = [getattr(point, attribute) for point in curve]
        counts = [point.circuits for point in curve]
        panel.plot(counts, heights, style, color=colour, markersize=4, label=name)
        panel.vlines(counts, *zip(*(getattr(point, ends) for point in curve), strict=True), color=colour, linewidth=2.5)
    for height, factors in _packets_only(points, attribute).items():
        panel.axhline(height, color="#555555" if 1 in factors else "#AAAAAA", linewidth=0.9, zorder=0)
        panel.annotate(
            f"U x {', '.join(f'{factor:g}' for factor in factors)}",
            (1, height),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="bottom",
            fontsize=7,
            color="#555555",
        )
    panel.set_yscale("log", base=2)
    panel.yaxis.set_major_formatter("{x:g}")
    panel.set_xlabel("maximum number of optical circuits")


def _packets_only(points: Sequence[CurvePoint], attribute: str) -> dict[float, list[float]]:
    """Return uplink factors by the relative time of packets only, rounded to a thousandth."""
    heights: dict[float, list[float]] = {}
    for point in points:
        if point.rule == "packets":
            # Lines that cannot be told apart share a label.
            heights.setdefault(round(getattr(point, attribute), 3), []).append(point.factor)
    return heights


def curve_table(points: Sequence[CurvePoint]) -> Table:
    """Return a table of relative times: one row per curve, one column per number of circuits.

    The last column is the largest spread of a curve: range of the runs of a point, relative to their median.
    """
    counts = sorted({point.circuits for point in points})
    rows = []
    for name in dict.fromkeys(point.curve for point in points):
        curve = [point for point in points if point.curve == name]
        times = {point.circuits: f"{point.relative:.3f}" for point in curve}
        spread = f"{100 * max(point.spread for point in curve):.3f} %"
        rows.append([name, *(times.get(count, "") for count in counts), spread])
    columns = ["relative time, messages relayed", *map(str, counts), "spread"]
    return Table(columns, rows, range(1, len(columns)))
