"""Blocks of a page: a heading with parts, each rendered by a macro of `parts.html.jinja`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from .quantities import format_change, format_metric, verdict

Cell = tuple[str, str, str]  # a value, and the relative difference of the design from it with its verdict


def cell(metric: str, value: float | None, design: float | None = None) -> Cell:
    """Return the cell of a value, compared with that of the design if the metric has a better and a worse.

    Examples
    --------
    >>> cell("delay_ns", 601, 512), cell("delay_ns", 601)
    (('601', '−14.81 %', 'better'), ('601', '', ''))
    """
    if value is None or design is None or verdict(metric, 0, 1) == "same":
        return format_metric(metric, value), "", ""
    return format_metric(metric, value), format_change(design, value), verdict(metric, design, value)


@dataclass(frozen=True)
class Part:
    """A part of a page: a macro of `parts.html.jinja`, and the values of its parameters."""

    macro: str
    values: Mapping[str, object]

    @classmethod
    def chart(cls, svg: str, caption: str, name: str = "", data: str = "") -> Self:
        """Return a chart as SVG text, one sentence on how to read it, and its name and data as CSV if it has them."""
        return cls("chart", {"svg": svg, "caption": caption, "name": name, "data": data})

    @classmethod
    def comparison(cls, columns: Sequence[str], rows: Sequence[tuple[str, str, Sequence[Cell]]]) -> Self:
        """Return a table of metrics: title, unit and cells by row; the first column is the design's own."""
        return cls("comparison", {"columns": columns, "rows": rows})

    @classmethod
    def connection_sets(cls, planes: Sequence[Sequence[tuple[int, str, bool]]]) -> Self:
        """Return the generators of every plane: each in decimal and in binary, and whether it is the folded link."""
        return cls("connection_sets", {"planes": planes})

    @classmethod
    def copyable(cls, pieces: Sequence[str], summary: str = "") -> Self:
        """Return text to copy verbatim; a line may break after each piece. With a summary it is collapsed."""
        return cls("copyable", {"pieces": pieces, "summary": summary})

    @classmethod
    def facts(cls, facts: Sequence[tuple[str, ...]]) -> Self:
        """Return a list of names and values; a third text of a fact is shown before its value, verbatim."""
        return cls("facts", {"facts": facts})

    @classmethod
    def key_figure(cls, title: str, value: str, unit: str, baseline: str = "", before: Cell = ("", "", "")) -> Self:
        """Return one of the large numbers at the top, and its cell for a baseline that is described in a few words."""
        return cls("key_figure", {"title": title, "value": value, "unit": unit, "baseline": baseline, "before": before})

    @classmethod
    def table(
        cls, rows: Sequence[Sequence[str | tuple[str, ...]]], style: str = "comparison rows", heading: str = ""
    ) -> Self:
        """Return a table, header row first; a pair in it is a text that leads to a file beside the page, or to data.

        Data have the name of their file as a third text.

        `style` is a class of ``page.css``, `heading` a heading below that of the section.
        """
        return cls("table", {"rows": rows, "style": style, "heading": heading})

    @classmethod
    def text(cls, text: str, muted: bool = False) -> Self:
        """Return a paragraph; muted text for notes below a chart or a table."""
        return cls("text", {"text": text, "muted": muted})


Text = Part.text  # sections of other packages import it by this name


@dataclass(frozen=True)
class Block:
    """A section of a page: anchor, heading and parts, and the parts that stand beside these."""

    key: str
    title: str
    parts: Sequence[Part]
    beside: Sequence[Part] = ()
