"""Jobs on a quarter of the nodes."""

from collections.abc import Mapping

from isoplane.objectives.scale.jobs import quarter_job

from ..column import SHARE, Column, Group, Value
from ..compared_design import ComparedDesign

ORDER = 50
QUARTERS = 4


def values(compared: ComparedDesign) -> Mapping[str, Value]:
    """Return the all-to-all throughput of a job on a quarter of the nodes, placed together and scattered."""
    if compared.family.nodes < 2 * QUARTERS:
        return {"job_together": None, "job_scattered": None}
    together, scattered = quarter_job(compared.unplaced, compared.request.seed)
    node_rate = compared.request.node_ports
    return {
        "job_together": None if together is None else float(together / node_rate),
        "job_scattered": None if scattered is None else float(scattered / node_rate),
    }


GROUP = Group(
    "Jobs on a quarter of the nodes",
    "All-to-all throughput of one job alone, on consecutive nodes and on nodes drawn at random; means of four jobs, or "
    "one of each above 4,096 switches. A dash: no traffic leaves a switch, or a job has one node.",
    (
        Column("job_together", "placed together", SHARE, 3),
        Column("job_scattered", "scattered", SHARE, 3),
    ),
    values,
    scope="first",
)
