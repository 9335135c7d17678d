"""Tables: aligned text, and files."""

import csv
import io
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from isoplane.models.files.output_file import write_atomically


def aligned(table: Sequence[Sequence[str]], right: Container[int] = ()) -> list[str]:
    """Return the lines of a table, some of its columns aligned to the right.

    Examples
    --------
    >>> aligned([["name", "n"], ["x", "12"]], right=(1,))
    ['name   n', 'x     12']
    """
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        padded = (
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(padded).rstrip())
    return lines


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table as a file."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([columns, *rows])
    write_atomically(path, text.getvalue())
