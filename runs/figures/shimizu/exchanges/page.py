"""The page of a figure of exchanges."""

from collections.abc import Sequence

from isoplane.runs.drawing.block import Block, Chart, Part, Table, Text
from isoplane.runs.drawing.drawing import drawing_style, label, new_figure, picture
from isoplane.runs.report.page import page_text

from .drawing import draw, quantities
from .runs import SHORT_BYTES, PacketCheck, Run
from .statements import Statement
from .text import CHECK_COLUMNS, RUN_COLUMNS, STATEMENT_COLUMNS, check_cells, run_cells, statement_cells

CAPTION = "Runs with a barrier after each phase: the shift order, and the contention-free order."
REFERENCE = (
    "The paper measured on virtual machines, four on each host, to which it traces a loss of throughput. Its numbers "
    "are a reference only: no parameter is tuned to them."
)
MODEL = (
    f"Times of all runs are those of the fluid model. Exchanges of messages of {SHORT_BYTES:,} bytes were simulated "
    "flit by flit as well, with the same dependencies."
)


def page(figure: str, runs: Sequence[Run], checks: Sequence[PacketCheck], found: Sequence[Statement]) -> str:
    """Return the page as self-contained HTML."""
    titles = quantities(figure)
    with drawing_style():
        drawn = new_figure(3.4)
        panels = list(drawn.subplots(1, len(titles), squeeze=False)[0])
        draw(panels, figure, runs)
        for panel, (title, _) in zip(panels, titles, strict=True):
            label(panel, "problem and servers", title)
        chart = Chart(picture(drawn, figure, CAPTION))
    tables: list[tuple[str, str, list[Part]]] = [
        ("figure", "Figure", [chart]),
        (
            "statements",
            "Statements of the paper",
            [_table(STATEMENT_COLUMNS, map(statement_cells, found)), Text(REFERENCE, muted=True)],
        ),
        ("runs", "Runs", [_table(RUN_COLUMNS, map(run_cells, runs))]),
        (
            "packets",
            "The fluid model beside packets",
            [_table(CHECK_COLUMNS, map(check_cells, checks)), Text(MODEL, muted=True)],
        ),
    ]
    holding = sum(each.holds for each in found)
    sentence = f"{holding} of {len(found)} statements of the paper hold in the model"
    return page_text(f"{figure} of Shimizu and Nakajima", sentence, [], [Block(*each) for each in tables])


def _table(columns: Sequence[str], rows: object) -> Table:
    return Table([[column.replace("_", " ") for column in columns], *rows])  # type: ignore[misc]
