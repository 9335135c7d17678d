"""What the page needs to state the proven bound on prices at every position of its sliders."""

from dataclasses import replace

from isoplane.models import PriceList
from isoplane.models.checks import Metres, millimetres
from isoplane.models.family_kinds.uniform import NODE_CABLE_M
from isoplane.models.site.prices import PartClass

from ..request import Request
from ..sizes.price_bound import least_hops
from ..sizes.price_floor import between_m, switch_floor
from .sliders import at_steps

Floor = dict[str, int | None]


def floor_of_hops(request: Request) -> float:
    """Return how many ends of links a network of some nodes and ports has for each hop at least, at full throughput."""
    return float(least_hops(request.nodes, request.node_ports, request.ports) * request.node_ports / request.nodes)


def class_floors(request: Request) -> list[list[Floor]]:
    """Return for each class of parts and step of its slider the least that these parts cost in cents.

    Those of switches are ``switch``, ``joint`` and ``place``, as in `switch_floor`; of interfaces ``node``, for all
    ports of a node; and of cables ``cable`` between switches, and ``lead`` of a node, None where no cable of the class
    is long enough for it.
    """
    prices = request.site.prices
    return [[_floor(request, name, at) for at in at_steps(prices, name)] for name in prices.classes]


def _floor(request: Request, name: PartClass, prices: PriceList) -> Floor:
    at = replace(request, site=replace(request.site, prices=prices))
    if name == "switch":
        switch, joint, place = switch_floor(at)
        return {"switch": switch, "joint": joint, "place": place}
    if name == "nic":
        return {"node": prices.nic_cents(request.node_ports)}
    layout = request.site.layout
    assert layout is not None  # required by requests
    lead_m = min(layout.node_cable_m, NODE_CABLE_M)
    return {"cable": _least_of(prices, name, between_m(layout)), "lead": _least_of(prices, name, lead_m)}


def _least_of(prices: PriceList, name: PartClass, least_m: Metres) -> int | None:
    """Return the lowest price of a cable of a class that is long enough; of any length if the catalogue has none."""
    enough = prices.lengths_mm >= millimetres("", least_m)
    pairs = zip(prices.lengths_mm.tolist(), prices.cable_cents.tolist(), enough.tolist(), strict=True)
    found = [cents for mm, cents, is_long in pairs if (is_long or not enough.any()) and prices.cable_class(mm) == name]
    return min(found, default=None)
