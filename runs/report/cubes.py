"""The page of two planes of cubes, put together from its sections."""

from collections.abc import Mapping
from typing import Any

from . import summary
from .charts.cables import cables
from .charts.convergence import Axis, convergence, printed_title
from .charts.costs import costs
from .charts.distances import distances
from .charts.floor import floor
from .charts.front import front
from .charts.loads import loads
from .comparison import comparison
from .formulas import SOURCE, formulas
from .packets_section import Computed, packets_sections
from .report_data import ReportData, report_data_of
from .run import Run
from .template import Section

TEMPLATE = "cubes.html.jinja"


def cube_values(record: Mapping[str, Any], run: Run, switch_id: int) -> dict[str, object]:
    """Return what the template needs for the design of a record; drawn in the current style of matplotlib.

    Raises
    ------
    InputError
        If the record has no two planes or the switch does not exist.
    """
    data = report_data_of(record)
    computed = Computed(data.design.metrics["delay_ns"], data.design.max_traffic_per_node)
    return {
        "title": _title(data),
        "sentence": summary.sentence(data.design, data.identical),
        "key_figures": summary.key_figures(data),
        "baseline": "identical planes",
        "facts": summary.facts(data, run.summary),
        "generators": [summary.generators(data, plane) for plane in range(2)],
        "copyable": summary.copyable(data),
        "disagreements": data.disagreements(),
        "comparison_title": "Against other ways to use two ports",
        "table": comparison(data),
        "sections": [*_sections(data, run, switch_id), *packets_sections(computed, run.simulations)],
        "checked_by": "by walking the graphs of both planes",
        "same_id": "the same for records of this network with the same racks, prices and delays",
        "formulas": formulas(data.network),
        "sources": f"Sections and tables of {SOURCE}.",
    }


def _title(data: ReportData) -> str:
    family = "folded hypercube" if data.network.cubes.folded else "hypercube"
    return f"Dual-plane isomorphic {family}, n = {data.network.cubes.n}"


def _sections(data: ReportData, run: Run, switch_id: int) -> list[Section]:
    found = []
    if run.history and data.objective is not None:
        objective = data.objective
        axis = Axis(printed_title(objective), "connection sets judged", objective.rises)
        chart = convergence(run.history, objective, data.network, run.summary, axis)
        found.append(Section("convergence", "Convergence of the search", chart))
    delays = data.network.site.layout is not None
    found += [
        Section("front", f"{'Delay' if delays else 'ASPL'} against traffic", front(data, run.others)),
        Section("loads", "Load of every generator", loads(data)),
        Section("distances", "Distances", distances(data)),
    ]
    if delays:
        return [
            *found,
            Section("floor", f"Floor plan with the cables of switch {switch_id}", floor(data, switch_id)),
            Section("cables", "Cables by catalogue length", cables(data)),
            Section("costs", "Cost breakdown", costs(data)),
        ]
    note = "This network has no layout, so there are no racks, no cable lengths, no delays and no costs to show."
    return [*found, Section("layout", "Floor plan, cables and cost", None, note)]
