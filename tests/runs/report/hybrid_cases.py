"""Records of hybrid designs to report on."""

from isoplane.models import Circuits, Design, Hybrid, Network, Placement
from isoplane.models.placement import by_switch
from isoplane.models.workloads import Workload, stencil
from isoplane.objectives import Lexicographic, evaluators
from isoplane.runs.records import provenance, record_of
from isoplane.runs.report.report_data import ReportData

HYBRID = Hybrid(2, 4)
WORK = stencil((2, 4), 1_250_000, iterations=2)  # rows of 4: each process has its neighbour below in the other group
CIRCUITS = Circuits(((0, 4), (1, 5)))


def record(
    hybrid: Hybrid = HYBRID,
    work: Workload = WORK,
    circuits: Circuits = CIRCUITS,
    placement: Placement | None = None,
    allowed: int | None = 3,
) -> dict:
    objective = Lexicographic("completion", (("completion",), ("bottleneck",)), evaluators.CIRCUITS, work)
    design = Design(Network(hybrid), circuits, placement or by_switch(hybrid.nodes))
    origin = provenance(1, "anneal", {"network": {"circuits": allowed}})
    return record_of(
        design, objective(design), objective="completion", status="feasible", provenance=origin, workload=work
    )


def data(*arguments, **options) -> ReportData:
    return ReportData(record(*arguments, **options))
