"""What a search prints of its best design, and what it writes beside the record."""

from pathlib import Path

from isoplane.models import Design
from isoplane.models.workloads import Workload
from isoplane.objectives import Criterion
from isoplane.objectives.fluid import HybridObjective, exact_times, hybrid_metrics
from isoplane.runs.formats.cross_connects import cross_connects
from isoplane.runs.records import write_atomically

from .table import columns, comparison, number

CROSS_CONNECTS = "cross_connects.csv"
HYBRID_UNITS = {
    "circuits": "",
    "completion_ns": "ns",
    "completion_min_ns": "ns",
    "completion_max_ns": "ns",
    "completion_by_packets_ns": "ns",
    "completion_by_packets_min_ns": "ns",
    "completion_by_packets_max_ns": "ns",
    "bottleneck_ns": "ns",
    "total_ns": "ns",
    "heaviest_load_bytes": "bytes",
    "mean_hops": "legs",
}


def comparison_of(design: Design, baseline: Design, objective: Criterion) -> str:
    """Return all metrics of a design beside those of the plainest one."""
    if isinstance(objective, HybridObjective):
        return hybrid_comparison(design, baseline, objective.workload)
    return comparison(design.network, baseline.network)


def hybrid_comparison(design: Design, baseline: Design, workload: Workload) -> str:
    """Return all times of a hybrid network beside those of its packet network alone."""
    hybrid = design.network.hybrid
    ours, theirs = (hybrid_metrics(each, exact_times(each, workload), workload) for each in (design, baseline))
    rows = [["", "this design", "packets only", "change", "unit"]]
    for name, unit in HYBRID_UNITS.items():
        mine, other = ours[name], theirs[name]
        change = f"{100 * (mine / other - 1):+.2f} %" if mine is not None and other else ""
        rows.append([name, number(mine), number(other), change, unit])
    title = (
        f"hybrid, {hybrid.groups} groups of {hybrid.nodes_per_group} nodes, {workload.name}: {workload.messages} "
        f"messages x {workload.iterations}"
    )
    return f"{title}\n{columns(rows)}"


def write_extras(folder: Path, design: Design) -> None:
    """Write the cross-connects of a hybrid design into a folder; other designs have none."""
    if design.network.family.has_circuits:
        write_atomically(folder / CROSS_CONNECTS, cross_connects(design.network.hybrid, design.assigned[0]))
