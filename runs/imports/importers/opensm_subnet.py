"""OpenSM's dump of its subnet, ``opensm-subnet.lst``."""

import re

from ..discovery.discovered_import import listing_of
from ..discovery.subnet_dump import parse_subnet_dump
from ..importer import Importer, Listing, Source

ADAPTER = re.compile(
    r"\{ CA\S* [^{}]*NodeGUID:([0-9a-fA-F]{16}) PortGUID:([0-9a-fA-F]{16}) [^{}]*"
    r"\{.*?\} LID:[0-9A-F]+ PN:([0-9A-F]{2}) \}"
)


def read(source: Source) -> Listing:
    """Return the fabric; every end of a cable has the GUID of its port."""
    fabric = parse_subnet_dump(source.name, source.lines)
    text = "\n".join(line for line in source.lines if not line.startswith("#"))
    guids = {(node.lower(), int(port, 16)): int(guid, 16) for node, guid, port in ADAPTER.findall(text)}
    return listing_of(fabric, guids)


def accepts(source: Source) -> bool:
    """Whether it begins with an end of a cable."""
    return source.text.lstrip().startswith("{ ") and "NodeGUID:" in source.text[:4096]


IMPORTER = Importer("subnet dump of OpenSM", accepts, read)
