"""Tables: rows below heads with units, written for terminals and as CSV, JSON, LaTeX and Markdown, all of them here."""

import json
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from math import isfinite
from typing import Self, TypeVar

from isoplane.models.files.exact_text import NUMBER, csv_text
from isoplane.models.files.latex_text import NONE, STATED, latex_head, latex_head_lines, latex_numbers, latex_text

Item = TypeVar("Item")
WIDTH = 100  # columns of a terminal, into which tables are fitted
NARROW = 28  # columns into which text is wrapped in a table that is wider, and does not fit even with
NARROWEST = 16
GAP = "  "
NO_BREAK = "\N{NO-BREAK SPACE}"
MOST_DIGITS = 8  # of a number whose column has more decimals than its own six digits need
REST = "format=csv has all"  # what has the columns that are left out
BEFORE_UNIT = re.compile(r"(?<=\d) (?=%|\S+$)")  # the space in 5 % and, where the cell ends with it, in 0.73 mm²
# What Markdown would read as markup; an underscore within a word is none.
MARKDOWN = re.compile(r"[\\`*|<\[\]~]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")


@dataclass(frozen=True)
class Table:
    r"""A table.

    Parameters
    ----------
    columns
        Names of the columns.
    rows
        Their cells: texts as they are shown, or values.
    right
        Indices of the columns that are aligned to the right.
    units
        Units of the columns, empty where there is none or the name states it; none at all for no units.

    Examples
    --------
    >>> table = Table.of(["x", "long"], {"name": str, "length": len}, right=(1,))
    >>> print(table)
    name  length
    x          1
    long       4
    >>> print(Table(["name", "delay"], [["a|b", 2.5], ["c_d", None]], (1,), ["", "ns"]).text("markdown"))
    | name | delay (ns) |
    |:--|--:|
    | a\|b | 2.5 |
    | c_d | - |
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    right: Container[int] = ()
    units: Sequence[str] = ()

    @classmethod
    def of(
        cls, items: Iterable[Item], columns: Mapping[str, Callable[[Item], object]], right: Container[int] = ()
    ) -> Self:
        """Return a table of texts with a row per item, whose columns are functions of it; None is an empty cell."""
        values = ([function(item) for function in columns.values()] for item in items)
        rows = [["" if value is None else str(value) for value in row] for row in values]
        return cls(tuple(columns), rows, right)

    @property
    def heads(self) -> list[str]:
        """The names of the columns, with units."""
        units = self.units or [""] * len(self.columns)
        return [f"{name} ({unit})" if unit else name for name, unit in zip(self.columns, units, strict=True)]

    @property
    def texts(self) -> list[tuple[str, ...]]:
        """The cells as people read them, numbers of a column with as many decimals."""
        return list(zip(*map(column_texts, zip(*self.rows, strict=True)), strict=True))

    def __str__(self) -> str:
        return self.shown()

    def shown(self, rest: str = REST) -> str:
        """Return the table for a terminal, with what has the columns for which there is no room, as words."""
        units = ([unit] if unit else [] for unit in self.units or [""] * len(self.columns))
        heads = [[name, *unit] for name, unit in zip(self.columns, units, strict=True)]
        cells = ([[cell] for cell in row] for row in self.texts)
        return "\n".join(fitted([heads, *cells], self.right, rest=rest))

    def text(self, kind: str) -> str:
        """Return the table in one of `FORMATS`, without a line break at its end."""
        return FORMATS[kind](self)

    def page_rows(self) -> list[list[str]]:
        r"""Return header and rows for a page, in which no line breaks between a number and ``%``, or its unit.

        Examples
        --------
        >>> Table(["gain"], [["2 to 3 % of all"], ["0.73 mm²"]]).page_rows()
        [['gain'], ['2 to 3\xa0% of all'], ['0.73\xa0mm²']]
        """
        return [[BEFORE_UNIT.sub(NO_BREAK, cell) for cell in row] for row in (self.heads, *self.texts)]

    def with_names(self) -> list[Sequence[object]]:
        """Return the names of the columns, then the rows."""
        return [self.columns, *self.rows]

    def csv(self) -> str:
        """Return the table as comma-separated values; unknown ones are empty."""
        return csv_text(self.heads, (map(spaced, row) for row in self.rows))

    def json(self) -> str:
        """Return the rows as a list of JSON objects, by the names of columns without units."""
        rows = [dict(zip(self.columns, map(_finite, row), strict=True)) for row in self.rows]
        return json.dumps(rows, indent=1, ensure_ascii=False, default=str)

    def latex(self) -> str:
        r"""Return the table for LaTeX with ``\usepackage{booktabs}``, names of metrics in its heads as words.

        Heads have several lines, so that columns are hardly wider than their cells, with units below the names. Points
        of numbers are below each other, and names of metrics in a column without a head are words, too.

        Examples
        --------
        >>> print(Table(["", "value"], [["delay_ns", 2.5], ["diameter", 3]], (1,)).latex())
        \begin{tabular}{lr}
        \toprule
         & value \\
        \midrule
        delay & 2.5 \\
        diameter & 3\phantom{.5} \\
        \bottomrule
        \end{tabular}
        """
        texts = list(zip(*self.texts, strict=True)) or [()] * len(self.columns)
        columns: list[Iterable[str]] = []
        for i, column in enumerate(texts):
            names = [] if self.columns[i] else [latex_head(cell, with_units=False) for cell in column]
            columns.append(latex_numbers(column) if i in self.right else names or map(latex_text, column))
        widths = (max(map(len, column), default=0) for column in texts)
        heads = zip_longest(*map(latex_head_lines, self.heads, widths), fillvalue="")
        head, rows = ([" & ".join(line) + r" \\" for line in lines] for lines in (heads, zip(*columns, strict=True)))
        alignment = "".join("r" if i in self.right else "l" for i in range(len(self.columns)))
        start = [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", *head, r"\midrule"]
        return "\n".join([*start, *rows, r"\bottomrule", r"\end{tabular}"])

    def markdown(self) -> str:
        """Return the table as GitHub shows it in Markdown."""
        alignment = "|".join("--:" if i in self.right else ":--" for i in range(len(self.columns)))
        head, *rows = ([_markdown(cell) for cell in row] for row in (self.heads, *self.texts))
        lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
        return "\n".join([lines[0], f"|{alignment}|", *lines[1:]])


FORMATS: Mapping[str, Callable[[Table], str]] = {
    "table": str,
    "csv": lambda table: table.csv().removesuffix("\n"),
    "json": Table.json,
    "latex": Table.latex,
    "markdown": Table.markdown,
}


def unit_beside(name: str, unit: str) -> str:
    """Return the unit of a column; empty if its name states it.

    Examples
    --------
    >>> unit_beside("aspl", "hops"), unit_beside("delay_ns", "ns")
    ('hops', '')
    """
    return "" if STATED.search(name) else unit


def columns(rows: Sequence[Sequence[str]], right: Container[int] | None = None) -> str:
    """Return rows with aligned columns: some to the right, by default all but the first, and the others to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = range(1, len(widths)) if right is None else right
    signs = [">" if i in right else "<" for i in range(len(widths))]
    formats = [f"{{:{sign}{width}}}" for sign, width in zip(signs, widths, strict=True)]
    return "\n".join(GAP.join(formats).format(*row).rstrip() for row in rows)


