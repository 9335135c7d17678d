"""The switch model: the delays along the path of a packet."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import lcm

import numpy as np

from ..checks import check_int, exact_number, fraction_of
from ..errors import InputError
from ..record_fields import ABSENT_IN_OLD_RECORDS
from .routing_cache import RoutingCache

Time = float | Fraction


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
        two node cables of 2.0 m (20) and 256 bytes at 100 Gbit/s (20.5). None for the delay of the two node cables of
        the network, one switch, and `packet_bytes` at `link_gbps`.
    link_gbps
        Rate in Gbit/s of links that state no rate; the default is InfiniBand EDR. It determines the times of
        workloads; simulations use ``hardware.link_gbps`` instead.
    packet_bytes
        Length of the packets in `endpoint_delay_ns`, and of those whose look-ups need power.
    routing_ns
        The part of `delay_ns` in which the routing table is looked up; None if unknown.
    stages_ns
        The rest of `delay_ns` by stage: allocation of buffer and channel, allocation of the switch, and traversal; None
        if unknown.
    table_interval_ns
        Least time between two look-ups in the routing table that all ports of a switch share; 0 for no limit.
    cache
        The cache of the routing table at each input port. A packet that hits takes `delay_ns` - `routing_ns` + `hit_ns`
        of the cache, one that misses `delay_ns` + `hit_ns`. It requires `routing_ns`, and no constant in
        `endpoint_delay_ns`, which would hide a switch without a cache.
    lookup_nj, static_mw
        Energy of a look-up in the table in nJ, and static power of the table in mW; None if unknown.
    chip_mm2
        Area of the switch chip in mm²; None if unknown.
    lookup_load
        Share of the capacity of a switch, the rates of all its ports, that its packets take up; for the power of their
        look-ups, which takes `packet_bytes` as well.

    References
    ----------
    Hosomi et al. 2021, section 3.2.1; Hirasawa et al. 2020, table 1 and section 7.

    Examples
    --------
    >>> SwitchModel().units()
    DelayUnits(hop=90000, cable_mm=5, endpoint=131000, per_ns=1000, lookup=0)
    """

    name: str = "infiniband_edr"
    delay_ns: Time = 90
    cable_delay_ns_per_m: Time = 5
    endpoint_delay_ns: Time | None = 131
    link_gbps: Time = field(default=100, metadata=ABSENT_IN_OLD_RECORDS)
    packet_bytes: int = field(default=256, metadata=ABSENT_IN_OLD_RECORDS)
    routing_ns: Time | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    stages_ns: tuple[Time, ...] | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    table_interval_ns: Time = field(default=0, metadata=ABSENT_IN_OLD_RECORDS)
    cache: RoutingCache | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    lookup_nj: Time | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    static_mw: Time | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    chip_mm2: Time | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    lookup_load: float | Fraction = field(default=0.5, metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        for name in ("delay_ns", "cable_delay_ns_per_m", "table_interval_ns"):
            exact_number(f"switch.{name}", getattr(self, name))
        for name in ("endpoint_delay_ns", "lookup_nj", "static_mw", "chip_mm2"):
            if getattr(self, name) is not None:
                exact_number(f"switch.{name}", getattr(self, name))
        exact_number("switch.link_gbps", self.link_gbps, high=10**6, above=True)
        exact_number("switch.lookup_load", self.lookup_load, high=1)
        check_int("switch.packet_bytes", self.packet_bytes, 0, 1 << 20)
        self._check_stages()
        if self.cache is not None and self.routing_ns is None:
            raise InputError("switch.routing_ns=null: expected the time of a look-up in the table, which a hit spares")
        if self.cache is not None and self.endpoint_delay_ns is not None:
            raise InputError(
                f"switch.endpoint_delay_ns={self.endpoint_delay_ns}: includes a switch, whose delay switch.cache "
                "changes; expected null"
            )

    def _check_stages(self) -> None:
        if self.routing_ns is not None:
            exact_number("switch.routing_ns", self.routing_ns)
            if fraction_of(self.routing_ns) > fraction_of(self.delay_ns):
                raise InputError(
                    f"switch.routing_ns={self.routing_ns}: expected at most switch.delay_ns={self.delay_ns}"
                )
        if self.stages_ns is None:
            return
        stages = tuple(exact_number("switch.stages_ns", stage) for stage in self.stages_ns)
        rest = fraction_of(self.delay_ns) - fraction_of(self.routing_ns or 0)
        if len(stages) != 3 or sum(stages) != rest:
            raise InputError(
                f"switch.stages_ns={list(self.stages_ns)}: expected three times whose sum is {float(rest):g}, "
                "switch.delay_ns - switch.routing_ns"
            )

    @property
    def hit_delay_ns(self) -> Fraction:
        """Delay of a switch for packets that hit its cache; `delay_ns` without one."""
        units = self.units()
        return Fraction(units.hop, units.per_ns)

    def misses_none_of(self, destinations: int) -> bool:
        """Whether no packet misses a warm cache, or there is none: `delay_ns` or the delay of a hit is that of all."""
        return self.cache is None or self.cache.entries >= destinations

    def require_hits(self, destinations: int, user: str) -> None:
        """Raise an `InputError` if the cache cannot hold so many destinations, for a user of one delay."""
        if self.cache is not None and not self.misses_none_of(destinations):
            raise InputError(
                f"switch.cache.entries={self.cache.entries}: {user} the delay of a switch as one number; expected at "
                f"least {destinations}, the destinations of a node"
            )

    def never_misses(self, nodes: int) -> bool:
        """Whether packets to the first nodes never miss the cache, neither at the start nor by conflicts."""
        return self.cache is None or (self.cache.start != "cold" and self._fullest_set(nodes) <= self.cache.ways)

    def require_no_misses(self, nodes: int, user: str) -> None:
        """Raise an `InputError` if packets to the first nodes may miss the cache, also at the start or by conflicts."""
        self.require_hits(nodes - 1, user)
        if self.cache is None or self.never_misses(nodes):
            return
        if self.cache.start == "cold":
            raise InputError(f"switch.cache.start=cold: {user} the delay of a switch as one number; expected warm")
        of_fullest = self._fullest_set(nodes)
        raise InputError(
            f"switch.cache.ways={self.cache.ways}: {user} the delay of a switch as one number, but {of_fullest} "
            f"nodes have the same set; expected at least {of_fullest}"
        )

    def _fullest_set(self, nodes: int) -> int:
        """Return the largest number of the first nodes that have the same set of the cache."""
        assert self.cache is not None
        return int(np.bincount(self.cache.sets_of(np.arange(nodes))).max())

    def units(self, node_cable_mm: int = 0) -> "DelayUnits":
        """Return the delays as integers in a common unit, so that sums are exact.

        Parameters
        ----------
        node_cable_mm
            Length of the cable of a node, for an `endpoint_delay_ns` of None.

        Examples
        --------
        >>> switch = SwitchModel(delay_ns=100, endpoint_delay_ns=None, routing_ns=25, cache=RoutingCache())
        >>> switch.units(2000)  # 2 · 10 ns of cable, 77 ns, and 20.48 ns for 256 bytes
        DelayUnits(hop=77000, cable_mm=5, endpoint=117480, per_ns=1000, lookup=25000)
        """
        hit_ns = None if self.cache is None else self.cache.hit_ns
        ends = node_cable_mm, self.packet_bytes, self.link_gbps
        return _units(self.delay_ns, self.cable_delay_ns_per_m, self.endpoint_delay_ns, self.routing_ns, hit_ns, *ends)


@dataclass(frozen=True)
class DelayUnits:
    """Delays as integers in units of 1/per_ns nanoseconds: picoseconds, or finer if the switch model requires it.

    `hop` is the delay of a switch with a hit in its cache, if it has one, and `lookup` what a miss adds, 0 without.
    """

    hop: int
    cable_mm: int
    endpoint: int
    per_ns: int
    lookup: int = 0


@lru_cache(maxsize=64, typed=True)  # typed: an equal float and Fraction may denote different decimal numbers
def _units(
    delay_ns: Time,
    cable_delay_ns_per_m: Time,
    endpoint_delay_ns: Time | None,
    routing_ns: Time | None,
    hit_ns: Time | None,
    node_cable_mm: int,
    packet_bytes: int,
    link_gbps: Time,
) -> DelayUnits:
    hop, lookup = fraction_of(delay_ns), Fraction(0)
    if hit_ns is not None:
        lookup = fraction_of(routing_ns)
        hop += fraction_of(hit_ns) - lookup
    cable = fraction_of(cable_delay_ns_per_m)  # ns/m = ps/mm
    if endpoint_delay_ns is None:
        transmission = 8 * packet_bytes / fraction_of(link_gbps)
        endpoint = 2 * node_cable_mm * cable / 1000 + hop + transmission
    else:
        endpoint = fraction_of(endpoint_delay_ns)
    times = hop * 1000, cable, endpoint * 1000, lookup * 1000
    scale = lcm(*(time.denominator for time in times))
    hop_units, cable_units, endpoint_units, lookup_units = ((time * scale).numerator for time in times)
    return DelayUnits(hop_units, cable_units, endpoint_units, 1000 * scale, lookup_units)
