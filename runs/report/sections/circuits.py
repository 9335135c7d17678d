"""The circuits that are set up: their numbers between groups, and a table with their loads."""

from collections import Counter

import numpy as np

from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import WIDTH_IN, label, new_figure, picture
from isoplane.runs.drawing.heat import Numbers, group_squares
from isoplane.runs.drawing.quantities import format_significant

from ..designs.evaluated_circuits import EvaluatedCircuits, with_circuits
from ..report_data import ReportData

ORDER = 32
KINDS = ("circuits",)
MAX_ROWS = 64  # of the table


def circuits_by_group(design: EvaluatedCircuits) -> Numbers:
    """Return the number of circuits between two groups, as a symmetric matrix."""
    found = np.zeros((design.hybrid.groups, design.hybrid.groups), dtype=np.int64)
    for a, b in design.circuits.pairs:
        one, other = design.hybrid.group_of(a), design.hybrid.group_of(b)
        found[one, other] += 1
        found[other, one] += 1
    return found


def block(data: ReportData) -> Block | None:
    """Return the chart and the table of a network with circuits, or a note if there are no circuits."""
    design = with_circuits(data.design)
    if not len(design.circuits):
        note = "No circuits are set up: all traffic uses the packet network."
        return Block("circuits", "Circuits", [Part.text(note)])
    rows, note = circuit_rows(design)
    parts: list[Part] = [_chart(design)]
    parts += [Part.text(note, muted=True)] if note else []
    return Block("circuits", "Circuits", [*parts, Part.table(rows)])


def circuit_rows(design: EvaluatedCircuits) -> tuple[list[list[str]], str]:
    """Return the header and one row per circuit, and a note on those left out."""
    hybrid, loads = design.hybrid, design.link_bytes
    times, process = design.busy_ms, design.placement.processes
    used: Counter[int] = Counter()
    rows = [["circuit", "nodes", "ports", "processes", "groups", "MB first → second", "MB second → first", "busy (ms)"]]
    for number, (a, b) in enumerate(design.circuits.pairs[:MAX_ROWS]):
        ahead, back = (format_significant(direction[number] / 1e6) for direction in (loads.ahead, loads.back))
        rows.append(
            [
                str(number),
                _pair(a, b),
                _pair(used[a], used[b]),
                _pair(process[a], process[b]),
                _pair(hybrid.group_of(a), hybrid.group_of(b)),
                ahead,
                back,
                format_significant(max(times.ahead[number], times.back[number])),
            ]
        )
        used.update((a, b))
    count = len(design.circuits)
    if count <= MAX_ROWS:
        return rows if count else [], ""
    return rows, f"The first {MAX_ROWS} of {count:,} circuits; the record and cross_connects.csv of a run hold all."


def _pair(one: int, other: int) -> str:
    """Return two numbers between which no line breaks."""
    return f"{one} – {other}".replace(" ", "\N{NO-BREAK SPACE}")


def _chart(design: EvaluatedCircuits) -> Part:
    """Draw the number of circuits between groups."""
    figure = new_figure(4.6, WIDTH_IN / 2)
    axes = figure.subplots()
    numbers = circuits_by_group(design)
    group_squares(axes, numbers, "{:,}".format, "plane0", " circuits")
    axes.set_title("Circuits between groups (number)")
    label(axes, "group", "group", None)
    data = [
        ("group", "other_group", "circuits"),
        *((*place, count) for place, count in np.ndenumerate(numbers) if count),
    ]
    return picture(figure, "circuits", "Each square counts the circuits between two groups of nodes.", data)
