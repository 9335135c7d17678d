"""A lower bound on the price of every network of some nodes and switches, of any family or none."""

from fractions import Fraction
from functools import lru_cache
from math import floor

from isoplane.models.family_kinds.uniform import NODE_CABLE_M
from isoplane.objectives.bounds.distance_bound import MOST_HOPS, STEPS, most_short

from ..request import Request
from .price_floor import least_parts, node_cents


def price_bound(request: Request, least: Fraction) -> int:
    """Return a lower bound in cents on the price of any network with a throughput of all-to-all traffic.

    Of N nodes with k ports each, every node sends t k / N of the capacity of a link to each node, over one link between
    switches for each hop. So the network has at least t k / N ends of links for each hop of each pair. A switch of P
    ports with d nodes has at most P - d such ends, so that of the ordered pairs of nodes at most Σ d (d - 1) are at
    distance 0 and, as the nodes of both ends of a walk multiply to at most the mean of their squares, at most
    Σ d² (P - d) (P - 1)^(h - 1) at distance h, in all planes together. The price is that of a linear program over
    numbers of switches with d nodes, which has a dual solution for every "reward" m: a pair at distance h < m is m - h
    hops short of m hops. All arithmetic is exact.

    Networks are those whose switches pass all packets: nodes have all ports at switches, on cables of at least 2 m or
    what the layout says, and links of equal capacity. Limits of cables and diameters are left out: they exclude some.

    Examples
    --------
    >>> from isoplane.models import Layout, PriceList, Site
    >>> site = Site(layout=Layout(), prices=PriceList(by="switch", switch_ports=16, switches_usd={16: 5000}))
    >>> request = Request(16, 16, 1, (1,), (Fraction(1),), (), None, None, None, site, 1)
    >>> price_bound(request, Fraction(1)) == 16 * (399_00 + 134_00) + 5000_00  # a single switch
    True
    """
    layout, (parts, place) = request.site.layout, least_parts(request)
    assert layout is not None  # required by requests
    node = place + node_cents(request, min(layout.node_cable_m, NODE_CABLE_M))
    per_port = Fraction(parts.switch, request.ports)
    per_hop = (per_port + Fraction(parts.cable, 2)) * least * request.node_ports / request.nodes
    hops = least_hops(request.nodes, request.node_ports, request.ports)
    return request.nodes * node + floor(request.nodes * request.node_ports * per_port + per_hop * hops)


@lru_cache(maxsize=64)
def least_hops(nodes: int, node_ports: int, ports: int) -> Fraction:
    """Return the hops between all ordered pairs of nodes, in all planes together, that `price_bound` counts at least.

    They follow from the best dual solution, whatever prices are.
    """
    pairs, most = nodes * (nodes - 1), Fraction(0)
    for step in range(1, STEPS * MOST_HOPS + 1):
        reward = Fraction(step, STEPS)
        hops = reward * pairs - nodes * node_ports * most_short(ports, reward)
        if hops < most:  # concave in the reward
            break
        most = hops
    return most
