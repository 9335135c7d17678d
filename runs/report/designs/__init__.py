"""Designs of each kind with their numbers, and busy times of links."""

from collections.abc import Mapping

from isoplane.models import Design
from isoplane.models.workloads import Workload
from isoplane.objectives.scoring.metric import MetricValues

from .evaluated import EvaluatedDesign
from .evaluated_circuits import EvaluatedCircuits
from .evaluated_cubes import EvaluatedCubes

KINDS: Mapping[str, type[EvaluatedDesign]] = {
    "switches": EvaluatedDesign,
    "cubes": EvaluatedCubes,
    "circuits": EvaluatedCircuits,
}


def evaluated_design(
    title: str, design: Design, workload: Workload | None = None, recorded: MetricValues | None = None
) -> EvaluatedDesign:
    """Return a design with its numbers.

    Parameters
    ----------
    title
        Name in tables and charts.
    design, workload
        The design, and the workload, if metrics depend on it.
    recorded
        The metrics of its record, of which times that take too long to compute are used.
    """
    kind = KINDS[design.network.family.kind]
    times = {name: value for name, value in (recorded or {}).items() if name in kind.times}
    return kind(title, design, workload, times)
