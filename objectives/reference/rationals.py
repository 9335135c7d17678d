"""Fluid model in rational arithmetic, a single run without rounding, to test the integer implementations."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from isoplane.models import MessageList
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement, by_switch

from .transfers.hybrid_transfers import Link, Transfer, rates_of, transfers_of


def completion_ns(
    hybrid: Hybrid,
    messages: MessageList,
    circuits: Circuits,
    placement: Placement | None = None,
    relay: str = "messages",
) -> Fraction:
    """Return the arrival time of the last message, with max-min fair rates at every moment.

    Rates of all active transfers are recomputed by progressive filling whenever a transfer begins or ends.

    References
    ----------
    Bertsekas and Gallager, Data Networks, section 6.5.2.

    Examples
    --------
    >>> import numpy as np
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 1250], [0, 0]])).message_list()
    >>> float(completion_ns(Hybrid(2, 1), work, Circuits()))  # 10,000 bits at 10 Gbit/s plus 1,340 ns
    2340.0
    """
    transfers = transfers_of(hybrid, messages, circuits, placement or by_switch(hybrid.nodes), relay)
    return last_over_ns(transfers, rates_of(hybrid, transfers))


def last_over_ns(transfers: Sequence[Transfer], capacity: Mapping[Link, Fraction]) -> Fraction:
    """Return the arrival time of the last transfer, given the rates of links in Gbit/s."""
    remaining = {number: Fraction(transfer.bits) for number, transfer in enumerate(transfers)}
    arrival: dict[int, Fraction] = {}  # arrival times, past and future
    now = Fraction(0)
    while remaining:
        begin = {
            number: max((arrival[before] for before in transfers[number].waits), default=Fraction(0))
            + transfers[number].begin_ns
            for number in remaining
            if transfers[number].waits <= arrival.keys()
        }
        instant = {number: moment for number, moment in begin.items() if not transfers[number].links}
        # What arrives at once may release other transfers, so all beginnings are computed again.
        if instant:
            arrival |= instant
            remaining = {number: bits for number, bits in remaining.items() if number not in instant}
            continue
        active = [number for number, moment in begin.items() if moment <= now]
        rates = _rates({number: transfers[number].links for number in active}, capacity)
        end_times = [now + remaining[number] / rates[number] for number in active]
        step = min(end_times + [moment for moment in begin.values() if moment > now]) - now
        for number in active:
            remaining[number] -= rates[number] * step
            if remaining[number] == 0:
                del remaining[number]
                arrival[number] = now + step + sum(transfers[number].delays)
        now += step
    return max(arrival.values())


def _rates(links_of: dict[int, list[Link]], capacity: Mapping[Link, Fraction]) -> dict[int, Fraction]:
    """Return max-min fair rates: all rates grow equally until a link is saturated, which fixes those of its users."""
    rates: dict[int, Fraction] = {}
    links = {link for used in links_of.values() for link in used}
    free = {link: capacity[link] for link in links}
    while len(rates) < len(links_of):
        users = {link: [n for n, used in links_of.items() if link in used and n not in rates] for link in links}
        # Ties may be broken in any way: shares of fractions leave no remainder that depends on the order.
        share, bottleneck = min((free[link] / len(sharing), link) for link, sharing in users.items() if sharing)
        for number in users[bottleneck]:
            rates[number] = share
            for link in links_of[number]:
                free[link] -= share
    return rates
