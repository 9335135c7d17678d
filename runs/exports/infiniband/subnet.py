"""Planes as InfiniBand subnets: names, GUIDs, LIDs and ports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from isoplane.models import InputError
from isoplane.models.arrays import Ints, rows_of
from isoplane.models.cabling.cable_list import node_ports
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.planes.plane import Cabling
from isoplane.runs.config.config_values import paths_of
from isoplane.runs.imports.guid_files import GivenGuids, placeholder_guids, read_guids

from ..exporter import Exported

MAX_LID = 0xBFFF  # the last unicast LID
MAX_PORT = 254  # 255 stands for no port in forwarding tables


@dataclass(frozen=True, eq=False)
class Subnet:
    """A plane as a subnet: its switches, and the adapter of every node that is bought and has a link in it.

    Switch i has LID i + 1, and node link k has LID switches + k + 1: a node with several links in a plane has a LID for
    each. Ports are those of `models.cable_list`; the adapter of a node has the ports to all planes, of which those to
    other planes are unused here. In a direct network an adapter is beside its switch, at the first port that follows
    those to other switches.

    Parameters
    ----------
    number
        The number of the plane.
    plane
        The plane.
    node_port : int64[node links]
        Port of each node link at its switch.
    adapter_port : int64[node links]
        Port of each node link at its node.
    adapter_ports
        Ports of every adapter.
    switch_guids, link_guids, adapter_guids
        The GUIDs of switches, which are those of their ports 0 as well, of the port of the node at each node link, and
        of the adapter of each node with a link.
    """

    number: int
    plane: Cabling
    node_port: Ints
    adapter_port: Ints
    adapter_ports: int
    switch_guids: Sequence[int]
    link_guids: Sequence[int]
    adapter_guids: Mapping[int, int]

    @property
    def switches(self) -> int:
        """Number of switches."""
        return self.plane.topology.switches

    @property
    def lids(self) -> int:
        """Number of LIDs, which are numbered from 1: one for each switch, then one for each link of a node."""
        return self.switches + self.links

    @property
    def links(self) -> int:
        """Number of links of nodes."""
        return len(self.adapter_port)

    @cached_property
    def switch_ports(self) -> int:
        """Number of ports of each switch: the highest that any of them uses."""
        topology = self.plane.topology
        return int(max(np.flatnonzero((topology.peer >= 0).any(axis=0)).max(initial=-1) + 1, self.node_port.max()))

    def switch_name(self, switch: int) -> str:
        """Return the name of a switch."""
        return switch_name(self.number, switch)

    @property
    def port_guids(self) -> list[int]:
        """The GUID of the port of each LID, from LID 1."""
        return [*self.switch_guids, *self.link_guids]

    def switch_rows(self) -> list[list[tuple[int, str, int]]]:
        """Return, for each switch, the cables in the order of ports: port, name and port of the device at the end."""
        topology = self.plane.topology
        rows: list[list[tuple[int, str, int]]] = [[] for _ in range(self.switches)]
        switch, port = np.nonzero(topology.peer >= 0)
        cables = rows_of(switch, port, topology.peer[switch, port], topology.peer_port[switch, port])
        for own, own_port, other, other_port in cables:
            rows[own].append((own_port + 1, self.switch_name(other), other_port + 1))
        for node, node_port, own, own_port in self._link_rows():
            rows[own].append((own_port, node_name(node), node_port))
        return [sorted(row) for row in rows]  # a plane may state the ports of its nodes

    def adapter_rows(self) -> dict[int, list[tuple[int, str, int, int]]]:
        """Return, for each node with a link, its links: port, name and port of the switch, and index of the link."""
        rows: dict[int, list[tuple[int, str, int, int]]] = {}
        for link, (node, port, switch, switch_port) in enumerate(self._link_rows()):
            rows.setdefault(node, []).append((port, self.switch_name(switch), switch_port, link))
        return rows

    def _link_rows(self) -> Iterator[tuple[int, ...]]:
        """Yield the node of each link, its port there, the switch, and the port there."""
        return rows_of(self.plane.node, self.adapter_port, self.plane.node_switch, self.node_port)


def _given_guids(exported: Exported) -> GivenGuids | None:
    """Return the GUIDs of the option ``guids``, which is a file or a list of files, or `GivenGuids`."""
    given = exported.option("guids")
    return given if given is None or isinstance(given, GivenGuids) else read_guids("guids", paths_of("guids", given))


def subnets_of(exported: Exported, format_name: str) -> tuple[Subnet, ...]:
    """Return the planes of a design as subnets, with the given GUIDs or placeholders.

    Parameters
    ----------
    exported, format_name
        The design, and the format that messages name.

    Raises
    ------
    InputError
        If a plane has more ports or devices than a subnet allows, or a GUID is missing.
    """
    planes, rails, given = exported.wired.cabling, exported.rails, _given_guids(exported)
    adapter_ports = max(int(ports.max()) for ports in rails)
    if given is None:
        guids = [placeholder_guids(number, *each) for number, each in enumerate(zip(planes, rails, strict=True))]
    else:
        guids = given.of_planes(planes, rails)
    found = []
    for number, (plane, ports) in enumerate(zip(planes, rails, strict=True)):
        subnet = Subnet(number, plane, node_ports(plane), ports, adapter_ports, *guids[number])
        if subnet.lids > MAX_LID:
            raise InputError(
                f"format={format_name}: plane {number} needs {subnet.lids} LIDs; expected at most {MAX_LID} switches "
                "and links of nodes in a subnet"
            )
        if max(subnet.switch_ports, adapter_ports) > MAX_PORT:
            raise InputError(
                f"format={format_name}: plane {number} has a device of {max(subnet.switch_ports, adapter_ports)} ports;"
                f" expected at most {MAX_PORT}"
            )
        found.append(subnet)
    return tuple(found)
