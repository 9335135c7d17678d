"""Columns of a comparison: named numbers of a design, in groups."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .compared_design import ComparedDesign

Value = float | int | str | None
Scope = Literal["all", "first", "front"]
SHARE = "of the rate of a node"  # the unit of fractions that people read as percentages, as throughputs


@dataclass(frozen=True)
class Column:
    """A number of every design, or a name.

    Parameters
    ----------
    key
        Name in CSV and JSON files.
    title, unit
        Heading on pages and in tables, and the unit of values in files.
    decimals
        Digits after the decimal point on pages and in tables; of a percentage, two less.
    """

    key: str
    title: str
    unit: str = ""
    decimals: int = 0

    @property
    def is_percent(self) -> bool:
        """Whether people read its values as percentages."""
        return self.unit == SHARE

    @property
    def shown_unit(self) -> str:
        """The unit of `text`."""
        return f"% {self.unit}" if self.is_percent else self.unit

    @property
    def head_unit(self) -> str:
        """The unit in heads of tables."""
        return "%" if self.is_percent else self.unit

    @property
    def short_unit(self) -> str:
        """The unit in heads of narrow tables: empty unless it is a single word."""
        return self.head_unit if " " not in self.head_unit else ""

    def text(self, value: Value) -> str:
        """Return a value as text; a dash for None.

        Examples
        --------
        >>> Column("aspl", "ASPL", "hops", 3).text(2.0), Column("cables", "cables").text(1800)
        ('2.000', '1,800')
        >>> Column("throughput", "throughput", SHARE, 3).text(0.957)
        '95.7'
        """
        if isinstance(value, str):
            return value
        if self.is_percent and value is not None:
            return f"{100 * value:,.{self.decimals - 2}f}"
        return "–" if value is None else f"{value:,.{self.decimals}f}"


@dataclass(frozen=True)
class Group:
    """Columns that are computed and shown together.

    Parameters
    ----------
    title
        Heading on pages.
    note
        What the numbers mean, in a sentence or two.
    columns
        The columns.
    values
        Function from a design to the values of all columns, by key.
    scope
        Designs for which the values are computed: ``all``, those for the highest throughput (``first``), or of these
        the ones on a Pareto front (``front``).
    order_by
        Key of the column by which the designs are ordered on pages, the largest value first; by default they are in the
        order of prices.
    title_without
        The title where a column, by its key, is not shown.
    """

    title: str
    note: str
    columns: tuple[Column, ...]
    values: Callable[[ComparedDesign], Mapping[str, Value]]
    scope: Scope = "all"
    order_by: str | None = None
    title_without: Mapping[str, str] = field(default_factory=dict)

    def heading(self, keys: Container[str]) -> str:
        """Return the title above the columns with some keys."""
        return next((title for key, title in self.title_without.items() if key not in keys), self.title)
