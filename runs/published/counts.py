"""Numbers of servers and switches that a paper states as polynomials."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from isoplane.models import InputError

from .table import rows_of

COUNT_COLUMNS = ("section", "network", "metric", "degree", "value", "note")
COUNT_METRICS = ("servers", "switches", "servers per switch")
TERM = re.compile(r"(?P<factor>\d+(?:\.\d+)?)?(?: ?d(?:\^(?P<power>\d))?)?")


@dataclass(frozen=True)
class PublishedCount:
    """A number of servers or switches of a network, or their ratio, as a paper states it.

    Attributes
    ----------
    section
        The section that states it.
    network
        The paper's name of the network, in English.
    metric
        One of `COUNT_METRICS`.
    degree
        The only d for which it is stated, where switches have 2d ports; None if it is stated for every d.
    value
        A polynomial in d, such as ``1.5 d^2 + 1.5 d``.
    note
        Further remarks.
    """

    section: str
    network: str
    metric: str
    degree: int | None
    value: str
    note: str

    def at(self, degree: int) -> Fraction:
        """Return the value for switches of 2d ports.

        Examples
        --------
        >>> PublishedCount("3.3", "multi-layer full mesh", "switches", None, "1.5 d^2 + 1.5 d", "").at(3)
        Fraction(18, 1)
        """
        return sum((factor * degree**power for factor, power in terms_of(self.value)), Fraction(0))


def terms_of(polynomial: str) -> list[tuple[Fraction, int]]:
    """Return the coefficient and the power of d of every term of a sum.

    Raises
    ------
    InputError
        If a term is not a decimal number, a power of d, or their product.

    Examples
    --------
    >>> terms_of("1.5 d^2 + d + 4")
    [(Fraction(3, 2), 2), (Fraction(1, 1), 1), (Fraction(4, 1), 0)]
    """
    terms = []
    for text in polynomial.split(" + "):
        match = TERM.fullmatch(text)
        if not text or match is None:
            raise InputError(f"value={polynomial!r}: expected a polynomial in d, such as 1.5 d^2 + 1.5 d")
        power = int(match["power"] or 1) if "d" in text else 0
        terms.append((Fraction(match["factor"] or 1), power))
    return terms


@lru_cache(maxsize=1)
def shimizu_counts() -> tuple[PublishedCount, ...]:
    """Return the numbers of servers and switches in the paper on switch-saving topologies.

    The paper has no prices: it measures cost in servers per switch. Its measurements on real machines are left out.

    References
    ----------
    Shimizu and Nakajima, on switch-saving topologies, sections 2 and 3.3.

    Examples
    --------
    >>> [count.value for count in shimizu_counts() if count.network == "3-level fat-tree"]
    ['2 d^3', '5 d^2', '1.2']
    """
    return read_counts(Path(__file__).with_name("shimizu.csv"))


def read_counts(path: Path) -> tuple[PublishedCount, ...]:
    """Read a table with the columns of `COUNT_COLUMNS`.

    Raises
    ------
    InputError
        If the columns differ, a row is malformed, or two rows give the same number.
    """
    counts = tuple(_count(row, where) for row, where in rows_of(path, COUNT_COLUMNS))
    seen: set[tuple[str, str, int | None]] = set()
    for count in counts:
        key = (count.network, count.metric, count.degree)
        if key in seen:
            raise InputError(f"{path.name}: {key} occurs twice; expected one row for each number")
        seen.add(key)
    return counts


def _count(row: dict[str, str], where: str) -> PublishedCount:
    if row["metric"] not in COUNT_METRICS:
        raise InputError(f"{where}: metric={row['metric']!r}: expected {'; '.join(COUNT_METRICS)}")
    if not row["network"]:
        raise InputError(f"{where}: network is empty; expected a name")
    if row["degree"] and not re.fullmatch(r"[1-9]\d{0,2}", row["degree"]):
        raise InputError(f"{where}: degree={row['degree']!r}: expected an integer from 1 to 999, or nothing")
    try:
        terms_of(row["value"])
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    degree = int(row["degree"]) if row["degree"] else None
    return PublishedCount(row["section"], row["network"], row["metric"], degree, row["value"], row["note"])
