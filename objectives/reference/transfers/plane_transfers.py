"""Reference transfers of a workload over planes of switches, independent of the native code."""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import floor

import numpy as np

from isoplane.models import InputError, MessageList, Network, Plane
from isoplane.models.checks import fraction_of
from isoplane.models.placement import Placement
from isoplane.models.planes.route_walk import links_of_route

from ..plane_steps import is_carried
from .hybrid_transfers import Link, Transfer, begin_ns_of


@dataclass(frozen=True)
class Path:
    """A path between two nodes.

    Attributes
    ----------
    plane
        Index of its plane.
    links
        All its links: ("out", plane, node link), ("cable", plane, switch, port), ("in", plane, node link).
    delay
        Total delay of its links and switches, in ns.
    ports
        The links by which it enters the switches that delay it; in a direct network, where the last switch delays
        nothing, the first is the one of the node in its switch, which has no cable.
    """

    plane: int
    links: list[Link]
    delay: Fraction
    ports: list[Link] = field(default_factory=list)


def plane_transfers(
    network: Network, messages: MessageList, placement: Placement
) -> tuple[list[Transfer], dict[Link, Fraction]]:
    """Return the transfers of a workload, one per part of a message, and the rates of all links in Gbit/s.

    Raises
    ------
    InputError
        If the policy is adaptive, or a pair of nodes has no path.
    """
    paths_of_pair: dict[tuple[int, int], list[tuple[Path, Fraction]]] = {}
    transfers: list[Transfer] = []
    parts: list[set[int]] = []
    for message in range(messages.messages):
        ends = messages.source[message], messages.destination[message]
        pair = placement.nodes[ends[0]], placement.nodes[ends[1]]
        if pair[0] == pair[1]:
            parts.append({len(transfers)})
            transfers.append(Transfer(0, [], [], set(), message))
            continue
        if pair not in paths_of_pair:
            paths_of_pair[pair] = share_paths(network, *pair)
        parts.append(set())
        start_byte, share = 0, Fraction(0)
        for path, path_share in paths_of_pair[pair]:
            share += path_share
            end_byte = floor(int(messages.length_bytes[message]) * share)
            if end_byte > start_byte:
                parts[-1].add(len(transfers))
                bits = 8 * (end_byte - start_byte)
                transfers.append(Transfer(bits, path.links, [path.delay], set(), message, ports=path.ports))
            start_byte = end_byte
    for message, own_parts in enumerate(parts):
        start, end = messages.dependency_start[message : message + 2]
        dependencies = {
            earlier_part for earlier in messages.dependency[start:end].tolist() for earlier_part in parts[earlier]
        }
        for part in own_parts:
            transfers[part].waits, transfers[part].begin_ns = dependencies, begin_ns_of(messages, message)
    return transfers, link_rates(network)


def share_paths(network: Network, source: int, destination: int) -> list[tuple[Path, Fraction]]:
    """Return the paths of a pair of nodes and their shares under the policy of the network."""
    paths = [path for number in range(len(network.planes)) for path in _paths(network, number, source, destination)]
    weight = dict.fromkeys(range(len(network.planes)), 1)
    if isinstance(network.policy, tuple):
        weight = dict(enumerate(network.policy))
    elif network.policy in ("adaptive", "spill"):
        raise InputError(f"network.policy={network.policy}: expected nearest, spray, or plane shares")
    paths = [path for path in paths if weight[path.plane]]
    if not paths:
        raise InputError(f"network: no path from node {source} to node {destination}; expected one")
    if network.policy == "nearest":
        shortest = min(len(path.links) for path in paths)
        nearest = [path for path in paths if len(path.links) == shortest]
        return [(path, Fraction(1, len(nearest))) for path in nearest]
    shared: list[tuple[Path, Fraction]] = []
    used = sorted({path.plane for path in paths})
    for plane in used:
        paths_of_plane = [path for path in paths if path.plane == plane]
        paths_of_plane = [
            path for path in paths_of_plane if len(path.links) == min(len(other.links) for other in paths_of_plane)
        ]
        part = Fraction(weight[plane], sum(weight[other] for other in used) * len(paths_of_plane))
        shared += [(path, part) for path in paths_of_plane]
    return shared


def _paths(network: Network, number: int, source: int, destination: int) -> list[Path]:
    """Return all paths of a plane: one per pair of a link of the source and a link of the destination."""
    plane = network.planes[number]
    of_nodes = [np.flatnonzero(plane.node == node).tolist() for node in (source, destination)]
    targets = plane.routes.targets(plane.node_switch)
    found = []
    for out_link, in_link in product(*of_nodes):
        if not is_carried(plane, plane.node_switch[out_link], int(targets[in_link])):
            continue
        hops = links_of_route(plane.topology, plane.routes, int(plane.node_switch[out_link]), int(targets[in_link]))
        links: list[Link] = [("cable", number, switch, port) for switch, port, _ in hops]
        ports: list[Link] = [("out", number, out_link), *links]
        if plane.node_cable_mm is None:
            ports.pop()
        switches_passed = [switch for switch, _, _ in hops]
        ns_per_mm = fraction_of(network.site.switch.cable_delay_ns_per_m) / 1000
        delay = sum((_cable_ns(plane, switch, port, ns_per_mm) for switch, port, _ in hops), Fraction(0))
        if plane.node_cable_mm is not None:
            links = [("out", number, out_link), *links, ("in", number, in_link)]
            switches_passed.append(int(plane.node_switch[in_link]))
            stated = plane.timing.node_delay_ps
            lengths_mm = plane.node_lengths_mm
            for end in (out_link, in_link):
                delay += int(lengths_mm[end]) * ns_per_mm if stated is None else Fraction(int(stated[end]), 1000)
        delay += sum(_switch_ns(network, plane, switch) for switch in switches_passed)
        found.append(Path(number, links, delay, ports))
    return found


def _switch_ns(network: Network, plane: Plane, switch: int) -> Fraction:
    if plane.timing.switch_delay_ps is not None:
        return Fraction(int(plane.timing.switch_delay_ps[switch]), 1000)
    model = network.site.switch
    if model.cache is None:
        return fraction_of(model.delay_ns)
    return fraction_of(model.delay_ns) - fraction_of(model.routing_ns) + fraction_of(model.cache.hit_ns)


def _cable_ns(plane: Plane, switch: int, port: int, ns_per_mm: Fraction) -> Fraction:
    if plane.timing.delay_ps is not None:
        return Fraction(int(plane.timing.delay_ps[switch, port]), 1000)
    return int(plane.cable_mm[switch, port]) * ns_per_mm


def link_rates(network: Network) -> dict[Link, Fraction]:
    """Return the rates of all links, used or not."""
    rates: dict[Link, Fraction] = {}
    default = fraction_of(network.site.switch.link_gbps)
    for number, plane in enumerate(network.planes):
        cables, nodes = plane.timing.rate_mbps, plane.timing.node_rate_mbps
        for switch, port in np.argwhere(plane.topology.peer >= 0).tolist():
            rates["cable", number, switch, port] = (
                default if cables is None else Fraction(int(cables[switch, port]), 1000)
            )
        for link in range(len(plane.node_switch) if plane.node_cable_mm is not None else 0):
            rate = default if nodes is None else Fraction(int(nodes[link]), 1000)
            rates["out", number, link] = rates["in", number, link] = rate
    return rates
