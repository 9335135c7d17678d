"""The catalogue: available cables and their prices, and the prices of interfaces and switch ports."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from .checks import cents, check_int, millimetres
from .errors import InputError

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
    """Prices in US$ and the available cable lengths.

    Parameters
    ----------
    name
        Name in records and reports.
    cables_usd
        Price of a cable by its length in metres.
    nics_usd
        Price of a network interface by its number of ports.
    switch_port_usd
        Price of a switch per used port.

    Raises
    ------
    InputError
        If a number is out of range, or there are no cables or no interfaces.

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

    def __post_init__(self) -> None:
        for field_name in ("cables_usd", "nics_usd"):
            if not isinstance(getattr(self, field_name), Mapping):
                raise InputError(
                    f"prices.{field_name}={getattr(self, field_name)!r}: expected a mapping to prices in US$"
                )
        if not self.cables_usd or not self.nics_usd:
            raise InputError("prices: expected a catalogue with at least one cable and one network interface")
        for length, price in self.cables_usd.items():
            if millimetres("prices.cables_usd", length) == 0:
                raise InputError("prices.cables_usd: a cable of 0 m; expected lengths above 0")
            cents(f"prices.cables_usd[{length}]", price)
        for ports, price in self.nics_usd.items():
            check_int("prices.nics_usd", ports, 1)
            cents(f"prices.nics_usd[{ports}]", price)
        cents("prices.switch_port_usd", self.switch_port_usd)

    def __hash__(self) -> int:
        # Equality of mappings ignores the order of items, so the hash must ignore it too.
        cables, nics = frozenset(self.cables_usd.items()), frozenset(self.nics_usd.items())
        return hash((self.name, cables, nics, self.switch_port_usd))

    def __reduce__(self) -> tuple[type["PriceList"], tuple[object, ...]]:
        # A mapping proxy cannot be pickled; a copy can.
        return PriceList, (self.name, dict(self.cables_usd), dict(self.nics_usd), self.switch_port_usd)

    @property
    def lengths_mm(self) -> NDArray[np.int64]:
        """Every cable length, ascending, in millimetres."""
        return np.array(sorted(millimetres("", length) for length in self.cables_usd), dtype=np.int64)

    @property
    def cable_cents(self) -> NDArray[np.int64]:
        """The price of each of `lengths_mm`, in cents."""
        ascending = sorted(self.cables_usd.items(), key=lambda item: millimetres("", item[0]))
        return np.array([cents("", price) for _, price in ascending], dtype=np.int64)

    def cable_for_mm(self, length_mm: int) -> tuple[int, int]:
        """Return the shortest cable that is long enough: (length in millimetres, price in cents).

        Raises
        ------
        InputError
            If the catalogue has no such cable.
        """
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

        Raises
        ------
        InputError
            If there is no such combination.

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
