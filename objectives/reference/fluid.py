"""The fluid model in rational numbers: slow, and free of rounding. Shares no code with the native one."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from isoplane.models import MessageList
from isoplane.models.checks import exact_number
from isoplane.models.circuits import Circuits
from isoplane.models.hybrid import HybridNetwork
from isoplane.models.placement import Placement, by_switch
from isoplane.models.routing.distance_vector import distance_vector

Link = tuple[str, int, int]


RATES = {"out": "node_gbps", "in": "node_gbps", "up": "up_gbps", "down": "up_gbps", "circuit": "circuit_gbps"}


@dataclass
class Transfer:
    """Bits that go over links together, once others have gone."""

    bits: Fraction
    links: list[Link]
    latency: Fraction
    waits: set[int]
    legs: int = 1


def completion_ns(
    hybrid: HybridNetwork,
    messages: MessageList,
    circuits: Circuits,
    placement: Placement | None = None,
    relay: str = "messages",
) -> Fraction:
    """Return when the last message has arrived, with max-min fair rates at every moment.

    Progressive filling from scratch, at every moment at which a transfer begins or ends, over all that are under way.

    Parameters
    ----------
    hybrid, messages, circuits, placement, relay
        As in `isoplane.objectives.fluid.FluidModel`.

    References
    ----------
    Bertsekas and Gallager, Data Networks, section 6.5.2.

    Examples
    --------
    >>> import numpy as np
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 1250], [0, 0]])).message_list()
    >>> float(completion_ns(HybridNetwork(2, 1), work, Circuits()))  # 10,000 bits at 10 Gbit/s, and 1,340 ns
    2340.0
    """
    transfers = transfers_of(hybrid, messages, circuits, placement or by_switch(hybrid.nodes), relay)
    capacity = {kind: exact_number("", getattr(hybrid, rate)) for kind, rate in RATES.items()}
    left = {number: transfer.bits for number, transfer in enumerate(transfers)}
    over: dict[int, Fraction] = {}  # moments of the past and of the near future
    now = Fraction(0)
    while left or any(when > now for when in over.values()):
        begun = [
            number
            for number in left
            if all(before in over and over[before] <= now for before in transfers[number].waits)
        ]
        rates = _rates({number: transfers[number].links for number in begun}, capacity)
        moments = [now + left[number] / rates[number] for number in begun]
        step = min(moments + [when for when in over.values() if when > now]) - now
        for number in begun:
            left[number] -= rates[number] * step
            if left[number] == 0:
                del left[number]
                over[number] = now + step + transfers[number].latency
        now += step
    return max(over.values())


def _rates(links_of: dict[int, list[Link]], capacity: dict[str, Fraction]) -> dict[int, Fraction]:
    """Return max-min fair rates: all grow alike until a link is full, which stops those over it."""
    rates: dict[int, Fraction] = {}
    links = {link for own in links_of.values() for link in own}
    free = {link: capacity[link[0]] for link in links}
    while len(rates) < len(links_of):
        users = {link: [n for n, own in links_of.items() if link in own and n not in rates] for link in links}
        share, full = min((free[link] / len(own), link) for link, own in users.items() if own)
        for number in users[full]:
            rates[number] = share
            for link in links_of[number]:
                free[link] -= share
    return rates


def transfers_of(
    hybrid: HybridNetwork, messages: MessageList, circuits: Circuits, placement: Placement, relay: str
) -> list[Transfer]:
    """Return the transfers of a workload, each with those that have to be over before it begins."""
    tables = distance_vector(hybrid, circuits)
    link, switch = exact_number("", hybrid.link_ns), exact_number("", hybrid.switch_ns)
    over_circuit = exact_number("", hybrid.circuit_ns)
    transfers: list[Transfer] = []
    last: list[int] = []  # transfer with which each message arrives
    waits: list[list[int]] = []
    for message in range(messages.messages):
        start, end = messages.dependency_start[message : message + 2]
        waits.append(messages.dependency[start:end].tolist())
        ends = messages.source[message], messages.destination[message]
        nodes = tables.route(*(placement.nodes[process] for process in ends))
        bits, first = Fraction(8 * int(messages.length_bytes[message])), len(transfers)
        for here, there in pairwise(nodes):
            groups = hybrid.group_of(here), hybrid.group_of(there)
            if groups[0] == groups[1]:
                leg: list[Link] = [("out", here, 0), ("in", there, 0)]
                latency = 2 * link + switch
            elif (min(here, there), max(here, there)) in circuits.pairs:
                leg, latency = [("circuit", here, there)], over_circuit
            else:
                leg = [("out", here, 0), ("up", groups[0], 0), ("down", groups[1], 0), ("in", there, 0)]
                latency = 4 * link + 3 * switch
            if relay == "packets" and len(transfers) > first:
                transfers[-1].links += leg
                transfers[-1].latency += latency
                transfers[-1].legs += 1
            else:
                transfers.append(Transfer(bits, leg, latency, {len(transfers) - 1} - {first - 1}))
        last.append(len(transfers) - 1)
        transfers[first].waits = {-1 - before for before in waits[-1]}  # messages for now
    for transfer in transfers:
        transfer.waits = {last[-1 - before] if before < 0 else before for before in transfer.waits}
    return transfers
