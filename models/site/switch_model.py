"""The switch model: the delays along the path of a packet."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

from ..checks import exact_number, fraction_of


@dataclass(frozen=True)
class SwitchModel:
    """Delays of switches and cables.

    Parameters
    ----------
    name
        Name in records and reports.
    delay_ns
        Port-to-port delay, per hop between switches.
    cable_delay_ns_per_m
        Propagation delay per metre of cable.
    endpoint_delay_ns
        The constant α: node to switch, switch to node, and serialization. The paper's 131 ns are one more switch (90),
        two node cables of 2.0 m (20) and 256 bytes at 100 Gbit/s (20.5).
    link_gbps
        Rate in Gbit/s of links that state no rate; the default is InfiniBand EDR. It determines the times of
        workloads; simulations use ``hardware.link_gbps`` instead.

    References
    ----------
    Hosomi et al. 2021, section 3.2.1.

    Examples
    --------
    >>> SwitchModel().units()
    DelayUnits(hop=90000, cable_mm=5, endpoint=131000, per_ns=1000)
    """

    name: str = "infiniband_edr"
    delay_ns: float | Fraction = 90
    cable_delay_ns_per_m: float | Fraction = 5
    endpoint_delay_ns: float = 131
    link_gbps: float | Fraction = 100

    def __post_init__(self) -> None:
        for field in ("delay_ns", "cable_delay_ns_per_m", "endpoint_delay_ns"):
            exact_number(f"switch.{field}", getattr(self, field))
        exact_number("switch.link_gbps", self.link_gbps, high=10**6, above=True)

    def units(self) -> "DelayUnits":
        """Return the delays as integers in a common unit, so that sums are exact."""
        return _units(self.delay_ns, self.cable_delay_ns_per_m, self.endpoint_delay_ns)


@dataclass(frozen=True)
class DelayUnits:
    """Delays as integers in units of 1/per_ns nanoseconds: picoseconds, or finer if the switch model requires it."""

    hop: int
    cable_mm: int
    endpoint: int
    per_ns: int


@lru_cache(maxsize=64, typed=True)  # typed: an equal float and Fraction may denote different decimal numbers
def _units(delay_ns: float | Fraction, cable_delay_ns_per_m: float | Fraction, endpoint_delay_ns: float) -> DelayUnits:
    hop = fraction_of(delay_ns) * 1000
    cable = fraction_of(cable_delay_ns_per_m)  # ns/m = ps/mm
    endpoint = fraction_of(endpoint_delay_ns) * 1000
    scale = lcm(hop.denominator, cable.denominator, endpoint.denominator)

    def to_units(delay: Fraction) -> int:
        return (delay * scale).numerator

    return DelayUnits(to_units(hop), to_units(cable), to_units(endpoint), 1000 * scale)
