"""The table: the design against the packet network alone and the ways of the paper."""

from ..comparison import Cell, Row, Table
from .measures import MEASURES, Measure
from .report_data import ReportData
from .summary import placement_text

UNTIMED = (
    "Completions are left out, but for those that the record holds: the workload has so many messages at a time that "
    "they take too long to compute."
)


def comparison(data: ReportData) -> Table:
    """Return every metric of the design and of all that it is compared with."""
    compared = [data.design, *data.others]
    rows = [_row(name, measure, data) for name, measure in MEASURES.items()]
    notes = ("Percentages say by how much this design differs from the value above them.", *data.notes)
    ways = {
        other.title: placement_text(other) for other in data.others if other.title.endswith("by communication (CP)")
    }
    more = tuple(f"{title}: {text}." for title, text in ways.items())
    if not data.is_timed:
        more += (UNTIMED,)
    return Table(tuple(each.title for each in compared), tuple(rows), notes + more)


def _row(name: str, measure: Measure, data: ReportData) -> Row:
    own = data.design.metrics[name]
    cells = [Cell(measure.written(own))]
    for other in data.others:
        value = other.metrics[name]
        cells.append(Cell(measure.written(value), measure.change(own, value), measure.verdict(own, value)))
    return Row(measure.title, measure.unit, tuple(cells))