def fitted(
    rows: Sequence[Sequence[Sequence[str]]], right: Container[int], width: int = WIDTH, rest: str = REST
) -> list[str]:
    """Return the lines of rows, of which those wider than a terminal are wrapped, and then cut after a column.

    Parameters
    ----------
    rows
        The lines of each cell; the first row has the heads.
    right
        Indices of the columns that are aligned to the right.
    width
        Columns of the terminal.
    rest
        What has all columns, in words.

    Examples
    --------
    >>> rows = [[["load"], ["status"], ["bound"]], [["12"], ["proven optimal"], ["11"]]]
    >>> print(*fitted(rows, (0, 2), width=22)[:1])
    load  status
      12  proven optimal
    """
    grid = [list(row) for row in rows]
    if _ends(grid)[-1] > width:
        grid[0] = [_wrapped(head, _width(column)) for head, *column in zip(*grid, strict=True)]
        widths = list(map(_width, zip(*grid, strict=True)))
        room = width - len(GAP) * (len(widths) - 1) - sum(widths[i] for i in range(len(widths)) if i in right)
        texts = [widths[i] for i in range(len(widths)) if i not in right]
        widest = range(max(texts, default=0), NARROWEST - 1, -1)
        narrow = next((most for most in widest if sum(min(text, most) for text in texts) <= room), NARROW)
        for row in grid[1:]:
            row[:] = [cell if i in right else _wrapped(cell, narrow, indent="  ") for i, cell in enumerate(row)]
    count = max(1, sum(end <= width for end in _ends(grid)))
    lines = [cells for row in grid for cells in zip_longest(*row[:count], fillvalue="")]
    names = Counter(head[0] for head in rows[0])
    left_out = [head[0] if names[head[0]] == 1 else f"{head[0]} ({head[-1]})" for head in rows[0][count:]]
    more = "1 more column" if len(left_out) == 1 else f"{len(left_out)} more columns"
    notes = [f"({more}: {', '.join(left_out)}; {rest})"] if left_out else []
    return [columns(lines, right), *(line for note in notes for line in textwrap.wrap(note, width))]


