"""The sizing rule: the cheapest member of a family whose routed all-to-all throughput suffices, full or as bought."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, singledispatch
from heapq import heappop, heappush
from itertools import islice

from isoplane.models import Cubes, Family, InputError, Layout, Network, PriceList, Site
from isoplane.models.families.host_graph import HostGraph
from isoplane.models.families.multi_plane import nodes_at_switch, plane_count
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.site.layout import IN_ORDER
from isoplane.objectives.costs.bill import Needs, cents_of, parts_needed

from ..request import Request
from .distances import diameter, distance_bound
from .price_floor import order_floor, price_floor
from .sized_design import Miss, SizedDesign, outside, too_far, too_slow
from .throughputs import known_bound, requested_throughput, routed_throughput

MAX_TRIED_PORTS = 1 << 22  # of cables between switches, in all members of a choice that are priced
MAX_RACK_SEARCHES = 4  # of one choice: each takes as long as hundreds of prices


def cheapest(members: Iterable[Family], request: Request, least: Fraction) -> SizedDesign | Miss:
    """Return the cheapest of some members whose throughput is at least a fraction of the rate of a node, or why none.

    A best-first search: members are priced in ascending order of a lower bound on their prices (`price_floor`), and
    routed in ascending order of their prices, until one has the throughput. Of equal prices, the first one is taken.

    Racks are filled in the order of switch ids. If no member fits the limits, `MAX_RACK_SEARCHES` of those whose cables
    are too long, those with the fewest cables, are priced with racks by the rule of the layout.

    Parameters
    ----------
    members
        Designs of at least the requested size, in ascending order of `order_floor`. They are tried until they
        have `MAX_TRIED_PORTS` ports in all.
    request
        The limits of price and cable length.
    least
        Least throughput.
    """
    tried = _Trials(request, least)
    unpriced: list[tuple[Family, str]] = []
    for price_cents, family in _by_price(members, tried, unpriced):
        try:
            throughput = tried.throughput(family)
        except InputError as error:  # such as more switches than a table of routes holds
            return Miss(f"{family.title} may be the cheapest, but has no routes: {error}")
        if throughput is not None:
            return _within_budget(SizedDesign(family, throughput, price_cents), request)
    return _in_other_racks(unpriced, tried) or tried.miss


def _by_price(
    members: Iterable[Family], tried: "_Trials", unpriced: list[tuple[Family, str]]
) -> Iterator[tuple[int, Family]]:
    """Yield price and member of those that may have the throughput, by price; collect the others with the reason.

    A member waits with its `price_floor` until no other one can be cheaper, and then with its price.
    """
    request, queue, ports = tried.request, list[tuple[int, bool, int, Family]](), 0
    stream = ((order_floor(family, request), place, family) for place, family in enumerate(members))
    upcoming = next(stream, None)
    while queue or upcoming is not None:
        if upcoming is not None and (not queue or upcoming[0] < queue[0][0]):
            # At equal keys False comes first: all bounds become prices before one is yielded, and then the place
            # decides.
            heappush(queue, (price_floor(upcoming[2], request), False, *upcoming[1:]))
            upcoming = next(stream, None)
            continue
        key, is_price, place, family = heappop(queue)
        if is_price:
            yield key, family
            continue
        if ports >= MAX_TRIED_PORTS:  # only those that are priced remain
            upcoming, queue = None, sorted(entry for entry in queue if entry[1])
            continue
        ports += 2 * family.cables
        if tried.may_suffice(family):
            try:
                # Racks filled in order: a search for racks would take too long here.
                heappush(queue, (price_of(family, request, in_order=True), True, place, family))
            except InputError as error:
                unpriced.append((family, str(error)))


def _in_other_racks(members: Iterable[tuple[Family, str]], tried: "_Trials") -> SizedDesign | Miss | None:
    """Return the cheapest of the members of the fewest cables with the throughput, with racks by the layout's rule.

    If it costs too much, return that; if none has cables within the limits, the one with the shortest ones; None if no
    member has the throughput.
    """
    request, priced, near, problems = tried.request, [], list[tuple[int, int, SizedDesign]](), []
    # An order without prices, so that the same members are tried at all of them.
    ordered = sorted(members, key=lambda member: (member[0].cables, member[0].switches, member[0].nodes))
    able = ((family, reached, why) for family, why in ordered if (reached := tried.throughput(family)) is not None)
    for family, reached, why in islice(able, MAX_RACK_SEARCHES):
        problems.append(why)
        is_same = on_site(family, request.site) == in_order_of_ids(family, request.site)
        for in_order in (True,) if is_same else (True, False):
            with suppress(InputError):
                longest_mm, needs = parts_of(family, request, in_order=in_order)
                price_cents = cents_of(needs, request.site.prices)
                near.append((longest_mm, price_cents, SizedDesign(family, reached, price_cents)))
                if request.cable_mm is None or longest_mm <= request.cable_mm:
                    priced.append(near[-1][2])
    if priced:
        return _within_budget(min(priced, key=lambda each: each.price_cents), request)
    if not near:
        return Miss(problems[0]) if problems else None
    longest_mm, _, design = min(near, key=lambda each: each[0])
    prices = [cents for length_mm, cents, each in near if length_mm == longest_mm and each.family == design.family]
    return outside(request, design, min(prices), longest_mm)


def _within_budget(design: SizedDesign, request: Request) -> SizedDesign | Miss:
    """Return a design, or its price if that is above the budget with racks in order, and by the rule of the layout."""
    price_cents, budget_cents = design.price_cents, request.budget_cents
    if budget_cents is None or price_cents <= budget_cents:
        return design
    with suppress(InputError):  # other racks can need longer cables
        price_cents = min(price_cents, price_of(design.family, request, in_order=False))
    return outside(request, design, price_cents, 0) or design


@dataclass
class _Trials:
    """The members that were too slow, or whose nodes were too far apart, so far.

    Parameters
    ----------
    request
        The request.
    least
        The throughput that they must reach, as a fraction of the rate of a node.
    routed, bound
        The highest throughput of those that were routed, and the highest bound on that of the others.
    any
        Whether there were any.
    hops
        The least diameter of those above the limit that may have the throughput; None without one.
    """

    request: Request
    least: Fraction
    routed: Fraction = Fraction(0)
    bound: Fraction = Fraction(0)
    any: bool = False
    hops: int | None = None

    def may_suffice(self, family: Family) -> bool:
        """Whether upper bounds on the throughput of a member leave open that it suffices."""
        self.any = True
        bound, is_reached = known_bound(family)
        if not self._allows(bound):
            return False
        return (is_reached or self._allows(distance_bound(family))) and self._is_near(family)

    def _is_near(self, family: Family) -> bool:
        """Whether the diameter of a member is within the limit, or unknown because it is too large to be routed."""
        limit = self.request.diameter
        with suppress(InputError):
            if limit is not None and (hops := diameter(family)) > limit:
                self.hops = hops if self.hops is None else min(self.hops, hops)
                return False
        return True

    def _allows(self, bound: Fraction | None) -> bool:
        """Whether an upper bound on the throughput per node link leaves open that it suffices."""
        relative = None if bound is None else bound / self.request.node_ports
        if relative is None or relative >= self.least:
            return True
        self.bound = max(self.bound, relative)
        return False

    def throughput(self, family: Family) -> Fraction | None:
        """Return the throughput of a member, as a fraction of the rate of a node.

        None if it is too low, with a node at each place or with those that are requested.
        """
        found = lower = routed_throughput(family, self.request.node_ports)
        if found >= self.least:
            lower = min(found, requested_throughput(family, self.request.nodes, self.request.node_ports))
        self.routed = max(self.routed, lower)
        return found if lower >= self.least else None

    @property
    def miss(self) -> Miss:
        """Why no member was chosen."""
        if not self.any:
            return Miss(f"no size reaches {self.request.nodes} nodes with {self.request.ports}-port switches")
        if self.hops is not None and self.request.diameter is not None:
            return too_far(self.hops, self.request.diameter)
        return too_slow(max(self.bound, self.routed), self.least, is_bound=self.bound > self.routed)


def on_site(family: Family, site: Site) -> Network:
    """Return a network on a site, whose racks hold switches of all planes.

    A layout counts the switches of one plane in a rack, so that several planes share its places. The racks of cubes and
    of relabelled planes are filled in the order of switch ids, which their cable lengths require.
    """
    layout = site.layout
    assert layout is not None
    layout = replace(layout, switches_per_rack=max(1, layout.switches_per_rack // plane_count(family)))
    return Network(family, replace(site, layout=_racks_for(family, layout)))


@singledispatch
def _racks_for(family: Family, layout: Layout) -> Layout:
    return layout


@_racks_for.register
def _(family: HostGraph, layout: Layout) -> Layout:
    return replace(layout, assignment=IN_ORDER) if family.planes > 1 else layout


@_racks_for.register(Cubes)
@_racks_for.register(Relabelled)
def _(family: Family, layout: Layout) -> Layout:
    nodes = nodes_at_switch(family)
    return layout if nodes is None else layout.filled_by_id(nodes)


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
    return _checked_price(network.longest_cable_mm, parts_needed(network, request.nodes), request)


def price_of(family: Family, request: Request, *, in_order: bool) -> int:
    """Return the `price` of a family with racks filled in the order of switch ids, or by the rule of the layout."""
    return _checked_price(*parts_of(family, request, in_order=in_order), request)


def parts_of(family: Family, request: Request, *, in_order: bool) -> tuple[int, Needs]:
    """Return the length of the longest cable in millimetres and the parts of a design, counted once for all prices."""
    return _parts(family, _without_prices(request.site), request.nodes, in_order)


@lru_cache(maxsize=16)
def _without_prices(site: Site) -> Site:
    """Return a site whose catalogue has the same cables for nothing."""
    return replace(site, prices=PriceList(cables_usd=dict.fromkeys(site.prices.cables_usd, 0)))


@lru_cache(maxsize=1 << 14)
def _parts(family: Family, site: Site, nodes: int, in_order: bool) -> tuple[int, Needs]:
    network = in_order_of_ids(family, site) if in_order else on_site(family, site)
    return network.longest_cable_mm, parts_needed(network, nodes)


def _checked_price(longest_mm: int, needs: Needs, request: Request) -> int:
    if request.cable_mm is not None and longest_mm > request.cable_mm:
        raise InputError(f"needs a cable of {longest_mm / 1000:g} m; expected at most {request.cable_mm / 1000:g} m")
    return cents_of(needs, request.site.prices)
