"""From dumps of forwarding tables to the port of each switch of a plane for each link of a node."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError
from isoplane.models.table_files import NO_ENTRY

from .assembled_fabric import ImportedFabric, PlacedPlane
from .forwarding_dump import Entry, SwitchTable, read_dump
from .importer import Source


def with_tables(fabric: ImportedFabric, sources: Sequence[Source]) -> ImportedFabric:
    """Return a fabric with the forwarding tables in some files, of all planes, whatever the order.

    Switches and nodes are found by the GUIDs in the files of the fabric, or else by their names. If a port of a node
    has several LIDs, packets have the lowest.

    Raises
    ------
    InputError
        If a table is of no switch, is missing, or contradicts the cables; the message names the line.
    """
    tables: list[NDArray[np.integer] | None] = [None] * len(fabric.placed)
    for source in sources:
        dump = read_dump(source)
        plane = _plane_of(fabric, source, dump[0])
        if tables[plane] is not None:
            raise source.wrong(dump[0].line, f"tables of plane {plane} again", "one file for each plane")
        tables[plane] = _PlaneTables(fabric.placed[plane], source).ports(dump)
    found = [table for table in tables if table is not None]
    if len(found) < len(tables):
        missing = next(number for number, table in enumerate(tables) if table is None)
        raise InputError(f"tables={sources[0].path}: none of plane {missing}; expected one file for each plane")
    return replace(fabric, tables=tuple(found))


def _plane_of(fabric: ImportedFabric, source: Source, table: SwitchTable) -> int:
    """Return the plane of a switch."""
    for number, each in enumerate(fabric.placed):
        guid_name = each.part.guids.get(table.guid)
        if (guid_name[0] if guid_name else table.name) in each.part.switches:
            return number
    raise source.wrong(table.line, f"switch {table.name}", "a switch of the fabric")


class _PlaneTables:
    """Looks up the devices of a plane."""

    def __init__(self, placed: PlacedPlane, source: Source) -> None:
        self.source, self.plane, self.guids = source, placed.plane, placed.part.guids
        self.switch_ids = {name: number for number, name in enumerate(placed.part.switches)}
        self.names = placed.part.switches
        self.links = {link: index for index, link in enumerate(placed.node_links)}
        self.links_of: dict[str, list[int]] = {}
        for index, (name, _) in enumerate(placed.node_links):
            self.links_of.setdefault(name, []).append(index)
        self.cabled: list[set[int]] = [set() for _ in self.names]
        for switch, port, other, other_port in self.plane.cables:
            self.cabled[switch].add(port)
            self.cabled[other].add(other_port)

    def ports(self, dump: Sequence[SwitchTable]) -> NDArray[np.integer]:
        """Return the port of each switch for each link of a node."""
        found = np.full((len(self.names), len(self.links)), NO_ENTRY, dtype=np.uint16)
        seen: set[int] = set()
        link_of: dict[tuple[int, str], int] = {}
        for table in dump:
            switch = self._switch(table)
            seen.add(switch)
            for entry in sorted(table.entries, key=lambda each: each.lid):
                key = entry.guid, entry.name
                if not entry.is_node:
                    continue
                if key not in link_of:
                    link_of[key] = self._link(entry)
                link = link_of[key]
                if found[switch, link] == NO_ENTRY:
                    self._check(switch, link, entry)
                    found[switch, link] = entry.port
        if len(seen) < len(self.names):
            missing = next(name for name, number in self.switch_ids.items() if number not in seen)
            raise InputError(f"tables={self.source.path}: none of switch {missing}; expected tables of all switches")
        return found

    def _switch(self, table: SwitchTable) -> int:
        known = self.guids.get(table.guid)
        name = known[0] if known else table.name
        if name not in self.switch_ids:
            raise self.source.wrong(table.line, f"switch {table.name}", "a switch of the same plane")
        return self.switch_ids[name]

    def _link(self, entry: Entry) -> int:
        """Return the link of a node with a LID."""
        known = self.guids.get(entry.guid)
        if known is not None and known in self.links:
            return self.links[known]
        links = self.links_of.get(known[0] if known else entry.name, [])
        if len(links) > 1:
            problem = f"port GUID 0x{entry.guid:x} of {entry.name}, which has {len(links)} links"
            raise self.source.wrong(entry.line, problem, "a GUID in the file of the fabric")
        if not links:
            raise self.source.wrong(entry.line, f"node {entry.name}", "a node of the plane")
        return links[0]

    def _check(self, switch: int, link: int, entry: Entry) -> None:
        """Raise an `InputError` if an entry contradicts the cables."""
        _, at_switch, at_port = self.plane.nodes[link]
        if switch == at_switch and entry.port != at_port:
            raise self.source.wrong(
                entry.line, f"port {entry.port} for {entry.name}", f"port {at_port}, where its cable is"
            )
        if switch != at_switch and entry.port not in self.cabled[switch]:
            raise self.source.wrong(
                entry.line, f"port {entry.port} of {self.names[switch]}", "a port with a cable to another switch"
            )