def _ends(grid: Sequence[Sequence[Sequence[str]]]) -> list[int]:
    """Return the columns of a terminal up to the end of each column of a table."""
    return [end + len(GAP) * i for i, end in enumerate(accumulate(map(_width, zip(*grid, strict=True))))]


def _wrapped(cell: Sequence[str], width: int, indent: str = "") -> list[str]:
    """Return the lines of a cell of a narrow column; words are not broken, and all lines but the first indented."""
    kept = (BEFORE_UNIT.sub(NO_BREAK, line) for line in cell)
    wrapper = textwrap.TextWrapper(width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    parts = map(wrapper.wrap, kept)
    return [part.replace(NO_BREAK, " ") for lines in parts for part in lines or [""]]


def _width(column: Sequence[Sequence[str]]) -> int:
    """Return the width of a column: at least 1."""
    return max((len(line) for cell in column for line in cell), default=0) or 1


def number(value: float | None) -> str:
    """Return a metric as text for tables; integers, also those in a float, with all digits."""
    if value is None:
        return NONE
    is_exact = not isinstance(value, float) or (value.is_integer() and abs(value) < 1 << 53)
    return str(int(value)) if is_exact else f"{value:.6g}"


def cell_text(value: object) -> str:
    """Return a cell as people read it: numbers with six digits.

    Examples
    --------
    >>> cell_text(3.1415926), cell_text(1723904.0), cell_text(None), cell_text(True), cell_text([3, 5])
    ('3.14159', '1723904', '-', 'true', '3 5')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return number(value) if value is None or isinstance(value, float) else str(spaced(value))


def column_texts(cells: Sequence[object]) -> list[str]:
    """Return the cells of a column as people read them.

    Where six digits round a number, all have as many decimals, unless that takes more than eight digits of one.

    Examples
    --------
    >>> column_texts([2.283203125, 2.28125, None]), column_texts([1.5, 1.25]), column_texts([0.0123456, 1234.5])
    (['2.28320', '2.28125', '-'], ['1.5', '1.25'], ['0.0123456', '1234.5'])
    """
    texts = list(map(cell_text, cells))
    numbers = {i: cell for i, cell in enumerate(cells) if isinstance(cell, float) and NUMBER.fullmatch(texts[i])}
    if all(float(texts[i]) == value for i, value in numbers.items()):
        return texts
    decimals = max(len(texts[i].partition(".")[2]) for i in numbers)
    padded = {i: f"{value:.{decimals}f}" for i, value in numbers.items()}
    if all(sum(map(str.isdigit, text.lstrip("-0."))) <= MOST_DIGITS for text in padded.values()):
        return [padded.get(i, text) for i, text in enumerate(texts)]
    return texts


def spaced(value: object) -> object:
    """Return a list as numbers with spaces between them, anything else as it is."""
    return " ".join("-" if item is None else str(item) for item in value) if isinstance(value, (list, tuple)) else value


def _finite(value: object) -> object:
    """Return None for a number that JSON lacks, anything else as it is."""
    return None if isinstance(value, float) and not isfinite(value) else value


def _markdown(text: str) -> str:
    return MARKDOWN.sub(lambda sign: "&amp;" if sign[0] == "&" else f"\\{sign[0]}", " ".join(text.split("\n")))
