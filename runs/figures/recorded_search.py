"""A search for one of many designs, with progress shown and its result recorded."""

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
    """Settings common to the searches for many designs.

    Attributes
    ----------
    seed, origin
        Seed and provenance of all of them; the latter without the strategy.
    fleet
        The fleet that runs them.
    records
        Folder of the records.
    """

    seed: int
    origin: Mapping[str, Any]
    fleet: Fleet
    records: Path

    def __call__(self, space: Space, objective: Objective, strategy: Strategy, limits: Limits) -> Solution:
        """Search, show the progress, and write the record of the best design."""
        if isinstance(strategy, Auto):
            strategy = strategy.choose(space, objective)  # records name the strategy chosen
        with closing(ProgressLine(objective, limits)) as line:

            def watch(progress: Progress) -> str | None:
                line.show(progress)
                return None

            *_, best = solve(space, objective, strategy, StopWithObserver(limits, watch), self.seed, fleet=self.fleet)
        record = record_of_solution(best, objective, {**self.origin, "strategy": strategy.name})
        write_record(self.records, record)
        return best
