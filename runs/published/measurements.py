"""Numbers that a paper measured on real machines, which no model has to meet."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from isoplane.models import InputError

from .table import decimal_of, rows_of

MEASUREMENT_COLUMNS = ("section", "figures", "quantity", "value", "unit", "note")


@dataclass(frozen=True)
class Measurement:
    """A number measured on real machines.

    Attributes
    ----------
    section, figures
        The section that states it, and the figures that it is about.
    quantity, value, unit
        What was measured.
    note
        Further remarks.
    """

    section: str
    figures: str
    quantity: str
    value: Fraction
    unit: str
    note: str


@lru_cache(maxsize=1)
def shimizu_measurements() -> dict[str, Measurement]:
    """Return what the paper on switch-saving topologies measured, by quantity.

    References
    ----------
    Shimizu and Nakajima, on switch-saving topologies, section 4.3.

    Examples
    --------
    >>> shimizu_measurements()["link limit"].value
    Fraction(3717, 1)
    """
    return read_measurements(Path(__file__).with_name("shimizu_measured.csv"))


def read_measurements(path: Path) -> dict[str, Measurement]:
    """Read a table with the columns of `MEASUREMENT_COLUMNS`.

    Raises
    ------
    InputError
        If the columns differ, a value is no decimal number, or two rows have the same quantity.
    """
    found: dict[str, Measurement] = {}
    for row, where in rows_of(path, MEASUREMENT_COLUMNS):
        if not row["quantity"] or row["quantity"] in found:
            raise InputError(f"{where}: quantity={row['quantity']!r}: expected a name that occurs once")
        values = {**row, "value": decimal_of(row, "value", where)}
        found[row["quantity"]] = Measurement(**values)  # type: ignore[arg-type]
    return found
