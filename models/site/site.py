"""Sites: the machine room, price list and switch model of a network."""

from dataclasses import dataclass, field

from .layout import Layout
from .prices import PriceList
from .switch_model import SwitchModel


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
