"""How the numbers of hybrid networks are written for people."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, log10

from ..quantities import change, number

DIGITS = 5
BYTE_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


@dataclass(frozen=True)
class Measure:
    """A number of a design: what it is called, its unit, and how many of what is stored one of it is.

    Less is better, unless it is `neutral`.
    """

    title: str
    unit: str
    scale: int = 1
    neutral: bool = False

    def written(self, value: float | None) -> str:
        """Write a value as it is stored, or a dash where there is none.

        Examples
        --------
        >>> Measure("Completion", "ms", 10**6).written(640_001_840)
        '640'
        """
        return "–" if value is None else significant(value / self.scale)

    def change(self, value: float | None, before: float | None) -> str:
        """Write by how many percent a value differs from another one, if it is one that should be small."""
        return "" if self.neutral or value is None or before is None else change(value, before)

    def verdict(self, value: float | None, before: float | None) -> str:
        """Return ``better``, ``worse`` or ``same``."""
        if value == before or value is None or before is None or self.neutral:
            return "same"
        return "better" if value < before else "worse"


MEASURES: Mapping[str, Measure] = {
    "circuits": Measure("Circuits", "", neutral=True),
    "completion_ns": Measure("Completion, relay by messages", "ms", 10**6),
    "completion_min_ns": Measure("… the shortest of 9 runs", "ms", 10**6),
    "completion_max_ns": Measure("… the longest of 9 runs", "ms", 10**6),
    "completion_by_packets_ns": Measure("Completion, relay by packets", "ms", 10**6),
    "completion_by_packets_min_ns": Measure("… the shortest of 9 runs", "ms", 10**6),
    "completion_by_packets_max_ns": Measure("… the longest of 9 runs", "ms", 10**6),
    "bottleneck_ns": Measure("Bottleneck: the busiest link alone", "ms", 10**6),
    "total_ns": Measure("All links, one after the other", "ms", 10**6),
    "heaviest_load_bytes": Measure("Heaviest load, one way of a link", "MB", 10**6),
    "mean_hops": Measure("Mean legs of a message", "legs"),
    "crossing_bytes": Measure("Sent between groups in an iteration", "MB", 10**6),
}


def significant(value: float, digits: int = DIGITS) -> str:
    """Write a number with so many digits; what stands before the decimal point is whole.

    Examples
    --------
    >>> significant(640.00184), significant(1234567.8), significant(0.00046), significant(0)
    ('640', '1,234,568', '0.00046', '0')
    """
    if value == 0:
        return "0"
    return number(value, max(0, digits - 1 - floor(log10(abs(value)))))


def bytes_unit(value: float) -> tuple[int, str]:
    """Return the largest unit that is not above a number of bytes: how many bytes it is, and its name.

    Examples
    --------
    >>> bytes_unit(40_000_000), bytes_unit(0)
    ((1000000, 'MB'), (1, 'B'))
    """
    unit = 0
    while value >= 1000 ** (unit + 1) and unit < len(BYTE_UNITS) - 1:
        unit += 1
    return int(1000**unit), BYTE_UNITS[unit]


def bytes_text(value: float) -> str:
    """Write bytes in a unit that fits.

    Examples
    --------
    >>> bytes_text(40_000_000), bytes_text(1500), bytes_text(12), bytes_text(0)
    ('40 MB', '1.5 kB', '12 B', '0 B')
    """
    scale, unit = bytes_unit(value)
    return f"{significant(value / scale, 3)} {unit}"
