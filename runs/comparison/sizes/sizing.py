"""The sizing rule: the cheapest member of a family whose routed all-to-all throughput suffices, full or as bought."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import heappop, heappush
from itertools import islice
from math import inf

from isoplane.models import Family, InputError
from isoplane.objectives.costs.bill import cents_of

from ..request import Request
from .distances import diameter, distance_bound
from .price_floor import order_floor, price_floor
from .racks import in_order_of_ids, on_site, parts_of, price_of, shown_cents
from .sized_design import Miss, SizedDesign, outside, too_far, too_many, too_slow
from .throughputs import known_bound, requested_throughput, routed_throughput

MAX_TRIED_PORTS = 1 << 22  # of cables between switches, in all members of a choice that are priced
MAX_LAID_OUT = 3  # of one choice: with four, comparisons take much longer, and few designs change
MAX_RACK_SEARCHES = 4  # of one choice: each takes as long as hundreds of prices


def cheapest(members: Iterable[Family], request: Request, least: Fraction) -> SizedDesign | Miss:
    """Return the cheapest of some members whose throughput is at least a fraction of the rate of a node, or why none.

    Of the `shortlist`, it is the cheapest one with the racks that are shown: in the order of switch ids, or by the rule
    of the layout if these are not dearer. Of equal prices, the first one is taken.

    Parameters
    ----------
    members, request, least
        As in `shortlist`.
    """
    tried, best, in_order_cents = _Trials(request, least), None, inf
    for design in islice(_suitable(members, tried), MAX_LAID_OUT):
        if best is None or price_floor(design.family, request) < best.price_cents:
            shown = replace(design, price_cents=shown_cents(design.family, design.price_cents, request))
            if best is None or shown.price_cents < best.price_cents:
                best, in_order_cents = shown, design.price_cents
        tried.best_cents = best.price_cents
    found = _in_other_racks(tried) if best is None else outside(request, best, best.price_cents, 0) or best
    return replace(found, larger=_with_all_places(tried, found, in_order_cents))


def shortlist(members: Iterable[Family], request: Request, least: Fraction) -> tuple[SizedDesign, ...] | Miss:
    """Return the members that are laid out, with their prices if racks are filled in the order of switch ids.

    They are the `MAX_LAID_OUT` cheapest with the throughput. A best-first search: members are priced in ascending
    order of a lower bound on their prices (`price_floor`), and routed in ascending order of their prices.

    If no member fits the limits, `MAX_RACK_SEARCHES` of those whose cables are too long, those with the fewest cables,
    are priced with racks by the rule of the layout, and the cheapest of them is alone.

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
    found = tuple(islice(_suitable(members, tried), MAX_LAID_OUT))
    if found:
        return found
    other = _in_other_racks(tried)
    return other if isinstance(other, Miss) else (other,)


def _suitable(members: Iterable[Family], tried: "_Trials") -> Iterator[SizedDesign]:
    """Yield the members that have the throughput, by price with racks in the order of switch ids."""
    is_first = True
    for price_cents, family in _by_price(members, tried):
        try:
            throughput = tried.throughput(family)
        except InputError as error:  # such as more switches than a table of routes holds
            if is_first:
                tried.unrouted = Miss(f"{family.title} may be the cheapest, but has no routes: {error}")
                return
            continue
        if throughput is not None:
            is_first = False
            yield SizedDesign(family, throughput, price_cents)


