"""The output of ``iblinkinfo``."""

import re

from ..discovery.discovered_import import listing_of
from ..discovery.iblinkinfo import parse_iblinkinfo
from ..importer import Importer, Listing, Source

PORT = re.compile(r"^\s*(?:0x[0-9a-fA-F]+)?\s+\d+\s+\d+\[[^\]]*\] ==\(", re.M)


def read(source: Source) -> Listing:
    """Return the fabric; the lines of adapters begin with the GUIDs of ports."""
    return listing_of(*parse_iblinkinfo(source.name, source.lines))


def accepts(source: Source) -> bool:
    """Whether a line has a port and the state of its link."""
    return PORT.search(source.text) is not None


IMPORTER = Importer("iblinkinfo", accepts, read)
