"""Dumps of forwarding tables by OpenSM (``opensm-lfts.dump``) and by ``dump_fts`` and ``ibroute``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..importer import Source
from .discovered_fabric import AGGREGATION_NODE

EXPECTED = "a dump of unicast forwarding tables"
SWITCH = re.compile(
    r"Unicast lids \[(?:0x)?[0-9a-f]+-(?:0x)?[0-9a-f]+\] of switch (?:DR path slid .*|Lid \d+) "
    r"guid 0x([0-9a-f]{1,16}) \((.*)\):$"
)
ENTRY = re.compile(r"0x([0-9a-f]{1,4}) (\d{3}) ((?:: \(|# ).*)$")
DESTINATION = re.compile(r"(?:: \(|# )(Channel Adapter|Switch|Router) +portguid 0x([0-9a-f]{1,16})(?:: +'(.*)')?\)?$")
# OpenSM counts destinations that it leaves out too, the other programs only those with an entry.
COUNT = re.compile(r"([0-9]{1,9}) (valid )?lids dumped$")
HEADING = re.compile(r"(?:Lid\s+Out\s+Destination|Port\s+Info)$")


Destination = tuple[int, str]  # the GUID of the port of a node, 0 if it is unknown, and the description of the device


@dataclass(frozen=True)
class SwitchTable:
    """The forwarding table of a switch.

    Parameters
    ----------
    guid, name, line
        The GUID and description of the switch, and the line of the file.
    nodes, ports, lines
        The destination, the port and the line of each entry for a channel adapter, ascending by LID.
    """

    guid: int
    name: str
    line: int
    nodes: list[Destination] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


def read_dump(source: Source) -> Iterator[SwitchTable]:
    """Yield the forwarding tables in a dump.

    Raises
    ------
    InputError
        If a line has another form, LIDs are not ascending, a switch is there twice, or a table is incomplete; the
        message names the line.
    """
    table: SwitchTable | None = None
    first: dict[int, int] = {}
    destinations: dict[str, Destination | None] = {}
    lid = count = 0
    for number, line in enumerate(_lines(source.text), start=1):
        if (found := ENTRY.match(line)) and table is not None:
            # Operands are evaluated from the left, so that `previous` is the LID of the line before.
            if (previous := lid) >= (lid := int(found[1], 16)):
                raise source.wrong(number, f"LID {lid} after LID {previous}", "ascending LIDs in each table")
            count += 1
            # A dump repeats each destination in the table of every switch: one object for all saves most of the memory.
            if found[3] not in destinations:
                destinations[found[3]] = _destination(source, number, found[3])
            destination = destinations[found[3]]
            if destination is not None:
                table.nodes.append(destination)
                table.ports.append(int(found[2]))
                table.lines.append(number)
        elif found := SWITCH.match(line):
            if table is not None:
                yield table
            table, lid, count = SwitchTable(int(found[1], 16), found[2].strip("'\""), number), 0, 0
            if first.setdefault(table.guid, number) != number:
                raise source.wrong(number, f"switch {table.name} again, after line {first[table.guid]}", "it once")
        elif (found := COUNT.match(line)) and table is not None:
            if int(found[1]) < count or (found[2] and int(found[1]) > count):
                raise source.wrong(number, f"{found[1]} LIDs, after {count} entries", "a complete table")
        elif line and not HEADING.match(line):
            raise source.wrong(number, repr(line[:40]), EXPECTED)
    if table is None:
        raise source.wrong(1, "no tables", EXPECTED)
    yield table


def _lines(text: str) -> Iterator[str]:
    """Yield lines without blanks around them, one at a time: a list of millions would take several times the memory."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end].strip()
        start = end + 1


def _destination(source: Source, number: int, text: str) -> Destination | None:
    """Return what a local id (LID) stands for; None if it is no channel adapter, or an aggregation node."""
    found = DESTINATION.match(text)
    if found is None and "portguid" in text:
        raise source.wrong(number, repr(text[:40]), EXPECTED)
    if found is None or found[1] != "Channel Adapter" or found[3] == AGGREGATION_NODE:
        return None
    return int(found[2], 16), found[3] or ""
