"""Blocks of a page: a heading with parts, each rendered by a macro in `parts.html.jinja`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from .drawing import Picture
from .quantities import format_change, format_metric, verdict


@dataclass(frozen=True)
class Cell:
    """A value, and the relative difference of the design from it."""

    value: str
    change: str = ""
    verdict: str = ""


def cell(metric: str, value: float | None, design: float) -> Cell:
    """Return the cell of a value compared with that of the design."""
    if value is None or verdict(metric, 0, 1) == "same":  # the metric has no better or worse
        return Cell(format_metric(metric, value))
    return Cell(format_metric(metric, value), format_change(design, value), verdict(metric, design, value))


@dataclass(frozen=True)
class Row:
    """A row of a comparison: one metric."""

    title: str
    unit: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Comparison:
    """A table of metrics; the first column is the design's own."""

    macro: ClassVar[str] = "comparison"

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Chart:
    """A chart with its caption."""

    macro: ClassVar[str] = "chart"

    picture: Picture


@dataclass(frozen=True)
class Link:
    """A cell of a table that leads to a file beside the page."""

    text: str
    file: str


@dataclass(frozen=True)
class Table:
    """A table, header row first; `style` is a class of ``page.css``."""

    macro: ClassVar[str] = "table"

    rows: Sequence[Sequence[str | Link]]
    style: str = "comparison rows"


@dataclass(frozen=True)
class Text:
    """A paragraph; muted text for notes below a chart or a table."""

    macro: ClassVar[str] = "text"

    text: str
    muted: bool = False


@dataclass(frozen=True)
class Heading:
    """A heading below that of the section."""

    macro: ClassVar[str] = "heading"

    text: str


@dataclass(frozen=True)
class Fact:
    """A name with a value; `code` is shown before it, verbatim."""

    name: str
    text: str
    code: str = ""


@dataclass(frozen=True)
class Facts:
    """A list of names and values."""

    macro: ClassVar[str] = "facts"

    facts: Sequence[Fact]


@dataclass(frozen=True)
class Copyable:
    """Text to copy verbatim; a line may break after each piece."""

    macro: ClassVar[str] = "copyable"

    pieces: Sequence[str]


@dataclass(frozen=True)
class Details:
    """Collapsed text."""

    macro: ClassVar[str] = "details"

    summary: str
    text: str


@dataclass(frozen=True)
class Generator:
    """A generator as printed."""

    decimal: int
    binary: str
    folded_link: bool


@dataclass(frozen=True)
class ConnectionSets:
    """The generators of every plane."""

    macro: ClassVar[str] = "connection_sets"

    planes: Sequence[Sequence[Generator]]


@dataclass(frozen=True)
class Columns:
    """Parts side by side."""

    macro: ClassVar[str] = "columns"

    columns: "Sequence[Sequence[Part]]"


Part = (
    Chart | Columns | Comparison | ConnectionSets | Copyable | Details | Facts | Heading | Table | Text
)  # each with a `macro`


@dataclass(frozen=True)
class Block:
    """A section of a page: anchor, heading and parts."""

    key: str
    title: str
    parts: Sequence[Part]
