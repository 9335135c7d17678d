"""A workload simulated on a network of switches: its time, the busiest links, and where packets waited."""

from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.simulations.workload_run import link_rows, waiting_rows, workload_rows

from ..report_data import ReportData

ORDER = 101


def block(data: ReportData) -> Block | None:
    """Return the section on the workload of a simulation."""
    found = data.simulations[0].get("workload") if data.simulations else None
    if found is None:
        return None
    tables = (workload_rows(found), link_rows(found["busiest_links"]), waiting_rows(found["waiting"]))
    title = f"Workload {found['name']}, {found['messages']} messages, flit by flit"
    return Block("job", title, [Part.table(rows) for rows in tables if rows])
