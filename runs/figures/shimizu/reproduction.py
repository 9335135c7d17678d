"""Recompute Fig. 7: sizes, the comparison, the drawing."""

from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.objectives.scale.largest import LATIN_SQUARE
from isoplane.runs.drawing.panels import figure_style, panels, save
from isoplane.runs.figures.table import write_csv
from isoplane.runs.published import shimizu_counts

from .sizes import Size, sizes
from .text import SIZE_COLUMNS, VERDICT_COLUMNS, size_cells, verdict_cells
from .verdicts import Verdict, verdicts

FIGURES = ("fig7",)
DEGREES = (2, 36)
STYLES = {  # colour, marker and line, size of markers: they differ because three networks have equal ratios
    "2-level fat-tree": ("#0072B2", "s-", 6),
    "3-level fat-tree": ("#D55E00", "^-", 4),
    "multi-layer full mesh": ("#009E73", "o-", 4),
    LATIN_SQUARE: ("#555555", "D:", 2),
}
SERVERS, PER_SWITCH = "servers", "servers per switch"


def reproduce(figure: str, degrees: Sequence[int], *, folder: Path) -> tuple[list[Size], list[Verdict]]:
    """Compute the sizes of all networks of the figure, write them into a folder and compare them with the paper.

    The folder receives ``fig7.csv`` with all sizes, ``fig7-published.csv`` with the comparison, and the drawing as
    ``fig7.svg`` and ``fig7.png``.

    Parameters
    ----------
    figure
        One of `FIGURES`.
    degrees
        Values of d, half the number of ports of a switch, each 2..36.
    folder
        Folder for the files; created if missing.

    Raises
    ------
    InputError
        If there is no such figure, there are no values, or one is out of range.

    References
    ----------
    Shimizu and Nakajima, on switch-saving topologies, Fig. 7.
    """
    if figure not in FIGURES:
        raise InputError(f"figure={figure!r}: expected {', '.join(FIGURES)}")
    if not degrees:
        raise InputError("sizes=[]: expected at least one value of d, half the number of ports of a switch")
    found = list(sizes(sorted({check_int("sizes", d, *DEGREES) for d in degrees})))
    checked = verdicts(found)
    folder.mkdir(parents=True, exist_ok=True)
    write_csv(folder / f"{figure}.csv", SIZE_COLUMNS, map(size_cells, found))
    write_csv(folder / f"{figure}-published.csv", VERDICT_COLUMNS, map(verdict_cells, checked))
    with figure_style():
        save(draw(found), folder / figure)
    return found, checked


def draw(found: Sequence[Size]) -> Figure:
    """Return the figure: servers on the left, servers per switch on the right, with the published numbers."""
    figure, axes = panels(2)
    _panel(axes[0], found, SERVERS, lambda size: size.servers)
    axes[0].set_yscale("log")
    axes[0].set_ylabel("servers")
    _panel(axes[1], found, PER_SWITCH, lambda size: float(size.servers_per_switch))
    axes[1].set_ylabel("servers per switch")
    axes[0].legend(frameon=False, fontsize=8)
    return figure


def _panel(panel: Axes, found: Sequence[Size], metric: str, height: Callable[[Size], float]) -> None:
    """Draw a line per network, and hollow markers for the published numbers."""
    own = [size for size in found if size.source == "formula"]
    for network, (colour, style, marker_size) in STYLES.items():
        line = [size for size in own if size.network == network]
        panel.plot(
            [size.degree for size in line],
            [height(size) for size in line],
            style,
            color=colour,
            markersize=marker_size,
            linewidth=0.9,
            label=network,
        )
    stated = [
        (size.degree, float(point.at(size.degree)))
        for point in shimizu_counts()
        if point.metric == metric
        for size in own
        if size.network == point.network and point.degree in (None, size.degree)
    ]
    places, heights = [d for d, _ in stated], [value for _, value in stated]
    panel.plot(
        places, heights, "o", color="black", markerfacecolor="none", markersize=8, linewidth=0, label="published"
    )
    panel.set_xlabel("d (switches have 2d ports)")
