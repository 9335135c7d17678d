"""The published numbers, row by row."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from isoplane.models import InputError

COLUMNS = ("figure", "network", "n", "metric", "unit", "value", "precision", "kind", "note")
UNITS = (
    "hops",
    "link capacities per node",
    "link capacities per node, 4 nodes a switch",
    "ns",
    "m",
    "k$ per node",
    "%",
)
KINDS = ("model", "simulation")
SIZES = range(2, 17)


@dataclass(frozen=True)
class Published:
    """A number that a paper states in its text.

    Attributes
    ----------
    figure
        The figure, such as ``Fig 3a``.
    network
        The paper's name; ``DI-HC/D-HC`` for a change from the one on the right.
    n
        Dimension; None for a number that covers several.
    metric, unit
        The quantity and its unit.
    value, precision
        The number, and half its last printed digit: the true value lies within value ± precision.
    kind
        ``model``: a formula or a count, so it must agree. ``simulation``: another simulator's result.
    note
        Further remarks.
    """

    figure: str
    network: str
    n: int | None
    metric: str
    unit: str
    value: Fraction
    precision: Fraction
    kind: str
    note: str

    @property
    def decimals(self) -> int:
        """Printed digits after the point: 2 for a precision of 0.005, none for 0.5 or 0."""
        digits = 0
        while self.precision * 2 * 10**digits % 1:
            digits += 1
        return digits


@lru_cache(maxsize=1)
def published() -> tuple[Published, ...]:
    """Return every number that the paper on dual-plane isomorphic hypercubes states in its text.

    References
    ----------
    Hosomi et al., Dual-plane Isomorphic Hypercube Networks, 2021, sections 2.4, 3.2 to 3.5.

    Examples
    --------
    >>> next((p.value, p.unit) for p in published() if (p.network, p.n, p.metric) == ("D-HC", 12, "delay_paper"))
    (Fraction(1006, 1), 'ns')
    """
    return read_published(Path(__file__).with_name("hosomi.csv"))


def read_published(path: Path) -> tuple[Published, ...]:
    """Read a table of published numbers with the columns of `COLUMNS`.

    Raises
    ------
    InputError
        If the columns differ, a row is malformed, or two rows give the same number.
    """
    points = tuple(_point(row, where) for row, where in rows_of(path, COLUMNS))
    seen: set[tuple[str, str, int | None, str]] = set()
    for point in points:
        key = (point.figure, point.network, point.n, point.metric)
        if key in seen:
            raise InputError(f"{path.name}: {key} occurs twice; expected one row for each number")
        seen.add(key)
    return points


def rows_of(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[dict[str, str], str]]:
    """Yield the rows of a CSV file with given columns, each with its place for messages.

    Raises
    ------
    InputError
        If the columns differ, or a row has fewer or more fields.
    """
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != columns:
            raise InputError(f"{path.name}: columns {reader.fieldnames}; expected {', '.join(columns)}")
        for row in reader:
            where = f"{path.name}, line {reader.line_num}"
            if None in row or None in row.values():
                raise InputError(f"{where}: {row}; expected {len(columns)} fields")
            yield row, where


def _point(row: dict[str, str], where: str) -> Published:
    for column, allowed in (("unit", UNITS), ("kind", KINDS)):
        if row[column] not in allowed:
            raise InputError(f"{where}: {column}={row[column]!r}: expected {'; '.join(allowed)}")
    for column in ("figure", "network", "metric"):
        if not row[column]:
            raise InputError(f"{where}: {column} is empty; expected a name")
    if row["n"] and row["n"] not in map(str, SIZES):
        raise InputError(f"{where}: n={row['n']!r}: expected {SIZES[0]} to {SIZES[-1]}, or nothing")
    precision = decimal_of(row, "precision", where)
    if precision < 0:
        raise InputError(f"{where}: precision={row['precision']}: expected a number of at least 0")
    return Published(
        row["figure"],
        row["network"],
        int(row["n"]) if row["n"] else None,
        row["metric"],
        row["unit"],
        decimal_of(row, "value", where),
        precision,
        row["kind"],
        row["note"],
    )


def decimal_of(row: dict[str, str], column: str, where: str) -> Fraction:
    """Return a decimal number exactly, because comparisons are made at the edge of a precision."""
    try:
        return Fraction(Decimal(row[column]))
    except (InvalidOperation, ValueError, OverflowError) as error:
        raise InputError(f"{where}: {column}={row[column]!r}: expected a decimal number") from error
