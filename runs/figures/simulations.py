"""`isoplane reproduce` for a simulated figure."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from isoplane.models import InputError
from isoplane.runs.config.setup import fleet_of, seed_of
from isoplane.runs.figures.shibamura import format_table, reproduce
from isoplane.runs.folder.folder_lock import figure_folder
from isoplane.runs.terminal.live_line import CountLine


def reproduce_simulations(data: Mapping[str, Any]) -> None:
    """Simulate a figure, write its points, compare them, and print the comparison.

    Parameters
    ----------
    data
        The composed config.

    Raises
    ------
    InputError
        If a value is out of range.
    """
    if len(data["sizes"]) != 1:
        raise InputError(f"sizes={data['sizes']}: expected one number of nodes, such as [4096]")
    seed, fleet_context = seed_of(data), fleet_of(data)
    with figure_folder() as folder, fleet_context as fleet, closing(CountLine()) as line:
        verdicts = reproduce(
            data["figure"],
            data["sizes"][0],
            replications=data["replications"],
            seed=seed,
            fleet=fleet,
            folder=folder,
            on_progress=line.show,
        )
    print(format_table(verdicts))
    print(f"figure: {folder / data['figure']}.svg")
    print(f"programs: {folder / 'programs'}")
