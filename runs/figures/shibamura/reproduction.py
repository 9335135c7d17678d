"""Recompute a figure of simulations: its points, the comparison, the drawing."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.drawing.panels import figure_style, panels, save
from isoplane.runs.figures.table import Table
from isoplane.search import Fleet
from isoplane.simulator.language import write_program
from isoplane.simulator.measure.batches import STUDENT_T

from .settings import INTERVALS_US, NETWORKS, NODES, PUBLISHED_NODES, SETTINGS, figure_names, programs
from .simulations import OnProgress, Row, simulate
from .text import ROW_COLUMNS, VERDICT_COLUMNS, row_cells, verdict_row
from .verdicts import Verdict, settings_of, verdicts

STYLES = dict(zip(NETWORKS, (("#0072B2", "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#D55E00", "o")), strict=True))


def reproduce(
    figure: str,
    nodes: int = PUBLISHED_NODES,
    *,
    replications: int = 5,
    seed: int = 1,
    fleet: Fleet,
    folder: Path,
    on_progress: OnProgress | None = None,
) -> list[Verdict]:
    """Simulate a figure, write it into a folder and check the statements of the paper about it.

    The folder receives ``<figure>.csv`` with all points, ``<figure>-published.csv`` with the comparison, the drawing as
    ``<figure>.svg`` and ``<figure>.png``, and the programs of the figure, one per point of its curves.

    Parameters
    ----------
    figure
        One of `figure_names`.
    nodes
        4096, or 64 for a quick look, about which the paper makes no statements.
    replications
        Number of simulations per program, at least 2.
    seed
        Their first seed.
    fleet
        Fleet that runs the simulations; it does not affect the results.
    folder
        Folder for the files; created if missing.
    on_progress
        Called after every simulation with (number ended, total).

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Shibamura et al., Figs. 4 to 12.
    """
    if figure not in SETTINGS:
        raise InputError(f"figure={figure!r}: expected {', '.join(figure_names())}")
    if nodes not in NODES:
        raise InputError(f"sizes={nodes}: expected {' and '.join(map(str, NODES))}")
    check_int("replications", replications, 2, len(STUDENT_T) + 1)
    settings = settings_of(figure, nodes)
    rows = simulate(settings, nodes, replications=replications, seed=seed, fleet=fleet, on_progress=on_progress)
    checked = verdicts(figure, rows) if nodes == PUBLISHED_NODES else []
    (folder / "programs").mkdir(parents=True, exist_ok=True)
    for network, interval_us, program in programs(SETTINGS[figure], nodes):
        name = f"{network.lower().replace(' ', '-')}-{interval_us}us.ndl"
        write_atomically(folder / "programs" / name, write_program(program))
    write_atomically(folder / f"{figure}.csv", Table(ROW_COLUMNS, list(map(row_cells, rows))).csv())
    write_atomically(folder / f"{figure}-published.csv", Table(VERDICT_COLUMNS, list(map(verdict_row, checked))).csv())
    with figure_style():
        save(draw([row for row in rows if row.setting == SETTINGS[figure]]), folder / figure)
    return checked


def draw(rows: Sequence[Row]) -> Figure:
    """Draw the latency of every network over the message interval, on logarithmic axes, with confidence intervals."""
    figure, (axes,) = panels(1)
    for network, (colour, marker) in STYLES.items():
        own = [row for row in rows if row.network == network]
        axes.errorbar(
            [row.interval_us for row in own],
            [row.latency_ns.mean or 0.0 for row in own],
            yerr=[row.latency_ns.half_width or 0.0 for row in own],
            color=colour,
            marker=marker,
            markersize=4,
            capsize=2,
            label=network,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(INTERVALS_US, [str(interval) for interval in INTERVALS_US])
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:.0f}")
    axes.minorticks_off()
    axes.set_xlabel("message interval (\N{MICRO SIGN}s)")
    axes.set_ylabel("mean network latency (ns)")
    axes.legend(frameon=False, fontsize=8)
    return figure
