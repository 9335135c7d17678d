"""The table: the design against the packet network alone and the ways of the paper."""

from ..comparison import Cell, Row, Table
from .headline import placement_text
from .measures import MEASURES, Measure
from .subject import Subject

UNTIMED = (
    "Completions are left out, but for those that the record holds: the workload has so many messages at a time that "
    "they take too long to compute."
)


def comparison(subject: Subject) -> Table:
    """Return every metric of the design and of all that it is compared with."""
    compared = [subject.design, *subject.others]
    rows = [_row(name, measure, subject) for name, measure in MEASURES.items()]
    notes = ("Percentages say by how much this design differs from the value above them.", *subject.notes)
    ways = {
        other.title: placement_text(other) for other in subject.others if other.title.endswith("by communication (CP)")
    }
    more = tuple(f"{title}: {text}." for title, text in ways.items())
    if not subject.is_timed:
        more += (UNTIMED,)
    return Table(tuple(each.title for each in compared), tuple(rows), notes + more)


def _row(name: str, measure: Measure, subject: Subject) -> Row:
    own = subject.design.metrics[name]
    cells = [Cell(measure.written(own))]
    for other in subject.others:
        value = other.metrics[name]
        cells.append(Cell(measure.written(value), measure.change(own, value), measure.verdict(own, value)))
    return Row(measure.title, measure.unit, tuple(cells))
