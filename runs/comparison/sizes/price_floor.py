"""Lower bounds on prices from numbers of parts alone."""

from fractions import Fraction
from functools import lru_cache
from math import floor

from isoplane.models import Family, Layout, PriceList
from isoplane.models.checks import Metres, cents, millimetres
from isoplane.models.site.part_costs import PartCosts

from ..request import Request


@lru_cache(maxsize=16)
def least_parts(request: Request) -> tuple[PartCosts, int]:
    """Return the least that the parts of a network cost in cents: for each switch and cable, and for a place of a node.

    Cables, with their ports, have the lowest price of those of the catalogue that are long enough for some two
    switches. Switches are those bought whole, or ports have the price of those of the size of switch with the cheapest
    ports. A place of a node, spare ones included, has ports of switches.
    """
    prices, layout = request.site.prices, request.site.layout
    assert layout is not None
    switch, joint, place = switch_floor(request)
    return PartCosts(switch, joint + _least_cents(prices, between_m(layout))), place


def between_m(layout: Layout) -> Metres:
    """Return the least length of a cable between two switches."""
    return min(layout.rack_cable_m, layout.slack_m + min(layout.pitch_across_m, layout.pitch_deep_m))


def switch_floor(request: Request) -> tuple[int, int, int]:
    """Return the least that switches cost in cents: each, with the ports of a cable, and with those of a node."""
    prices = request.site.prices
    if prices.switch_ports is not None:
        return prices.switch_for(prices.switch_ports)[1], 0, 0
    per_port = [Fraction(cents("", usd), ports) for ports, usd in prices.switches_usd.items()]
    port = min(per_port, default=Fraction(cents("", prices.switch_port_usd)))
    return 0, floor(2 * port), floor(request.node_ports * port)


def order_floor(family: Family, request: Request) -> int:
    """Return a lower bound on the price of a network in cents, without the ports of spare places.

    Members of a family have it in the order of their costs by `least_parts`.
    """
    (parts, place), layout = least_parts(request), request.site.layout
    assert layout is not None
    node_cable_m = getattr(getattr(family, "plane", family), "node_cable_m", layout.node_cable_m)
    per_node = place + node_cents(request, node_cable_m)
    return parts.of(family.switches, family.cables) + request.nodes * per_node


def price_floor(family: Family, request: Request) -> int:
    """Return a lower bound on the price of a network in cents."""
    return order_floor(family, request) + (family.nodes - request.nodes) * least_parts(request)[1]


@lru_cache(maxsize=16)
def node_cents(request: Request, node_cable_m: Metres) -> int:
    """Return the price of the interfaces of a node, with the least one of their cables."""
    prices, links = request.site.prices, request.node_ports
    return prices.nic_cents(links) + links * _least_cents(prices, node_cable_m)


def _least_cents(prices: PriceList, least_m: Metres) -> int:
    """Return the lowest price of a cable of at least a length; of any cable if none is as long."""
    enough = prices.cable_cents[prices.lengths_mm >= millimetres("", least_m)]
    return int((enough if len(enough) else prices.cable_cents).min())
