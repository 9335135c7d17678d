"""Printing of tables as `format=` says; those of the jobs of a sweep become one table."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from isoplane.models import InputError
from isoplane.objectives.scoring.metric_scopes import named_otherwise

from .table import FORMATS, Table

DATA = ("csv", "json")  # formats for programs, with all values as they are
Head = tuple[str, str]  # name and unit of a column
DIFFERENT = "the designs have different numbers of nodes; network.nodes_per_switch and sizes of each can be given"
_kept: list[tuple[str, Table]] | None = None  # formats and tables, inside `tables_kept`


def format_of(value: object) -> str:
    """Return the option ``format`` of a verb that prints tables."""
    if value not in FORMATS:
        raise InputError(f"format={value}: expected {', '.join(FORMATS)}")
    return str(value)


def print_table(
    kind: str, shown: Table | Sequence[Table], data: Table, *notes: str, text: object = None, swept: Table | None = None
) -> None:
    """Print a table in one of `FORMATS`, and notes: below it, or on standard error if it is for other programs.

    Parameters
    ----------
    kind
        The format.
    shown
        What people read: one table or several.
    data
        All values, for `DATA`.
    notes
        What else there is to say.
    text
        What is printed in place of the table on a terminal; nothing if empty.
    swept
        What people read of the jobs of a sweep together, in place of the table.
    """
    tables, is_text = [shown] if isinstance(shown, Table) else shown, kind == "table" and text is not None
    if kind in DATA:
        tables = [data]
    elif _kept is not None and swept is not None:
        tables = [swept]
    if _kept is not None and kind != "table":
        _kept.extend((kind, table) for table in tables)
    elif printed := str(text) if is_text else "\n\n".join(table.text(kind) for table in tables):
        print(printed)
    print_notes(kind, *notes)


def with_columns(names: object, *tables: Table) -> Table:
    r"""Return the columns with these names, in their order, each of the first table that has it.

    Parameters
    ----------
    names
        A list of names.
    tables
        Tables of the same rows; if they differ in their number, one of them must have all columns.

    Raises
    ------
    InputError
        If none has.

    Examples
    --------
    >>> shown, data = Table(["n", "gap"], [[3, "1 %"]], (0,)), Table(["gap", "seed"], [[0.01, 7]])
    >>> print(with_columns(["gap", "seed"], shown, data).text("markdown"))
    | gap | seed |
    |:--|--:|
    | 1 % | 7 |
    """
    names = checked_names(names, [name for table in tables for name in table.columns])
    if len({len(table.rows) for table in tables}) > 1:
        whole = [table for table in tables if set(names) <= set(table.columns)]
        if not whole:
            parts = (", ".join(name for name in names if name in table.columns) for table in tables)
            raise InputError(f"columns={names}: expected columns of one table: {' or '.join(parts)}")
        tables = (whole[0],)
    found = [_column(name, tables) for name in names]
    rows = list(zip(*(cells for cells, _, _ in found), strict=True))
    right = [i for i, (_, is_right, _) in enumerate(found) if is_right]
    return Table(names, rows, right, [unit for _, _, unit in found] if any(unit for _, _, unit in found) else ())


def checked_names(names: object, known: Iterable[str], listed: Iterable[str] = ()) -> list[str]:
    """Return the option ``columns`` of a verb, if it is a list of known columns; a message lists some, or else all."""
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"columns={names}: expected a list of columns, such as [aspl,diameter]")
    different = dict.fromkeys(known)
    unknown = next((name for name in names if name not in different), None)
    if unknown is not None:
        from difflib import get_close_matches  # loaded only for errors

        # The nearest ones first: of a long line the middle is left out.
        nearest_first = dict.fromkeys([*get_close_matches(unknown, different), *(listed or different)])
        expected = f"{named_otherwise(unknown, different)}expected {', '.join(nearest_first)}"
        raise InputError(f"columns={unknown}: no such column; {expected}")
    return names


def _column(name: str, tables: Sequence[Table]) -> tuple[list[object], bool, str]:
    """Return the cells of the first column of a name, whether it is aligned to the right, and its unit.

    Tables for programs do not say what is aligned: numbers are.
    """
    table = next(table for table in tables if name in table.columns)
    place = list(table.columns).index(name)
    cells = [row[place] for row in table.rows]
    known = [cell for cell in cells if cell is not None]
    numbers = bool(known) and all(isinstance(cell, (int, float)) for cell in known)
    is_right = place in table.right or (table.right == () and numbers)
    return cells, is_right, table.units[place] if table.units else ""


def print_notes(kind: str, *notes: str) -> None:
    """Print notes to what is printed in a format: on standard error if that is for other programs."""
    for note in notes:
        print(note, file=sys.stdout if kind == "table" else sys.stderr, flush=True)


@contextmanager
def tables_kept() -> Iterator[list[tuple[str, Table]]]:
    """Keep the tables that the block would print for other programs: yield a list of them, each after its format."""
    global _kept
    outer, _kept = _kept, []
    try:
        yield _kept
    finally:
        _kept = outer


def table_data(table: Table) -> dict[str, Any]:
    """Return the arguments of a table as data for JSON."""
    right = [i for i in range(len(table.columns)) if i in table.right]
    return {"columns": table.columns, "rows": table.rows, "right": right, "units": table.units}


def print_joined(jobs: Iterable[tuple[Mapping[str, str], Sequence[tuple[str, Table]]]]) -> None:
    """Print the tables of the jobs of a sweep: the first ones of a format as one, the second ones, and so on.

    Parameters
    ----------
    jobs
        For each job the options in which jobs differ, by key, and its tables, each after its format.
    """
    places: dict[tuple[str, int], list[tuple[Mapping[str, str], Table]]] = {}
    for swept, tables in jobs:
        for place, (kind, table) in enumerate(tables):
            places.setdefault((kind, place), []).append((swept, table))
    if places:
        tables = [(kind, joined(parts)) for (kind, _), parts in places.items()]
        print("\n\n".join(table.text(kind) for kind, table in tables), flush=True)
        if any(_differ_in_nodes(table) for _, table in tables):
            print_notes(tables[0][0], DIFFERENT)


def _differ_in_nodes(table: Table) -> bool:
    """Whether networks whose throughput is per node have different numbers of them, which default sizes easily do."""
    if not {"nodes", "throughput_per_node"} <= set(table.columns):
        return False
    at = list(table.columns).index("nodes")
    return len({row[at] for row in table.rows}) > 1


def joined(parts: Iterable[tuple[Mapping[str, str], Table]]) -> Table:
    """Return tables as one, below heads that occur in any of them, after the options in which they differ.

    Examples
    --------
    >>> table = Table(["n", "delay"], [[3, 2.5]], (0, 1), ["", "ns"])
    >>> print(joined([({"seed": "1"}, table), ({"seed": "2"}, Table(["n"], [[4]], (0,)))]).csv(), end="")
    seed,n,delay (ns)
    1,3,2.5
    2,4,
    """
    heads, keys, rows, right = dict[Head, None](), dict[str, None](), list[dict[object, object]](), set[Head]()
    for swept, table in parts:
        head = list(zip(table.columns, table.units or [""] * len(table.columns), strict=True))
        heads |= dict.fromkeys(head)
        keys |= dict.fromkeys(swept)
        right |= {name for i, name in enumerate(head) if i in table.right}
        rows += [dict[object, object](swept) | dict(zip(head, row, strict=True)) for row in table.rows]
    own = [(key, "") for key in keys if (key, "") not in heads]
    names, units = zip(*own, *heads, strict=True)
    cells = [[row.get(key) for key, _ in own] + [row.get(head) for head in heads] for row in rows]
    return Table(names, cells, [i for i, head in enumerate([*own, *heads]) if head in right], units)
