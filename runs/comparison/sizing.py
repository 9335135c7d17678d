"""The sizing rule: the cheapest member of a family whose routed all-to-all throughput suffices."""

from collections.abc import Iterable, Sequence
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
        Its price for the requested nodes in cents, with racks filled in the order of switch ids.
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
    found = list(members)
    able = [each for each in found if not _is_below(each, request, least)]
    best: Sized | None = None
    fastest, over_budget, problem = Fraction(0), 0, ""
    for least_cents, family in sorted(((price_floor(each, request), each) for each in able), key=lambda item: item[0]):
        if best is not None and least_cents >= best.price_cents:
            break
        throughput = routed_throughput(family, request.node_ports)
        fastest = max(fastest, throughput)
        if throughput < least:
            continue
        try:
            cents_of_family = _price(family, request)
        except InputError as error:
            problem = problem or str(error)
            continue
        if request.budget_cents is not None and cents_of_family > request.budget_cents:
            over_budget = min(over_budget or cents_of_family, cents_of_family)
        elif best is None or cents_of_family < best.price_cents:
            best = Sized(family, throughput, cents_of_family)
        if request.budget_cents is not None and least_cents > request.budget_cents:
            break
    return best or Unsized(_reason(request, least, found, fastest, over_budget, problem))


def _reason(
    request: Request, least: Fraction, members: Sequence[Family], fastest: Fraction, over_budget: int, problem: str
) -> str:
    """Return why no member was chosen: price, then cables, then throughput, then size."""
    if over_budget:
        return f"costs {over_budget / 100:,.0f} US$"
    if problem:
        return problem
    if fastest:
        return f"the throughput of every size is below {float(least):g}; the highest is {float(fastest):.3f}"
    if members:
        bounds = [each.throughput_bound for each in members if each.throughput_bound is not None]
        highest = float(max(bounds) / request.node_ports)
        return f"the throughput of every size is below {float(least):g}; at most {highest:.3f} by formula"
    return f"no size reaches {request.nodes} nodes with {request.ports}-port switches"


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
    cheapest_cable, node_links = int(prices.cable_cents.min()), request.nodes * request.node_ports
    per_port = [Fraction(cents("", usd), ports) for ports, usd in prices.switches_usd.items()]
    port = min(per_port, default=Fraction(cents("", prices.switch_port_usd)))
    cables = (family.cables + node_links) * cheapest_cable
    return int((2 * family.cables + node_links) * port) + cables + request.nodes * prices.nic_cents(request.node_ports)


def on_site(family: Family, site: Site) -> Network:
    """Return a network on a site, whose racks hold switches of all planes.

    A layout counts the switches of one plane in a rack, so that several planes share its places. The racks of cubes are
    filled in the order of switch ids, which their cable lengths require.
    """
    layout, per_switch = site.layout, family.nodes_at_switch
    assert layout is not None
    layout = replace(layout, switches_per_rack=max(1, layout.switches_per_rack // family.plane_count))
    if family.is_cubes and per_switch is not None:
        layout = layout.filled_by_id(per_switch)
    return Network(family, replace(site, layout=layout))


def in_order_of_ids(family: Family, site: Site) -> Network:
    """Return a network on a site with racks filled in the order of switch ids."""
    assert site.layout is not None
    return on_site(family, replace(site, layout=replace(site.layout, assignment="in_order")))


def price(network: Network, request: Request) -> int:
    """Return the price of a network for the requested nodes in cents; spare places have no interfaces and node cables.

    Raises
    ------
    InputError
        If the catalogue lacks a part, or a cable is longer than allowed.
    """
    lengths = [int(plane.cable_mm.max(initial=0)) for plane in network.unrouted_planes]
    longest = max(*lengths, network.node_cable_mm or 0)
    if request.cable_mm is not None and longest > request.cable_mm:
        raise InputError(f"needs a cable of {longest / 1000:g} m; expected at most {request.cable_mm / 1000:g} m")
    return bill_of(network, request.nodes).total_cents


def _is_below(family: Family, request: Request, least: Fraction) -> bool:
    """Whether a formula shows that the throughput of a member is too low."""
    bound = family.throughput_bound
    return bound is not None and bound / request.node_ports < least


@lru_cache(maxsize=1 << 14)
def _price(family: Family, request: Request) -> int:
    """Return the price with racks filled in order, in cents: a search for racks would take too long here."""
    return price(in_order_of_ids(family, request.site), request)
