"""The records of solutions that a search found."""

from collections.abc import Mapping
from typing import Any

from isoplane.objectives import Lexicographic, SimulatedTimes
from isoplane.runs.records import (
    COMPLETE,
    Record,
    bound_words,
    component_statuses,
    gap_numbers,
    record_of,
    scope_of,
)
from isoplane.search import Solution


def record_of_solution(solution: Solution, objective: Lexicographic, origin: Mapping[str, Any]) -> Record:
    """Return the record of a solution; its provenance names the solver, if one was used.

    Parameters
    ----------
    solution, objective
        The solution, and the objective of the search.
    origin
        The provenance without the solver.
    """
    evaluator = objective.evaluator
    solver = {} if solution.proof.solver is None else {"solver": solution.proof.solver}
    return record_of(
        solution.design,
        solution.evaluation,
        objective=objective.name,
        status=solution.status,
        provenance={**origin, **solver},
        workload=objective.workload,
        bound_source=solution.proof.source,
        complete_front=_on_complete_front(solution, objective),
        shorten=evaluator.shorten if isinstance(evaluator, SimulatedTimes) else None,
    )


def proven_fields(solution: Solution, objective: Lexicographic) -> dict[str, Any]:
    """Return the proof status of the score, of its components and of the front, as fields of a summary.

    Parameters
    ----------
    solution, objective
        The solution, and the objective of the search.
    """
    score, bound = solution.evaluation.score, solution.evaluation.bound
    has_proof = solution.complete or any(each is not None for each in bound)
    return {
        "status": solution.status,
        "component_status": component_statuses(score, bound),
        "proven_over": proven_over(solution) if has_proof else "",
        "gap": gap_numbers(solution.evaluation.score_names, score, bound),
        **({"front": COMPLETE} if _on_complete_front(solution, objective) else {}),
    }


def bound_by(solution: Solution, objective: Lexicographic, origin: Mapping[str, Any]) -> str:
    """Return what proves the bounds of a solution, in words, given as for its record; empty without bounds."""
    record = record_of_solution(solution, objective, origin)
    return bound_words(record, solution.design, lambda: objective, objective.workload)


def proven_over(solution: Solution) -> str:
    """Return the space over which the bounds of a solution hold, in words."""
    source = solution.proof.source
    scopes = scope_of(solution.design.network, None if source is None else source.content), solution.proof.site_scope
    return " and ".join(scope for scope in scopes if scope)


def _on_complete_front(solution: Solution, objective: Lexicographic) -> bool:
    return solution.complete and objective.front is not None
