"""From a record to its whole page."""

from collections.abc import Mapping, Sequence
from typing import Any

from isoplane.runs.records import has_circuits

from . import cubes, hybrid
from .charts.drawing import drawing_style
from .history import HistoryRow
from .run import Run
from .simulations import Simulation
from .template import fill


def render(
    record: Mapping[str, Any],
    *,
    history: Sequence[HistoryRow] = (),
    others: Sequence[Mapping[str, Any]] = (),
    summary: Mapping[str, Any] | None = None,
    simulations: Sequence[Simulation] = (),
    switch_id: int = 0,
    verified_by: str | None = None,
) -> str:
    """Return the report on a design as one self-contained HTML page.

    Parameters
    ----------
    record
        The design; all numbers are computed from it afresh. A network that no search found has the fields of the
        content, both hashes and the provenance only.
    history
        The improvements of the run; without them the page has no convergence.
    others
        Further records of the run, for the Pareto front of cubes.
    summary
        The summary of the run, for its evaluations and time.
    simulations
        What packets saw of the design, and then of others.
    switch_id
        Whose cables the floor plan shows.
    verified_by
        What `isoplane verify` is to be given to check it; by default the record, under the name under which it is
        written.

    Raises
    ------
    InputError
        If the record of cubes has no two planes or the switch does not exist; if a hybrid one has no workload.
    """
    run = Run(history, others, summary, simulations)
    with drawing_style():
        if has_circuits(dict(record)):
            template, values = hybrid.TEMPLATE, hybrid.hybrid_values(record, run)
        else:
            template, values = cubes.TEMPLATE, cubes.cube_values(record, run, switch_id)
    return fill(template, record, verified_by, values)