def _by_price(members: Iterable[Family], tried: "_Trials") -> Iterator[tuple[int, Family]]:
    """Yield price and member of those that may have the throughput, by price, as long as one may become the cheapest.

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
            floors = (price_floor(waiting, request) for *_, waiting in queue)
            if (upcoming is None or upcoming[0] >= tried.best_cents) and all(at >= tried.best_cents for at in floors):
                return
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
                tried.unpriced.append((family, str(error)))


def _with_all_places(tried: "_Trials", found: SizedDesign | Miss, in_order_cents: float) -> SizedDesign | None:
    """Return a member that costs less with a node at each place than what was found for fewer nodes; None without one.

    All nodes send a smaller share of their traffic from one full switch to another than fewer nodes do: a member can
    have the throughput with them alone. Every other member that is cheaper with more nodes is so without them, too. The
    cheapest one with racks in order is laid out, if it is cheaper than what was found with these.
    """
    most = tried.request.budget_cents if isinstance(found, Miss) else found.price_cents
    limit, lowest, best = inf if most is None else most, in_order_cents, None
    for family in tried.full_only:
        request = replace(tried.request, nodes=family.nodes)
        if price_floor(family, request) < min(limit, lowest):
            with suppress(InputError):  # a cable is too long
                price_cents = price_of(family, request, in_order=True)
                if price_cents < lowest:
                    throughput = routed_throughput(family, request.node_ports)
                    best, lowest = SizedDesign(family, throughput, price_cents), price_cents
    if best is None:
        return None
    request = replace(tried.request, nodes=best.family.nodes)
    best = replace(best, price_cents=shown_cents(best.family, best.price_cents, request))
    return best if best.price_cents < limit else None


def _in_other_racks(tried: "_Trials") -> SizedDesign | Miss:
    """Return the cheapest of the members of the fewest cables with the throughput, with racks by the layout's rule.

    If it costs too much, return that; if none has cables within the limits, the one with the shortest ones; if no
    member has the throughput, that.
    """
    if tried.unrouted:
        return tried.unrouted
    request, priced, near, problems = tried.request, [], list[tuple[int, int, SizedDesign]](), []
    # An order without prices, so that the same members are tried at all of them.
    ordered = sorted(tried.unpriced, key=lambda member: (member[0].cables, member[0].switches, member[0].nodes))
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
        best = min(priced, key=lambda each: each.price_cents)
        return outside(request, best, best.price_cents, 0) or best
    if not near:
        return Miss(problems[0]) if problems else tried.miss
    longest_mm, _, design = min(near, key=lambda each: each[0])
    prices = [cents for length_mm, cents, each in near if length_mm == longest_mm and each.family == design.family]
    return outside(request, design, min(prices), longest_mm) or tried.miss


@dataclass
class _Trials:
    """The members that were too slow, had too many switches, or nodes too far apart, so far.

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
    unpriced
        Those whose cables are too long with racks in the order of switch ids, and why.
    unrouted
        That the cheapest one has no routes.
    best_cents
        The price of the cheapest one so far, with the racks that are shown.
    full_only
        Those that have the throughput with a node at each place, but not with the requested nodes alone.
    fewest
        The fewest switches of those above the limit that may have the throughput; None without one.
    """

    request: Request
    least: Fraction
    routed: Fraction = Fraction(0)
    bound: Fraction = Fraction(0)
    any: bool = False
    hops: int | None = None
    unpriced: list[tuple[Family, str]] = field(default_factory=list)
    unrouted: Miss | None = None
    best_cents: float = inf
    full_only: list[Family] = field(default_factory=list)
    fewest: int | None = None

    def may_suffice(self, family: Family) -> bool:
        """Whether upper bounds on the throughput of a member leave open that it suffices."""
        self.any = True
        bound, is_reached = known_bound(family)
        if not self._allows(bound):
            return False
        may_reach = is_reached or self._allows(distance_bound(family))
        return may_reach and self._is_small(family) and self._is_near(family)

    def _is_small(self, family: Family) -> bool:
        """Whether the number of switches of a member is within the limit."""
        limit = self.request.switches
        if limit is None or family.switches <= limit:
            return True
        self.fewest = family.switches if self.fewest is None else min(self.fewest, family.switches)
        return False

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
            if lower < self.least:
                self.full_only.append(family)
        self.routed = max(self.routed, lower)
        return found if lower >= self.least else None

    @property
    def miss(self) -> Miss:
        """Why no member was chosen."""
        if not self.any:
            return Miss(f"no size reaches {self.request.nodes} nodes with {self.request.ports}-port switches")
        if self.fewest is not None and self.request.switches is not None:
            return too_many(self.fewest, self.request.switches)
        if self.hops is not None and self.request.diameter is not None:
            return too_far(self.hops, self.request.diameter)
        return too_slow(max(self.bound, self.routed), self.least, is_bound=self.bound > self.routed)
