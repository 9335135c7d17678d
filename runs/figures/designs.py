"""`isoplane reproduce` for a figure whose designs have to be searched for."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.runs.config.setup import fleet_of, named_objective
from isoplane.runs.figures.hosomi import format_table, reproduce
from isoplane.runs.folder.folder_lock import RECORDS, figure_folder
from isoplane.search import ConnectionSets, Fleet, Solution

from .searches import Searches, searches_of


def reproduce_designs(data: Mapping[str, Any]) -> None:
    """Search for the designs of a figure, write them and the numbers, compare these, and print the comparison.

    Parameters
    ----------
    data
        The composed config.

    Raises
    ------
    InputError
        If a value is out of range, or a target or gap is given.
    """
    if data["replications"] is not None:
        raise InputError(f"replications={data['replications']}: this figure has no simulations; expected null")
    settings, fleet_context = searches_of(data), fleet_of(data)
    with figure_folder() as folder, fleet_context as fleet:
        searches = DesignSearches(settings, fleet, folder)
        verdicts = reproduce(data["figure"], data["sizes"], solve_design=searches, folder=folder)
    print(format_table(verdicts))
    print(f"figure: {folder / data['figure']}.svg")
    print(f"records: {folder / RECORDS}")


@dataclass(frozen=True)
class DesignSearches:
    """Searches for each design of a figure on request, and writes it immediately."""

    searches: Searches
    fleet: Fleet
    folder: Path

    def __call__(self, folded: bool, n: int, objective_name: str) -> Solution:
        """Search for the best design of a family, size and objective."""
        space = ConnectionSets(n, folded)  # racks, prices and switches of the paper
        objective = named_objective(objective_name)
        print(f"{space.identical.name} n={n} {objective_name}", file=sys.stderr)
        return self.searches.best(space, objective, self.fleet, self.folder, n)
