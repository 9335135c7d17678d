"""`isoplane reproduce` for a figure whose designs have to be searched for."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.runs.config.setup import fleet_of, limits_of, named_objective, seed_of
from isoplane.runs.config.strategies import strategy_of
from isoplane.runs.figures.hosomi import format_table, reproduce
from isoplane.runs.folder.folder_lock import figure_folder
from isoplane.runs.records import provenance
from isoplane.search import ConnectionSets, Exact, Fleet, Limits, Solution, Strategy

from .recorded_search import ObservedSearch


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
    settings, fleet_context = search_settings(data), fleet_of(data)
    with figure_folder() as folder, fleet_context as fleet:
        searches = Searches(*settings, fleet, folder / "records")
        verdicts = reproduce(data["figure"], data["sizes"], solve_design=searches, folder=folder)
    print(format_table(verdicts))
    print(f"figure: {folder / data['figure']}.svg")
    print(f"records: {searches.records}")


def search_settings(data: Mapping[str, Any]) -> tuple[Strategy, Limits, int, int, Mapping[str, Any]]:
    """Return the settings common to the searches for the designs of a figure: the first fields of `Searches`.

    Raises
    ------
    InputError
        If a value is out of range, or a target or gap is given.
    """
    strategy, limits = strategy_of(data), limits_of(data)
    for name, value in (("target", limits.target), ("gap", limits.gap)):
        if value is not None:
            raise InputError(f"stop.{name}={value}: a figure has many designs, so no single {name}; expected null")
    seed = seed_of(data)
    exact_up_to = check_int("exact_up_to", data["exact_up_to"], 1, 7)
    return strategy, limits, exact_up_to, seed, provenance(seed, strategy.name, data)


@dataclass(frozen=True)
class Searches:
    """Searches for each design of a figure on request, and writes it immediately."""

    strategy: Strategy
    limits: Limits
    exact_up_to: int
    seed: int
    origin: Mapping[str, Any]
    fleet: Fleet
    records: Path

    def __call__(self, folded: bool, n: int, objective_name: str) -> Solution:
        """Search for the best design of a family, size and objective."""
        space = ConnectionSets(n, folded)  # racks, prices and switches of the paper
        objective = named_objective(objective_name)
        print(f"{space.identical.name} n={n} {objective_name}", file=sys.stderr)
        strategy, limits = (Exact(), Limits()) if n <= self.exact_up_to else (self.strategy, self.limits)
        search = ObservedSearch(self.seed, self.origin, self.fleet, self.records)
        return search(space, objective, strategy, limits)
