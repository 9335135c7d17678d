"""GUIDs of the devices and ports of subnets: placeholders, or those in files of names or listings of a fabric."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from isoplane.models import InputError
from isoplane.models.arrays import Ints, rows_of
from isoplane.models.cabling.cable_list import node_ports
from isoplane.models.device_names import GUID, PORT, SWITCH, node_name, node_port_name, switch_name
from isoplane.models.planes.plane import Cabling

from ..inputs.name_file import COLUMNS, read_names
from .importer import Source, source_of
from .importers import importer_named

LISTINGS = ("ibnetdiscover", "opensm_subnet")  # formats of import whose files have GUIDs
SWITCH_GUID = 0x0002_0000_0000_0000
ADAPTER_GUID = 0x0001_0000_0000_0000

# The GUIDs of a subnet: of each switch, which are those of their ports 0 as well, of the port of the node at each node
# link, and of the adapter of each node with a link.
Guids = tuple[Sequence[int], Sequence[int], Mapping[int, int]]


def placeholder_guids(number: int, plane: Cabling, adapter_port: Ints) -> Guids:
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
    switches = [SWITCH_GUID + (number << 32) + switch for switch in range(plane.topology.switches)]
    links = [adapters[node] + port for node, port in zip(nodes, adapter_port.tolist(), strict=True)]
    return switches, links, adapters


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

    def of_planes(self, planes: Sequence[Cabling], rails: Sequence[Ints]) -> list[Guids]:
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
        for _, _, adapters in found:
            for node, guid in adapters.items():
                if owner.get(guid, f"{node_name(node)}:").partition(":")[0] != node_name(node):
                    raise self._equal(node_name(node), guid, owner[guid])
        return found

    def _of_plane(self, number: int, plane: Cabling, rails: Ints, owner: dict[int, str]) -> Guids:
        """Return the GUIDs of a plane, and add the owner of each."""
        names = [switch_name(number, switch) for switch in range(plane.topology.switches)]
        switches = [self._claimed(name, self.switches.get(name), owner) for name in names]
        links, adapters = [], dict[int, int]()
        columns = plane.node, rails, plane.node_switch, node_ports(plane)
        for node, rail, switch, port in rows_of(*columns):
            guid = self._of_link(node, rail, f"{names[switch]}:{port}")
            links.append(self._claimed(node_port_name(node, rail), guid, owner))
            known = self.adapters.get(node_name(node), set())
            adapters.setdefault(node, min(known) if len(known) == 1 else links[-1])
        return switches, links, adapters

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
            expected = "one for each switch and each port of a node; nodes=NUMBER exports fewer nodes"
            raise InputError(f"{self.option}: no GUID of {name}; expected {expected}")
        if guid in owner:
            raise self._equal(name, guid, owner[guid])
        owner[guid] = name
        return guid

    def _equal(self, name: str, guid: int, other: str) -> InputError:
        return InputError(f"{self.option}: {name} has the GUID {guid:#x} of {other}; expected a GUID of its own")


def read_guids(option: str, paths: Sequence[Path]) -> GivenGuids:
    """Return the GUIDs in some files: CSV of names, or listings of fabrics whose descriptions are names of the design.

    Parameters
    ----------
    option
        The option that names the files, for messages.
    paths
        The files.

    Raises
    ------
    InputError
        If a file cannot be read or is damaged, or two GUIDs are those of one switch or port.
    """
    given = GivenGuids(f"{option}={','.join(map(str, paths))}", {}, {}, {}, {})
    for path in paths:
        source = source_of(option, path)
        kind = next((kind for kind in LISTINGS if importer_named(kind).accepts(source)), None)
        first = source.text.partition("\n")[0].rstrip("\r")
        if kind is not None:
            _add_listing(given, kind, source)
        elif first == ",".join(COLUMNS):
            _add_names(given, option, path)
        else:
            raise source.wrong(1, repr(first[:40]), f"{','.join(COLUMNS)} or output of ibnetdiscover")
    return given


def _add_names(given: GivenGuids, option: str, path: Path) -> None:
    for name, device in read_names(option, path).items():
        if GUID.fullmatch(name.removeprefix(PORT)):
            guid = int(name.removeprefix(PORT), 16)
            if name.startswith(PORT):
                _add(given, given.ports, device, guid)
            elif SWITCH.fullmatch(device):
                _add(given, given.switches, device, guid)
            else:
                given.adapters.setdefault(device.partition(":")[0], set()).add(guid)


def _add_listing(given: GivenGuids, kind: str, source: Source) -> None:
    """Add the GUIDs in a listing: those of ports of nodes by the ports of switches to which they have cables."""
    found = importer_named(kind).read(source)
    guids = {end: guid for guid, end in found.guids.items()}
    nodes = set(found.nodes)
    for name in found.switches:
        if (name, "", 0) in guids:
            _add(given, given.switches, name, guids[name, "", 0])
    for link in found.links:
        ends = tuple(zip(link.ends, link.ports, strict=True))
        for (own, port), (other, other_port) in (ends, ends[::-1]):
            guid = guids.get((other, link.adapter, other_port or 0))
            if own not in nodes and other in nodes and guid is not None:
                given.cabled[f"{own}:{port}"] = other
                _add(given, given.ports, f"{own}:{port}", guid)
    for name, (node, _) in found.aliases.items():
        if node in nodes and GUID.fullmatch(name):
            given.adapters.setdefault(node, set()).add(int(name, 16))


def _add(given: GivenGuids, known: dict[str, int], name: str, guid: int) -> None:
    if known.setdefault(name, guid) != guid:
        raise InputError(f"{given.option}: {name} has the GUIDs {known[name]:#x} and {guid:#x}; expected one")
