"""Sites: the machine room, price list and switch model of a network."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..checks import millimetres
from ..search_variables import Variable
from .layout import Layout
from .prices import PriceList
from .routing_cache import CacheVariable
from .switch_model import DelayUnits, SwitchModel


@dataclass(frozen=True)
class Site:
    """The machine room in which a network is built, the catalogue and the switch model.

    Parameters
    ----------
    layout
        The racks; None to ignore cable lengths, delay and cost.
    prices, switch
        The catalogue and the switch model.

    Examples
    --------
    >>> Site(layout=None).prices.switch_port_usd
    310.28
    """

    layout: Layout | None = field(default_factory=Layout)
    prices: PriceList = field(default_factory=PriceList)
    switch: SwitchModel = field(default_factory=SwitchModel)

    @property
    def node_cable_mm(self) -> int:
        """Length of the cable of the catalogue that connects a node to its switch, 0 without a layout."""
        if self.layout is None:
            return 0
        return self.prices.cable_for_mm(millimetres("layout.node_cable_m", self.layout.node_cable_m))[0]

    @property
    def variables(self) -> Mapping[str, Variable]:
        """Search variables, by the config keys that narrow their limits: the cache of the switches, if any."""
        cache = self.switch.cache
        return {} if cache is None else {"switch.cache": CacheVariable((cache,))}

    @property
    def delay_units(self) -> DelayUnits:
        """Delays of networks whose nodes have the cable of the catalogue, as integers in a common unit."""
        return self.switch.units(0 if self.switch.endpoint_delay_ns is not None else self.node_cable_mm)
