"""`isoplane reproduce` for a figure of circuit assignments."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from isoplane.models import Design
from isoplane.objectives.fluid import WorkloadObjective
from isoplane.runs.config.setup import fleet_of
from isoplane.runs.figures.takizawa import Task, format_points, format_verdicts, reproduce
from isoplane.runs.folder.folder_lock import figure_folder
from isoplane.search import Limits, Strategy

from .designs import search_settings
from .recorded_search import ObservedSearch

COMPONENTS = ("completion", "bottleneck", "total")


def reproduce_assignments(data: Mapping[str, Any]) -> None:
    """Assign circuits for a figure, write the designs and numbers, compare the numbers, and print the comparison.

    Parameters
    ----------
    data
        The composed config.

    Raises
    ------
    InputError
        If a value is out of range, or a target or gap is given.
    """
    strategy, limits, _, seed, origin = search_settings(data)
    with figure_folder() as folder, fleet_of(data) as fleet:
        search = ObservedSearch(seed, origin, fleet, folder / "records")
        find = _Assigner(strategy, limits, search)
        found, checked = reproduce(data["figure"], data["sizes"], find=find, folder=folder)
    print(format_points(found))
    print(format_verdicts(checked))
    print(f"figure: {folder / data['figure']}.svg")
    print(f"records: {search.records}")


@dataclass(frozen=True)
class _Assigner:
    """Searches for each design on request."""

    strategy: Strategy
    limits: Limits
    search: ObservedSearch

    def __call__(self, task: Task) -> Design:
        space = task.space
        objective = WorkloadObjective("completion", COMPONENTS, space.workload)
        print(f"at most {space.max_circuits} circuits, placement {space.placement}", file=sys.stderr)
        return self.search(space, objective, self.strategy, self.limits).design
