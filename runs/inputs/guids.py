"""GUIDs of the devices and ports of subnets: placeholders, or those of a fabric that exists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from isoplane.models import InputError
from isoplane.models.arrays import Ints
from isoplane.models.cabling.cable_list import node_ports
from isoplane.models.device_names import node_name, node_port_name, switch_name
from isoplane.models.planes.plane import Cabling

SWITCH_GUID = 0x0002_0000_0000_0000
ADAPTER_GUID = 0x0001_0000_0000_0000


@dataclass(frozen=True)
class SubnetGuids:
    """The GUIDs of a subnet.

    Parameters
    ----------
    switches
        Of each switch, which are those of their ports 0 as well.
    links
        Of the port of the node at each node link.
    adapters : int to int
        Of the adapter of each node with a link.
    """

    switches: tuple[int, ...]
    links: tuple[int, ...]
    adapters: Mapping[int, int]


def placeholder_guids(number: int, plane: Cabling, adapter_port: Ints) -> SubnetGuids:
    """Return GUIDs that tell plane and switch, or node and port.

    Parameters
    ----------
    number, plane
        A plane and its number.
    adapter_port : int64[node links]
        The port of each node link at its node.
    """
    nodes = plane.node.tolist()
    adapters = {node: ADAPTER_GUID + (node << 16) for node in nodes}
    return SubnetGuids(
        tuple(SWITCH_GUID + (number << 32) + switch for switch in range(plane.topology.switches)),
        tuple(adapters[node] + port for node, port in zip(nodes, adapter_port.tolist(), strict=True)),
        adapters,
    )


@dataclass(frozen=True)
class GivenGuids:
    """The GUIDs in files that a user gives.

    Parameters
    ----------
    option
        What messages call the files, such as ``guids=names.csv``.
    switches : str to int
        By name, such as ``P0-S12``.
    ports : str to int
        Those of ports of nodes, by their names, such as ``N5:1``, or by the ports of switches at the other ends of
        their cables, such as ``P0-S12:3``.
    cabled : str to str
        The nodes to which cables of the latter lead.
    adapters : str to set of int
        Those of the adapters of each node, such as ``N5``.
    """

    option: str
    switches: dict[str, int]
    ports: dict[str, int]
    cabled: dict[str, str]
    adapters: dict[str, set[int]]

    def of_planes(self, planes: Sequence[Cabling], rails: Sequence[Ints]) -> tuple[SubnetGuids, ...]:
        """Return the GUIDs of each plane.

        Where the files do not tell the GUID of the adapter of a node, it has that of its first port.

        Parameters
        ----------
        planes
            The planes.
        rails
            As from `interface_ports`.

        Raises
        ------
        InputError
            If one is missing, two are equal, or a cable leads to another node than in the design; the message names
            the first device or port.
        """
        owner: dict[int, str] = {}
        found = [self._of_plane(*each, owner) for each in zip(range(len(planes)), planes, rails, strict=True)]
        for each in found:
            for node, guid in each.adapters.items():
                if owner.get(guid, f"{node_name(node)}:").partition(":")[0] != node_name(node):
                    raise self._equal(node_name(node), guid, owner[guid])
        return tuple(found)

    def _of_plane(self, number: int, plane: Cabling, rails: Ints, owner: dict[int, str]) -> SubnetGuids:
        """Return the GUIDs of a plane, and add the owner of each."""
        names = [switch_name(number, switch) for switch in range(plane.topology.switches)]
        switches = [self._claimed(name, self.switches.get(name), owner) for name in names]
        links, adapters = [], dict[int, int]()
        columns = plane.node, rails, plane.node_switch, node_ports(plane)
        for node, rail, switch, port in zip(*(column.tolist() for column in columns), strict=True):
            guid = self._of_link(node, rail, f"{names[switch]}:{port}")
            links.append(self._claimed(node_port_name(node, rail), guid, owner))
            known = self.adapters.get(node_name(node), set())
            adapters.setdefault(node, min(known) if len(known) == 1 else links[-1])
        return SubnetGuids(tuple(switches), tuple(links), adapters)

    def _of_link(self, node: int, rail: int, switch_port: str) -> int | None:
        """Return the GUID of a port of a node: by its name, or else by the cable."""
        found = self.cabled.get(switch_port)
        if found not in (None, node_name(node)):
            raise InputError(
                f"{self.option}: {switch_port} leads to {found}; expected {node_name(node)}, as in the design"
            )
        return self.ports.get(node_port_name(node, rail), self.ports.get(switch_port))

    def _claimed(self, name: str, guid: int | None, owner: dict[int, str]) -> int:
        if guid is None:
            raise InputError(f"{self.option}: no GUID of {name}; expected one for each switch and each port of a node")
        if guid in owner:
            raise self._equal(name, guid, owner[guid])
        owner[guid] = name
        return guid

    def _equal(self, name: str, guid: int, other: str) -> InputError:
        return InputError(f"{self.option}: {name} has the GUID {guid:#x} of {other}; expected a GUID of its own")
