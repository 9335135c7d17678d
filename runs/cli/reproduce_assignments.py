"""`isoplane reproduce` of a figure of circuit assignments."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig

from isoplane.models import Design
from isoplane.objectives.fluid import HybridObjective
from isoplane.runs.figures.takizawa import Task, format_points, format_verdicts, reproduce
from isoplane.runs.records import record_of, write_record
from isoplane.search import Auto, Fleet, Limits, Progress, Strategy, Watched, solve

from .progress import ProgressLine
from .reproduce_designs import search_settings
from .setup import fleet_of

COMPONENTS = ("completion", "bottleneck", "total")


def reproduce_assignments(data: Mapping[str, Any]) -> None:
    """Assign circuits for a figure, write the designs and its numbers, compare those, and print the comparison.

    Parameters
    ----------
    data
        The config.

    Raises
    ------
    InputError
        If a value is out of range, or there is a target or gap.
    """
    strategy, limits, _, seed, origin = search_settings(data)
    opened, folder = fleet_of(data), Path(HydraConfig.get().runtime.output_dir)
    with opened as fleet:
        find = _Assigner(strategy, limits, seed, origin, fleet, folder / "records")
        found, judged = reproduce(data["figure"], data["sizes"], find=find, folder=folder)
    print(format_points(found))
    print(format_verdicts(judged))
    print(f"figure: {folder / data['figure']}.svg")
    print(f"records: {find.records}")


@dataclass(frozen=True)
class _Assigner:
    """Searches each design when it is asked for, and writes it down at once."""

    strategy: Strategy
    limits: Limits
    seed: int
    origin: Mapping[str, Any]
    fleet: Fleet
    records: Path

    def __call__(self, task: Task) -> Design:
        space = task.space
        objective = HybridObjective("completion", COMPONENTS, space.workload)
        print(f"at most {space.most} circuits, placement {space.placement}", file=sys.stderr)
        strategy = self.strategy
        if isinstance(strategy, Auto):
            strategy = strategy.choose(space, objective)  # records name what searched
        line = ProgressLine(objective, self.limits)

        def watch(progress: Progress) -> str | None:
            line.show(progress)
            return None

        stop = Watched(self.limits, watch)
        *_, best = solve(space, objective, strategy, stop, self.seed, fleet=self.fleet)
        line.close()
        record = record_of(
            best.design,
            best.evaluation,
            objective=objective.name,
            status=best.status,
            provenance={**self.origin, "strategy": strategy.name},
            workload=space.workload,
        )
        write_record(self.records, record)
        return best.design
