"""The page of a hybrid network, put together from its sections."""

from collections.abc import Mapping, Sequence
from typing import Any

from isoplane.models import Network

from ..charts.convergence import Axis, convergence
from ..charts.drawing import Picture
from ..run import Run
from ..simulations import Simulation
from ..template import Section
from . import headline
from .circle import MOST_DRAWN, circle
from .circuit_table import circuit_rows
from .comparison import UNTIMED, comparison
from .course import course
from .formulas import formulas
from .links import links
from .packets import packet_note, packet_rows, packets
from .subject import Subject, subject_of
from .traffic import traffic

TEMPLATE = "hybrid.html.jinja"


def hybrid_values(record: Mapping[str, Any], run: Run) -> dict[str, object]:
    """Return what the template needs for the design of a record; drawn in the current style of matplotlib.

    Raises
    ------
    InputError
        If the models refuse a value of the record.
    """
    subject = subject_of(record)
    circuits, placement = headline.copyable(subject)
    return {
        "title": f"Hybrid network of {subject.hybrid.nodes:,} nodes",
        "sentence": headline.sentence(subject),
        "key_figures": headline.key_figures(subject),
        "baseline": headline.baseline_name(subject),
        "facts": headline.facts(subject, run.summary),
        "circuits": circuits,
        "placement": placement,
        "disagreements": subject.disagreements(),
        "comparison_title": "Against packets alone and the published rules",
        "table": comparison(subject),
        "sections": [*_sections(subject, run), *_simulated(subject, run.simulations)],
        "checked_by": "by its own forwarding tables and progressive filling",
        "same_id": "the same for records of this network with the same circuits and placement",
        "formulas": formulas(subject.hybrid),
        "sources": "Rates are in Gbit/s, and 1 Gbit/s is a bit in a nanosecond.",
    }


def _sections(subject: Subject, run: Run) -> list[Section]:
    found = []
    if run.history and subject.objective is not None:
        axis = Axis(f"best {subject.objective.components[0].replace('_', ' ')} (ms)", "designs judged")
        chart = convergence(run.history, subject.objective, Network(subject.hybrid), run.summary, axis)
        found.append(Section("convergence", "Convergence of the search", chart))
    return [
        *found,
        Section("traffic", "Traffic between processes", traffic(subject)),
        _circuits(subject),
        Section("links", "Load of every link", links(subject)),
        Section("course", "From the first message to the last", *_course(subject)),
    ]


def _course(subject: Subject) -> tuple[Picture | None, str]:
    return (course(subject), "") if subject.is_timed else (None, UNTIMED)


def _simulated(subject: Subject, simulations: Sequence[Simulation]) -> list[Section]:
    """Return the section on what packets saw, if anybody looked."""
    if not simulations:
        return []
    found = simulations[0]
    note = packet_note(found, subject.hybrid)
    return [Section("packets", "What packets saw", packets(found), note, packet_rows(found))]


def _circuits(subject: Subject) -> Section:
    count = len(subject.design.circuits)
    if not count:
        return Section("circuits", "Circuits", None, "No circuits are set up: everything goes over the packet network.")
    rows, note = circuit_rows(subject.design)
    if count > MOST_DRAWN:
        note = f"Drawn are the {MOST_DRAWN:,} circuits that carry most. {note}"
    return Section("circuits", "Circuits", circle(subject), note, rows)
