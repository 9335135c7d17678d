"""A result: designs or runs with their numbers, which show, draw, list and save themselves."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar, overload

from isoplane.models import Design, InputError
from isoplane.models.files.output_file import write_atomically
from isoplane.objectives.scoring.metric_scopes import named_otherwise
from isoplane.runs.terminal.table import Table, cell_text
from isoplane.runs.terminal.table_output import with_columns

from .panels import (
    PROVEN,
    SAVED,
    Cell,
    Pair,
    Panel,
    Row,
    Size,
    check_drawing,
    chief_table,
    drawable,
    drawing_module,
    frame_class,
    is_number,
    metric_panel,
    number_of,
    redrawn,
    saved_fields,
    units_beside,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Frame = TypeVar("Frame")
SHOWN_COLUMNS = 3  # of a row, in a `repr`
COUNTED = {"simulation": "runs", "figure": "numbers", "sweep": "jobs"}  # what rows are; of other kinds designs
SCORED = ("design", "front")  # kinds whose designs have scores of one objective, the best one first
TEXTS = (".json", ".csv", ".tex", ".md", ".html")
TABLES = {".csv": "csv", ".tex": "latex", ".md": "markdown"}  # endings of files and their formats
PICTURES = (".svg", ".pdf", ".png")


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What a function of `isoplane` returns: designs, a front, a comparison, a simulation or a figure of a paper.

    Parameters
    ----------
    kind
        ``design``, ``designs``, ``front``, ``sizes``, ``comparison``, ``simulation``, ``figure`` or ``sweep``.
    title
        What it is, in a line.
    rows
        The numbers, by the names of records: a row for each design, run of a simulation, number of a figure, or job of
        a sweep.
    shown
        The columns that come first where there is no room for all.
    content, panels, page
        Return the data of `to_dict`, what `plot` draws, and the page of `save`.
    status, notes
        What is proven, in words, empty where nothing can be, and what else there is to say, such as other times.
    design
        The design, of a single one.
    members
        The designs of several, such as of a front, of sizes or of a comparison, each of which is a result, too.
    baseline
        The numbers of the design from the same parts with which it is compared, and its name.
    tables, drawing
        Of a figure: its tables, read in place of the rows, and what draws it as in the paper, in place of `panels`.

    Examples
    --------
    >>> import isoplane as ip
    >>> design = ip.evaluate(network="hypercube", n=3, generators=[3, 5, 7])
    >>> design
    <design: hypercube n=3, 8 switches in each of 2 planes, 32 nodes; aspl 1, diameter 2, max_load 3, ...>
    """

    kind: str
    title: str
    rows: Sequence[Row]
    shown: tuple[str, ...]
    content: Callable[[], dict[str, object]]
    panels: Callable[[], tuple[Panel, ...]]
    page: Callable[[], str]
    status: str = ""
    notes: tuple[str, ...] = ()
    design: Design | None = None
    members: "Sequence[Result]" = ()
    baseline: tuple[str, Row] | None = None
    tables: Sequence[Table] = ()
    drawing: "Callable[[], Figure] | None" = None

    def __repr__(self) -> str:
        """Return what it is and its chief numbers, in a line."""
        if len(self.rows) != 1:
            return f"<{self.kind}: {self.title}; {len(self.rows)} {COUNTED.get(self.kind, 'designs')}{self._status}>"
        names = [name for name in self.shown if self.rows[0].get(name) is not None]
        numbers = [f"{name} {cell_text(self.rows[0][name])}" for name in names[:SHOWN_COLUMNS]]
        rest = ", ..." if len(self.rows[0]) > SHOWN_COLUMNS else ""
        return f"<{self.kind}: {self.title}; {', '.join(numbers)}{rest}{self._status}>"

    @property
    def _status(self) -> str:
        return f"; {self.status}" if self.status else ""

    @overload
    def __getitem__(self, key: str) -> Cell: ...
    @overload
    def __getitem__(self, key: int) -> "Result": ...
    def __getitem__(self, key: str | int) -> "Cell | Result":
        """Return a number of the best design by its name, or a design of several by its index."""
        if isinstance(key, int):
            return self.members[key]
        if key in self.rows[0]:
            return self.rows[0][key]
        names = f"{named_otherwise(key, self.rows[0])}expected {', '.join(self.rows[0])}"
        raise InputError(f"{key}: no number of this {self.kind}; {names}")

    def __iter__(self) -> "Iterator[Result]":
        """Yield the designs of a front, of sizes or of a comparison."""
        return iter(self.members)

    def __len__(self) -> int:
        """Return the number of designs, or of runs."""
        return len(self.rows)

    @property
    def metrics(self) -> dict[str, float | None]:
        """The metrics of the design, of several the best one, by the names of records."""
        cells = self.rows[0].items()
        return {key: cell for key, cell in cells if key not in PROVEN and (cell is None or is_number(cell))}

    @property
    def score(self) -> float | None:
        """The first component of the score, as a search prints it; None without a search, and of several scores."""
        return self._proven("score")

    @property
    def bound(self) -> float | None:
        """Its proven bound."""
        return self._proven("bound")

    @property
    def gap(self) -> float | None:
        """The gap between them, as a fraction of the score."""
        return self._proven("gap")

    @property
    def bound_source(self) -> str:
        """What proves the bound, in words; empty without one."""
        return str(self.rows[0].get("bound_source", "")) if self.kind in SCORED else ""

    def _proven(self, name: str) -> float | None:
        return number_of(self.rows[0], name) if self.kind in SCORED else None

    @cached_property
    def _content(self) -> dict[str, object]:
        return self.content()

    def to_dict(self) -> dict[str, object]:
        """Return all of it as JSON data: of a design its record, which `load` and the command line read."""
        data: dict[str, object] = json.loads(json.dumps(self._content))
        return data

    @property
    def _head(self) -> str:
        """The title, and below it the connection sets of cubes."""
        return "\n".join([self.title, *(self.design.network.family.description.split("\n")[1:] if self.design else ())])

    @property
    def _names(self) -> list[str]:
        """The names of all numbers, of which a row may lack some."""
        return list(dict.fromkeys(name for row in self.rows for name in row))

    @property
    def _tables(self) -> Sequence[Table]:
        """The chief numbers for people: of a design a row for each, else a column."""
        return self.tables or [chief_table(self.kind, self.rows, self.shown, self.baseline, self.design)]

    @overload
    def to_frame(self, make: str | None = None) -> object: ...
    @overload
    def to_frame(self, make: Callable[[dict[str, list[Cell]]], Frame]) -> Frame: ...
    def to_frame(self, make: Callable[[dict[str, list[Cell]]], Frame] | str | None = None) -> object:
        """Return the rows as a data frame.

        Parameters
        ----------
        make
            What makes a frame from lists by name, such as ``pandas.DataFrame``, whose type is then known; ``pandas`` or
            ``polars``; None for pandas, or polars where that is not installed.
        """
        columns = {name: [row.get(name) for row in self.rows] for name in self._names}
        return (make if callable(make) else frame_class(make))(columns)

    @overload
    def plot(
        self,
        library: Literal["matplotlib"] = ...,
        *,
        figsize: Size | None = ...,
        title: str | None = ...,
        metrics: Pair = ...,
    ) -> "Figure": ...
    @overload
    def plot(
        self, library: Literal["plotly"], *, figsize: Size | None = None, title: str | None = None, metrics: Pair = None
    ) -> object: ...
    def plot(
        self,
        library: str = "matplotlib",
        *,
        figsize: Size | None = None,
        title: str | None = None,
        metrics: Pair = None,
    ) -> object:
        """Return a picture of the chief numbers, as a figure of ``matplotlib`` or ``plotly``.

        Parameters
        ----------
        library
            ``matplotlib`` or ``plotly``.
        figsize
            Its width and height in inches; None for those that suit the numbers.
        title
            What is written above it.
        metrics
            Two numbers of the rows, drawn against each other in place of the chief ones.
        """
        check_drawing(library, figsize)
        if self.drawing is not None:
            return redrawn(self.drawing, library, figsize, title, metrics)
        drawn = self.panels() if metrics is None else (metric_panel(self.rows, metrics, self.baseline, self.kind),)
        return drawing_module(library).drawn(drawable(drawn, self.kind, self.rows), figsize, title)

    def save(self, path: str | PathLike[str], *, columns: Sequence[str] | None = None) -> Path:
        """Write a file, and return its path; what it holds follows from its ending.

        Parameters
        ----------
        path
            ``.json`` for the data of `to_dict`, which `load` reads again, ``.csv`` for the rows, ``.tex`` and ``.md``
            for the chief numbers as tables, ``.html`` for the page, or ``.svg``, ``.pdf``, ``.png`` for the picture.
        columns
            Names of the numbers that ``.csv``, ``.tex`` or ``.md`` has, a column each, such as those that fit a page.
        """
        file = Path(path)
        if columns is not None and file.suffix not in TABLES:
            raise InputError(f"columns={list(columns)}: no table in {file}; expected a name with {', '.join(TABLES)}")
        if file.suffix in PICTURES:
            from .charts import picture_bytes

            write_atomically(file, picture_bytes(self.plot(), file.suffix))
        else:
            write_atomically(file, self._text(file, columns))
        return file

    def _text(self, file: Path, columns: Sequence[str] | None) -> str:
        """Return the content of a text file, by its ending."""
        names = self._names
        rows = Table(names, [[row.get(name) for name in names] for row in self.rows])
        if file.suffix == ".csv":
            return (rows if columns is None else with_columns(list(columns), rows)).csv()
        if file.suffix in TABLES:
            with_units = replace(rows, units=units_beside(self.kind, names))
            tables = self._tables if columns is None else [with_columns(list(columns), with_units)]
            return "\n\n".join(table.text(TABLES[file.suffix]) for table in tables) + "\n"
        if file.suffix == ".html":
            return self.page()
        if file.suffix != ".json":
            raise InputError(f"path={file}: expected a name that ends with {', '.join((*TEXTS, *PICTURES))}")
        from isoplane.runs.records import copy_tables, text_of

        if self.kind != "design":
            return text_of({**self._content, SAVED: saved_fields(vars(self))})
        copy_tables(self._content, file.parent)
        return text_of(self._content)

    def _repr_html_(self) -> str:
        """Return picture and numbers, as notebooks show them."""
        from .notebook import html_of

        tables = [(table.heads, *table.texts) for table in self._tables]
        try:
            figure = self.plot()
        except InputError:  # nothing to draw, or nothing to draw it with
            figure = None
        return html_of(self._head, self.status, figure, repr(self), tables, self.notes)

    def __str__(self) -> str:
        """Return the numbers as a table."""
        return "\n".join([self._head, *(table.shown(".to_frame() has all") for table in self._tables), *self.notes])
