"""`isoplane reproduce` for a figure of numbers of servers and switches."""

from collections.abc import Mapping
from typing import Any

from isoplane.runs.figures.shimizu import format_sizes, format_verdicts, reproduce
from isoplane.runs.folder.folder_lock import figure_folder


def reproduce_counts(data: Mapping[str, Any]) -> None:
    """Count servers and switches for a figure, write and compare them, and print both.

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
        found, checked = reproduce(data["figure"], data["sizes"], folder=folder)
    print("servers / switches = servers per switch")
    print(format_sizes(found))
    print()
    print(format_verdicts(checked))
    print(f"figure: {folder / data['figure']}.svg")
