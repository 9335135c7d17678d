"""Tables of figures: files, and aligned text."""

import csv
import io
from collections.abc import Container, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A table of texts.

    Parameters
    ----------
    columns, rows
        Names of the columns, and the cells of each row.
    right
        Indices of the columns that are aligned to the right when printed.

    Examples
    --------
    >>> print(Table(["name", "n"], [["x", "12"]], right=(1,)))
    name   n
    x     12
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Container[int] = ()

    def __str__(self) -> str:
        table = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = []
        for row in table:
            padded = (
                cell.rjust(width) if index in self.right else cell.ljust(width)
                for index, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            lines.append("  ".join(padded).rstrip())
        return "\n".join(lines)

    def csv(self) -> str:
        """Return the table as comma-separated values."""
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows([self.columns, *self.rows])
        return text.getvalue()
