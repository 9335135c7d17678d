"""From what a search found to its record."""

from collections.abc import Mapping
from typing import Any

from isoplane.objectives import Criterion
from isoplane.runs.records import Record, record_of
from isoplane.search import Solution


def record_of_solution(solution: Solution, objective: Criterion, origin: Mapping[str, Any]) -> Record:
    """Return the record of a solution, whose provenance tells who solved programs, if anybody.

    Parameters
    ----------
    solution, objective
        What was found for which objective.
    origin
        Its provenance but for that.
    """
    solver = {} if solution.solver is None else {"solver": solution.solver}
    return record_of(
        solution.design,
        solution.evaluation,
        objective=objective.name,
        status=solution.status,
        provenance={**origin, **solver},
        workload=objective.workload,
        bound_source=solution.bound_source,
    )
