"""The cables of a network, one by one, with the ports at both ends as a technician counts them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..mathematics.occurrences import occurrences
from ..planes.plane import Cabling

Columns = tuple[NDArray[np.generic], ...]


def node_ports(plane: Cabling) -> Ints:
    """Return the port number of each node link at its switch, as int64[node links].

    Ports of a switch are numbered from 1: port p of the topology has number p + 1, so that ports to other switches are
    in the order of dimensions or generators, and the links of nodes follow in ascending order after the last one with a
    cable, at a direct network too, where they are within a node. A plane may state the ports of its nodes instead.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> from ..network import Network
    >>> node_ports(Network(Torus(shape=(3,), nodes_per_switch=2, node_cable_m=2.0)).planes[0]).tolist()
    [3, 4, 3, 4, 3, 4]
    """
    if plane.node_port is not None:
        return plane.node_port + 1
    cabled = plane.topology.peer >= 0
    last = np.where(cabled.any(axis=1), plane.topology.ports - np.argmax(cabled[:, ::-1], axis=1), 0)
    return last[plane.node_switch] + 1 + occurrences(plane.node_switch)


def interface_ports(cabling: Sequence[Cabling]) -> tuple[Ints, ...]:
    """Return, for each plane, the port number of each node link at its node, as int64[node links].

    The ports of a node are numbered from 1 over all planes, those of plane 0 first, unless planes state the ports of
    its adapters (`rails_of`). Port k of a node is its rail k.

    Examples
    --------
    >>> from ..families._dual_cube import dual_cube
    >>> [ports.tolist()[:3] for ports in interface_ports(dual_cube(3, (3, 5, 7)).cabling)]
    [[1, 1, 1], [2, 2, 2]]
    """
    nodes = [plane.node for plane in cabling]
    stated = [plane.adapter_ports for plane in cabling if plane.adapter_ports is not None]
    ports = rails_of(np.concatenate(nodes), np.concatenate(stated) if len(stated) == len(nodes) else None)
    return tuple(np.split(ports, np.cumsum([len(links) for links in nodes])[:-1]))


@dataclass(frozen=True, eq=False)
class CableList:
    """Every cable of a network: the switch at one end, and a switch or a node at the other.

    Cables are in the order of planes; in each plane those between switches, by their lower end, and then those of
    nodes. All arrays have one entry for each cable.

    Attributes
    ----------
    plane
        The plane.
    switch, switch_port
        The switch at one end, the lower one of two, and the number of its port, from 1.
    to_node
        Whether the other end is a node.
    other, other_port
        The switch or node at the other end, and the number of its port, as in `node_ports` and `interface_ports`.
    length_mm
        The length; without a layout that of the family.
    adapter, adapter_port
        The adapter of a node, from 1, and the number of its port, if the planes state them; else 0 and `other_port`.
    """

    plane: Ints
    switch: Ints
    switch_port: Ints
    to_node: NDArray[np.bool_]
    other: Ints
    other_port: Ints
    length_mm: Ints
    adapter: Ints
    adapter_port: Ints

    def __len__(self) -> int:
        return len(self.plane)

    def where(self, chosen: NDArray[np.bool_] | Ints) -> "CableList":
        """Return some of the cables: those of a mask, or with indices."""
        return CableList(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def joined(self, other: "CableList") -> "CableList":
        """Return these cables, and then those of another list."""
        names = self.__dataclass_fields__
        return CableList(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in names))


def cable_list(cabling: Sequence[Cabling]) -> CableList:
    """Return the cables of all planes; circuits of an optical switch and the links within direct networks are none.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> from ..network import Network
    >>> cables = cable_list(Network(Torus(shape=(3,), node_cable_m=2.0)).cabling)
    >>> cables.switch.tolist(), cables.switch_port.tolist()  # three between switches, three of nodes
    ([0, 0, 1, 0, 1, 2], [1, 2, 1, 3, 3, 3])
    >>> cables.other.tolist(), cables.other_port.tolist()
    ([1, 2, 2, 0, 1, 2], [2, 1, 2, 1, 1, 1])
    """
    parts: list[Columns] = []
    for index, (plane, rails) in enumerate(zip(cabling, interface_ports(cabling), strict=True)):
        topology = plane.topology
        switch, port = topology.cable_ends()
        other, other_port = topology.peer[switch, port], topology.peer_port[switch, port] + 1
        ends = other, other_port, plane.cable_mm[switch, port], np.zeros_like(switch), other_port
        parts.append(_rows(index, switch, port + 1, False, *ends))
        if plane.node_cable_mm is not None:
            parts.append(_node_rows(index, plane, rails))
    return _cable_list(parts)


def internal_links(cabling: Sequence[Cabling]) -> CableList:
    """Return the links between the nodes of direct networks and the switches within them, of length 0.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> from ..network import Network
    >>> links = internal_links(Network(Torus(shape=(3,))).cabling)
    >>> links.switch.tolist(), links.switch_port.tolist(), links.other.tolist(), links.other_port.tolist()
    ([0, 1, 2], [3, 3, 3], [0, 1, 2], [1, 1, 1])
    """
    parts = [
        _node_rows(index, plane, rails)
        for index, (plane, rails) in enumerate(zip(cabling, interface_ports(cabling), strict=True))
        if plane.node_cable_mm is None
    ]
    return _cable_list(parts)


def _node_rows(index: int, plane: Cabling, rails: Ints) -> Columns:
    """Return the links of nodes of a plane."""
    stated = plane.adapter_ports
    adapter, adapter_port = (np.zeros_like(rails), rails) if stated is None else stated.T
    ends = plane.node, rails, plane.node_lengths_mm, adapter, adapter_port
    return _rows(index, plane.node_switch, node_ports(plane), True, *ends)


def _rows(
    plane: int,
    switch: NDArray[np.integer],
    switch_port: NDArray[np.integer],
    to_node: bool,
    *rest: NDArray[np.integer],
) -> Columns:
    count = len(switch)
    return np.full(count, plane), switch, switch_port, np.full(count, to_node), *rest


def _cable_list(parts: list[Columns]) -> CableList:
    """Return the rows of some parts, or none."""
    kinds = [np.bool_ if name == "to_node" else np.int64 for name in CableList.__dataclass_fields__]
    columns = zip(*parts, strict=True) if parts else [[] for _ in kinds]
    return CableList(
        *(
            np.concatenate([np.empty(0, kind), *column]).astype(kind)
            for kind, column in zip(kinds, columns, strict=True)
        )
    )


def rails_of(node: Ints, adapter_ports: Ints | None) -> Ints:
    """Return the number of each link's port at its node, from 1, different for all links of a node.

    Parameters
    ----------
    node : int64[node links]
        The node of each link, in the order of planes.
    adapter_ports : int64[node links, 2] or None
        The adapter of the node and the number of its port, both from 1. None to number the ports of each node in the
        order of its links. Otherwise ports keep their numbers if no two ports of the node have the same; else those of
        an adapter follow the highest one in use at the adapter before.

    Examples
    --------
    >>> rails_of(np.array([0, 1, 0]), None).tolist()
    [1, 1, 2]
    >>> rails_of(np.array([0, 1, 1, 0]), np.array([[1, 2], [1, 2], [2, 2], [2, 1]])).tolist()
    [2, 2, 4, 1]
    """
    if adapter_ports is None:
        return occurrences(node) + 1
    ends = np.column_stack([node, adapter_ports])
    _, port_of, uses = np.unique(ends[:, [0, 2]], axis=0, return_inverse=True, return_counts=True)
    is_renumbered = np.bincount(node[uses[port_of.ravel()] > 1], minlength=int(node.max(initial=0)) + 1) > 0
    adapters, adapter_of = np.unique(ends[:, :2], axis=0, return_inverse=True)
    highest = np.zeros(len(adapters), dtype=np.int64)
    np.maximum.at(highest, adapter_of.ravel(), ends[:, 2])
    before = np.cumsum(highest) - highest
    # The sum runs over all nodes: what earlier nodes use is taken off again.
    before -= before[np.searchsorted(adapters[:, 0], adapters[:, 0])]
    return ends[:, 2] + np.where(is_renumbered[node], before[adapter_of.ravel()], 0)
