"""A metric: a named number of a design, and how it follows from an exact integer."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from isoplane.models import Network
from isoplane.models.workloads import Workload

# What has metrics: one or two planes of cubes, any network of switches, designs with circuits under a workload.
Scope = Literal["cubes", "switches", "circuits"]
Divisor = Callable[[Network, Workload | None], int]

UNITS = ("_mm", "_cents", "_ns")  # of exact integers, which score names leave out


@dataclass(frozen=True)
class Formula:
    """How a metric follows from an exact integer: it is that integer, or a quotient of it and another number.

    Attributes
    ----------
    exact
        The exact integer: an attribute of what the evaluator of the scope returns.
    divisor
        What it is divided by; None where the metric is the integer itself.
    inverse
        Whether the integer divides that number instead, so that the metric grows as the integer falls.
    scored
        Whether the integer may be part of a score, which is minimised.
    parts
        An attribute beside the exact integer: how many of its units make one. Empty where it counts whole ones.

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

    @property
    def score_name(self) -> str:
        """What scores call the integer: its name without its unit."""
        return next((self.exact.removesuffix(unit) for unit in UNITS if self.exact.endswith(unit)), self.exact)

    def value(
        self, exact: int | None, network: Network, workload: Workload | None = None, parts: int = 1
    ) -> int | float | None:
        """Return the metric, rounded once; None without the integer, or where it would be a division by 0."""
        if exact is None or self.divisor is None:
            return exact
        above, below = self._quotient(exact, network, workload, parts)
        return above / below if below else None

    def printed(self, exact: int, network: Network, workload: Workload | None = None) -> Fraction:
        """Return the metric as an exact fraction.

        Raises
        ------
        ZeroDivisionError
            If it would be a division by 0.
        """
        return Fraction(*self._quotient(exact, network, workload, 1))

    def _quotient(self, exact: int, network: Network, workload: Workload | None, parts: int) -> tuple[int, int]:
        divisor = parts if self.divisor is None else parts * self.divisor(network, workload)
        return (divisor, exact) if self.inverse else (exact, divisor)


@dataclass(frozen=True)
class Metric:
    """A named number of a design.

    Attributes
    ----------
    name
        What records call it.
    unit
        What it is counted in, as the value of a record is; empty for a number of things.
    title
        What people call it.
    decimals
        The most that pages show; zeros at the end are left out unless `padded`.
    higher_is_better
        Which direction is an improvement; None where neither is.
    padded
        Whether zeros at the end stay, as in prices.
    cubes, switches, circuits
        How it follows from an exact integer of each scope; None where it is not defined.
    needs
        What a design must have: ``layout``, ``prices``, ``switch``, ``cables``, ``circuits``, ``workload``.
    least
        The smallest value that there is.
    tolerance
        By how much a recomputation may differ, where doubles are added up in another order.
    optional
        Whether records may lack it; so it is for a metric that is younger than the version of its records.
    short
        What it is called where there is little room; by default its title.
    page_unit
        What pages show it in, with five digits, and how many of `unit` one of these is; by default `unit` itself.
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
    needs: frozenset[str] = frozenset()
    least: int = 0
    tolerance: int = 0
    optional: bool = False
    short: str = ""
    page_unit: tuple[str, int] | None = None

    def formula(self, scope: Scope) -> Formula | None:
        """Return how it follows from an exact integer of a scope; None where it is not defined."""
        return {"cubes": self.cubes, "switches": self.switches, "circuits": self.circuits}[scope]
