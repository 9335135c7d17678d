"""`isoplane reproduce` for a figure of all-to-all exchanges."""

from collections.abc import Mapping
from typing import Any

from isoplane.runs.figures.shimizu.exchanges import format_checks, format_runs, format_statements, reproduce
from isoplane.runs.folder.folder_lock import figure_folder


def reproduce_exchanges(data: Mapping[str, Any]) -> None:
    """Compute the times of exchanges for a figure, write them, and print them with the statements of the paper.

    Parameters
    ----------
    data
        The composed config.

    Raises
    ------
    InputError
        If a value is out of range.
    """
    with figure_folder() as folder:
        found = reproduce(data["figure"], data["sizes"], data["gflops"], folder=folder)
    print(format_runs(found.runs))
    print()
    print(format_checks(found.checks))
    print()
    print(format_statements(found.statements))
    print(f"figure: {folder / data['figure']}.svg")
    print(f"page: {folder / data['figure']}.html")
