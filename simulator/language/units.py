"""Numbers with units, such as 50MHz: parsing to exact values, and formatting."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from isoplane.models import InputError

DECIMALS = 12  # maximum, in any unit
MAX_SECONDS = 10**6
MAX_CLOCKS = 10**12
TIMES = ("psec", "nsec", "usec", "msec", "sec")  # units of output
FREQUENCIES = ("Hz", "kHz", "MHz", "GHz")
Quantity = Literal["number", "size", "frequency", "time", "clocks", "length", "percent"]
_NUMBER = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,12})?)([a-zA-Z%]*)")


def _powers(kind: Quantity, units: dict[str, int]) -> dict[str, tuple[Quantity, Fraction]]:
    """Return units of one kind, given their powers of ten."""
    return {unit: (kind, Fraction(10) ** power) for unit, power in units.items()}


# Values are in the first unit of a kind: sizes in bits, times in seconds; shares are fractions.
UNITS: dict[str, tuple[Quantity, Fraction]] = {
    "": ("number", Fraction(1)),
    "bit": ("size", Fraction(1)),
    "byte": ("size", Fraction(8)),
    "kbyte": ("size", Fraction(8_000)),
    "Mbyte": ("size", Fraction(8_000_000)),
    "kibyte": ("size", Fraction(8 << 10)),
    "Mibyte": ("size", Fraction(8 << 20)),
    **_powers("frequency", {"Hz": 0, "kHz": 3, "MHz": 6, "GHz": 9}),
    **_powers("time", {"s": 0, "ms": -3, "us": -6, "ns": -9, "ps": -12}),
    **_powers("time", {"sec": 0, "msec": -3, "usec": -6, "nsec": -9, "psec": -12}),
    "clock": ("clocks", Fraction(1)),
    "m": ("length", Fraction(1)),
    "%": ("percent", Fraction(1, 100)),
}


def units_of(*kinds: Quantity) -> tuple[str, ...]:
    """Return the units of quantities of these kinds."""
    return tuple(unit for unit, (kind, _) in UNITS.items() if kind in kinds and unit)


def parse_quantity(text: str) -> tuple[Quantity, Fraction] | None:
    """Parse a number with its unit to its kind and exact value; None for any other text.

    Examples
    --------
    >>> parse_quantity("1.5usec")
    ('time', Fraction(3, 2000000))
    >>> parse_quantity("50mhz") is None
    True
    """
    # Long words, which are no quantities, stay out of the cache.
    return _quantity(text) if len(text) < 64 else None


@lru_cache(maxsize=1024)
def _quantity(text: str) -> tuple[Quantity, Fraction] | None:
    found = _NUMBER.fullmatch(text)
    if found is None or found[2] not in UNITS:
        return None
    kind, unit = UNITS[found[2]]
    return kind, Fraction(found[1]) * unit


def format_quantity(value: Fraction, *units: str) -> str:
    """Format a value for `parse_quantity`, in the largest unit that needs no decimals.

    Parameters
    ----------
    value
        A number of at least 0.
    units
        Units of one kind, in ascending order; if decimals are needed, the smallest one is used.

    Examples
    --------
    >>> format_quantity(Fraction(3, 2000000), "psec", "nsec", "usec"), format_quantity(Fraction(0), "m")
    ('1500nsec', '0m')
    """
    integral_units = [unit for unit in units if (value / UNITS[unit][1]).denominator == 1]
    unit = integral_units[-1] if integral_units and value else units[0]
    # Digits of an integer: floats have too few for twelve decimals.
    parts = value / UNITS[unit][1] * 10**DECIMALS
    digits = str(parts.numerator // parts.denominator).rjust(DECIMALS + 1, "0")
    return f"{digits[:-DECIMALS]}.{digits[-DECIMALS:]}".rstrip("0").rstrip(".") + unit


def is_exact(value: Fraction, unit: str) -> bool:
    """Whether `format_quantity` is exact: the value is at least 0 and has at most 12 decimals in this unit."""
    return value >= 0 and 10**DECIMALS % (value / UNITS[unit][1]).denominator == 0


@dataclass(frozen=True)
class Duration:
    """A time, or a number of clocks of the network.

    Parameters
    ----------
    value
        Seconds, or clocks; at least 0 and at most a million seconds or 10^12 clocks, with at most 12 decimals in
        picoseconds or clocks.
    clocks
        Whether the value is a number of clocks.

    Raises
    ------
    InputError
        If the value is out of range.

    Examples
    --------
    >>> Duration(Fraction(60, 10**9)).in_clocks(Fraction(50_000_000))
    Fraction(3, 1)
    """

    value: Fraction
    clocks: bool = False

    def __post_init__(self) -> None:
        high, unit = (MAX_CLOCKS, "clock") if self.clocks else (MAX_SECONDS, "sec")
        if not (self.value <= high and is_exact(self.value, unit if self.clocks else TIMES[0])):
            raise InputError(f"{self.value}{unit}: expected 0{unit} to {high}{unit}, with at most {DECIMALS} decimals")

    def __str__(self) -> str:
        return format_quantity(self.value, *(("clock",) if self.clocks else TIMES))

    def in_clocks(self, frequency_hz: Fraction) -> Fraction:
        """Return the number of clocks at a frequency."""
        return self.value if self.clocks else self.value * frequency_hz

    def in_seconds(self, frequency_hz: Fraction) -> Fraction:
        """Return the duration in seconds at a frequency."""
        return self.value / frequency_hz if self.clocks else self.value
