"""A search for one of many designs: shown while it runs, and its result written down."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isoplane.objectives import Objective
from isoplane.runs.folder.solution_record import record_of_solution
from isoplane.runs.records import write_record
from isoplane.runs.terminal.progress import ProgressLine
from isoplane.search import Auto, Fleet, Limits, Progress, Solution, Space, StopWithObserver, Strategy, solve


@dataclass(frozen=True)
class ObservedSearch:
    """What the searches for many designs share.

    Attributes
    ----------
    seed, origin
        Of all of them; the second is their provenance, but for the strategy.
    fleet
        Where they run.
    records
        The folder of what they find.
    """

    seed: int
    origin: Mapping[str, Any]
    fleet: Fleet
    records: Path

    def __call__(self, space: Space, objective: Objective, strategy: Strategy, limits: Limits) -> Solution:
        """Search, show how far it is, and write the record of the best design."""
        if isinstance(strategy, Auto):
            strategy = strategy.choose(space, objective)  # records name what searched
        with closing(ProgressLine(objective, limits)) as line:

            def watch(progress: Progress) -> str | None:
                line.show(progress)
                return None

            *_, best = solve(space, objective, strategy, StopWithObserver(limits, watch), self.seed, fleet=self.fleet)
        record = record_of_solution(best, objective, {**self.origin, "strategy": strategy.name})
        write_record(self.records, record)
        return best
