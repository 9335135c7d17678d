"""OpenSM's dump of its subnet, ``opensm-subnet.lst``."""

import re

from ..discovered_import import found_fabric
from ..importer import Found, Importer, Source
from ..subnet_dump import parse_subnet_dump

ADAPTER = re.compile(
    r"\{ CA\S* [^{}]*NodeGUID:([0-9a-fA-F]+) PortGUID:([0-9a-fA-F]+) [^{}]*\{.*?\} LID:\S+ PN:(\S+) \}"
)


def read(source: Source) -> Found:
    """Return the fabric; every end of a cable has the GUID of its port."""
    fabric = parse_subnet_dump(source.name, source.lines)
    guids = {(node.lower(), int(port, 16)): int(guid, 16) for node, guid, port in ADAPTER.findall(source.text)}
    return found_fabric(fabric, guids)


def accepts(source: Source) -> bool:
    """Whether it begins with an end of a cable."""
    return source.text.lstrip().startswith("{ ") and "NodeGUID:" in source.text[:4096]


IMPORTER = Importer("subnet dump of OpenSM", accepts, read)
