"""Statements of a paper on simulations: ratios of its curves, as ranges."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from isoplane.models import InputError

from .table import decimal_of, rows_of

CLAIM_COLUMNS = ("figure", "section", "metric", "subject", "base", "interval_us", "low", "high", "words")
METRICS = ("diameter", "degree", "network latency")
ALL = "all"


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, as a range for the corresponding number of ours.

    Attributes
    ----------
    figure, section
        The figure with which it is compared, such as ``fig5``, and the section that states it.
    metric
        The quantity, one of `METRICS`.
    subject, base
        For a number of a graph, its network, and no base. For a latency, the two curves of a ratio, such as ``fig5
        RDT`` over ``fig4 RDT``.
    interval_us
        Interval of messages at which the ratio is taken; None for all of them.
    low, high
        The range; None if it is unbounded on that side.
    words
        The words of the paper.
    """

    figure: str
    section: str
    metric: str
    subject: str
    base: str
    interval_us: int | None
    low: Fraction | None
    high: Fraction | None
    words: str

    @property
    def curves(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The two curves of a latency, as (figure, network)."""
        (subject, network), (base, other) = (curve.split(" ", 1) for curve in (self.subject, self.base))
        return (subject, network), (base, other)


@lru_cache(maxsize=1)
def shibamura_claims() -> tuple[Claim, ...]:
    """Return all statements of the paper on INSIGHT that a simulation can check.

    Interpretation: "far" and "large" mean more than a half, "little" and "almost none" less than a tenth; "half" is
    0.4 to 0.62, because a wider channel does not shorten the 2 clocks of the hardware; "half or less" is at most 0.52.

    References
    ----------
    Shibamura, Kuga and Sueyoshi, Performance Evaluation of Interconnection Networks for Massively Parallel Computers
    Utilizing An Interconnection Network Simulator INSIGHT, sections 3 and 4.

    Examples
    --------
    >>> far = shibamura_claims()[9]
    >>> far.subject, far.base, far.low
    ('fig4 2-D torus', 'fig4 3-D torus', Fraction(3, 2))
    """
    return read_claims(Path(__file__).with_name("shibamura.csv"))


def read_claims(path: Path) -> tuple[Claim, ...]:
    """Read a table of statements with the columns of `CLAIM_COLUMNS`.

    Raises
    ------
    InputError
        If the columns differ or a row is malformed.
    """
    return tuple(_claim(row, where) for row, where in rows_of(path, CLAIM_COLUMNS))


def _claim(row: dict[str, str], where: str) -> Claim:
    if row["metric"] not in METRICS:
        raise InputError(f"{where}: metric={row['metric']!r}: expected {'; '.join(METRICS)}")
    interval, is_latency = row["interval_us"], row["metric"] == METRICS[-1]
    if is_latency != bool(interval) or not (interval in ("", ALL) or interval.isdigit()):
        raise InputError(f"{where}: interval_us={interval!r}: expected a number or {ALL} for a latency, else nothing")
    for column in ("subject", "base") if is_latency else ():
        if not row[column].startswith("fig") or " " not in row[column]:
            raise InputError(f"{where}: {column}={row[column]!r}: expected a figure and a network, such as fig5 RDT")
    low, high = (decimal_of(row, column, where) if row[column] else None for column in ("low", "high"))
    if (low is None and high is None) or (low is not None and high is not None and low > high):
        raise InputError(f"{where}: low={row['low']!r}, high={row['high']!r}: expected a range")
    return Claim(
        row["figure"],
        row["section"],
        row["metric"],
        row["subject"],
        row["base"],
        int(interval) if interval.isdigit() else None,
        low,
        high,
        row["words"],
    )
