"""Metrics of a design, and the formulas that derive them from exact integers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from isoplane.models import Network
    from isoplane.models.workloads import Workload

# Kinds of designs with metrics: one or two cube planes, any network of switches, circuits under a workload, and any
# network of switches under a workload.
Scope = Literal["cubes", "switches", "circuits", "times"]
Divisor = Callable[["Network", "Workload | None"], int]

# The metrics of a design by name, as in a record.
MetricValues = dict[str, int | float | None]

UNITS = ("_mm", "_cents", "_ns", "_um2", "_uw", "_nhops")  # suffixes of exact integers, omitted from score names


@dataclass(frozen=True)
class Formula:
    """Formula for a metric: an exact integer itself, or its quotient by a divisor.

    Attributes
    ----------
    exact
        Name of the exact integer, an attribute of the result of the scope's evaluator.
    divisor
        Divisor of the integer; None if the metric is the integer itself.
    inverse
        Whether the metric is divisor / integer instead, which increases as the integer decreases.
    scored
        Whether the integer may be part of a score, which is minimised.
    parts
        Name of the attribute that holds the number of units of the exact integer per hop or packet; empty if that is 1.
    on_request
        Whether only records state the metric whose score has the integer.

    Examples
    --------
    >>> formula = Formula("cable_length_mm", lambda network, workload: 1000 * network.family.cables)
    >>> formula.score_name
    'cable_length'
    """

    exact: str
    divisor: Divisor | None = None
    inverse: bool = False
    scored: bool = True
    parts: str = ""
    on_request: bool = False

    @property
    def score_name(self) -> str:
        """Name of the integer in scores: its name without the unit."""
        return next((self.exact.removesuffix(unit) for unit in UNITS if self.exact.endswith(unit)), self.exact)

    def value(
        self, exact: int | None, network: Network, workload: Workload | None = None, parts: int = 1
    ) -> int | float | None:
        """Return the metric, rounded once; None without the integer or on division by 0."""
        if exact is None or self.divisor is None:
            return exact
        numerator, denominator = self._quotient(exact, network, workload, parts)
        return numerator / denominator if denominator else None

    def printed(self, exact: int, network: Network, workload: Workload | None = None) -> Fraction:
        """Return the metric as an exact fraction.

        Raises
        ------
        ZeroDivisionError
            On division by 0.
        """
        return Fraction(*self._quotient(exact, network, workload, self.units(network)))

    def units(self, network: Network) -> int:
        """Return the units that the integer counts in: those of an evaluation whose nodes have a link to each plane.

        They share a packet over nearest planes, or all, evenly; hops to the nearest plane are whole ones, and so is the
        delay of a path where caches miss nothing.
        """
        is_whole = self.parts in ("", "max_delay_parts") or (self.parts == "hop_parts" and network.policy == "nearest")
        return 1 if is_whole else lcm(*range(1, len(network.cabling) + 1))

    def _quotient(self, exact: int, network: Network, workload: Workload | None, parts: int) -> tuple[int, int]:
        divisor = parts if self.divisor is None else parts * self.divisor(network, workload)
        return (divisor, exact) if self.inverse else (exact, divisor)


@dataclass(frozen=True)
class Metric:
    """A named number of a design.

    Attributes
    ----------
    name
        Name in records.
    unit
        Unit of the value in records; empty for plain counts.
    title
        Display name.
    decimals
        Maximum number of decimals shown; trailing zeros are omitted unless `padded`.
    higher_is_better
        Direction of improvement; None if neither is better.
    padded
        Whether trailing zeros are kept, as in prices.
    cubes, switches, circuits, times
        Formula in each scope; None where the metric is undefined.
    needs
        Requirements on a design: ``layout``, ``prices``, ``switch``, ``cables``, ``circuits``, ``workload``, ``judge``,
        ``stages``: the part of a switch's delay in which the routing table is looked up, ``lookups``: the areas or
        powers of caches and tables, ``planes`` or ``racks``: two or more of them, or ``losses``: that an objective or a
        limit has it, as it takes all losses in turn.
    minimum
        Smallest possible value.
    tolerance
        Allowed difference from a recomputed value, which may add doubles in a different order.
    optional
        Whether records may lack the metric: true for metrics added since the current version of records.
    short
        Short display name; by default the title.
    page_unit
        Unit on pages, where values have five digits, and its size in multiples of `unit`; by default `unit` itself.
    """

    name: str
    unit: str
    title: str
    decimals: int = 0
    higher_is_better: bool | None = False
    padded: bool = False
    cubes: Formula | None = None
    switches: Formula | None = None
    circuits: Formula | None = None
    times: Formula | None = None
    needs: frozenset[str] = frozenset()
    minimum: int = 0
    tolerance: int = 0
    optional: bool = False
    short: str = ""
    page_unit: tuple[str, int] | None = None

    def formula(self, scope: Scope) -> Formula | None:
        """Return the formula in a scope; None where the metric is undefined."""
        formulas = {"cubes": self.cubes, "switches": self.switches, "circuits": self.circuits, "times": self.times}
        return formulas[scope]
