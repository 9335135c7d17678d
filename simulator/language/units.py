"""Numbers with units, such as 50MHz: what they mean, exactly, and how they are written."""

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache

from isoplane.models import InputError

DECIMALS = 12  # of a number, whatever its unit
MAX_SECONDS = 10**6
MAX_CLOCKS = 10**12
TIMES = ("psec", "nsec", "usec", "msec", "sec")  # as they are written
FREQUENCIES = ("Hz", "kHz", "MHz", "GHz")
_NUMBER = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,12})?)([a-zA-Z%]*)")


class Kind(Enum):
    """What is measured: the value of a kind names it for people."""

    NUMBER = "number"
    SIZE = "size"
    FREQUENCY = "frequency"
    TIME = "time"
    CLOCKS = "number of clocks"
    LENGTH = "length"
    SHARE = "percentage"


def _powers(kind: Kind, units: dict[str, int]) -> dict[str, tuple[Kind, Fraction]]:
    """Return units of a kind that are powers of ten of the first one."""
    return {unit: (kind, Fraction(10) ** power) for unit, power in units.items()}


# The first unit of a kind is the one of the values; those of sizes are bits, those of shares parts of one.
UNITS: dict[str, tuple[Kind, Fraction]] = {
    "": (Kind.NUMBER, Fraction(1)),
    "bit": (Kind.SIZE, Fraction(1)),
    "byte": (Kind.SIZE, Fraction(8)),
    "kbyte": (Kind.SIZE, Fraction(8_000)),
    "Mbyte": (Kind.SIZE, Fraction(8_000_000)),
    "kibyte": (Kind.SIZE, Fraction(8 << 10)),
    "Mibyte": (Kind.SIZE, Fraction(8 << 20)),
    **_powers(Kind.FREQUENCY, {"Hz": 0, "kHz": 3, "MHz": 6, "GHz": 9}),
    **_powers(Kind.TIME, {"s": 0, "ms": -3, "us": -6, "ns": -9, "ps": -12}),
    **_powers(Kind.TIME, {"sec": 0, "msec": -3, "usec": -6, "nsec": -9, "psec": -12}),
    "clock": (Kind.CLOCKS, Fraction(1)),
    "m": (Kind.LENGTH, Fraction(1)),
    "%": (Kind.SHARE, Fraction(1, 100)),
}


def units_of(*kinds: Kind) -> tuple[str, ...]:
    """Return the units in which quantities of these kinds can be given."""
    return tuple(unit for unit, (kind, _) in UNITS.items() if kind in kinds and unit)


def quantity(text: str) -> tuple[Kind, Fraction] | None:
    """Return kind and exact value of a number with its unit; None for any other text.

    Examples
    --------
    >>> quantity("1.5usec")
    (<Kind.TIME: 'time'>, Fraction(3, 2000000))
    >>> quantity("50mhz") is None
    True
    """
    return _quantity(text) if len(text) < 64 else None


@lru_cache(maxsize=1024)
def _quantity(text: str) -> tuple[Kind, Fraction] | None:
    found = _NUMBER.fullmatch(text)
    if found is None or found[2] not in UNITS:
        return None
    kind, unit = UNITS[found[2]]
    return kind, Fraction(found[1]) * unit


def written(value: Fraction, *units: str) -> str:
    """Return the text that `quantity` reads as this value, in the largest unit that needs no decimals.

    Parameters
    ----------
    value
        A number of at least 0.
    units
        Units of one kind, from the smallest one on; decimals are in the smallest one.

    Examples
    --------
    >>> written(Fraction(3, 2000000), "psec", "nsec", "usec"), written(Fraction(0), "m")
    ('1500nsec', '0m')
    """
    whole = [unit for unit in units if (value / UNITS[unit][1]).denominator == 1]
    unit = whole[-1] if whole and value else units[0]
    parts = value / UNITS[unit][1] * 10**DECIMALS
    digits = str(parts.numerator // parts.denominator).rjust(DECIMALS + 1, "0")
    return f"{digits[:-DECIMALS]}.{digits[-DECIMALS:]}".rstrip("0").rstrip(".") + unit


def is_written(value: Fraction, unit: str) -> bool:
    """Return whether `written` loses nothing: the value is at least 0 and in this unit has at most 12 decimals."""
    return value >= 0 and 10**DECIMALS % (value / UNITS[unit][1]).denominator == 0


@dataclass(frozen=True)
class Duration:
    """A time, or a number of clocks of the network, whatever its frequency.

    Parameters
    ----------
    value
        Seconds, or clocks; at least 0 and at most a million seconds or 10^12 clocks, with at most 12 decimals of a
        picosecond or clock.
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
        most, unit = (MAX_CLOCKS, "clock") if self.clocks else (MAX_SECONDS, "sec")
        if not (self.value <= most and is_written(self.value, unit if self.clocks else TIMES[0])):
            raise InputError(f"{self.value}{unit}: expected 0{unit} to {most}{unit}, exact in {DECIMALS} decimals")

    def __str__(self) -> str:
        return written(self.value, *(("clock",) if self.clocks else TIMES))

    def in_clocks(self, frequency_hz: Fraction) -> Fraction:
        """Return how many clocks it takes at a frequency."""
        return self.value if self.clocks else self.value * frequency_hz

    def in_seconds(self, frequency_hz: Fraction) -> Fraction:
        """Return how many seconds it takes at a frequency."""
        return self.value / frequency_hz if self.clocks else self.value
