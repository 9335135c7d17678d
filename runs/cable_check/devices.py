"""Devices and the cables between their ports, as arrays."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.cabling.cable_list import CableList, cable_list, internal_links
from isoplane.models.device_names import node_name, switch_name

Adapters = Literal["shared", "own_ports", "node_ports", "stated"]


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
        The plane of a switch, and of an adapter whose cables are all in that plane if nodes have several; else -1.
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

    def device_and_port(self, end: int) -> tuple[str, int]:
        """Return the name of the device of an end, and the number of its port as a technician reads it."""
        device, port = divmod(end, self.width)
        return self.names[device], port + int(self.first_port[device])

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
        port numbers from 1, ``own_ports``, or over all planes, ``node_ports``; or those that the planes state.
    internal
        Whether the links within the nodes of direct networks are included, which tools list if they list adapters.
    """
    planes = network.cabling
    starts = np.cumsum([0, *(plane.topology.switches for plane in planes)])
    cables = cable_list(network.cabling)
    if internal:
        cables = cables.joined(internal_links(network.cabling))
    adapter, parts = _adapters(cables, adapters, len(planes))
    names = [switch_name(index, s) for index, plane in enumerate(planes) for s in range(plane.topology.switches)]
    names += [node_name(node) for node in range(network.nodes)] * parts
    own = starts[cables.plane] + cables.switch
    other = np.where(cables.to_node, starts[-1] + (adapter - 1) * network.nodes, starts[cables.plane]) + cables.other
    first_port = _first_ports(cables, adapters, other, len(names))
    other_port = cables.other_port - first_port[other]
    width = 1 + int(max(cables.switch_port.max(), other_port.max()))
    return CabledDevices(
        tuple(names),
        np.arange(len(names)) < starts[-1],
        _planes(cables, adapters, other, starts, len(names)),
        first_port,
        width,
        mates(len(names), width, own * width + cables.switch_port, other * width + other_port),
    )


def _adapters(cables: CableList, adapters: Adapters, planes: int) -> tuple[Ints, int]:
    """Return the adapter of the node at each cable, from 1, and the number of adapters of every node."""
    if adapters == "shared":
        return np.ones_like(cables.plane), 1
    if adapters == "stated":
        return cables.adapter, int(cables.adapter.max(initial=1))
    return cables.plane + 1, planes


def _first_ports(cables: CableList, adapters: Adapters, device: Ints, devices: int) -> Ints:
    """Return how far the numbers of the ports of each device are below its rails, from the device of each cable."""
    found, at = np.zeros(devices, dtype=np.int64), np.flatnonzero(cables.to_node)
    if adapters == "stated":
        found[device[at]] = cables.other_port[at] - cables.adapter_port[at]
    elif adapters == "own_ports":
        found[device[at]] = np.iinfo(np.int64).max
        np.minimum.at(found, device[at], cables.other_port[at] - 1)
    return found


def _planes(cables: CableList, adapters: Adapters, device: Ints, starts: Ints, devices: int) -> Ints:
    """Return the plane of each device; -1 for adapters in several."""
    planes = len(starts) - 1
    of_switches = np.repeat(np.arange(planes), np.diff(starts))
    if adapters in ("own_ports", "node_ports"):
        return np.concatenate([of_switches, np.repeat(np.arange(planes), (devices - starts[-1]) // planes)])
    lowest, highest = np.full(devices, planes), np.full(devices, -1)
    if adapters == "stated":
        np.minimum.at(lowest, device, cables.plane)
        np.maximum.at(highest, device, cables.plane)
    return np.concatenate([of_switches, np.where(lowest == highest, highest, -1)[starts[-1] :]])


def adapter_name(devices: CabledDevices, index: int) -> str:
    """Return the name of an adapter by its lowest port, such as ``N5:2``."""
    (used,) = np.nonzero(devices.mate[index * devices.width : (index + 1) * devices.width] >= 0)
    port = int(used.min(initial=devices.width)) + int(devices.first_port[index])
    return f"{devices.names[index]}:{port}"
