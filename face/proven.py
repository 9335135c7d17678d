"""What is proven of a design that a search has found, as numbers of its row."""

from collections.abc import Mapping, Sequence
from typing import Any

from isoplane.models import Design, InputError, Network
from isoplane.objectives import Lexicographic, relative_gaps
from isoplane.objectives.scoring.worded_objective import unmet_limits
from isoplane.runs.drawing.objective_text import printed_bound
from isoplane.runs.folder.solution_record import bound_by, proven_over
from isoplane.runs.records import Record, proof_status
from isoplane.search import Solution

from .panels import Cell, Row


def objective_of_record(record: Record, design: Design) -> Lexicographic | None:
    """Return the objective of a record; None for a front, without a search, or if its function is missing."""
    from isoplane.runs.report.report_data import ReportData

    data = ReportData(record, built=design)
    try:
        return data.objective if data.front_metrics is None else None
    except InputError:
        return None


def proven_numbers(
    objective: Lexicographic | None,
    network: Network,
    score: Sequence[int],
    bound: Sequence[int | None],
    status: str,
    source: str,
    seed: int | None,
) -> Row:
    """Return what is proven of a design that a search has found, as numbers of its row.

    Its first component, the bound of that, both in the unit in which the search prints them, the gap between them, and
    what proves the bound; of a front, whose designs have no score, only the status and the seed.

    Parameters
    ----------
    objective
        The objective; None if it is not known.
    network, score, bound, status, source, seed
        The network, the score as integers, their bounds, what is proven and what proves the bounds in words, and the
        seed of the search.
    """
    found: dict[str, Cell] = {}
    if objective is not None and objective.front is None:
        gap = relative_gaps(score, bound)[objective.first]
        found["score"] = objective.printed(tuple(score), network)
        found["bound"] = printed_bound(objective, bound, network)
        found["gap"] = None if gap is None else float(gap)
        found["bound_source"] = source
    return {**found, "status": status, "seed": seed}


def proven_of_solution(
    solution: Solution,
    objective: Lexicographic,
    origin: Mapping[str, Any],
    sources: dict[tuple[int | None, ...], str],
) -> Row:
    """Return what is proven of a design of a running search, as numbers of its row.

    Parameters
    ----------
    solution, objective, origin
        The design, the objective of the search, and the provenance of its records.
    sources
        What proves the bounds so far, which many designs share; written here.
    """
    found = solution.evaluation
    if objective.front is None and found.bound not in sources:
        sources[found.bound] = bound_by(solution, objective, origin)
    status, source, seed = _status(solution, objective), sources.get(found.bound, ""), origin["seed"]
    network = solution.design.network
    return proven_numbers(objective, network, found.score, found.bound, status, source, seed)


def _status(solution: Solution, objective: Lexicographic) -> str:
    found = solution.evaluation
    if objective.front is not None:
        return f"proven complete over {proven_over(solution)}" if solution.complete else "not proven complete"
    if not objective.meets_limits(found.score):
        evaluated = objective.evaluator.exact(solution.design, objective.metrics, objective.workload)
        return f"misses {', '.join(unmet_limits(objective, evaluated, found.metrics))}"
    return proof_status(found.score_names, found.score, found.bound, proven_over(solution))
