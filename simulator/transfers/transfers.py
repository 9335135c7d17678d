"""Links of a hybrid network, and transfers of messages over them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from isoplane.models import Hybrid, InputError, MessageList, Network, OpticalFamily, Site
from isoplane.models.checks import fraction_of
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import tree_in
from isoplane.models.family_kinds.distance_vector import distance_vector, route_over
from isoplane.models.family_kinds.optical import optical_of
from isoplane.models.network import NO_SITE
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.placement import Placement

from .hybrid_links import HybridLink, packet_links


def links_of(hybrid: OpticalFamily, circuits: Circuits, site: Site = NO_SITE) -> list[HybridLink]:
    """Return all links: those of the packet network, then both directions of circuits.

    In the two-level tree these are the links out of nodes, into nodes, up from groups and down to groups; in other
    packet networks those of `packet_links`.

    Examples
    --------
    >>> links = links_of(Hybrid(2, 2), Circuits(((0, 2),)))
    >>> [(link.kind, link.source, link.destination, int(link.delay_ns)) for link in links[7:11]]
    [('in', 1, 3, 20), ('up', 0, None, 440), ('up', 1, None, 440), ('down', None, 0, 440)]
    """
    gbps, delay = (fraction_of(value) for value in (hybrid.circuit_gbps, hybrid.circuit_ns))
    directions = (ends for a, b in circuits.pairs for ends in ((a, b), (b, a)))
    return [
        *_packet_network(hybrid, site).links(),
        *(HybridLink("circuit", *ends, gbps, delay, delay) for ends in directions),
    ]


def require_simulated(network: Network) -> None:
    """Raise unless the packets of a network can be simulated, of which only those beside circuits may be refused.

    Raises
    ------
    InputError
        If a pair of nodes has several paths, among which messages would be divided.
    """
    if network.optical_switches:
        _packet_network(optical_of(network), network.site).require_single_paths()


def _packet_network(hybrid: OpticalFamily, site: Site) -> "_Tree | _Planes":
    tree = tree_in(hybrid)
    return _Planes(Network(hybrid, site)) if tree is None else _Tree(tree)


class _Tree:
    """The two-level tree, whose links and paths are known without building its plane."""

    def __init__(self, tree: Hybrid) -> None:
        self._tree = tree
        self.size = 2 * (tree.nodes + tree.groups)

    def links(self) -> list[HybridLink]:
        tree = self._tree
        node, up, _ = tree.rates_gbps
        wire, switch = (fraction_of(delay) for delay in (tree.link_ns, tree.switch_ns))
        nodes, groups, group_of = range(tree.nodes), range(tree.groups), tree.group_of
        return [
            *(HybridLink("out", i, group_of(i), node, wire, wire + switch) for i in nodes),
            *(HybridLink("in", group_of(i), i, node, wire, wire) for i in nodes),
            *(HybridLink("up", group, None, up, wire, wire + switch) for group in groups),
            *(HybridLink("down", None, group, up, wire, wire + switch) for group in groups),
        ]

    def require_single_paths(self) -> None:
        pass  # a tree has no others

    def segment(self, here: int, there: int) -> list[int]:
        nodes, groups, group_of = self._tree.nodes, self._tree.groups, self._tree.group_of
        if group_of(here) == group_of(there):
            return [here, nodes + there]
        return [here, 2 * nodes + group_of(here), 2 * nodes + groups + group_of(there), nodes + there]


class _Planes:
    """A packet network of any family, whose links and paths are those of its planes."""

    def __init__(self, network: Network) -> None:
        self._network = network

    @property
    def size(self) -> int:
        return sum(links.links for links in self._network.plane_links)

    def links(self) -> list[HybridLink]:
        return packet_links(self._network)

    def require_single_paths(self) -> None:
        network = self._network
        source, destination = np.nonzero(~np.eye(network.nodes, dtype=bool))
        paths = np.bincount(paths_between(network, source, destination, network.policy).pair)
        several = np.flatnonzero(paths > 1)
        if len(several):
            pair = several[0]
            raise InputError(
                f"network={network.name}: {paths[pair]} paths from node {source[pair]} to node {destination[pair]}; "
                "packets beside circuits are simulated on one path; expected a packet network of one plane, one link "
                "per node"
            )

    def segment(self, here: int, there: int) -> list[int]:
        network = self._network
        paths = paths_between(network, np.array([here]), np.array([there]), network.policy)
        _, link = network.route_links(paths.source_link, paths.destination_link, int(paths.plane[0]))
        links: list[int] = link.tolist()
        return links


@dataclass(frozen=True)
class Transfers:
    """Transfers of messages, or of segments of them, over links.

    Attributes
    ----------
    message
        For each transfer, the message that it is part of.
    paths
        For each transfer, the indices of its links in `links_of`.
    depends_on
        For each transfer, the transfers that must have arrived before it begins.
    first, last
        For each message, its first and last transfer.
    """

    message: list[int]
    paths: list[list[int]]
    depends_on: list[list[int]]
    first: list[int]
    last: list[int]


def segments_of(
    hybrid: OpticalFamily, circuits: Circuits, ends: Sequence[tuple[int, int]], site: Site = NO_SITE
) -> list[list[list[int]]]:
    """Return, for each pair of nodes, the segments of its route between relaying nodes, as lists of links.

    Parameters
    ----------
    hybrid, circuits
        The network; messages follow the tables of `distance_vector`.
    ends
        Pairs of nodes (source, destination).
    site
        The site, for a family that uses it.

    Raises
    ------
    InputError
        If the network cannot set up the circuits, or there are several paths between two nodes.

    Examples
    --------
    >>> segments_of(Hybrid(2, 2), Circuits(((0, 2),)), [(1, 2), (3, 2)])
    [[[1, 4], [12]], [[3, 6]]]
    """
    tables, packet_network = distance_vector(hybrid, circuits, site), _packet_network(hybrid, site)
    packet_network.require_single_paths()
    first = packet_network.size

    def segment(here: int, there: int, pair: tuple[int, int]) -> list[int]:
        if (circuit := circuits.circuit_index(here, there, *pair)) is not None:
            # Both directions of a circuit are links of their own, the one from its lower node first.
            return [first + 2 * circuit + (here > there)]
        return packet_network.segment(here, there)

    return [[segment(*step, pair) for step in pairwise(route_over(tables, *pair))] for pair in ends]


def transfers_of(
    hybrid: OpticalFamily,
    circuits: Circuits,
    messages: MessageList,
    placement: Placement,
    relay_whole_messages: bool,
    site: Site = NO_SITE,
) -> Transfers:
    """Return the transfers of all messages between processes.

    Parameters
    ----------
    hybrid, circuits, messages, placement
        The network, the messages between its processes, and the nodes of the processes.
    relay_whole_messages
        Whether nodes relay whole messages: if so, each segment is a transfer that depends on the previous one.
    site
        The site, for a family that uses it.

    Raises
    ------
    InputError
        As for `segments_of`.

    Examples
    --------
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 0, 0, 0], [0, 0, 8, 0], [0, 0, 0, 0], [0, 0, 0, 0]])).message_list()
    >>> transfers = transfers_of(Hybrid(2, 2), Circuits(((0, 2),)), work, by_switch(4), relay_whole_messages=True)
    >>> transfers.paths, transfers.depends_on
    ([[1, 4], [12]], [[], [0]])
    """
    node = np.array(placement.nodes)
    ends = list(zip(node[messages.source].tolist(), node[messages.destination].tolist(), strict=True))
    # Routes are looked up once for each pair of nodes, however many messages it exchanges.
    distinct = sorted(set(ends))
    routes = dict(zip(distinct, segments_of(hybrid, circuits, distinct, site), strict=True))
    found = Transfers([], [], [], [], [])
    for number, pair in enumerate(ends):
        # A local message is a transfer without links.
        segments = routes[pair] or [[]] if relay_whole_messages else [list(chain.from_iterable(routes[pair]))]
        first = len(found.paths)
        found.first.append(first)
        found.last.append(first + len(segments) - 1)
        found.message.extend([number] * len(segments))
        found.paths.extend(segments)
        found.depends_on.extend([i - 1] if i > first else [] for i in range(first, first + len(segments)))
    for first, (start, end) in zip(found.first, pairwise(messages.dependency_start.tolist()), strict=True):
        found.depends_on[first] = [found.last[predecessor] for predecessor in messages.dependency[start:end].tolist()]
    return found
