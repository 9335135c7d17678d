"""Destinations of the packets that can enter a switch by each of its ports, which a cache of that port must hold."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Bools, Ints
from isoplane.models.policy import with_all_paths

from .. import _native
from .arrays import NetworkArrays
from .link_loads import map_ends, packet_parts


def port_destinations(network: Network) -> tuple[tuple[Ints, ...], tuple[Ints, ...], tuple[Ints, ...]]:
    """Count the destinations whose packets can enter a switch by each input port, along the routes of all nodes.

    A node sends packets to all other nodes. Under a policy that depends on queues, a packet can take every plane. In a
    torus K × ... × K of odd K with one node per switch and routes in the order of the dimensions 1, ..., N, these are
    K^N - 1 at the port of a node, and K^(N-i) ⌊K/2⌋ at a port of dimension i.

    Returns
    -------
    int64[switches, ports], one per plane
        Destinations of the link that leaves a switch by a port, and so of the input port at its other end.
    int64[node links], one per plane
        Destinations of the link out of a node.
    int64[node links], one per plane
        Load of the link out of a node, as `node_link_loads` has it for packets of `packet_parts`.

    Raises
    ------
    InputError
        If a route does not lead to its destination, or no plane connects a pair of nodes.

    References
    ----------
    Hirasawa et al. 2020, equation (2).

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> links, node_links, sent = port_destinations(Network(Torus(shape=(5, 5))))
    >>> links[0][0].tolist(), int(node_links[0][0]), int(sent[0][0])
    ([10, 10, 2, 2], 24, 25)
    """
    arrays = NetworkArrays(split_over_planes(network))
    links, ends, sent = _sums_over_ends(arrays)
    groups = arrays.groups
    if len(arrays.ends) < len(groups.receivers):
        # Only one end of each class was counted. Translations map the links of a class to each other, so as many ends
        # are reached over one of its links as links of it lead to one end.
        label = arrays.labels[0]
        links = [_sums_by_class(values, label) for values in links]
        of_group = [label[source.at[source.start[:-1]]] for source in groups.source]
        ends, sent = (
            [
                _sums_by_class(values.reshape(len(row), -1), row).ravel()
                for values, row in zip(sums, of_group, strict=True)
            ]
            for sums in (ends, sent)
        )

    def of_nodes(sums: list[Ints]) -> tuple[Ints, ...]:
        return tuple(
            groups.of_node_links(number, plane.node, groups.source[number].start[groups.of_node], sums[number])
            for number, plane in enumerate(network.planes)
        )

    # Packets to the node itself, which are not sent, would use all its links in planes that carry packets.
    others = [values - (values > 0) for values in ends]
    per_node = [
        values // np.repeat(groups.senders, np.diff(source.start))
        for values, source in zip(sent, groups.source, strict=True)
    ]
    return tuple(links), of_nodes(others), of_nodes(per_node)


def destination_loads(network: Network, plane: int, switch: int, port: int) -> Ints:
    """Return the packets to each destination over one link if every node sends one to every node, ascending.

    Packets are in 1 / `packet_parts`; destinations without packets on the link are left out. Up to the order of
    destinations, they are the same for all links that a translation of the network maps to each other.

    Parameters
    ----------
    network
        A network of switches.
    plane, switch, port
        The plane, and the switch and port at which the link begins.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> destination_loads(Network(Torus(shape=(5,))), 0, 0, 0).tolist()
    [1, 2]
    """
    arrays = NetworkArrays(split_over_planes(network))
    label = arrays.labels[plane]
    alike = np.flatnonzero(label == label[switch]) if len(arrays.ends) < len(arrays.groups.receivers) else [switch]
    packets = []
    for nodes, (loads, _) in zip(arrays.receivers.tolist(), _loads_by_end(arrays, arrays.ends), strict=True):
        packets.append(np.repeat(loads[plane][alike, port] // nodes, nodes))
    values = np.sort(np.concatenate(packets))
    return values[values > 0]


def links_to_nodes(network: Network, nodes: Ints) -> Iterator[tuple[list[Bools], list[Bools]]]:
    """Yield for each node of a job, in the order given, the links that packets to it from the others can take.

    Parameters
    ----------
    network
        A network of switches.
    nodes : int64[nodes of the job]
        The nodes that send to each other, each once.

    Returns
    -------
    bool[switches, ports], one per plane
        Whether packets can take the link that leaves a switch by a port.
    bool[node links], one per plane
        Whether they can take the link out of a node.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> ring = Network(Torus(shape=(5,), node_cable_m=2.0))
    >>> links, of_nodes = next(links_to_nodes(ring, np.array([0, 1, 4])))  # to node 0, over its two cables
    >>> np.argwhere(links[0]).tolist(), np.flatnonzero(of_nodes[0]).tolist()
    ([[1, 1], [4, 0]], [1, 4])
    """
    arrays = NetworkArrays(split_over_planes(network), use_representatives=False)
    groups, ends = arrays.groups, arrays.groups.end_of_node[nodes]
    senders = np.bincount(groups.of_node[nodes], minlength=len(groups.senders))
    sends = np.zeros(network.nodes, dtype=np.bool_)
    sends[nodes] = True
    # Nodes that follow each other are often of the same end.
    first = np.flatnonzero(np.diff(ends, prepend=-1))
    of_end = np.split(nodes, first[1:])
    for destinations, (loads, sent) in zip(of_end, _loads_by_end(arrays, ends[first], senders), strict=True):
        links = [load > 0 for load in loads]
        of_nodes = [
            (groups.of_node_links(number, plane.node, groups.source[number].start[groups.of_node], sent[number]) > 0)
            & sends[plane.node]
            for number, plane in enumerate(network.planes)
        ]
        for node in destinations.tolist():  # which sends nothing to itself
            yield links, [taken & (plane.node != node) for taken, plane in zip(of_nodes, network.planes, strict=True)]


def split_over_planes(network: Network) -> Network:
    """Return the network, under ``spray`` if its policy depends on queues: with all paths that these may choose."""
    policy = with_all_paths(network.policy)
    if policy == network.policy:
        return network
    family = replace(network.family, policy=policy)  # type: ignore[type-var]  # families are frozen dataclasses
    return Network(family, network.site)


def _sums_over_ends(arrays: NetworkArrays) -> tuple[list[Ints], list[Ints], list[Ints]]:
    """Return sums over `arrays.ends`, per plane.

    Returns
    -------
    int64[switches, ports], int64[links of groups], int64[links of groups]
        Destinations of the links between switches, destinations of those of groups of nodes, and the load of these.
    """
    of_links = [plane.topology.peer.shape for plane in arrays.network.planes]
    of_groups = [source.at.shape for source in arrays.groups.source]

    def sums_of(chunk: slice) -> tuple[list[Ints], ...]:
        sums = _zeros(of_links, of_groups, of_groups)
        loads_by_end = _loads_by_end(arrays, arrays.ends[chunk])
        for nodes, (loads, sent) in zip(arrays.receivers[chunk].tolist(), loads_by_end, strict=True):
            used = chain((nodes * (load > 0) for load in (*loads, *sent)), sent)
            for total, values in zip(chain(*sums), used, strict=True):
                total += values
        return sums

    links, ends, sent = _zeros(of_links, of_groups, of_groups)
    for sums in map_ends(arrays, sums_of):
        for total, values in zip(chain(links, ends, sent), chain(*sums), strict=True):
            total += values
    return links, ends, sent


def _loads_by_end(
    arrays: NetworkArrays, ends: Ints, senders: Ints | None = None
) -> Iterator[tuple[list[Ints], list[Ints]]]:
    """Yield the loads of links and of those of groups that lead to each end, from all nodes or some in each group."""
    every, parts = NetworkArrays(arrays.network, use_representatives=False), packet_parts(arrays)
    senders = every.senders if senders is None else senders
    of_links = [plane.topology.peer.shape for plane in arrays.network.planes]
    of_groups = [source.at.shape for source in arrays.groups.source]
    of_ends = [target.at.shape for target in arrays.groups.target]
    for end in ends.tolist():
        loads, sent, received = _zeros(of_links, of_groups, of_ends)
        _native.add_loads(every.planes, senders, every.receivers, end, 1, every.weights, parts, loads, sent, received)
        yield loads, sent


def _zeros(*shapes: Sequence[tuple[int, ...]]) -> tuple[list[Ints], ...]:
    return tuple([np.zeros(shape, dtype=np.int64) for shape in of_planes] for of_planes in shapes)


def _sums_by_class(counts: Ints, label: Ints) -> Ints:
    """Return the sum of the rows of each class, for every row of it."""
    sums = np.zeros((int(label.max()) + 1, counts.shape[1]), dtype=np.int64)
    np.add.at(sums, label, counts)
    return sums[label]
