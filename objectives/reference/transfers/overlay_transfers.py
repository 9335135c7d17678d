"""Reference transfers of a workload over planes of switches and circuits between nodes, independent of native code."""

from fractions import Fraction
from itertools import pairwise
from math import floor

from isoplane.models import MessageList, Network
from isoplane.models.checks import fraction_of
from isoplane.models.circuits import Circuits
from isoplane.models.family_kinds.distance_vector import distance_vector, route_over
from isoplane.models.family_kinds.optical import OpticalFamily
from isoplane.models.placement import Placement

from .hybrid_transfers import Link, Transfer, begin_ns_of
from .plane_transfers import Path, link_rates, share_paths


def overlay_transfers(
    network: Network, hybrid: OpticalFamily, messages: MessageList, circuits: Circuits, placement: Placement, relay: str
) -> tuple[list[Transfer], dict[Link, Fraction], int]:
    """Return the transfers of a workload on a network with circuits, each with its dependencies.

    Return also the rates of all links and circuits in Gbit/s, and the number of segments of all messages, whatever the
    number of their parts.

    Raises
    ------
    InputError
        If the policy is adaptive, or a pair of nodes has no path.
    """
    tables = distance_vector(hybrid, circuits, network.site)
    gbps, delay = (fraction_of(value) for value in (hybrid.circuit_gbps, hybrid.circuit_ns))
    rates = link_rates(network) | {
        ("circuit", number, direction): gbps for number in range(len(circuits)) for direction in range(2)
    }
    known: dict[tuple[int, int], list[tuple[Path, Fraction]]] = {}
    transfers: list[Transfer] = []
    ends_of_messages: list[set[int]] = []  # the transfers with which each message arrives
    begins: list[set[int]] = []
    hops = 0
    for message in range(messages.messages):
        processes = messages.source[message], messages.destination[message]
        nodes = route_over(tables, *(placement.nodes[process] for process in processes))
        hops += len(nodes) - 1
        segments = []
        for pair in pairwise(nodes):
            number = circuits.circuit_index(*pair, nodes[0], nodes[-1])
            if number is not None:
                links: list[Link] = [("circuit", number, int(pair[0] > pair[1]))]
                segments.append([(Path(-1, links, delay), Fraction(1))])
            else:
                if pair not in known:
                    known[pair] = share_paths(network, *pair)
                segments.append(known[pair])
        stages = [segments] if relay == "packets" and segments else [[segment] for segment in segments]
        previous: set[int] = set()
        if not stages:
            previous = {len(transfers)}
            transfers.append(Transfer(0, [], [], set(), message))
            begins.append(previous)
        for index, stage in enumerate(stages):
            first = len(transfers)
            for length, paths in _ranges(stage, int(messages.length_bytes[message])):
                links = [link for path in paths for link in path.links]
                delays = [path.delay for path in paths]
                transfers.append(Transfer(8 * length, links, delays, previous, message if index == 0 else None))
            previous = set(range(first, len(transfers)))
            if index == 0:
                begins.append(previous)
        ends_of_messages.append(previous)
    for message, parts in enumerate(begins):
        start, end = messages.dependency_start[message : message + 2]
        earlier = messages.dependency[start:end].tolist()
        waits = {transfer for each in earlier for transfer in ends_of_messages[each]}
        for part in parts:
            transfers[part].waits, transfers[part].begin_ns = waits, begin_ns_of(messages, message)
    return transfers, rates, hops


def _ranges(stage: list[list[tuple[Path, Fraction]]], length: int) -> list[tuple[int, list[Path]]]:
    """Return the ranges of bytes that take the same path on each segment: their length, and these paths."""
    cuts = []
    for segment in stage:
        ends, share = [], Fraction(0)
        for path, part in segment:
            share += part
            ends.append((floor(length * share), path))
        cuts.append(ends)
    # With the ends of all parts as borders, no range changes its path on any segment.
    borders = sorted({0, *(end for ends in cuts for end, _ in ends)})
    return [
        (end - start, [next(path for last, path in ends if last >= end) for ends in cuts])
        for start, end in pairwise(borders)
    ]
