"""The adapters of nodes in the files of an import, and the ports of links: known ones, and free ones for others."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, groupby

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.mathematics.occurrences import occurrences

from .fabric_parts import ListedPlane
from .importer import CableEntry, NodeEnd, Source

MAX_PORT = 4096
Ends = tuple[int, int]
Device = tuple[str, str]


def with_whole_adapters(parts: Sequence[ListedPlane]) -> list[ListedPlane]:
    """Return planes in which each adapter is of one node.

    Files name the node of an adapter differently if it is the only one of its description in one of them, and one of
    several in another: it has the longer name, which is never that of another device.
    """
    names: dict[str, set[str]] = {}
    for node, adapter in ((link.ends[1], link.adapter) for part in parts for link in part.attached if link.adapter):
        names.setdefault(adapter, set()).add(node)
    return with_nodes(
        parts, {adapter: max(known, key=lambda name: (len(name), name)) for adapter, known in names.items()}
    )


def with_nodes(parts: Sequence[ListedPlane], renamed: Mapping[str, str], keep_names: bool = False) -> list[ListedPlane]:
    """Return planes in which some adapters are of other nodes, whose names are given.

    Parameters
    ----------
    parts
        The planes.
    renamed
        The names of nodes by adapter.
    keep_names
        Whether names of nodes so far remain as names of the adapters.
    """

    def named(link: CableEntry) -> CableEntry:
        return replace(link, ends=(link.ends[0], renamed.get(link.adapter, link.ends[1])))

    def of(part: ListedPlane) -> ListedPlane:
        attached = tuple(map(named, part.attached))
        guids = {guid: (renamed.get(end[1], end[0]), *end[1:]) for guid, end in part.guids.items()}
        aliases = {alias: (renamed.get(adapter, name), adapter) for alias, (name, adapter) in part.aliases.items()}
        if keep_names:
            ends = ((link.ends[1], link.adapter) for link in part.attached if link.adapter in renamed)
            aliases |= {name: (renamed[adapter], adapter) for name, adapter in ends if name != renamed[adapter]}
        return replace(part, attached=attached, guids=guids, aliases=aliases)

    return [of(part) for part in parts]


def with_node_ports(parts: Sequence[ListedPlane]) -> list[ListedPlane]:
    """Return planes in which all ports at nodes have numbers; unknown ones are the lowest that no plane uses."""
    used: dict[str, set[int]] = {}
    for link in (link for part in parts for link in part.attached):
        used.setdefault(link.ends[1], set()).update(() if link.ports[1] is None else (link.ports[1],))
    lowest = dict.fromkeys(used, 1)

    def numbered(link: CableEntry) -> CableEntry:
        if link.ports[1] is not None:
            return link
        node = link.ends[1]
        port = next(number for number in count(lowest[node]) if number not in used[node])
        lowest[node] = port + 1
        return replace(link, ports=(link.ports[0], port))

    return [replace(part, attached=tuple(map(numbered, part.attached))) for part in parts]


def adapter_ports(planes: Sequence[Sequence[NodeEnd]]) -> list[Ints]:
    """Return the adapter and the port of each link for each plane, both from 1, as int64[links, 2].

    The adapters of a node are numbered in the order of planes and links. An adapter in several planes is one, unless
    one of its ports has a link in an earlier plane already, as in simulated planes that number their adapters alike.
    Cable checks tell adapters apart by the same rule.

    Parameters
    ----------
    planes
        The ends at nodes of each plane, those of an adapter together.
    """
    adapters: Counter[str] = Counter()
    known: dict[tuple[str, str], list[tuple[int, set[int]]]] = {}
    found = []
    for ends in planes:
        rows = []
        for (node, adapter), group in groupby(ends, key=lambda end: end[:2]):
            ports = [port for *_, port in group]
            variants = known.setdefault((node, adapter), [])
            number, used = next((each for each in variants if each[1].isdisjoint(ports)), (0, set()))
            if not number:
                adapters[node] += 1
                number = adapters[node]
                variants.append((number, used))
            used.update(ports)
            rows += [(number, port) for port in ports]
        found.append(np.array(rows, dtype=np.int64).reshape(-1, 2))
    return found


def are_default(nodes: Sequence[Ints], ports: Sequence[Ints]) -> bool:
    """Return whether ports of adapters are those that designs have whose planes do not state them.

    Each node then has one adapter for all planes or one for each, whose ports are numbered in the order of links: over
    all planes, or those of the latter from 1.

    Parameters
    ----------
    nodes
        The node of each link, for each plane.
    ports
        What `adapter_ports` returns.
    """
    node, (adapter, port) = np.concatenate(nodes), np.concatenate(ports).T
    plane = np.repeat(np.arange(len(nodes)), [len(each) for each in nodes])
    is_numbered_through = np.array_equal(port, occurrences(node) + 1)
    if (adapter == 1).all():
        return is_numbered_through
    is_numbered_by_plane = np.array_equal(port, occurrences(node * len(nodes) + plane) + 1)
    pairs = {
        len(np.unique(np.stack(columns), axis=1).T)
        for columns in ((node, plane), (node, adapter), (node, plane, adapter))
    }
    return len(pairs) == 1 and (is_numbered_through or is_numbered_by_plane)


def port_numbers(source: Source, links: Sequence[CableEntry]) -> list[Ends]:
    """Return the port number at both ends of each link, from 1; unknown ones are the lowest free ports, in order.

    Raises
    ------
    InputError
        If a port is used twice or out of range; the message names the line.
    """
    used: dict[Device, dict[int, int]] = {}
    for link in links:
        for device, port in zip(_devices(link), link.ports, strict=True):
            if port is None:
                continue
            if not 1 <= port <= MAX_PORT:
                raise source.wrong(link.line, f"port {port} of {device[0]}", f"ports from 1 to {MAX_PORT}")
            lines = used.setdefault(device, {})
            if port in lines:
                in_use = f"port {port} of {device[0]} is in use since line {lines[port]}"
                raise source.wrong(link.line, in_use, "one cable at each port")
            lines[port] = link.line
    # A second pass: only now is it known which ports later lines of the file state.
    lowest: dict[Device, int] = {}
    found = []
    for link in links:
        ports = [
            _free(device, used.setdefault(device, {}), lowest, link.line) if port is None else port
            for device, port in zip(_devices(link), link.ports, strict=True)
        ]
        found.append((ports[0], ports[1]))
    return found


def _devices(link: CableEntry) -> tuple[Device, Device]:
    """Return what has the ports at both ends; a node, which is the second one, has them at its adapter."""
    return (link.ends[0], ""), (link.ends[1], link.adapter)


def _free(device: Device, used: dict[int, int], lowest: dict[Device, int], line: int) -> int:
    """Return the lowest free port of a device, which is then in use."""
    port = lowest.get(device, 1)
    while port in used:
        port += 1
    used[port] = line
    lowest[device] = port + 1
    return port
