"""Recompute Figs. 10 to 15: runs, comparison with packets, statements, drawing, page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from isoplane.models import InputError
from isoplane.models.checks import exact_number
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.drawing.panels import figure_style, panels, save
from isoplane.runs.figures.table import write_csv

from .drawing import draw, quantities
from .page import page
from .runs import PacketCheck, Run, amount_runs, packet_checks, transform_runs
from .statements import Statement, statements
from .text import CHECK_COLUMNS, RUN_COLUMNS, STATEMENT_COLUMNS, check_cells, run_cells, statement_cells

# By figure: the classes of FT; none for exchanges of a fixed amount.
FIGURES: Mapping[str, tuple[str, ...]] = {
    "fig10": ("B",),
    "fig11": ("C",),
    "fig12": ("D",),
    "fig13": ("B", "C", "D"),
    "fig14": (),
    "fig15": ("B", "C", "D"),
}
WITH_COMPUTING = ("fig10", "fig11", "fig12", "fig13")
SERVERS = (8, 16, 32, 64)


@dataclass(frozen=True)
class Reproduction:
    """A figure: its runs, the times of short exchanges beside those of packets, and the statements of the paper."""

    runs: list[Run]
    checks: list[PacketCheck]
    statements: list[Statement]


def reproduce(figure: str, servers: Sequence[int], gflops: object, *, folder: Path) -> Reproduction:
    """Compute the runs of a figure, write them into a folder, and check the statements of the paper.

    The folder receives ``<figure>.csv`` with all runs, ``<figure>-packets.csv`` with both times of short exchanges,
    ``<figure>-published.csv`` with the statements, the drawing as ``<figure>.svg`` and ``<figure>.png``, and the page
    ``<figure>.html``.

    Parameters
    ----------
    figure
        One of `FIGURES`.
    servers
        Numbers of servers, each 8, 16, 32 or 64; the paper has the first three.
    gflops
        Rate at which a server computes, in 10^9 operations per second; without effect on figures of throughput.
    folder
        Folder for the files; created if missing.

    Raises
    ------
    InputError
        If there is no such figure, or a value is out of range.

    References
    ----------
    Shimizu and Nakajima, on switch-saving topologies, section 4.
    """
    if figure not in FIGURES:
        raise InputError(f"figure={figure!r}: expected {', '.join(FIGURES)}")
    counts = _counts(servers)
    rate = exact_number("gflops", gflops, above=True) if figure in WITH_COMPUTING else Fraction(0)
    runs = [run for problem in FIGURES[figure] for run in transform_runs(problem, counts, rate)]
    found = runs or list(amount_runs(counts))
    result = Reproduction(found, list(packet_checks(counts)), list(statements(figure, found)))
    _write(figure, result, folder)
    return result


def _counts(servers: Sequence[object]) -> list[int]:
    """Return the numbers of servers, ascending, each once."""
    found = [each for each in servers if isinstance(each, int) and each in SERVERS]
    if not found or len(found) < len(servers):
        given = next((each for each in servers if not isinstance(each, int) or each not in SERVERS), [])
        raise InputError(f"sizes={given}: expected numbers of servers, some of {', '.join(map(str, SERVERS))}")
    return sorted(set(found))


def _write(figure: str, result: Reproduction, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, columns, rows in (
        ("", RUN_COLUMNS, map(run_cells, result.runs)),
        ("-packets", CHECK_COLUMNS, map(check_cells, result.checks)),
        ("-published", STATEMENT_COLUMNS, map(statement_cells, result.statements)),
    ):
        write_csv(folder / f"{figure}{suffix}.csv", columns, rows)
    with figure_style():
        drawn, axes = panels(len(quantities(figure)))
        draw(axes, figure, result.runs)
        save(drawn, folder / figure)
    write_atomically(folder / f"{figure}.html", page(figure, result.runs, result.checks, result.statements))
