"""`isoplane reproduce` of a figure whose designs have to be searched."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.objectives import Objective
from isoplane.runs.figures.hosomi import format_table, reproduce
from isoplane.runs.records import provenance, record_of, write_record
from isoplane.search import Auto, ConnectionSets, Exact, Fleet, Limits, Progress, Solution, Strategy, Watched, solve

from .progress import ProgressLine
from .setup import fleet_of, limits_of, named_objective, seed_of, strategy_of


def reproduce_designs(data: Mapping[str, Any]) -> None:
    """Search the designs of a figure, write them and its numbers, compare those, and print the comparison.

    Parameters
    ----------
    data
        The config.

    Raises
    ------
    InputError
        If a value is out of range, or there is a target or gap.
    """
    if data["replications"] is not None:
        raise InputError(f"replications={data['replications']}: nothing is simulated in this figure; allowed is null")
    settings, opened = search_settings(data), fleet_of(data)
    folder = Path(HydraConfig.get().runtime.output_dir)
    with opened as fleet:
        searches = Searches(*settings, fleet, folder / "records")
        verdicts = reproduce(data["figure"], data["sizes"], solve_design=searches, folder=folder)
    print(format_table(verdicts))
    print(f"figure: {folder / data['figure']}.svg")
    print(f"records: {searches.records}")


def search_settings(data: Mapping[str, Any]) -> tuple[Strategy, Limits, int, int, Mapping[str, Any]]:
    """Return what the searches for the designs of a figure share: the first fields of `Searches`.

    Raises
    ------
    InputError
        If a value is out of range, or there is a target or gap.
    """
    strategy, limits = strategy_of(data), limits_of(data)
    for name, value in (("target", limits.target), ("gap", limits.gap)):
        if value is not None:
            raise InputError(f"stop.{name}={value}: a figure has many designs, no single {name}; allowed is null")
    seed = seed_of(data)
    exact_up_to = check_int("exact_up_to", data["exact_up_to"], 1, 7)
    return strategy, limits, exact_up_to, seed, provenance(seed, strategy.name, data)


@dataclass(frozen=True)
class Searches:
    """Searches each design of a figure when it is asked for, and writes it down at once."""

    strategy: Strategy
    limits: Limits
    exact_up_to: int
    seed: int
    origin: Mapping[str, Any]
    fleet: Fleet
    records: Path

    def __call__(self, folded: bool, n: int, objective_name: str) -> Solution:
        """Search the best design of a family, size and objective."""
        space = ConnectionSets(n, folded)  # racks, prices and switches of the paper
        objective = named_objective(objective_name)
        print(f"{space.identical.family} n={n} {objective_name}", file=sys.stderr)
        strategy, limits = (Exact(), Limits()) if n <= self.exact_up_to else (self.strategy, self.limits)
        if isinstance(strategy, Auto):
            strategy = strategy.choose(space, objective)  # records name what searched
        best = self._best(space, objective, strategy, limits)
        origin = {**self.origin, "strategy": strategy.name}
        record = record_of(
            best.design, best.evaluation, objective=objective.name, status=best.status, provenance=origin
        )
        write_record(self.records, record)
        return best

    def _best(self, space: ConnectionSets, objective: Objective, strategy: Strategy, limits: Limits) -> Solution:
        line = ProgressLine(objective, limits)

        def watch(progress: Progress) -> str | None:
            line.show(progress)
            return None

        *_, best = solve(space, objective, strategy, Watched(limits, watch), self.seed, fleet=self.fleet)
        line.close()
        return best
