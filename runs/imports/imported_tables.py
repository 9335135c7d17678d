"""From dumps of forwarding tables to the port of each switch of a plane for each link of a node."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.files.forwarding_tables import NO_ENTRY
from isoplane.models.routing.imported import imported_table

from .assembled_fabric import ImportedFabric
from .discovery.forwarding_dump import Destination, SwitchTable, read_dump
from .fabric_parts import ListedPlane
from .importer import NodeEnd, Source
from .node_adapters import MAX_PORT

Ints = NDArray[np.integer]


def with_tables(fabric: ImportedFabric, sources: Sequence[Source]) -> ImportedFabric:
    """Return a fabric with the forwarding tables in some files, one for each plane, in any order.

    Switches and nodes are found by the GUIDs in the files of the fabric, or else by their names. If a port of a node
    has several LIDs, packets have the lowest.

    Raises
    ------
    InputError
        If a table is of no switch, is missing, or contradicts the cables, in a message that names the line; or if
        packets do not arrive.
    """
    tables: dict[int, Ints] = {}
    for source in sources:
        # Its first switch tells the plane, before the dump is read as a whole.
        first = next(read_dump(source))
        plane = _plane_of(fabric, source, first, set(tables))
        if plane in tables:
            raise source.wrong(first.line, f"tables of plane {plane} again", "one file for each plane")
        built = fabric.planes[plane]
        tables[plane] = _PlaneTables(fabric.parts[plane], built, fabric.node_links[plane], source).all_ports()
        try:
            imported_table(built.topology, tables[plane], built.node_switch)
        except InputError as error:
            raise InputError(f"tables={source.path}: {error}") from error
    missing = set(range(len(fabric.planes))) - set(tables)
    if missing:
        raise InputError(f"tables={sources[0].path}: none of plane {min(missing)}; expected one file for each plane")
    return replace(fabric, tables=tuple(tables[plane] for plane in sorted(tables)))


def _plane_of(fabric: ImportedFabric, source: Source, table: SwitchTable, taken: set[int]) -> int:
    """Return the plane of a switch; of several with the same GUIDs or names, the first that is not taken."""
    named = ((number, part.name_of(table.guid, table.name), part) for number, part in enumerate(fabric.parts))
    found = [number for number, name, part in named if name in part.switches]
    if not found:
        raise source.wrong(table.line, f"switch {table.name}", "a switch of the fabric")
    return next((number for number in found if number not in taken), found[0])


class _PlaneTables:
    """Looks up the devices of a plane in a dump."""

    def __init__(self, part: ListedPlane, plane: FabricPlane, node_links: Sequence[NodeEnd], source: Source) -> None:
        self.source, self.part, self.names = source, part, part.switches
        self.switch_ids = {name: number for number, name in enumerate(self.names)}
        self.link_names = node_links
        self.links: dict[NodeEnd, int] = {link: index for index, link in enumerate(node_links)}
        self.links_of: dict[str, list[int]] = {}
        for index, (name, *_) in enumerate(node_links):
            self.links_of.setdefault(name, []).append(index)
        self.node_at = np.array([link[1:] for link in plane.nodes])
        cables = np.array(plane.cables, dtype=np.int64).reshape(-1, 4)
        self.is_cabled = np.zeros((len(self.names), MAX_PORT + 1), dtype=np.bool_)
        self.is_cabled[cables[:, [0, 2]], cables[:, [1, 3]]] = True
        self.link_of: dict[Destination, int] = {}

    def all_ports(self) -> Ints:
        """Return the port of each switch for each link of a node."""
        found = np.full((len(self.names), len(self.links)), NO_ENTRY, dtype=np.uint16)
        is_missing = np.ones(len(self.names), dtype=np.bool_)
        for table in read_dump(self.source):
            switch = self._switch(table)
            found[switch] = self._ports(switch, table)
            is_missing[switch] = False
        if is_missing.any():
            name = self.names[int(is_missing.argmax())]
            raise InputError(f"tables={self.source.path}: none of switch {name}; expected tables of all switches")
        return found

    def _switch(self, table: SwitchTable) -> int:
        name = self.part.name_of(table.guid, table.name)
        if name not in self.switch_ids:
            raise self.source.wrong(table.line, f"switch {table.name}", "a switch of the same plane")
        return self.switch_ids[name]

    def _ports(self, switch: int, table: SwitchTable) -> Ints:
        """Return the ports of a switch after checking that they have cables that may lead to the nodes."""
        for destination, line in zip(table.nodes, table.lines, strict=True):
            if destination not in self.link_of:
                self.link_of[destination] = self._link(destination, line)
        links = np.array([self.link_of[each] for each in table.nodes], dtype=np.int64)
        ports = np.array(table.ports, dtype=np.int64)
        own = self.node_at[links, 0] == switch
        wrong = np.flatnonzero(np.where(own, ports != self.node_at[links, 1], ~self.is_cabled[switch, ports]))
        if len(wrong):
            entry = int(wrong[0])
            _, name = table.nodes[entry]
            problem = f"port {ports[entry]} of {self.names[switch]} for {name}"
            port = self.node_at[links[entry], 1]
            expected = f"port {port}, where its cable is" if own[entry] else "a port with a cable to another switch"
            raise self.source.wrong(table.lines[entry], problem, expected)
        found = np.full(len(self.links), NO_ENTRY, dtype=np.int64)
        found[links[::-1]] = ports[::-1]  # backwards, so that each link keeps its lowest LID
        if not found.all() and (self.node_at[:, 0] == switch).any():
            name, _, port = self.link_names[int(np.argmin(found))]
            problem = f"no entry for port {port} of {name} in the table of {table.name}"
            raise self.source.wrong(table.line, problem, "entries for all nodes at switches with nodes")
        return found

    def _link(self, destination: Destination, line: int) -> int:
        """Return the link of a node."""
        guid, name = destination
        known = self.part.guids.get(guid)
        if known is not None and known in self.links:
            return self.links[known]
        links = self.links_of.get(self.part.name_of(guid, name), [])
        if len(links) > 1:
            problem = f"port GUID {guid:#x} of {name}, which has {len(links)} links"
            raise self.source.wrong(line, problem, "a GUID in the file of the fabric")
        if not links:
            raise self.source.wrong(line, f"node {name}", "a node of the plane")
        return links[0]
