"""The page of a comparison."""

from collections.abc import Iterator, Sequence

from isoplane.runs.report.block import Block, Chart, Copyable, Heading, Part, Table, Text
from isoplane.runs.report.drawing import drawing_style
from isoplane.runs.report.headline import KeyFigure
from isoplane.runs.report.page import page_text

from .charts import largest, pareto
from .column import Column
from .fronts import PRICE
from .groups import groups
from .price_draws import DRAWS, cheaper_shares
from .request import Request
from .rows import Row
from .tables import SUMMARY, all_columns, size_text
from .words import words_of

MAX_DRAWN_DESIGNS = 12  # designs whose prices are drawn
KEY_FIGURES = (PRICE, "throughput", "delay_ns", "switches", "cables")


def page(request: Request, rows: Sequence[Row]) -> str:
    """Return the page of a comparison as self-contained HTML."""
    designs = [row for row in rows if row.design is not None]
    with drawing_style():
        sections = list(_blocks(request, rows, designs))
    title = f"{request.nodes:,} nodes, switches of {request.ports} ports, {request.node_ports} ports per node"
    return page_text(title, sentence(request, designs), _key_figures(designs), sections)


def sentence(request: Request, designs: Sequence[Row]) -> str:
    """Return the result in a sentence: the cheapest design at the highest throughput."""
    if not designs:
        return f"No family reaches a throughput of {float(request.throughputs[-1]):g} within the limits"
    best = designs[0]
    price = column_named(PRICE).text(best.values[PRICE])
    return (
        f"The cheapest design with at least {100 * float(best.least):g} % of the rate of every node in all-to-all "
        f"traffic: {size_text(best)}, at {price} US$ per node"
    )


def column_named(key: str) -> Column:
    """Return the column with a key."""
    return next(column for column in all_columns() if column.key == key)


def _key_figures(designs: Sequence[Row]) -> list[KeyFigure]:
    if not designs:
        return []
    found = [(column_named(key), designs[0].values[key]) for key in KEY_FIGURES]
    return [KeyFigure(column.title, column.text(value), column.unit) for column, value in found]


def _blocks(request: Request, rows: Sequence[Row], designs: Sequence[Row]) -> Iterator[Block]:
    for least in request.throughputs:
        found = [row for row in designs if row.least == least]
        percent = f"{100 * float(least):g} %"
        if found:
            is_first = least == designs[0].least
            yield Block(
                f"at-{float(least):g}", f"Designs with {percent} of the rate of a node", _parts(found, is_first)
            )
    first = [row for row in designs if row.least == designs[0].least][:MAX_DRAWN_DESIGNS]
    if request.site.prices.ranges and len(first) > 1:
        yield Block("draws", "Prices anywhere in their ranges", list(_draws(request, first)))
    yield Block("largest", "What fits a switch", [Chart(largest(request))])
    missing = [row for row in rows if row.design is None]
    if missing:
        lines = [["family", "throughput", "reason"]]
        lines += [[row.arrangement.title, f"{float(row.least):g}", row.reason] for row in missing]
        yield Block("without", "Families without a design", [Table(lines)])
    yield Block("options", "Options of each design", list(_options(designs)))


def _parts(found: Sequence[Row], with_charts: bool) -> list[Part]:
    """Return the charts and a table for each group of columns that some design has."""
    numbers = range(1, len(found) + 1)
    parts: list[Part] = []
    if with_charts and len(found) > 1:
        parts.append(Chart(pareto(found, numbers)))
    overview = [column for column in all_columns() if column.key in SUMMARY]
    parts.append(Table(_table(found, numbers, overview)))
    for group in groups():
        columns = [column for column in group.columns if any(row.values.get(column.key) is not None for row in found)]
        if columns:
            parts += [Heading(group.title), Table(_table(found, numbers, columns)), Text(group.note, muted=True)]
    return parts


def _draws(request: Request, rows: Sequence[Row]) -> Iterator[Part]:
    """Yield the table of the shares of draws in which one design is cheaper than another."""
    yield Text(
        f"In {DRAWS:,} draws of the prices of all classes of parts: how often the design of the row costs less per "
        "node than that of the column."
    )
    shares = cheaper_shares(request, rows)
    header = ["design", *(str(number) for number in range(1, len(rows) + 1))]
    lines = [
        [f"{row + 1}  {size_text(rows[row])}", *(_percent(share, row == other) for other, share in enumerate(found))]
        for row, found in enumerate(shares.tolist())
    ]
    yield Table([header, *lines])


def _percent(share: float, is_same: bool) -> str:
    return "" if is_same else f"{100 * share:.0f} %"


def _table(found: Sequence[Row], numbers: Sequence[int], columns: Sequence[Column]) -> list[list[str]]:
    header = ["design", *(f"{column.title}{f' ({column.unit})' if column.unit else ''}" for column in columns)]
    lines = [
        [f"{number}  {size_text(row)}", *(column.text(row.values.get(column.key)) for column in columns)]
        for number, row in zip(numbers, found, strict=True)
        if columns[0].key in row.values
    ]
    return [header, *lines]


def _options(designs: Sequence[Row]) -> Iterator[Part]:
    yield Text("Each of these, after isoplane evaluate, gives the design; with the layout and catalogue of this page.")
    words = {words_of(row.design.family) for row in designs if row.design is not None}
    yield Copyable([f"isoplane evaluate {each}\n" for each in sorted(word for word in words if word is not None)])
