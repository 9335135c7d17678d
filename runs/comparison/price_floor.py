"""Lower bounds on prices from numbers of parts alone."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor

from isoplane.models import Family
from isoplane.models.checks import cents
from isoplane.models.part_costs import PartCosts

from .request import Request


@dataclass(frozen=True)
class PartFloor:
    """The least that the parts of a network cost, in cents.

    All cables have the lowest price of the catalogue. Switches are those bought whole, or ports have the price of those
    of the size of switch with the cheapest ports.

    Parameters
    ----------
    parts
        For each switch, and for each cable between switches with its ports.
    rest
        For nodes: their interfaces, cables and ports of switches.
    """

    parts: PartCosts
    rest: int

    @staticmethod
    @lru_cache(maxsize=16)
    def of(request: Request) -> "PartFloor":
        """Return the least prices of the parts of a request."""
        prices, node_links = request.site.prices, request.nodes * request.node_ports
        cable = int(prices.cable_cents.min())
        rest = node_links * cable + request.nodes * prices.nic_cents(request.node_ports)
        if prices.switch_ports is not None:
            return PartFloor(PartCosts(prices.switch_for(prices.switch_ports)[1], cable), rest)
        per_port = [Fraction(cents("", usd), ports) for ports, usd in prices.switches_usd.items()]
        port = min(per_port, default=Fraction(cents("", prices.switch_port_usd)))
        return PartFloor(PartCosts(0, floor(2 * port) + cable), rest + floor(node_links * port))


def price_floor(family: Family, request: Request) -> int:
    """Return a lower bound on the price of a network in cents."""
    least = PartFloor.of(request)
    return least.parts.of(family.switches, family.cables) + least.rest
