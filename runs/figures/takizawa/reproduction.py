"""Recompute Fig. 2: its points, the comparison, the drawing."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.runs.drawing.panels import figure_style, panels, save
from isoplane.runs.figures.table import aligned, write_csv

from .curves import Find, Point, points
from .verdicts import Verdict, verdicts

FIGURES = {"fig2": False, "fig2_torus": True}  # whether the stencil is periodic, which the paper leaves open
MAX_CIRCUITS = 64
COLUMNS = (
    *("curve", "up_factor", "circuits", "used", "completion_ns", "completion_by_packets_ns"),
    *("relative", "relative_by_packets", "least", "most", "least_by_packets", "most_by_packets"),
)
STYLES = {
    "SP": ("#0072B2", "s-"),
    "CP": ("#D55E00", "^-"),
    "SP, any nodes": ("#0072B2", "s:"),
    "CP, any nodes": ("#D55E00", "^:"),
    "best for SP": ("#0072B2", "o--"),
    "best for CP": ("#D55E00", "o--"),
    "best placement": ("#009E73", "D--"),
}


def reproduce(figure: str, circuits: Sequence[int], *, find: Find, folder: Path) -> tuple[list[Point], list[Verdict]]:
    """Compute all curves of the figure, write them into a folder, and check the statements of the paper.

    The folder receives ``<figure>.csv`` with all points, ``<figure>-published.csv`` with the comparison, and the
    drawing as ``<figure>.svg`` and ``<figure>.png``.

    Parameters
    ----------
    figure
        One of `FIGURES`.
    circuits
        Maximum numbers of circuits, ascending, at least one above 0.
    find
        Returns the best design of a space.
    folder
        Folder for the files; created if missing.

    Raises
    ------
    InputError
        If there is no such figure, or a number is out of range.

    References
    ----------
    Takizawa, Endo and Matsuoka, Fig. 2.
    """
    counts = sorted({check_int("sizes", count, 0, MAX_CIRCUITS) for count in circuits})
    check_int("sizes", counts[-1] if counts else 0, 1, MAX_CIRCUITS)
    if figure not in FIGURES:
        raise InputError(f"figure={figure!r}: expected {', '.join(FIGURES)}")
    found = list(points(counts, find, periodic=FIGURES[figure]))
    checked = verdicts(found)
    folder.mkdir(parents=True, exist_ok=True)
    write_csv(folder / f"{figure}.csv", COLUMNS, map(_cells, found))
    rows = [(verdict.statement, verdict.ours, "holds" if verdict.holds else "fails") for verdict in checked]
    write_csv(folder / f"{figure}-published.csv", ("statement", "ours", "verdict"), rows)
    with figure_style():
        save(draw(found), folder / figure)
    return found, checked


def _cells(point: Point) -> list[str]:
    curve = point.curve
    return [
        curve.name,
        f"{curve.factor:g}",
        str(point.circuits),
        str(point.used),
        str(point.completion_ns),
        str(point.completion_by_packets_ns),
        f"{point.relative:.6f}",
        f"{point.relative_by_packets:.6f}",
        *(f"{end:.6f}" for end in (*point.ends, *point.ends_by_packets)),
    ]


def draw(found: Sequence[Point]) -> Figure:
    """Return the figure: relay by messages on the left, by packets on the right."""
    figure, axes = panels(2)
    for panel, attribute, ends in zip(
        axes, ("relative", "relative_by_packets"), ("ends", "ends_by_packets"), strict=True
    ):
        _panel(panel, found, attribute, ends)
    axes[0].set_ylabel("time relative to packets only at 64 Gbit/s")
    axes[0].set_title("(a) whole messages relayed", loc="left")
    axes[1].set_title("(b) packets relayed", loc="left")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def _panel(panel: Axes, found: Sequence[Point], attribute: str, ends: str) -> None:
    """Draw the curves, and a bar through each point from the shortest to the longest of its runs."""
    for name, (colour, style) in STYLES.items():
        own = [point for point in found if point.curve.name == name]
        heights = [getattr(point, attribute) for point in own]
        counts = [point.circuits for point in own]
        panel.plot(counts, heights, style, color=colour, markersize=4, label=name)
        panel.vlines(counts, *zip(*(getattr(point, ends) for point in own), strict=True), color=colour, linewidth=2.5)
    for height, factors in _packets_only(found, attribute).items():
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


def _packets_only(found: Sequence[Point], attribute: str) -> dict[float, list[float]]:
    """Return uplink factors by the relative time of packets only, rounded to a thousandth."""
    heights: dict[float, list[float]] = {}
    for point in found:
        if point.curve.rule == "packets":
            heights.setdefault(round(getattr(point, attribute), 3), []).append(point.curve.factor)
    return heights


def format_points(found: Sequence[Point]) -> str:
    """Return a table of relative times: one line per curve, one column per number of circuits.

    The last column is the largest spread of a curve: range of the runs of a point, relative to their median.
    """
    counts = sorted({point.circuits for point in found})
    rows = [["relative time, messages relayed", *map(str, counts), "spread"]]
    for name in dict.fromkeys(point.curve.name for point in found):
        curve = [point for point in found if point.curve.name == name]
        own = {point.circuits: f"{point.relative:.3f}" for point in curve}
        spread = f"{100 * max(point.spread for point in curve):.3f} %"
        rows.append([name, *(own.get(count, "") for count in counts), spread])
    return "\n".join(aligned(rows, range(1, len(counts) + 2)))


def format_verdicts(checked: Sequence[Verdict]) -> str:
    """Return aligned lines, one per statement."""
    rows = [["statement", "ours", "verdict"]]
    rows += [[verdict.statement, verdict.ours, "holds" if verdict.holds else "fails"] for verdict in checked]
    return "\n".join(aligned(rows))
