"""A comparison as text, CSV and JSON."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from isoplane.models.checks import Json
from isoplane.models.files.exact_text import counted, csv_text
from isoplane.runs.folder.job_list import finished_jobs
from isoplane.runs.folder.sweep_table import shared_values, sweep_tables, swept_options
from isoplane.runs.terminal.design_table import price_rule
from isoplane.runs.terminal.table import Table, cell_text, number, unit_beside
from isoplane.runs.terminal.table_output import checked_names, joined

from .column import Column
from .existing import Existing, rates_note
from .fronts import PRICE
from .groups import groups
from .request import Request, request_json
from .rows import Row, Source, designs_at, saving, throughputs_of
from .sizes.option_words import option_words
from .sizes.plane_counts import routing_note
from .sizes.price_bound import price_bound
from .sizes.searched_network import search_note
from .sizes.sized_design import SizedDesign

SOURCE = ("family", "planes", "relabelled", "existing", "least_throughput")  # columns of where a design comes from
SUMMARY = (
    "nodes", "switches", "throughput", "throughput_requested", "cost_usd_per_node", "delay_ns", "diameter", "aspl",
    "longest_cable_m", "spare_ports", "cost_usd", "cables", "cost_usd_per_gbps",
)  # fmt: skip
COMPARED = ("throughput", "throughput_requested", "delay_ns", "longest_cable_m", "cost_usd_per_node")  # of one network
FIRST = ("nodes", "switches", "throughput", "cost_usd_per_node", "delay_ns")  # where a table has little room
LEAST = Column("least_throughput", "least throughput", "%")
Cells = dict[str, Any]  # texts and numbers of a row, by column


def all_columns() -> tuple[Column, ...]:
    """Return the columns of all groups."""
    return tuple(column for group in groups() for column in group.columns)


def percent_of(least: Fraction | None) -> str:
    """Return a throughput as a percentage; empty for None."""
    return "" if least is None else f"{100 * float(least):g} %"


def column_named(key: str) -> Column:
    """Return the column with a key."""
    return next(column for column in all_columns() if column.key == key)


def summary_table(request: Request, rows: Sequence[Row]) -> str:
    """Return the chief numbers of all designs as text, one table for each throughput, with the families without one."""
    blocks = []
    for least in throughputs_of(rows):
        title = f"at least {percent_of(least)} of the rate of a node in all-to-all traffic"
        without = (row for row in rows if row.design is None and row.least in (None, least))
        missing = [f"no {row.arrangement.title}: {row.reason}" for row in without]
        designs = designs_at(rows, least)
        same = [f"{size_text(row)}: {_same_text(row, row.same_as)}" for row in designs if row.same_as]
        blocks.append("\n".join([title, *([str(chief_numbers(request, designs))] if designs else []), *same, *missing]))
    return "\n\n".join(blocks)


def _same_text(row: Row, first: Row) -> str:
    """Return that a design is the network of another one, and which of their numbers differ all the same."""
    differing = [column_named(key).title for key in COMPARED if row.values[key] != first.values[key]]
    but = f", but for {'; '.join(differing)}: other routes or racks" if differing else ""
    return f"same network as {size_text(first)}{but}"


def assumptions(request: Request, rows: Sequence[Row] = ()) -> list[str]:
    """Return in words what the numbers of a comparison rest on, and where `evaluate` assumes other lengths."""
    assert request.site.layout is not None  # required by requests
    laid_out = f"Cables are laid out on the floor (layout={request.site.layout.name})"
    existing = [row.existing for row in rows if row.design is not None and row.existing]
    named = [f"{each.title} is {each.file}." for each in existing if not each.file.endswith(each.name)]
    notes = [f"those of {each.file} are {each.lengths}" for each in existing if each.lengths]
    has_spare = any(row.design is not None and row.design.family.nodes > request.nodes for row in rows)
    routes = routing_note(row.design.family for row in rows if row.design is not None and not row.existing)
    places = (
        "Throughput of all places, delay and distances are with a node at each place, also beyond the "
        f"{request.nodes:,} requested; throughput of the requested nodes is with these alone, evenly spread over the "
        "switches. Sized designs reach the least throughput both ways. Prices per Gbit/s are by the throughput of "
        "these alone."
    )
    rule, gbps = price_rule(request.site.prices, "per requested node"), float(request.site.switch.link_gbps)
    node = f"The rate of a node is that of {counted(request.node_ports, 'link')} of {gbps:g} Gbit/s (switch.link_gbps)."
    laid, rates = f"{'; '.join([laid_out, *notes])}.", [node, *rates_note(existing, gbps)]
    return [*named, laid, *filter(None, [places if has_spare else "", routes]), *search_note(request), rule, *rates]


def chief_numbers(request: Request, rows: Sequence[Row]) -> Table:
    """Return the chief numbers of the designs of rows for people."""
    return table_for_people([flat_row(row) for row in rows], chief_columns(*limited_columns(request)))


def limited_columns(request: Request) -> list[str]:
    """Return the names of the first columns of a table: parts, and what has a limit that these do not show."""
    limits = {"longest_cable_m": request.cable_mm, "diameter": request.diameter}
    return [*SUMMARY[:2], *(key for key, limit in limits.items() if limit is not None)]


def chief_columns(*more: str) -> list[str]:
    """Return the names of the chief numbers, with more of them before these."""
    return list(dict.fromkeys(["design", *more, *SUMMARY]))


def chosen_columns(names: object) -> list[str] | None:
    """Return the columns of a comparison with given names, or titles; None for None, which chooses none.

    Examples
    --------
    >>> chosen_columns(["design", "aspl", "price"])
    ['design', 'aspl', 'cost_usd_per_node']
    """
    if names is None:
        return None
    keys = {name: name for name in names_of_columns()}
    for column in (*all_columns(), LEAST):
        keys.setdefault(column.title, column.key)
    listed = (*chief_columns(LEAST.key), "any other head of comparison.csv")
    return [keys[name] for name in checked_names(names, keys, listed)]


def table_for_people(cells: Sequence[Cells], names: Sequence[str]) -> Table:
    """Return columns of the rows with a design, below their titles."""
    known = {column.key: column for column in (*all_columns(), LEAST)}
    chosen = [known.get(name, Column(name, name)) for name in names]
    rows = [row for row in cells if row["design"]]
    right = [i for i, name in enumerate(names) if not any(isinstance(row[name], str) for row in rows)]
    lines = [[_text(column, row[column.key]) for column in chosen] for row in rows]
    return Table([column.title for column in chosen], lines, right, [column.short_unit for column in chosen])


def table_for_programs(cells: Sequence[Cells], names: Sequence[str] | None = None) -> Table:
    """Return columns of all rows, by default all."""
    keys = names or names_of_columns()
    return Table(keys, [[row[key] for key in keys] for row in cells], units=units_of_columns(keys))


def units_of_columns(keys: Sequence[str]) -> list[str]:
    """Return the units of the values of columns; empty where there is none, or the name states it.

    Examples
    --------
    >>> units_of_columns(["design", "throughput", "aspl", "delay_ns"])
    ['', 'of the rate of a node', 'hops', '']
    """
    units = {column.key: unit_beside(column.key, column.unit) for column in all_columns()}
    return [units.get(key, "") for key in keys]


def _text(column: Column, value: Any) -> str:
    """Return a cell for people; the least throughput, a share, in percent."""
    if column.key == LEAST.key:
        return number(None if value is None else 100 * value)
    return cell_text(value) if isinstance(value, bool) else column.text(value)


def saved_cells(rows: Sequence[Mapping[str, Any]]) -> list[Cells]:
    """Return the cells of rows that `json_text` wrote, with their values, as those of `flat_row`."""
    numbers = ("least_throughput", *(column.key for column in all_columns()))
    empty: Cells = {name: None if name in numbers else "" for name in names_of_columns()}
    return [{name: value if row.get(name) is None else row[name] for name, value in empty.items()} for row in rows]


def tables_of_sweep(rows: Sequence[Mapping[str, Any]]) -> tuple[Table, Table, list[str]]:
    """Return the jobs of a sweep as a table for people, one with all values, and what else there is to say.

    Of comparisons they have the cheapest design of the highest throughput.

    Parameters
    ----------
    rows
        Those of `sweep_rows`.
    """
    finished = [text] if (text := finished_jobs(rows)) else []
    if not any("compared" in row for row in rows):
        return *sweep_tables(rows), [*shared_values(rows), *finished]
    if not any(row.get("compared") for row in rows):
        swept = swept_options(rows)
        jobs = [(row["run"], *values, row["words"]) for row, *values in zip(rows, *swept.values(), strict=True)]
        table = Table(["run", *swept, "status"], jobs)
        return table, table, finished
    cells = [row.get("compared") or {} for row in rows]
    differ = len({cell["least_throughput"] for cell in cells if cell}) > 1
    # The nodes of a design may be more than those that were asked for, which keep a column of their own.
    names = names_of_columns()
    asked = [
        {"run": row["run"], **{f"{key}=" if key in names else key: value for key, value in row["swept"].items()}}
        for row in rows
    ]
    chief = chief_columns(*([LEAST.key] if differ else []), *FIRST)
    saved = [saved_cells([cell]) for cell in cells]
    tables = [(table_for_people(row, chief), table_for_programs(row)) for row in saved]
    shown, data = (joined(zip(asked, column, strict=True)) for column in zip(*tables, strict=True))
    return shown, data, [*(f"job {row['run']}: {row['words']}" for row in rows if not row.get("compared")), *finished]


def size_text(row: Row) -> str:
    """Return the family, the planes and the size of the design of a row."""
    assert row.design is not None
    return design_text(row.arrangement, row.design)


def design_text(source: Source, design: SizedDesign) -> str:
    """Return the family, the planes and the size of a design."""
    family = design.family
    if isinstance(source, Existing):
        return f"{source.title}: {family.title}"
    inner = getattr(family, "plane", family)
    return f"{source.title}: {inner.size_label}"


def csv_of(rows: Sequence[Row]) -> str:
    """Return all rows as CSV; empty fields for numbers that a design lacks."""
    cells = [{**flat_row(row), "relabelled": int(row.arrangement.relabelled)} for row in rows]
    return csv_text(names_of_columns(), (row.values() for row in cells))


def names_of_columns() -> list[str]:
    """Return the names of the cells of `flat_row`."""
    return [*SOURCE, "design", "same_network_as", "record", *(column.key for column in all_columns()), "reason"]


def flat_row(row: Row) -> Cells:
    """Return where a design comes from, and all its numbers, by column of the CSV file."""
    where = row.arrangement
    return {
        "family": where.family,
        "planes": where.planes,
        "relabelled": where.relabelled,
        "existing": row.existing.file if row.existing else "",
        "least_throughput": None if row.least is None else float(row.least),
        "design": "" if row.design is None else size_text(row),
        "same_network_as": "" if row.same_as is None else size_text(row.same_as),
        "record": row.file,
        **{column.key: row.values.get(column.key) for column in all_columns()},
        "reason": row.reason,
    }


def json_text(request: Request, rows: Sequence[Row]) -> str:
    """Return the request and all rows as JSON."""
    best = next((row for row in rows if row.design is not None and row.least is not None), None)
    content = {
        "request": request_json(request),
        "price_bounds_usd_per_node": [
            price_bound(request, least) / 100 / request.nodes for least in request.throughputs
        ],
        "columns": [{"key": each.key, "title": each.title, "unit": each.unit} for each in all_columns()],
        "rows": [_row_json(row, best) for row in rows],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _row_json(row: Row, best: Row | None) -> Json:
    """Return a row; one of an existing design with what the cheapest sized one saves over it."""
    where, design = row.arrangement, row.design
    found: dict[str, Any] = {
        "family": where.family,
        "planes": where.planes,
        "relabelled": where.relabelled,
        "existing": row.existing.file if row.existing else None,
        "least_throughput": None if row.least is None else float(row.least),
    }
    reason = {"reason": row.reason} if row.reason else {}
    if design is None:
        return {**found, **reason}
    same = {} if row.same_as is None else {"same_network_as": size_text(row.same_as)}
    saved = (
        {"cheapest_design_saves": saving(best, row)}
        if row.existing and best is not None and row.values.get(PRICE)
        else {}
    )
    described = {"design": size_text(row), **same, "record": row.file or None, "options": options_of(row)}
    return {**found, **described, "values": dict(row.values), **saved, **reason}


def options_of(row: Row) -> str | None:
    """Return the options of `isoplane evaluate` that describe the design of a row; None if none do."""
    if row.existing and row.existing.words:
        return row.existing.words
    # Without a form in records there is none as options.
    return None if row.design is None or row.record is None else option_words(row.design.family)
