"""Files that list an InfiniBand fabric, of either form."""

import re
from pathlib import Path

from .discovery.discovered_fabric import DiscoveredFabric
from .importer import source_of
from .importers import refuse_port_reports
from .importers.iblinkinfo import parse_iblinkinfo
from .importers.ibnetdiscover import accepts, parse_ibnetdiscover
from .importers.opensm_subnet import parse_subnet_dump

IBLINKINFO = re.compile(r"(?:Switch: 0x[0-9a-fA-F]+|CA:|RT:|Router:) .*:\s*$")
EXPECTED = "the output of ibnetdiscover or iblinkinfo, a fabric file of ibsim, or opensm-subnet.lst"


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
    if first.startswith("{"):
        return parse_subnet_dump(source)
    if first and not accepts(source):
        raise source.wrong(source.lines.index(first) + 1, repr(first.strip()[:40]), EXPECTED)
    return parse_ibnetdiscover(source)
