"""The page of a hybrid network, put together from its sections."""

from collections.abc import Mapping, Sequence
from typing import Any

from isoplane.models import Network

from ..charts.convergence import Axis, convergence
from ..charts.drawing import Picture
from ..run import Run
from ..simulations import Simulation
from ..template import Section
from . import summary
from .circle import MAX_DRAWN, circle
from .circuit_table import circuit_rows
from .comparison import UNTIMED, comparison
from .formulas import formulas
from .links import links
from .packets import packet_note, packet_rows, packets
from .report_data import ReportData, report_data_of
from .timeline import course
from .traffic import traffic

TEMPLATE = "hybrid.html.jinja"


def hybrid_values(record: Mapping[str, Any], run: Run) -> dict[str, object]:
    """Return what the template needs for the design of a record; drawn in the current style of matplotlib.

    Raises
    ------
    InputError
        If the models refuse a value of the record.
    """
    data = report_data_of(record)
    circuits, placement = summary.copyable(data)
    return {
        "title": f"Hybrid network of {data.hybrid.nodes:,} nodes",
        "sentence": summary.sentence(data),
        "key_figures": summary.key_figures(data),
        "baseline": summary.baseline_name(data),
        "facts": summary.facts(data, run.summary),
        "circuits": circuits,
        "placement": placement,
        "disagreements": data.disagreements(),
        "comparison_title": "Against packets alone and the published rules",
        "table": comparison(data),
        "sections": [*_sections(data, run), *_simulated(data, run.simulations)],
        "checked_by": "by its own forwarding tables and progressive filling",
        "same_id": "the same for records of this network with the same circuits and placement",
        "formulas": formulas(data.hybrid),
        "sources": "Rates are in Gbit/s, and 1 Gbit/s is a bit in a nanosecond.",
    }


def _sections(data: ReportData, run: Run) -> list[Section]:
    found = []
    if run.history and data.objective is not None:
        axis = Axis(f"best {data.objective.components[0].replace('_', ' ')} (ms)", "designs judged")
        chart = convergence(run.history, data.objective, Network(data.hybrid), run.summary, axis)
        found.append(Section("convergence", "Convergence of the search", chart))
    return [
        *found,
        Section("traffic", "Traffic between processes", traffic(data)),
        _circuits(data),
        Section("links", "Load of every link", links(data)),
        Section("course", "From the first message to the last", *_course(data)),
    ]


def _course(data: ReportData) -> tuple[Picture | None, str]:
    return (course(data), "") if data.is_timed else (None, UNTIMED)


def _simulated(data: ReportData, simulations: Sequence[Simulation]) -> list[Section]:
    """Return the section on what packets saw, if anybody looked."""
    if not simulations:
        return []
    found = simulations[0]
    note = packet_note(found, data.hybrid)
    return [Section("packets", "What packets saw", packets(found), note, packet_rows(found))]


def _circuits(data: ReportData) -> Section:
    count = len(data.design.circuits)
    if not count:
        return Section("circuits", "Circuits", None, "No circuits are set up: everything goes over the packet network.")
    rows, note = circuit_rows(data.design)
    if count > MAX_DRAWN:
        note = f"Drawn are the {MAX_DRAWN:,} circuits that carry most. {note}"
    return Section("circuits", "Circuits", circle(data), note, rows)
