"""From a record to its whole page."""

from collections.abc import Mapping, Sequence
from typing import Any

from isoplane.models import Network
from isoplane.runs.records import has_circuits, network_of

from . import cubes, general, hybrid
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
        If the switch does not exist, a record with circuits has no workload, or the models refuse a value.
    """
    run = Run(history, others, summary, simulations)
    with drawing_style():
        if has_circuits(dict(record)):
            template, values = hybrid.TEMPLATE, hybrid.hybrid_values(record, run)
        elif _is_dual_cube(network_of(dict(record))):
            template, values = cubes.TEMPLATE, cubes.cube_values(record, run, switch_id)
        else:
            template, values = general.TEMPLATE, general.general_values(record, run)
    return fill(template, record, verified_by, values)


def _is_dual_cube(network: Network) -> bool:
    """Whether there are two planes of cubes, which the page of cubes compares with identical ones."""
    return network.family.is_cubes and len(network.cubes.planes) == 2
