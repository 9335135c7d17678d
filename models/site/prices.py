"""The catalogue: available cables, interfaces and switches, with their prices, and powers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..checks import cents, check_int, exact_number, millimetres, milliwatts
from ..errors import InputError
from ..record_fields import ABSENT_IN_OLD_RECORDS

SwitchRule = Literal["port", "switch"]
SWITCH_RULES: tuple[SwitchRule, ...] = get_args(SwitchRule)
PartClass = Literal["switch", "nic", "copper", "optics", "cable"]
PART_CLASSES: tuple[PartClass, ...] = get_args(PartClass)
NO_ENTRIES: Mapping[Any, Any] = MappingProxyType({})

PAPER_CABLES: Mapping[float, float] = MappingProxyType(
    {
        1.0: 110,
        2.0: 134,
        2.5: 140,
        3.0: 148,
        4.0: 242,
        5.0: 278,
        10.0: 545,
        15.0: 575,
        20.0: 610,
        30.0: 685,
        50.0: 975,
        100.0: 1665,
    }
)
PAPER_NICS: Mapping[int, float] = MappingProxyType({1: 399, 2: 485})


@dataclass(frozen=True)
class PriceList:
    """Prices in US$, powers, and the available lengths of cables and sizes of switches.

    Parameters
    ----------
    name
        Name in records and reports.
    cables_usd
        Price of a cable by its length in metres.
    nics_usd
        Price of a network interface by its number of ports.
    switch_port_usd
        Price of a switch per port; without effect if there are `switches_usd`.
    switches_usd
        Price of a switch by its number of ports; empty if switches are paid for by port.
    copper_to_m
        Length up to which cables are of copper, beyond which they are optical; None for one class of cables.
    switch_port_w, optical_cable_w, nic_w
        Power of a used port of a switch, of an optical cable with both transceivers, and of a port of an interface;
        None if unknown.
    ranges
        By class of part (``switch``, ``nic``, ``copper``, ``optics``, or ``cable`` without `copper_to_m`), the lowest
        and the highest price as multiples of the given one; classes that are left out have no range.
    by
        What is paid for of a switch: ``port``, the ports that it uses, as in the paper, or with `switches_usd` the
        cheapest switch with as many; or ``switch``, a whole switch of `switch_ports`, whether they are used or not.
    switch_ports
        Ports of every switch if paid for by ``switch``; else None.

    Notes
    -----
    The paper gives no price for its 1.0 m cable; its published cable costs imply 109..115 US$, and 110 is used.

    References
    ----------
    Hosomi et al. 2021, Tables 2 and 3, section 3.3.1.

    Examples
    --------
    >>> PriceList().cable_for_mm(6900)
    (10000, 54500)
    """

    name: str = "infiniband_edr"
    cables_usd: Mapping[float, float] = field(default_factory=lambda: PAPER_CABLES)
    nics_usd: Mapping[int, float] = field(default_factory=lambda: PAPER_NICS)
    switch_port_usd: float = 310.28
    switches_usd: Mapping[int, float] = field(default_factory=lambda: NO_ENTRIES, metadata=ABSENT_IN_OLD_RECORDS)
    copper_to_m: float | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    switch_port_w: float | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    optical_cable_w: float | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    nic_w: float | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    ranges: Mapping[str, tuple[float, float]] = field(
        default_factory=lambda: NO_ENTRIES, metadata=ABSENT_IN_OLD_RECORDS
    )
    by: SwitchRule = field(default="port", metadata=ABSENT_IN_OLD_RECORDS)
    switch_ports: int | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        for field_name in ("switches_usd", "ranges"):
            if getattr(self, field_name) is None:
                object.__setattr__(self, field_name, NO_ENTRIES)
        for field_name in ("cables_usd", "nics_usd", "switches_usd"):
            if not isinstance(getattr(self, field_name), Mapping):
                given = getattr(self, field_name)
                raise InputError(f"prices.{field_name}={given!r}: expected a mapping to prices in US$")
        if not (self.cables_usd and self.nics_usd):
            raise InputError("prices: expected a catalogue with at least one cable and one network interface")
        for length, price in self.cables_usd.items():
            if millimetres("prices.cables_usd", length) == 0:
                raise InputError("prices.cables_usd: a cable of 0 m; expected lengths above 0")
            cents(f"prices.cables_usd[{length}]", price)
        for field_name in ("nics_usd", "switches_usd"):
            for ports, price in getattr(self, field_name).items():
                check_int(f"prices.{field_name}", ports, 1)
                cents(f"prices.{field_name}[{ports}]", price)
        cents("prices.switch_port_usd", self.switch_port_usd)
        if self.copper_to_m is not None:
            millimetres("prices.copper_to_m", self.copper_to_m)
        for field_name in ("switch_port_w", "optical_cable_w", "nic_w"):
            if getattr(self, field_name) is not None:
                milliwatts(f"prices.{field_name}", getattr(self, field_name))
        object.__setattr__(self, "ranges", _checked_ranges(self.ranges))
        self._check_rule()

    def _check_rule(self) -> None:
        """Require a rule for the price of switches, and the ports of whole switches."""
        if self.by not in SWITCH_RULES:
            raise InputError(f"prices.by={self.by!r}: expected {', '.join(SWITCH_RULES)}")
        if self.by == "switch" and self.switch_ports is None:
            raise InputError("prices.by=switch: expected the ports of every switch, such as prices.switch_ports=36")
        if self.by == "port" and self.switch_ports is not None:
            raise InputError(f"prices.switch_ports={self.switch_ports}: has no effect; expected prices.by=switch")
        if self.switch_ports is not None:
            check_int("prices.switch_ports", self.switch_ports, 1)
            self.switch_for(self.switch_ports)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Equality of mappings ignores the order of items, so the hash must ignore it too. Computed once: sites are
        # looked up thousands of times in a search.
        values = (getattr(self, parameter.name) for parameter in fields(self))
        return hash(tuple(frozenset(value.items()) if isinstance(value, Mapping) else value for value in values))

    def __reduce__(self) -> tuple[type["PriceList"], tuple[object, ...]]:
        # A mapping proxy cannot be pickled; a copy can.
        values = (getattr(self, parameter.name) for parameter in fields(self))
        return PriceList, tuple(dict(value) if isinstance(value, Mapping) else value for value in values)

    @cached_property
    def lengths_mm(self) -> NDArray[np.int64]:
        """Every cable length, ascending, in millimetres; read-only."""
        return _read_only(sorted(millimetres("", length) for length in self.cables_usd))

    @cached_property
    def cable_cents(self) -> NDArray[np.int64]:
        """The price of each of `lengths_mm`, in cents; read-only."""
        ascending = sorted(self.cables_usd.items(), key=lambda item: millimetres("", item[0]))
        return _read_only([cents("", price) for _, price in ascending])

    def cable_for_mm(self, length_mm: int) -> tuple[int, int]:
        """Return the shortest cable that is long enough: (length in millimetres, price in cents)."""
        lengths = self.lengths_mm
        index = int(np.searchsorted(lengths, length_mm))
        if index == len(lengths):
            raise InputError(
                f"a cable of {length_mm / 1000:g} m: the longest in prices={self.name} is {lengths[-1] / 1000:g} m; "
                "expected a catalogue with a longer one, or layout=none"
            )
        return int(lengths[index]), int(self.cable_cents[index])

    def nic_cents(self, ports: int) -> int:
        """Return the price of the network interfaces of a node with a number of ports, in cents.

        If the catalogue has no interface with that many ports, the price is that of the cheapest combination of
        interfaces with exactly that many ports in total.

        Examples
        --------
        >>> PriceList().nic_cents(2), PriceList().nic_cents(3)  # 48500 + 39900
        (48500, 88400)
        """
        if ports in self.nics_usd:
            return cents("", self.nics_usd[ports])
        cheapest = {0: 0}  # by number of ports
        for total in range(1, ports + 1):
            sums = [
                cheapest[total - nic_ports] + cents("", usd)
                for nic_ports, usd in self.nics_usd.items()
                if total - nic_ports in cheapest
            ]
            if sums:
                cheapest[total] = min(sums)
        if ports not in cheapest:
            raise InputError(
                f"prices.nics_usd: none with {ports} ports in all; expected sums of {sorted(self.nics_usd)}"
            )
        return cheapest[ports]

    def switch_for(self, ports: int) -> tuple[int, int]:
        """Return the switch that is bought for a number of used ports: (its ports, price in cents).

        A whole switch has `switch_ports`. Otherwise it is the cheapest of `switches_usd` with enough ports; without
        these, it has exactly as many ports.

        Examples
        --------
        >>> PriceList().switch_for(12), PriceList(switches_usd={18: 5000, 36: 9000, 40: 8000}).switch_for(20)
        ((12, 372336), (40, 800000))
        >>> PriceList(by="switch", switch_ports=36).switch_for(12)  # 36 · 31028
        (36, 1117008)
        """
        bought = ports if self.switch_ports is None else self.switch_ports
        if ports > bought:
            raise InputError(f"a switch of {ports} ports: expected at most prices.switch_ports={bought}")
        if not self.switches_usd:
            return bought, bought * cents("", self.switch_port_usd)
        enough = [(cents("", usd), size) for size, usd in self.switches_usd.items() if size >= bought]
        if not enough:
            raise InputError(
                f"a switch of {bought} ports: the largest in prices={self.name} has {max(self.switches_usd)}; expected "
                "a catalogue with a larger one"
            )
        # Of equally cheap switches, the smallest.
        price, size = min(enough)
        return size, price

    @property
    def rule(self) -> str:
        """The rule for the price of switches, in words."""
        if self.switch_ports is not None:
            return f"whole switches of {self.switch_ports} ports, used or not"
        return "the cheapest switches with enough ports" if self.switches_usd else "the used ports of switches"

    @property
    def classes(self) -> tuple[PartClass, ...]:
        """The classes of its parts."""
        return ("switch", "nic", "cable") if self.copper_to_m is None else ("switch", "nic", "copper", "optics")

    def cable_class(self, length_mm: int) -> PartClass:
        """Return the class of a cable: ``copper`` or ``optics``, or ``cable`` without `copper_to_m`.

        Examples
        --------
        >>> prices = PriceList(copper_to_m=3)
        >>> prices.cable_class(3000), prices.cable_class(4000), PriceList().cable_class(4000)
        ('copper', 'optics', 'cable')
        """
        if self.copper_to_m is None:
            return "cable"
        return "copper" if length_mm <= millimetres("", self.copper_to_m) else "optics"


def multiplied(prices: PriceList, multiples: Mapping[str, Fraction]) -> PriceList:
    """Return a catalogue with other prices: multiples of those of classes of parts, each rounded to cents.

    Examples
    --------
    >>> prices = multiplied(PriceList(), {"nic": Fraction(1, 2), "cable": Fraction(2)})
    >>> prices.nic_cents(1), prices.cable_for_mm(1000), prices.switch_port_usd
    (19950, (1000, 22000), 310.28)
    """

    def usd(part_class: PartClass, price_usd: float) -> float:
        return round(cents("", price_usd) * multiples.get(part_class, 1)) / 100

    return replace(
        prices,
        cables_usd={m: usd(prices.cable_class(millimetres("", m)), price) for m, price in prices.cables_usd.items()},
        nics_usd={ports: usd("nic", price) for ports, price in prices.nics_usd.items()},
        switch_port_usd=usd("switch", prices.switch_port_usd),
        switches_usd={ports: usd("switch", price) for ports, price in prices.switches_usd.items()},
    )


def _read_only(values: list[int]) -> NDArray[np.int64]:
    """Return an array that is computed once and shared."""
    found = np.array(values, dtype=np.int64)
    found.flags.writeable = False
    return found


def _checked_ranges(ranges: object) -> Mapping[str, tuple[float, float]]:
    """Return ranges as tuples."""
    if not isinstance(ranges, Mapping):
        raise InputError(f"prices.ranges={ranges!r}: expected a mapping from classes of parts to [low, high]")
    for name, pair in ranges.items():
        if name not in PART_CLASSES:
            raise InputError(f"prices.ranges.{name}: unknown class of parts; expected {', '.join(PART_CLASSES)}")
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise InputError(f"prices.ranges.{name}={pair!r}: expected [low, high]")
        low, high = (exact_number(f"prices.ranges.{name}", factor, above=True) for factor in pair)
        if not low <= 1 <= high:
            raise InputError(f"prices.ranges.{name}={list(pair)}: expected low <= 1 <= high, multiples of the price")
    return {name: (pair[0], pair[1]) for name, pair in ranges.items()}
