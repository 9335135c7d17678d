"""Devices and the cables between their ports, as arrays."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.cable_list import cable_list, internal_links
from isoplane.runs.formats.names import node_name, switch_name

Ints = NDArray[np.int64]
Adapters = Literal["shared", "own_ports", "node_ports"]


@dataclass(frozen=True, eq=False)
class CabledDevices:
    """Devices with ports from 1, and cables between them.

    An *end* is a port of a device, as one number: ``device * width + port``.

    Attributes
    ----------
    names
        The name of each device.
    is_switch : bool[devices]
        Whether it is a switch; else it is a node or its adapter.
    plane : int64[devices]
        The plane of a switch, and of a node that is listed plane by plane; else -1.
    first_port : int64[devices]
        What is added to its port numbers where they are shown.
    width
        Larger than any port number.
    mate : int64[devices * width]
        The end at the other side of the cable of each end; -1 without a cable.
    """

    names: tuple[str, ...]
    is_switch: NDArray[np.bool_]
    plane: Ints
    first_port: Ints
    width: int
    mate: Ints

    def __len__(self) -> int:
        return len(self.names)

    def shown(self, end: int) -> str:
        """Return an end as a technician reads it, such as ``P0-S12:3``."""
        device, port = divmod(end, self.width)
        return f"{self.names[device]}:{port + int(self.first_port[device])}"

    def widened(self, width: int) -> Ints:
        """Return ``mate`` for a larger width."""
        table = self.mate.reshape(len(self), self.width)
        wide = np.full((len(self), width), -1, dtype=np.int64)
        device, port = np.divmod(table, self.width)
        wide[:, : self.width] = np.where(table < 0, -1, device * width + port)
        return wide.ravel()


def mates(devices: int, width: int, end: Ints, other: Ints) -> Ints:
    """Return the mate of each end, from both ends of each cable."""
    mate = np.full(devices * width, -1, dtype=np.int64)
    mate[end] = other
    mate[other] = end
    return mate


def design_devices(network: Network, adapters: Adapters = "shared", *, internal: bool = True) -> CabledDevices:
    """Return the switches of all planes and then the nodes of a network, with their cables.

    Parameters
    ----------
    network
        The network.
    adapters
        Whether a node has one adapter for all planes, ``shared``; or one for each, which are listed by plane, with
        port numbers from 1, ``own_ports``, or over all planes, ``node_ports``.
    internal
        Whether the links within the nodes of direct networks are included, which tools list if they list adapters.
    """
    planes, by_plane = network.unrouted_planes, adapters != "shared"
    starts = np.cumsum([0, *(plane.topology.switches for plane in planes)])
    parts = len(planes) if by_plane else 1
    names = [switch_name(index, s) for index, plane in enumerate(planes) for s in range(plane.topology.switches)]
    names += [node_name(node) for node in range(network.nodes)] * parts
    owner = np.concatenate([np.full(plane.topology.switches, index) for index, plane in enumerate(planes)])
    node_plane = np.repeat(np.arange(parts), network.nodes) if by_plane else np.full(network.nodes, -1)
    lists = [cable_list(network), *([internal_links(network)] if internal else [])]
    plane, switch, port, to_node, other, other_port = (
        np.concatenate([getattr(each, name) for each in lists])
        for name in ("plane", "switch", "switch_port", "to_node", "other", "other_port")
    )
    device = np.where(to_node, starts[-1] + (plane * network.nodes if by_plane else 0), starts[plane]) + other
    first_port = np.zeros(len(names), dtype=np.int64)
    if adapters == "own_ports":
        first_port[device[to_node]] = np.iinfo(np.int64).max
        np.minimum.at(first_port, device[to_node], other_port[to_node] - 1)
    other_port = other_port - first_port[device]
    width = 1 + int(max(port.max(), other_port.max()))
    return CabledDevices(
        tuple(names),
        np.arange(len(names)) < starts[-1],
        np.concatenate([owner, node_plane]),
        first_port,
        width,
        mates(len(names), width, (starts[plane] + switch) * width + port, device * width + other_port),
    )
