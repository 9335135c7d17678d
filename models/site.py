"""Sites: where a network would be built, and from what."""

from dataclasses import dataclass, field

from .layout import Layout
from .prices import PriceList
from .switch import SwitchModel


@dataclass(frozen=True)
class Site:
    """The machine room, the catalogue and the switches that a network is built from.

    Parameters
    ----------
    layout
        The racks, or None to leave cables, delay and cost out.
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
