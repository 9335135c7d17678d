"""Numbers and statements of the papers, as data."""

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

# By the paper's metric: the metric of a record, and its unit relative to that of the record. Traffic is printed with
# one node for each switch, or only with the four nodes of section 3.
RECORDED_AS = {
    "aspl": ("aspl", 1),
    "max_traffic / 4": ("max_traffic", 4),
    "max_traffic": ("max_traffic", 1),
    "delay_paper": ("delay_paper_ns", 1),
    "mean cable length": ("cable_length_m", 1),
    "network cost": ("cost_usd_per_node", 1000),
}
Stated = TypeVar("Stated")
TERM = re.compile(r"(?P<factor>\d+(?:\.\d+)?)?(?: ?d(?:\^(?P<power>\d))?)?")


@dataclass(frozen=True)
class Published:
    """A number that a paper states in its text.

    Attributes
    ----------
    figure
        The figure, such as ``Fig 3a``.
    network
        The paper's name; ``DI-HC/D-HC`` for a change from the one on the right.
    n
        Dimension, or the number that `metric` calls n; None for a number that covers several.
    metric, unit
        The quantity and its unit.
    value, precision
        The number, and half its last printed digit: the true value lies within value ± precision.
    kind
        ``model``: a formula or a count, so it must agree. ``simulation``: another simulator's result. ``machine``:
        counted in the log of a machine.
    """

    figure: str
    network: str
    n: int | None
    metric: str
    unit: str
    value: Fraction
    precision: Fraction
    kind: str

    @property
    def decimals(self) -> int:
        """Printed digits after the point: 2 for a precision of 0.005, none for 0.5 or 0."""
        digits = 0
        while self.precision * 2 * 10**digits % 1:
            digits += 1
        return digits


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, as a range for the corresponding number of ours.

    Attributes
    ----------
    figure, section
        The figure with which it is compared, such as ``fig5``, and the section that states it.
    metric
        The quantity, ``diameter``, ``degree`` or ``network latency``.
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
        ``servers``, ``switches`` or ``servers per switch``.
    degree
        The only d for which it is stated, where switches have 2d ports; None if it is stated for every d.
    value
        A polynomial in d, such as ``1.5 d^2 + 1.5 d``.
    """

    section: str
    network: str
    metric: str
    degree: int | None
    value: str

    def at(self, degree: int) -> Fraction:
        """Return the value for switches of 2d ports.

        Examples
        --------
        >>> PublishedCount("3.3", "multi-layer full mesh", "switches", None, "1.5 d^2 + 1.5 d").at(3)
        Fraction(18, 1)
        """
        total = Fraction(0)
        for text in self.value.split(" + "):
            term = TERM.fullmatch(text)
            assert term is not None, self.value
            total += Fraction(term["factor"] or 1) * degree ** (int(term["power"] or 1) if "d" in text else 0)
        return total


@lru_cache(maxsize=1)
def published() -> tuple[Published, ...]:
    """Return every number that the paper on dual-plane isomorphic hypercubes states in its text.

    References
    ----------
    Hosomi et al., Dual-plane Isomorphic Hypercube Networks, 2021, sections 2.4, 3.2 to 3.5.

    Examples
    --------
    >>> next((p.value, p.unit) for p in published() if (p.network, p.n, p.metric) == ("D-HC", 12, "delay_paper"))
    (Fraction(1006, 1), 'ns')
    """
    return _read("hosomi.csv", Published, n=int, value=Fraction, precision=Fraction)


def published_designs(folded: bool, n: int) -> dict[str, dict[str, tuple[float, float]]]:
    """Return the published numbers of a family and size by network and metric of a record, identical planes first.

    Networks are D- for identical planes, DI- for isomorphic ones, -r for those optimised with cables. A number comes
    with its precision, half its last printed digit.

    References
    ----------
    Hosomi et al. 2021, sections 2.4, 3.2.2 and 3.3.2.

    Examples
    --------
    >>> {network: numbers["max_traffic"] for network, numbers in published_designs(False, 12).items()}
    {'D-HC': (4.0, 0.02), 'DI-HC': (4.8, 0.02), 'DI-HC-r': (4.76, 0.02)}
    >>> published_designs(False, 9)
    {}
    """
    cube = "FHC" if folded else "HC"
    designs: dict[str, dict[str, tuple[float, float]]] = {}
    for network in (f"D-{cube}", f"DI-{cube}", f"DI-{cube}-r"):
        points = {point.metric: point for point in published() if (point.network, point.n) == (network, n)}
        numbers = {
            metric: (float(factor * points[name].value), float(factor * points[name].precision))
            for name, (metric, factor) in RECORDED_AS.items()
            if name in points
        }
        if numbers:
            designs[network] = numbers
    return designs


@lru_cache(maxsize=1)
def hirasawa_numbers() -> tuple[Published, ...]:
    """Return the numbers that the paper on routing-table caches states in its text.

    References
    ----------
    Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020.

    Examples
    --------
    >>> next((p.value, p.unit) for p in hirasawa_numbers() if p.network == "RICC")
    (Fraction(98, 1), '%')
    """
    return _read("hirasawa.csv", Published, n=int, value=Fraction, precision=Fraction)


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
    return _read("shibamura.csv", Claim, interval_us=_interval_us, low=Fraction, high=Fraction)


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
    return _read("shimizu.csv", PublishedCount, degree=int)


@lru_cache(maxsize=1)
def shimizu_measurements() -> dict[str, tuple[Fraction, str]]:
    """Return what the paper on switch-saving topologies measured on real machines: values with units, by quantity.

    No model has to meet them.

    References
    ----------
    Shimizu and Nakajima, on switch-saving topologies, section 4.3.

    Examples
    --------
    >>> shimizu_measurements()["link limit"]
    (Fraction(3717, 1), 'MiB/s')
    """
    return {row["quantity"]: (Fraction(row["value"]), row["unit"]) for row in _rows("shimizu_measured.csv")}


def _interval_us(text: str) -> int | None:
    return None if text == "all" else int(text)


def _read(name: str, kind: type[Stated], **readers: Callable[[str], object]) -> tuple[Stated, ...]:
    """Return the rows of a table as instances of a dataclass.

    Columns with a reader are read by it, and None where they are empty; the others are text.
    """
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # a dataclass
    found = []
    for row in _rows(name):
        read = {key: reader(row[key]) if row[key] else None for key, reader in readers.items()}
        found.append(kind(**{key: row[key] for key in names} | read))
    return tuple(found)


def _rows(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table of this folder."""
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
