"""Searches for the designs of a figure, with progress shown and each result recorded."""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.objectives import Lexicographic
from isoplane.runs.config.config_values import plain
from isoplane.runs.config.setup import limits_of, seed_of
from isoplane.runs.config.strategies import strategy_of
from isoplane.runs.folder.folder_lock import RECORDS
from isoplane.runs.folder.solution_record import record_of_solution
from isoplane.runs.records import provenance, write_record
from isoplane.runs.terminal.progress import ProgressLine
from isoplane.search import Auto, Exact, Fleet, Limits, Solution, Space, solve

# Called with the space, the objective, the fleet, the folder of the figure, and the dimension, if designs have one.
Search = Callable[[Space, Lexicographic, Fleet, Path, int | None], Solution]


def search_of(data: Mapping[str, Any], *, by_dimension: bool = True) -> Search:
    """Return the search for the best design of a space, as configured for a figure.

    It shows its progress, and writes the record of the design into the records of the figure's folder.

    Parameters
    ----------
    data
        The composed config.
    by_dimension
        Whether its designs have dimensions, of which small ones are searched exactly.
    """
    given, limits = strategy_of(data), limits_of(data)
    for name, value in (("target", limits.target), ("gap", limits.gap)):
        if value is not None:
            raise InputError(f"stop.{name}={value}: a figure has many designs, so no single {name}; expected null")
    seed = seed_of(data)
    exact_up_to = check_int("exact_up_to", data["exact_up_to"], 1, 7) if by_dimension else 0
    origin = provenance(seed, given.name, plain(data))

    def search(space: Space, objective: Lexicographic, fleet: Fleet, folder: Path, dimension: int | None) -> Solution:
        exact = dimension is not None and dimension <= exact_up_to
        strategy, own_limits = (Exact(), Limits()) if exact else (given, limits)
        if isinstance(strategy, Auto):
            strategy = strategy.choose(space, objective)  # records name the strategy chosen
        with closing(ProgressLine(objective, own_limits)) as line:
            *_, best = solve(space, objective, strategy, own_limits, seed, fleet=fleet, watch=line.show)
        record = record_of_solution(best, objective, {**origin, "strategy": strategy.name})
        write_record(folder / RECORDS, record)
        return best

    return search
