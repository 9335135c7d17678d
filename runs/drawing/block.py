"""Blocks of a page: a heading with parts, each rendered by a macro in `parts.html.jinja`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from .drawing import Picture
from .quantities import format_change, format_metric, verdict

Cell = tuple[str, str, str]  # a value, and the relative difference of the design from it with its verdict


def cell(metric: str, value: float | None, design: float | None = None) -> Cell:
    """Return the cell of a value, compared with that of the design if the metric has a better and a worse.

    Examples
    --------
    >>> cell("delay_ns", 601, 512), cell("delay_ns", 601)
    (('601', '−14.8 %', 'better'), ('601', '', ''))
    """
    if value is None or design is None or verdict(metric, 0, 1) == "same":
        return format_metric(metric, value), "", ""
    return format_metric(metric, value), format_change(design, value), verdict(metric, design, value)


@dataclass(frozen=True)
class Comparison:
    """A table of metrics: title, unit and cells by row; the first column is the design's own."""

    macro: ClassVar[str] = "comparison"

    columns: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[Cell, ...]], ...]


@dataclass(frozen=True)
class Table:
    """A table, header row first; a pair in it is a text that leads to a file beside the page.

    `style` is a class of ``page.css``, `heading` a heading below that of the section.
    """

    macro: ClassVar[str] = "table"

    rows: Sequence[Sequence[str | tuple[str, str]]]
    style: str = "comparison rows"
    heading: str = ""


@dataclass(frozen=True)
class Text:
    """A paragraph; muted text for notes below a chart or a table."""

    macro: ClassVar[str] = "text"

    text: str
    muted: bool = False


@dataclass(frozen=True)
class Facts:
    """A list of names and values; a third text of a fact is shown before its value, verbatim."""

    macro: ClassVar[str] = "facts"

    facts: Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Copyable:
    """Text to copy verbatim; a line may break after each piece. With a summary it is collapsed."""

    macro: ClassVar[str] = "copyable"

    pieces: Sequence[str]
    summary: str = ""


@dataclass(frozen=True)
class GeneratorSets:
    """The generators of every plane: each in decimal and in binary, and whether it is the folded link."""

    macro: ClassVar[str] = "connection_sets"

    planes: Sequence[Sequence[tuple[int, str, bool]]]


Part = Comparison | GeneratorSets | Copyable | Facts | Picture | Table | Text  # each with a `macro`


@dataclass(frozen=True)
class Block:
    """A section of a page: anchor, heading and parts, and the parts that stand beside these."""

    key: str
    title: str
    parts: Sequence[Part]
    beside: Sequence[Part] = ()
