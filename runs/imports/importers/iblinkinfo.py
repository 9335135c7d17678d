"""The output of ``iblinkinfo``."""

import re

from ..discovery.discovered_import import found_fabric
from ..discovery.iblinkinfo import parse_iblinkinfo
from ..importer import Found, Importer, Source

PORT = re.compile(r"^\s*(?:0x[0-9a-fA-F]+)?\s+\d+\s+\d+\[[^\]]*\] ==\(", re.M)


def read(source: Source) -> Found:
    """Return the fabric; the lines of adapters begin with the GUIDs of ports."""
    return found_fabric(*parse_iblinkinfo(source.name, source.lines))


def accepts(source: Source) -> bool:
    """Whether a line has a port and the state of its link."""
    return PORT.search(source.text) is not None


IMPORTER = Importer("iblinkinfo", accepts, read)
