"""The page of two planes of cubes, put together from its sections."""

from collections.abc import Mapping, Sequence
from typing import Any

from . import headline
from .charts.cables import cables
from .charts.convergence import Axis, convergence, printed_title
from .charts.costs import costs
from .charts.distances import distances
from .charts.floor import floor
from .charts.front import front
from .charts.loads import loads
from .charts.packets import packets
from .comparison import comparison
from .formulas import SOURCE, formulas
from .run import Run
from .simulations import Simulation, simulation_rows
from .subject import Subject, subject_of
from .template import Section

TEMPLATE = "cubes.html.jinja"


def cube_values(record: Mapping[str, Any], run: Run, switch_id: int) -> dict[str, object]:
    """Return what the template needs for the design of a record; drawn in the current style of matplotlib.

    Raises
    ------
    InputError
        If the record has no two planes or the switch does not exist.
    """
    subject = subject_of(record)
    return {
        "title": _title(subject),
        "sentence": headline.sentence(subject.design, subject.identical),
        "key_figures": headline.key_figures(subject),
        "baseline": "identical planes",
        "facts": headline.facts(subject, run.summary),
        "generators": [headline.generators(subject, plane) for plane in range(2)],
        "copyable": headline.copyable(subject),
        "disagreements": subject.disagreements(),
        "comparison_title": "Against other ways to use two ports",
        "table": comparison(subject),
        "sections": [*_sections(subject, run, switch_id), *_simulated(subject, run.simulations)],
        "checked_by": "by walking the graphs of both planes",
        "same_id": "the same for records of this network with the same racks, prices and delays",
        "formulas": formulas(subject.network),
        "sources": f"Sections and tables of {SOURCE}.",
    }


def _title(subject: Subject) -> str:
    family = "folded hypercube" if subject.network.cubes.folded else "hypercube"
    return f"Dual-plane isomorphic {family}, n = {subject.network.cubes.n}"


def _sections(subject: Subject, run: Run, switch_id: int) -> list[Section]:
    found = []
    if run.history and subject.objective is not None:
        objective = subject.objective
        axis = Axis(printed_title(objective), "connection sets judged", objective.rises)
        chart = convergence(run.history, objective, subject.network, run.summary, axis)
        found.append(Section("convergence", "Convergence of the search", chart))
    delays = subject.network.site.layout is not None
    found += [
        Section("front", f"{'Delay' if delays else 'ASPL'} against traffic", front(subject, run.others)),
        Section("loads", "Load of every generator", loads(subject)),
        Section("distances", "Distances", distances(subject)),
    ]
    if delays:
        return [
            *found,
            Section("floor", f"Floor plan with the cables of switch {switch_id}", floor(subject, switch_id)),
            Section("cables", "Cables by catalogue length", cables(subject)),
            Section("costs", "Cost breakdown", costs(subject)),
        ]
    note = "This network has no layout, so there are no racks, no cable lengths, no delays and no costs to show."
    return [*found, Section("layout", "Floor plan, cables and cost", None, note)]


def _simulated(subject: Subject, simulations: Sequence[Simulation]) -> list[Section]:
    """Return the section on what packets saw, if anybody looked."""
    if not simulations:
        return []
    rows = simulation_rows(subject, simulations)
    return [Section("packets", "What packets saw", packets(subject, simulations[0]), rows=rows)]
