"""Printable pages: the cable schedule, with the steps, positions and cables of each rack, and the moves of cables."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

import jinja2
import numpy as np

from isoplane.models.arrays import rows_of
from isoplane.models.files.exact_text import dollars, metres
from isoplane.objectives import Bill

from .cables import PlacedCables
from .commissioning import commissioning_rows
from .schedule import HEADER, Row, schedule_rows

PARTS_AT_ONCE = 4096
FROM, TO = HEADER.index("from_rack"), HEADER.index("to_rack")  # followed by position, device and port


def page(title: str, record: str, placed: PlacedCables, bill: Bill, materials: Sequence[Row]) -> Iterator[bytes]:
    """Return the page of the cable schedule as bytes, part by part.

    Parameters
    ----------
    title, record
        The network and the id of its record.
    placed
        The cables.
    bill, materials
        The parts, and the rows of the bill of materials.
    """
    return filled(
        "page.html.jinja",
        title=title,
        record=record,
        totals=_totals(placed),
        materials=materials,
        price=dollars(bill.total_cents),
        spares_price=dollars(
            sum(int(row[6]) * part.unit_cents for row, part in zip(materials, bill.parts, strict=True))
        ),
        racks=_racks(placed),
    )


def filled(template: str, **values: object) -> Iterator[bytes]:
    """Return a page from a template with some values as bytes, part by part."""
    stream = _template(template).stream(**values)
    stream.enable_buffering(PARTS_AT_ONCE)
    return (part.encode() for part in stream)


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["grouped"] = _grouped
    return environment.get_template(name)


def _totals(placed: PlacedCables) -> list[tuple[int, str]]:
    """Return the numbers at the top of the page with what they count."""
    to_node, length = placed.cables.to_node, placed.cables.length_mm
    kinds = [(~to_node, "cables between switches"), (to_node, "node cables")]
    return [
        (len(placed.floor.names), "racks"),
        (placed.nodes_from, "switches"),
        (len(placed.rack) - placed.nodes_from, "nodes"),
        *((int(kind.sum()), f"{noun}, {metres(int(length[kind].sum()))} m") for kind, noun in kinds),
    ]


def _grouped(price: str) -> str:
    """Return a price with its thousands separated."""
    whole, _, rest = price.partition(".")
    return f"{int(whole):,}.{rest}"


def _racks(placed: PlacedCables) -> Iterator[Mapping[str, object]]:
    """Yield what the page of each rack shows: its steps of commissioning, its positions as text, and its cables.

    Those that arrive from other racks start on the pages of these; they are in the order of positions and ports here.
    """
    starting: dict[str | int, list[Row]] = defaultdict(list)
    arriving: dict[str | int, list[Row]] = defaultdict(list)
    for row in schedule_rows(placed):
        starting[row[FROM]].append(row)
        if row[TO] != row[FROM]:
            arriving[row[TO]].append(row)
    steps = groupby(commissioning_rows(placed), lambda row: row[1])
    for (name, of_rack), positions in zip(steps, _positions(placed), strict=True):
        arrived = sorted(arriving[name], key=lambda row: (row[TO + 1], row[TO + 3]))
        cables = {"starting": starting[name], "arriving": arrived}
        yield {"name": name, "steps": list(of_rack), "positions": positions, **cables}


def _positions(placed: PlacedCables) -> Iterator[str]:
    """Yield the positions of each rack: runs of consecutive switches or nodes, such as ``1-4 P0-S0 to P0-S3``."""
    order = np.lexsort((placed.position, placed.rack))
    ends = np.flatnonzero((np.diff(order) != 1) | np.diff(placed.rack[order]) | np.diff(placed.plane_of(order)))
    first, last = order[np.append(0, ends + 1)], order[np.append(ends, len(order) - 1)]
    runs = rows_of(placed.rack[first], first, last)
    for _, of_rack in groupby(runs, lambda run: run[0]):
        yield ", ".join(_run(placed, start, end) for _, start, end in of_rack)


def _run(placed: PlacedCables, start: int, end: int) -> str:
    ends = [start] if start == end else [start, end]
    positions = "-".join(str(placed.position[device]) for device in ends)
    names, at_site = (
        " to ".join(some[device] for device in ends) if some else "" for some in (placed.names, placed.at_site)
    )
    return f"{positions} {names}{f' ({at_site})' if at_site else ''}"
