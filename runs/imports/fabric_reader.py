"""Files that list the devices and cables of a fabric, of any form that imports read."""

import re
from pathlib import Path

from .device_kinds import with_kinds
from .discovery.discovered_fabric import DiscoveredDevice, DiscoveredFabric, Kind
from .fabric_parts import parts_of
from .importer import Source, source_of
from .importers import importer_named, importer_names, refuse_port_reports
from .importers.iblinkinfo import parse_iblinkinfo
from .importers.ibnetdiscover import accepts, parse_ibnetdiscover
from .importers.opensm_subnet import parse_subnet_dump
from .node_adapters import port_numbers

IBLINKINFO = re.compile(r"(?:Switch: 0x[0-9a-fA-F]+|CA:|RT:|Router:) .*:\s*$")
EXPECTED = (
    "the output of ibnetdiscover or iblinkinfo, a fabric file of ibsim, opensm-subnet.lst, or another file that "
    "isoplane import reads or writes, such as GraphML or fabric.json"
)


def read_fabric(option: str, path: Path) -> DiscoveredFabric:
    """Return the fabric that a file lists: as ``ibnetdiscover``, ``iblinkinfo``, ibsim or OpenSM write it, or others.

    Others are those of all importers. Ports that they do not number are the lowest free ones, and `unnumbered` of the
    fabric has their ends.

    Parameters
    ----------
    option
        The option that names the file, for messages.
    path
        The file; a dump has a brace at the beginning of its first line.

    Raises
    ------
    InputError
        If it cannot be read, is damaged or contradicts itself; the message names the line.
    """
    source = source_of(option, path)
    first = next((line for line in source.lines if line.strip() and not line.startswith("#")), "")
    refuse_port_reports(source)
    if IBLINKINFO.match(first):
        return parse_iblinkinfo(source)
    if first.startswith("{"):
        return parse_subnet_dump(source)
    if not first or accepts(source):
        return parse_ibnetdiscover(source)
    kinds = [name for name in importer_names() if importer_named(name).accepts(source)]
    if len(kinds) != 1:
        raise source.wrong(source.lines.index(first) + 1, repr(first.strip()[:40]), EXPECTED)
    return _of_listing(source, kinds[0])


def _of_listing(source: Source, kind: str) -> DiscoveredFabric:
    """Return what an importer reads; nodes that are counted without names are numbered in the order of switches."""
    listing = with_kinds(source, importer_named(kind).read(source), (), only_switches=False)
    parts = parts_of(source, kind, listing, nodes_per_switch=0)
    links = [link for part in parts for link in (*part.cables, *part.attached)]
    links += [link for link in listing.links if link.is_loop]  # in no part, but a difference from any design
    ports = port_numbers(source, links)
    lines: dict[str, int] = {}
    highest: dict[str, int] = {}
    for link, numbers in zip(links, ports, strict=True):
        for name, port in zip(link.ends, numbers, strict=True):
            lines.setdefault(name, link.line)
            highest[name] = max(port, highest.get(name, 0))
    switches = [name for part in parts for name in part.switches]
    nodes = [name for name in highest if name not in set(switches)]
    kinds: dict[str, Kind] = {**dict.fromkeys(switches, "switch"), **dict.fromkeys(nodes, "adapter")}
    index = {name: number for number, name in enumerate(kinds)}
    numbered = [
        ((index[link.ends[0]], here), (index[link.ends[1]], there), link)
        for link, (here, there) in zip(links, ports, strict=True)
    ]
    return DiscoveredFabric.of_ends(
        (
            DiscoveredDevice(kind, name, name, None, highest.get(name, 0), lines.get(name, 1))
            for name, kind in kinds.items()
        ),
        ((*end, *other, link.line) for end, other, link in numbered),
        listing.notes if nodes else (*listing.notes, "lists no nodes"),
        {end for *ends, link in numbered for end, port in zip(ends, link.ports, strict=True) if port is None},
    )
