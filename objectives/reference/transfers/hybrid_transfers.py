"""Reference transfers of a workload on a hybrid network, independent of the native code."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from isoplane.models import MessageList
from isoplane.models.checks import fraction_of
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.family_kinds.distance_vector import distance_vector, route_over
from isoplane.models.placement import Placement

Link = tuple[str, int, int] | tuple[str, int, int, int]

RATES = {"out": "node_gbps", "in": "node_gbps", "up": "up_gbps", "down": "up_gbps", "circuit": "circuit_gbps"}


@dataclass
class Transfer:
    """Bits sent over a set of links at once, after the transfers that it depends on.

    Attributes
    ----------
    bits, links
        Number of bits, and the links that they use.
    delays
        Delay of each segment in ns; their sum is the time from sending the last bit to the arrival.
    waits
        Transfers that must arrive before it begins.
    message
        The message whose first transfer it is, or None.
    begin_ns
        Time from the arrival of the last of `waits` to its beginning.
    ports
        The input ports at which it looks up its destination, as in `plane_transfers.Path`.
    """

    bits: int
    links: list[Link]
    delays: list[Fraction]
    waits: set[int]
    message: int | None
    begin_ns: Fraction = Fraction(0)
    ports: list[Link] = field(default_factory=list)


def begin_ns_of(messages: MessageList, message: int) -> Fraction:
    """Return the delay of a message in ns."""
    return Fraction(int(messages.delay_ps[message]), 1000)


def rates_of(hybrid: Hybrid, transfers: Iterable[Transfer]) -> dict[Link, Fraction]:
    """Return the rates of all links that transfers use, in Gbit/s."""
    used = {link for transfer in transfers for link in transfer.links}
    return {link: fraction_of(getattr(hybrid, RATES[link[0]])) for link in used}


def transfers_of(
    hybrid: Hybrid, messages: MessageList, circuits: Circuits, placement: Placement, relay: str
) -> list[Transfer]:
    """Return the transfers of a workload, each with its dependencies."""
    tables = distance_vector(hybrid, circuits)
    link, switch = fraction_of(hybrid.link_ns), fraction_of(hybrid.switch_ns)
    over_circuit = fraction_of(hybrid.circuit_ns)
    transfers: list[Transfer] = []
    last: list[int] = []  # last transfer of each message
    waits: list[list[int]] = []
    for message in range(messages.messages):
        start, end = messages.dependency_start[message : message + 2]
        waits.append(messages.dependency[start:end].tolist())
        ends = messages.source[message], messages.destination[message]
        nodes = route_over(tables, *(placement.nodes[process] for process in ends))
        bits, first = 8 * int(messages.length_bytes[message]), len(transfers)
        if len(nodes) == 1:
            transfers.append(Transfer(0, [], [], set(), message))
        for node, next_node in pairwise(nodes):
            groups = hybrid.group_of(node), hybrid.group_of(next_node)
            if groups[0] == groups[1]:
                segment: list[Link] = [("out", node, 0), ("in", next_node, 0)]
                delay = 2 * link + switch
            elif (number := circuits.circuit_index(node, next_node, nodes[0], nodes[-1])) is not None:
                segment, delay = [("circuit", number, int(node > next_node))], over_circuit
            else:
                segment = [("out", node, 0), ("up", groups[0], 0), ("down", groups[1], 0), ("in", next_node, 0)]
                delay = 4 * link + 3 * switch
            if relay == "packets" and len(transfers) > first:
                transfers[-1].links += segment
                transfers[-1].delays.append(delay)
            else:
                jittered = message if len(transfers) == first else None
                transfers.append(Transfer(bits, segment, [delay], {len(transfers) - 1} - {first - 1}, jittered))
        last.append(len(transfers) - 1)
        # Negative numbers stand for messages until the transfers of all messages are known.
        transfers[first].waits = {-1 - dependency for dependency in waits[-1]}
        transfers[first].begin_ns = begin_ns_of(messages, message)
    for transfer in transfers:
        transfer.waits = {last[-1 - dependency] if dependency < 0 else dependency for dependency in transfer.waits}
    return transfers
