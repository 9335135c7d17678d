"""What the sizing rule says of an arrangement: the design that it chooses, or why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from isoplane.models import Family
from isoplane.models.files.exact_text import metres

from ..request import Request

DIGITS = 1000  # to which throughputs are rounded: as a limit, that of a design leaves room for it
# What breaks each limit, in words that follow the name of a family; of several, that is nearest which breaks the first.
BREAKS: Mapping[str, str] = {
    "price": "costs {value} US$ per node, {excess} above the limit of {limit}",
    "cable": "needs a cable of {value} m, {excess} m above the limit of {limit} m",
    "diameter": "has a diameter of {value} hops or more, {excess} above the limit of {limit}",
    "switches": "needs {value} switches or more, {excess} above the limit of {limit}",
    "throughput": "reaches a throughput of {value}, {excess} points below the limit of {limit} %",
}
AND = ", and "


@dataclass(frozen=True)
class SizedDesign:
    """A design that was chosen by the sizing rule.

    Parameters
    ----------
    family
        The design.
    throughput
        Its routed all-to-all throughput per node, as a fraction of the rate of the ports of a node.
    price_cents
        Its price for the requested nodes in cents, with racks filled in the order of switch ids, or by the rule of the
        layout if no member fits the limits otherwise.
    larger
        A design with more nodes, one at each of its places, that costs less in all; None if none is known.
    """

    family: Family
    throughput: Fraction
    price_cents: int
    larger: "SizedDesign | None" = None


@dataclass(frozen=True)
class Miss:
    """Why there is no design.

    Parameters
    ----------
    text
        In words.
    limits
        The limits that the nearest design breaks, of `BREAKS` and in its order; none if that is not why, or not known.
    value
        By what designs that break the same limits are compared, smaller ones nearer: price in cents, longest cable in
        millimetres, diameter, number of switches, or negative throughput.
    design
        The nearest design; None if it is not known which one it is.
    larger
        A design within the limits with more nodes, one at each of its places; None if none is known.
    """

    text: str
    limits: tuple[str, ...] = ()
    value: float = 0
    design: SizedDesign | None = None
    larger: SizedDesign | None = None

    @property
    def order(self) -> tuple[bool, int, list[int], float]:
        """The sort key by which the nearest one is first: fewer limits, then those that come first in `BREAKS`."""
        known = list(BREAKS)
        return not self.limits, len(self.limits), [known.index(each) for each in self.limits], self.value


def outside(request: Request, design: SizedDesign, price_cents: int, longest_mm: int) -> Miss | None:
    """Return how a design with some racks breaks the limits of price and cables; None within them."""
    broken = {}
    if request.budget_cents is not None and price_cents > request.budget_cents:
        broken["price"] = _dear(request, price_cents, request.budget_cents), price_cents
    if request.cable_mm is not None and longest_mm > request.cable_mm:
        broken["cable"] = _long(longest_mm, request.cable_mm), longest_mm
    if not broken:
        return None
    (_, value), *_ = broken.values()
    return Miss(AND.join(text for text, _ in broken.values()), tuple(broken), int(value), design)


def _dear(request: Request, price_cents: int, budget_cents: int) -> str:
    """Return in words that a price is above the budget; rounded up, since as a budget it is enough for the design."""
    price, excess = (
        request.usd_per_node(-(-cents // request.nodes) * request.nodes)
        for cents in (price_cents, price_cents - budget_cents)
    )
    return BREAKS["price"].format(value=price, excess=excess, limit=request.usd_per_node(budget_cents))


def _long(longest_mm: int, limit_mm: int) -> str:
    """Return in words that a cable is longer than allowed."""
    value, excess, limit = map(metres, (longest_mm, longest_mm - limit_mm, limit_mm))
    return BREAKS["cable"].format(value=value, excess=excess, limit=limit)


def too_far(hops: int, limit: int) -> Miss:
    """Return that all sizes have a larger diameter than allowed, the least of them some hops."""
    return Miss(BREAKS["diameter"].format(value=hops, excess=hops - limit, limit=limit), ("diameter",), hops)


def too_many(switches: int, limit: int) -> Miss:
    """Return that all sizes have more switches than allowed, the fewest of them a number."""
    text = BREAKS["switches"].format(value=switches, excess=switches - limit, limit=limit)
    return Miss(text, ("switches",), switches)


def too_slow(highest: Fraction, least: Fraction, *, is_bound: bool) -> Miss:
    """Return that the sizes tried have a lower throughput than asked for, the highest one or a bound on it.

    Families try sizes that may have the throughput: among others, some may have more than these.
    """
    rounded = Fraction(ceil(highest * DIGITS) if is_bound else floor(highest * DIGITS), DIGITS)
    value, excess, limit = (f"{float(100 * each):g}" for each in (rounded, least - rounded, least))
    value = f"at most {value} % by a bound in the sizes tried" if is_bound else f"{value} % in the sizes tried"
    text = BREAKS["throughput"].format(value=value, excess=excess, limit=limit)
    # How near a design is does not follow from a bound, which is that of the sizes that were tried.
    return Miss(text) if is_bound else Miss(text, ("throughput",), -float(highest))
