"""`isoplane reproduce` for a figure whose designs are searched for and then simulated."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from isoplane.runs.config.scenario import precision_of
from isoplane.runs.config.setup import fleet_of, seed_of
from isoplane.runs.figures.hosomi import format_table
from isoplane.runs.figures.hosomi.simulated import Change, change_cells, reproduce
from isoplane.runs.figures.table import Table
from isoplane.runs.folder.folder_lock import figure_folder
from isoplane.runs.terminal.live_line import CountLine

from .designs import DesignSearches
from .searches import searches_of

COLUMNS = ["network", "n", "change of", "computed %", "simulated %", "band", "verdict"]


def reproduce_curves(data: Mapping[str, Any]) -> None:
    """Search for the designs of a figure, simulate them, write the results, and print the comparison.

    Parameters
    ----------
    data
        The composed config.

    Raises
    ------
    InputError
        If a value is out of range.
    """
    precision, seed, settings, fleet_context = precision_of(data), seed_of(data), searches_of(data), fleet_of(data)
    with figure_folder() as folder, fleet_context as fleet, closing(CountLine()) as line:
        found, changed, checked = reproduce(
            data["sizes"],
            solve_design=DesignSearches(settings, fleet, folder),
            precision=precision,
            seed=seed,
            fleet=fleet,
            folder=folder,
            on_progress=line.show,
        )
    print(_table(changed))
    print(format_table(checked))
    for own in found:
        print(
            f"{own.network} n={own.n}: max_traffic {own.traffic:.4f}, simulated {own.throughput:.4f} "
            f"({own.traffic_error:.2f} %); delay {own.delay_ns:.1f} ns, simulated {own.latency_ns:.1f} ns "
            f"({own.delay_error:.2f} %; delay_paper {own.delay_paper_error:.2f} %)"
        )
    print(f"figure: {folder / 'fig9'}.svg")


def _table(changed: list[Change]) -> str:
    return str(Table(COLUMNS, [*map(change_cells, changed)], range(1, 6)))
