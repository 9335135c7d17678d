"""Searches for the designs of a figure, with progress shown and each result recorded."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
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
from isoplane.search import Auto, Exact, Fleet, Limits, Solution, Space, Strategy, solve


@dataclass(frozen=True)
class Searches:
    """Settings common to the searches for the designs of a figure.

    Attributes
    ----------
    strategy, limits
        Strategy and limits of each search.
    exact_up_to
        The largest dimension that is searched exactly, in figures that have dimensions.
    seed, provenance
        Seed and provenance of all of them; the latter without the strategy.
    """

    strategy: Strategy
    limits: Limits
    exact_up_to: int
    seed: int
    provenance: Mapping[str, Any]

    def best(
        self, space: Space, objective: Lexicographic, fleet: Fleet, folder: Path, dimension: int | None = None
    ) -> Solution:
        """Search, show the progress, and write the record of the best design into the records of a figure's folder."""
        exact = dimension is not None and dimension <= self.exact_up_to
        strategy, limits = (Exact(), Limits()) if exact else (self.strategy, self.limits)
        if isinstance(strategy, Auto):
            strategy = strategy.choose(space, objective)  # records name the strategy chosen
        with closing(ProgressLine(objective, limits)) as line:
            *_, best = solve(space, objective, strategy, limits, self.seed, fleet=fleet, watch=line.show)
        record = record_of_solution(best, objective, {**self.provenance, "strategy": strategy.name})
        write_record(folder / RECORDS, record)
        return best


def searches_of(data: Mapping[str, Any], *, by_dimension: bool = True) -> Searches:
    """Return the settings of the searches for a figure.

    Parameters
    ----------
    data
        The composed config.
    by_dimension
        Whether its designs have dimensions, of which small ones are searched exactly.
    """
    strategy, limits = strategy_of(data), limits_of(data)
    for name, value in (("target", limits.target), ("gap", limits.gap)):
        if value is not None:
            raise InputError(f"stop.{name}={value}: a figure has many designs, so no single {name}; expected null")
    seed = seed_of(data)
    exact_up_to = check_int("exact_up_to", data["exact_up_to"], 1, 7) if by_dimension else 0
    return Searches(strategy, limits, exact_up_to, seed, provenance(seed, strategy.name, plain(data)))
