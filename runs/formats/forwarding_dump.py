"""Dumps of forwarding tables by OpenSM (``opensm-lfts.dump``) and by ``dump_fts`` and ``ibroute``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .importer import Source

EXPECTED = "a dump of unicast forwarding tables"
SWITCH = re.compile(
    r"Unicast lids \[(?:0x)?[0-9a-f]+-(?:0x)?[0-9a-f]+\] of switch (?:DR path slid .*|Lid \d+) "
    r"guid 0x([0-9a-f]{1,16}) \((.*)\):$"
)
ENTRY = re.compile(r"0x([0-9a-f]{1,4}) (\d{3}) (?:: \((.*)\)|# (.*))$")
DESTINATION = re.compile(r"(Channel Adapter|Switch|Router) portguid 0x([0-9a-f]{1,16}): '(.*)'$")
COUNT = re.compile(r"(\d+) (?:valid )?lids dumped$")
HEADING = re.compile(r"(?:Lid\s+Out\s+Destination|Port\s+Info)$")


@dataclass(frozen=True)
class Entry:
    """The port of a switch for a local id (LID).

    Parameters
    ----------
    lid, port
        The LID and the port; 0 for the switch itself.
    is_node
        Whether the LID is one of a channel adapter.
    guid
        The GUID of the port with that LID; 0 if it is unknown.
    name
        The description of its device.
    line
        The line of the file.
    """

    lid: int
    port: int
    is_node: bool
    guid: int
    name: str
    line: int


@dataclass(frozen=True)
class SwitchTable:
    """The forwarding table of a switch: its GUID, its description, the line of the file, and the entries by LID."""

    guid: int
    name: str
    line: int
    entries: tuple[Entry, ...]


def read_dump(source: Source) -> list[SwitchTable]:
    """Return the forwarding tables in a dump.

    Raises
    ------
    InputError
        If a line has another form, a LID or a switch is there twice, or a table is incomplete; the message names the
        line.
    """
    tables: list[SwitchTable] = []
    entries: dict[int, Entry] = {}
    first: dict[int, int] = {}
    guid, name, start = 0, "", 0
    for number, line in _lines(source):
        if found := SWITCH.match(line):
            if start:
                tables.append(SwitchTable(guid, name, start, tuple(entries.values())))
            guid, name, start, entries = int(found[1], 16), found[2].strip("'\""), number, {}
            if first.setdefault(guid, number) != number:
                raise source.wrong(number, f"switch {name} again, after line {first[guid]}", "each switch once")
        elif (found := ENTRY.match(line)) and start:
            entry = _entry(source, number, found)
            if entries.setdefault(entry.lid, entry) is not entry:
                raise source.wrong(
                    number, f"LID {entry.lid} again, after line {entries[entry.lid].line}", "each LID once in a table"
                )
        elif (found := COUNT.match(line)) and start:
            if int(found[1]) != len(entries):
                raise source.wrong(number, f"{found[1]} LIDs, after {len(entries)} entries", "a complete table")
        else:
            raise source.wrong(number, repr(line[:40]), EXPECTED)
    if not start:
        raise source.wrong(1, "no tables", EXPECTED)
    return [*tables, SwitchTable(guid, name, start, tuple(entries.values()))]


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor headings, with their numbers."""
    for number, line in enumerate(source.text.split("\n"), start=1):
        text = line.strip()
        if text and not HEADING.match(text):
            yield number, text


def _entry(source: Source, number: int, found: re.Match[str]) -> Entry:
    text = found[3] or found[4] or ""
    destination = DESTINATION.match(text)
    kind, guid, name = destination.groups() if destination else ("", "0", "")
    if destination is None and "portguid" in text:
        raise source.wrong(number, repr(text[:40]), EXPECTED)
    return Entry(int(found[1], 16), int(found[2]), kind == "Channel Adapter", int(guid, 16), name, number)
