"""Files that list an InfiniBand fabric, of either form."""

import re
from pathlib import Path

from .discovery.discovered_fabric import DiscoveredFabric
from .importer import source_of
from .importers import refuse_port_reports
from .importers.iblinkinfo import parse_iblinkinfo
from .importers.ibnetdiscover import parse_ibnetdiscover
from .importers.opensm_subnet import parse_subnet_dump

IBLINKINFO = re.compile(r"(?:Switch: 0x[0-9a-fA-F]+|CA:|RT:|Router:) .*:\s*$")


def read_fabric(option: str, path: Path) -> DiscoveredFabric:
    """Return the fabric that a file lists: as ``ibnetdiscover``, ``iblinkinfo``, ibsim or OpenSM write it.

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
    parse = parse_subnet_dump if first.startswith("{") else parse_ibnetdiscover
    return parse(source)
