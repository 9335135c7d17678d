"""The page of a comparison."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import quote

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.files.exact_text import counted, csv_text, metres
from isoplane.models.network import NO_SITE
from isoplane.models.site.prices import PART_CLASSES
from isoplane.objectives import Bill, price_draws
from isoplane.objectives import Part as BillPart
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import drawing_style
from isoplane.runs.report.page import page_text

from .charts import largest, parallel_axes, pareto, shape_of, unit_prices
from .column import Column, Value
from .conclusions import budget_texts, conclusions, export_line, names_text, sentence
from .fronts import PRICE
from .groups import groups
from .request import Request
from .rows import Row, designs_at, saving
from .tables import SUMMARY, all_columns, assumptions, column_named, percent_of, size_text

DRAWS = 1000  # of prices
MOST_CABLES = 4096  # of a design whose cables are on the page
MAX_DRAWN_DESIGNS = 12  # designs whose prices are drawn
FILES = (
    "Each command writes the schedule of cables and the parts of the price (cabling), the cables for NetBox, and the "
    "graph of all places of nodes. Those with opensm write the forwarding tables of OpenSM, which cannot express the "
    "routes of the others; isoplane export --help lists all formats. The same record=... is a word of isoplane "
    "evaluate, simulate, report and verify, whose prices are of all places of nodes."
)
Link = tuple[str, ...]  # a cell of a table: as in `Part.table`
NOT_FIRST = ("cost_usd_per_gbps",)  # of `SUMMARY`, so that the first table fits a screen; it is in that of prices
RANGE = ("cost_low_usd_per_node", "cost_high_usd_per_node")
KEY_FIGURES = (PRICE, "throughput_requested", "delay_ns", "switches", "cables")
PROVEN = (
    "A picture of a plane leads to the files of its design; comparison.csv beside this page has all numbers. Prices, "
    "distances and loads along the routes are exact, and throughputs with other routes lie between proven bounds. "
    "Sizes, random graphs (of one seed), racks and routes are chosen by heuristics: another design may be cheaper."
)


SAME = (
    "Designs of the same network have the same cables between switches and as many nodes at them. Where their numbers "
    "differ, it is because each family has its own routes, its own detours for adaptive routing, if any, and its own "
    "larger sizes to grow to, and numbers its switches in its own order: racks then hold other switches, and draws hit "
    "other cables and switches."
)


def page(request: Request, rows: Sequence[Row]) -> str:
    """Return the page of a comparison as self-contained HTML."""
    sized = [row for row in rows if row.design is not None and row.least is not None]
    with drawing_style():
        sections = list(_blocks(request, rows, sized))
    existing = [row for row in rows if row.existing and row.design is not None]
    said, figures = sentence(request, rows), _key_figures(sized, existing)
    return page_text(
        question(request), said, figures, sections, beside=[*conclusions(request, rows), *budget_texts(request, rows)]
    )


def question(request: Request) -> str:
    """Return what is asked for in words: the machine, the limits and the throughputs."""
    parts = [
        f"{request.nodes:,} nodes",
        f"switches of {request.ports} ports",
        counted(request.node_ports, "port") + " per node",
    ]
    if request.budget_cents is not None:
        parts.append(f"at most {request.usd_per_node(request.budget_cents)} US$ per node")
    if request.cable_mm is not None:
        parts.append(f"cables up to {metres(request.cable_mm)} m")
    if request.switches is not None:
        parts.append(f"at most {counted(request.switches, 'switch')}")
    if request.diameter is not None:
        parts.append(f"at most {counted(request.diameter, 'hop')} between nodes")
    *others, last = (percent_of(least) for least in request.throughputs)
    shares = f"{', '.join(others)} or {last}" if others else last
    return f"{', '.join(parts)}, at least {shares} of the rate of a node in all-to-all traffic"


def _key_figures(sized: Sequence[Row], existing: Sequence[Row]) -> list[Part]:
    """Return the numbers of the cheapest design, and the prices of existing ones beside its own."""
    if not sized:
        return []
    values, figures, price = sized[0].values, list[Part](), column_named(PRICE)
    for column in map(column_named, KEY_FIGURES):
        between = _range_text(values) if column.key == PRICE else ""
        beside = ("in the ranges of prices:", (between, "", "")) if between else ()
        figures.append(Part.key_figure(column.title, column.text(values[column.key]), column.shown_unit, *beside))
    others = [
        Part.key_figure(
            f"{price.title}, {row.arrangement.title}",
            price.text(row.values[PRICE]),
            price.shown_unit,
            "of which the cheapest design saves:",
            (f"{percent:.1f} %" if (percent := saving(sized[0], row)["percent"]) is not None else "–", "", ""),
        )
        for row in existing
    ]
    return [*figures[:1], *others, *figures[1:]]


def _range_text(values: Mapping[str, Value]) -> str:
    """Return the lowest and the highest price of a design; empty if the catalogue has no ranges of prices."""
    ends = [values.get(key) for key in RANGE]
    return "" if None in ends else " to ".join(column_named(PRICE).text(end) for end in ends)


def _blocks(request: Request, rows: Sequence[Row], sized: Sequence[Row]) -> Iterator[Block]:
    highest = sized[0].least if sized else request.throughputs[0]
    for least in request.throughputs:
        found = designs_at(rows, least)
        if found and (least == highest or any(row.least == least for row in found)):
            title, anchor = f"Designs with {percent_of(least)} of the rate of a node", f"at-{float(least):g}"
            yield Block(anchor, title, _parts(request, found, anchor, least == highest))
    first = _drawn(designs_at(rows, highest or request.throughputs[0]))
    if request.site.prices.ranges and len(first) > 1:
        yield Block("draws", "Prices anywhere in their ranges", list(_draws(request, first)))
    yield Block("prices", "Unit prices", list(unit_prices(request.site.prices)))
    yield Block("largest", "What fits a switch", [largest(request)])
    missing = [row for row in rows if row.design is None]
    if missing:
        lines = [["family", "throughput", "reason"]]
        lines += [[row.arrangement.title, percent_of(row.least), row.reason] for row in missing]
        yield Block("without", "Families without a design", [Part.table(lines)])


def _drawn(found: Sequence[Row]) -> list[Row]:
    """Return the cheapest designs whose prices are drawn, and all existing ones."""
    cheapest = [row for row in found if not row.existing][:MAX_DRAWN_DESIGNS]
    return [row for row in found if row.existing or row in cheapest]


def _parts(request: Request, found: Sequence[Row], anchor: str, with_charts: bool) -> list[Part]:
    """Return a table of the designs with pictures and links, charts, and a table for each group of columns."""
    numbers = range(1, len(found) + 1)
    overview = [column for column in all_columns() if column.key in SUMMARY and column.key not in NOT_FIRST]
    table = _table(found, numbers, overview, _name)
    parts: list[Part] = [Part.table(_with_links(table, found, numbers, anchor) if with_charts else table)]
    notes = [PROVEN, names_text(found)] if with_charts else []
    parts.append(Part.text(" ".join([*assumptions(request, found), *notes]).strip(), muted=True))
    if any(row.same_as for row in found):
        parts.append(Part.text(SAME, muted=True))
    if with_charts and len(found) > 1:
        parts += [pareto(found, numbers), parallel_axes(found, numbers)]
    for group in groups():
        columns = [column for column in group.columns if any(row.values.get(column.key) is not None for row in found)]
        if columns:
            table = _table(*_in_order(found, numbers, group.order_by), columns)
            heading = group.heading([column.key for column in columns])
            parts += [Part.table(table, heading=heading), Part.text(group.note, muted=True)]
    files = _files(request, found, anchor, with_charts)
    if len(files[0]) > 1:
        parts.append(Part.table(files, heading="Files of each design"))
    if any(row.file for row in found):
        parts.append(Part.text(FILES, muted=True))
    return parts


def _files(request: Request, found: Sequence[Row], anchor: str, with_cables: bool) -> list[list[str | Link]]:
    """Return a table of what pictures lead to: record and cables of each design, and the command that exports it."""
    are_recorded = any(row.file for row in found)
    head = ["design", *(["record"] if are_recorded else []), *(["cables between switches"] if with_cables else [])]
    rows: list[list[str | Link]] = [[*head, *(["in the folder of this page"] if are_recorded else [])]]
    for number, row in enumerate(found, start=1):
        cells: list[str | Link] = []
        if are_recorded:
            cells.append(("JSON", row.file) if row.file else "–")
        if with_cables:
            cells.append(_cables_link(row, number))
        if are_recorded and not row.file:
            cells.append(row.reason)
        elif are_recorded:
            words = (Markup("<span>{}</span>").format(word) for word in export_line(row, request).split(" "))
            cells.append(Markup("<code>{}</code>").format(Markup(" ").join(words)))
        name = f"{number}  {size_text(row)}"
        rows.append([Markup('<span id="{}-{}">{}</span>').format(anchor, number, name), *cells])
    return rows


def _with_links(
    table: Sequence[Sequence[str]], found: Sequence[Row], numbers: Sequence[int], anchor: str
) -> list[list[str]]:
    """Return the table of all designs with pictures that lead to their files."""
    (name, *head), *lines = table
    rows = [[name, "a plane", *head]]
    for (text, *values), row, number in zip(lines, found, numbers, strict=True):
        picture = Markup('<a href="#{}-{}">{}</a>').format(anchor, number, Markup(shape_of(row)))
        rows.append([text, picture, *values])
    return rows


def _cables_link(row: Row, number: int) -> str | Link:
    """Return the link to all cables between switches, with ports from 1; a dash if they are more than `MOST_CABLES`."""
    assert row.design is not None
    if row.design.family.cables > MOST_CABLES:
        return "–"
    names, data = ("plane", "switch", "port", "other_switch", "other_port"), list[tuple[int, ...]]()
    for plane, cabling in enumerate(Network(row.design.family, NO_SITE).cabling):
        peer, far = cabling.topology.peer, cabling.topology.peer_port
        switches, ports = np.nonzero(peer >= 0)
        ends = np.stack([switches, ports, peer[switches, ports], far[switches, ports]], axis=1)
        once = (ends[:, 0] < ends[:, 2]) | ((ends[:, 0] == ends[:, 2]) & (ends[:, 1] < ends[:, 3]))
        data += [(plane, a, port + 1, b, other + 1) for a, port, b, other in ends[once].tolist()]
    return "CSV", f"data:text/csv;charset=utf-8,{quote(csv_text(names, data))}", f"cables-{number}.csv"


def _in_order(found: Sequence[Row], numbers: Sequence[int], key: str | None) -> tuple[Sequence[Row], Sequence[int]]:
    """Return designs with their numbers by a column, the largest value first, those without a value last."""
    if key is None:
        return found, numbers
    order = sorted(range(len(found)), key=lambda index: -float(found[index].values.get(key) or 0))
    return [found[index] for index in order], [numbers[index] for index in order]


def _draws(request: Request, rows: Sequence[Row]) -> Iterator[Part]:
    """Yield the table of the shares of draws in which one design is cheaper than another."""
    yield Part.text(
        f"In {DRAWS:,} draws of the prices of all classes of parts: how often the design of the row costs less per "
        "node than that of the column."
    )
    shares = _cheaper_shares(request, rows)
    header = ["design", *(str(number) for number in range(1, len(rows) + 1))]
    lines = [
        [f"{row + 1}  {size_text(rows[row])}", *(_percent(share, row == other) for other, share in enumerate(found))]
        for row, found in enumerate(shares.tolist())
    ]
    yield Part.table([header, *lines])


def _percent(share: float, is_same: bool) -> str:
    return "" if is_same else f"{100 * share:.0f} %"


def _name(row: Row) -> str:
    """Return the name of a design, with that of an earlier one that is the same network."""
    return f"{size_text(row)}{f' (same network as {size_text(row.same_as)})' if row.same_as else ''}"


def _table(
    found: Sequence[Row], numbers: Sequence[int], columns: Sequence[Column], name: Callable[[Row], str] = size_text
) -> list[list[str]]:
    header = ["design", *(f"{column.title}{f' ({unit})' if (unit := column.head_unit) else ''}" for column in columns)]
    lines = [
        [f"{number}  {name(row)}", *(column.text(row.values.get(column.key)) for column in columns)]
        for number, row in zip(numbers, found, strict=True)
        if columns[0].key in row.values
    ]
    return [header, *lines]


def _cheaper_shares(request: Request, rows: Sequence[Row]) -> NDArray[np.float64]:
    """Return the share of draws of prices in which the design of one row costs less per node than that of another.

    In each draw the price of a class of parts is the same multiple of that of the catalogue for all designs, drawn from
    its range (`price_draws`).

    Returns
    -------
    float64[rows, rows]
        Of the row, against the column; 0 on the diagonal.
    """
    ranges = request.site.prices.ranges
    per_node = np.array([price_draws(_bill(row, ranges), DRAWS, request.seed) / request.nodes for row in rows])
    shares: NDArray[np.float64] = (per_node[:, None] < per_node[None]).mean(axis=2)
    return shares


def _bill(row: Row, ranges: Mapping[str, tuple[float, float]]) -> Bill:
    """Return the bill of a design, one part for each class."""
    cents = {part_class: round(100 * float(row.values[f"{part_class}_usd"] or 0)) for part_class in PART_CLASSES}
    return Bill(tuple(BillPart(part_class, part_class, 1, price) for part_class, price in cents.items()), ranges)
