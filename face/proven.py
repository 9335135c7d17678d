"""What is proven of a design that a search has found, as numbers of its row."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from isoplane.models import Design, InputError, Network
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic
from isoplane.runs.comparison.found_sizes import is_price_alone
from isoplane.runs.drawing.objective_text import printed_bound
from isoplane.runs.folder.solution_record import bound_by, proven_over
from isoplane.runs.records import (
    COMPLETE,
    GIVEN_BY,
    Record,
    bound_words,
    gaps_of,
    missed_limits,
    proof_status,
    scope_of,
    values_in,
)
from isoplane.search import Solution

from .panels import Cell, Row

ANY_NETWORK = "the lowest price of any network of these nodes and switches, of any family"


def proven_of_record(record: Record, design: Design, workload: Workload | None) -> Row | None:
    """Return what is proven of the design of a record, as numbers of its row; None if no search has found it."""
    from isoplane.runs.report.report_data import ReportData

    if record["provenance"]["strategy"] in GIVEN_BY:
        return None
    data, score, bound = ReportData(record, built=design), record["score"], record["bound"]
    scope = scope_of(design.network, record.get("bound_source"))
    objective, source, seed = None, "", record["provenance"]["seed"]
    status = proof_status(record["score_names"], score, bound, scope)
    if data.front_metrics is not None:
        status = front_status(scope if record.get("front") == COMPLETE else None)
    else:
        with suppress(InputError):  # of a function whose module is missing
            objective = data.objective
    if objective is not None:
        source = bound_words(record, design, lambda: objective, workload)
        status = _with_missed(status, missed_limits(objective, design, score, values_in(record)))
    return proven_numbers(objective, design.network, score, bound, status, source, seed)


def front_status(scope: str | None) -> str:
    """Return what is proven of a front over a scope; None if it is not complete."""
    return "not proven complete" if scope is None else f"proven complete over {scope}"


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

    Its first component, the bound of that, both in the unit in which the search prints them, the gap between them, None
    if limits are missed, and what proves the bound; of a front, whose designs have no score, only status and seed.

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
        gap = gaps_of(objective.score_names, score, bound)[objective.first]
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
    lowest: int | None,
) -> Row:
    """Return what is proven of a design of a running search, as numbers of its row.

    Parameters
    ----------
    solution, objective, origin
        The design, the objective of the search, and the provenance of its records.
    sources
        What proves the bounds so far, which many designs share; written here.
    lowest
        The lowest price in cents of any network that is asked for, for scores by price that nothing else bounds.
    """
    found = solution.evaluation
    if lowest is not None and is_price_alone(found.score_names, found.score, found.bound):
        found = replace(found, bound=(*found.bound[:-1], lowest))
        solution, sources[found.bound] = replace(solution, evaluation=found), ANY_NETWORK
    if objective.front is None and found.bound not in sources:
        sources[found.bound] = bound_by(solution, objective, origin)
    status, source, seed = _status(solution, objective), sources.get(found.bound, ""), origin["seed"]
    network = solution.design.network
    return proven_numbers(objective, network, found.score, found.bound, status, source, seed)


def _status(solution: Solution, objective: Lexicographic) -> str:
    found = solution.evaluation
    if objective.front is not None:
        return front_status(proven_over(solution) if solution.complete else None)
    status = proof_status(found.score_names, found.score, found.bound, proven_over(solution))
    return _with_missed(status, missed_limits(objective, solution.design, found.score, found.metrics))


def _with_missed(status: str, missed: str) -> str:
    return f"{status}; misses {missed}" if missed else status
