"""What is proven of a design that a search has found, as numbers of its row."""

from collections.abc import Sequence

from isoplane.models import Design, InputError, Network
from isoplane.objectives import Lexicographic, relative_gaps
from isoplane.runs.drawing.objective_text import printed_bound
from isoplane.runs.records import Record

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
    seed: int | None,
) -> Row:
    """Return what is proven of a design that a search has found, as numbers of its row.

    Its first component, the bound of that, both in the unit in which the search prints them, and the gap between them;
    of a front, whose designs have no score, only the status and the seed.

    Parameters
    ----------
    objective
        The objective; None if it is not known.
    network, score, bound, status, seed
        The network, the score as integers, their bounds, what is proven in words, and the seed of the search.
    """
    found: dict[str, Cell] = {}
    if objective is not None and objective.front is None:
        gap = relative_gaps(score, bound)[objective.first]
        found["score"] = objective.printed(tuple(score), network)
        found["bound"] = printed_bound(objective, bound, network)
        found["gap"] = None if gap is None else float(gap)
    return {**found, "status": status, "seed": seed}
