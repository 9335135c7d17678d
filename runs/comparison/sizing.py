"""The sizing rule: the cheapest member of a family whose routed all-to-all throughput suffices."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from isoplane.models import Family, InputError, Network, Site
from isoplane.models.checks import cents
from isoplane.objectives import bill_of
from isoplane.objectives.general import GeneralExact

from .request import Request


@dataclass(frozen=True)
class Sized:
    """A design that was chosen by the sizing rule.

    Parameters
    ----------
    family
        The design.
    throughput
        Its routed all-to-all throughput per node, as a fraction of the rate of the ports of a node.
    price_cents
        Its price in cents, with racks filled in the order of switch ids.
    """

    family: Family
    throughput: Fraction
    price_cents: int


@dataclass(frozen=True)
class Unsized:
    """The reason why no member was chosen, in words."""

    reason: str


def cheapest(members: Iterable[Family], request: Request, least: Fraction) -> Sized | Unsized:
    """Return the cheapest of some members whose throughput is at least a fraction of the rate of a node.

    Members are tried in ascending order of a lower bound on their prices, in which all cables have the shortest length
    of the catalogue, until that bound exceeds the price of the best one. Of equal prices, the first one is kept.

    Parameters
    ----------
    members
        Designs of at least the requested size.
    request
        The limits of price and cable length.
    least
        Least throughput.
    """
    able = [each for each in members if not _is_below(each, request, least)]
    best: Sized | None = None
    fastest, problem = Fraction(0), ""
    for floor, family in sorted(((price_floor(each, request), each) for each in able), key=lambda item: item[0]):
        if best is not None and floor >= best.price_cents:
            break
        if request.budget_cents is not None and floor > request.budget_cents:
            problem = f"costs at least {floor / 100:,.0f} US$"
            break
        throughput = routed_throughput(family, request.node_ports)
        fastest = max(fastest, throughput)
        if throughput < least:
            continue
        try:
            price = _price(family, request)
        except InputError as error:
            problem = str(error)
            continue
        if request.budget_cents is not None and price > request.budget_cents:
            problem = f"costs {price / 100:,.0f} US$"
        elif best is None or price < best.price_cents:
            best = Sized(family, throughput, price)
    if best is not None:
        return best
    if problem:
        return Unsized(problem)
    if fastest:
        return Unsized(f"the throughput of every size is below {float(least):g}; the highest is {float(fastest):.3f}")
    return Unsized(
        f"no size reaches {request.nodes} nodes with {request.ports}-port switches at a throughput of {float(least):g}"
    )


@lru_cache(maxsize=1 << 14)
def routed_throughput(family: Family, node_ports: int) -> Fraction:
    """Return the routed all-to-all throughput per node, as a fraction of the rate of its ports.

    Examples
    --------
    >>> from isoplane.models.families.leaf_spine import LeafSpine
    >>> routed_throughput(LeafSpine(leaf_switches=8, spine_switches=4, nodes_per_leaf=4), 1)  # 1 / (1 - 1/8)
    Fraction(8, 7)
    """
    exact = GeneralExact(Network(family, Site(layout=None)))
    return Fraction(exact.parts * family.nodes, exact.peak_load * node_ports)


def price_floor(family: Family, request: Request) -> int:
    """Return a lower bound on the price of a network in cents, from its numbers of parts alone.

    All cables have the lowest price of the catalogue, and ports that of the size of switch with the cheapest ports.
    """
    prices = request.site.prices
    cheapest_cable, node_links = int(prices.cable_cents.min()), family.nodes * request.node_ports
    per_port = [Fraction(cents("", usd), ports) for ports, usd in prices.switches_usd.items()]
    port = min(per_port, default=Fraction(cents("", prices.switch_port_usd)))
    cables = (family.cables + node_links) * cheapest_cable
    return int((2 * family.cables + node_links) * port) + cables + family.nodes * prices.nic_cents(request.node_ports)


def on_site(family: Family, site: Site) -> Network:
    """Return a network on a site; racks of cubes are filled in the order of switch ids, which their lengths require."""
    layout, per_switch = site.layout, family.nodes_at_switch
    if family.is_cubes and layout is not None and per_switch is not None:
        return Network(family, replace(site, layout=layout.filled_by_id(per_switch)))
    return Network(family, site)


def _is_below(family: Family, request: Request, least: Fraction) -> bool:
    """Whether a formula shows that the throughput of a member is too low."""
    bound = family.throughput_bound
    return bound is not None and bound / request.node_ports < least


@lru_cache(maxsize=1 << 14)
def _price(family: Family, request: Request) -> int:
    """Return the price of a network in cents, with racks filled in order: a search for racks would take too long here.

    Raises
    ------
    InputError
        If the catalogue lacks a part, or a cable is longer than allowed.
    """
    assert request.site.layout is not None
    network = on_site(family, replace(request.site, layout=replace(request.site.layout, assignment="in_order")))
    longest = max(int(plane.cable_mm.max(initial=0)) for plane in network.planes)
    if request.cable_mm is not None and longest > request.cable_mm:
        raise InputError(f"needs a cable of {longest / 1000:g} m; expected at most {request.cable_mm / 1000:g} m")
    return bill_of(network).total_cents
