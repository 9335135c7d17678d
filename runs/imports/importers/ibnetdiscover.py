"""The output of ``ibnetdiscover``, and fabric files of ibsim."""

import re

from ..discovery.discovered_import import blocks, listing_of
from ..discovery.ibnetdiscover import parse_ibnetdiscover
from ..importer import Importer, Listing, Source

ADAPTER_PORT = re.compile(r"\[([0-9]{1,3})\]\s*\(([0-9a-fA-F]{1,16})\)")
DEVICE = re.compile(r'^(?:Switch|Ca|Hca)\s+\d+\s+"', re.M)


def read(source: Source) -> Listing:
    """Return the fabric; the GUIDs of adapters' ports are in their own lines."""
    fabric = parse_ibnetdiscover(source.name, source.lines)
    guids = {
        (fabric.devices[device].key, int(port[1])): int(port[2], 16)
        for device, line in blocks(fabric, source.lines)
        if fabric.devices[device].kind == "adapter" and (port := ADAPTER_PORT.match(line))
    }
    return listing_of(fabric, guids)


def accepts(source: Source) -> bool:
    """Whether a line begins a device."""
    return DEVICE.search(source.text) is not None


IMPORTER = Importer("ibnetdiscover", accepts, read)
