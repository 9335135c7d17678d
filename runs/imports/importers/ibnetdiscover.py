"""The output of ``ibnetdiscover``, and the fabric files of ibsim, which have the same form."""

import re

from ..discovery.discovered_fabric import DiscoveredDevice, DiscoveredFabric, FabricBuilder, Kind
from ..discovery.discovered_import import listing_of
from ..discovery.link_rate import LinkRate
from ..importer import Importer, Listing, Source

KINDS: dict[str, Kind] = {"Switch": "switch", "Ca": "adapter", "Hca": "adapter", "Rt": "router"}
GUID = re.compile(r"(?:switchguid|caguid|rtguid)=0x([0-9a-fA-F]{1,16})(?:\([0-9a-fA-F]{1,16}\))?\s*(?:#.*)?$")
DEVICE = re.compile(r'(Switch|Ca|Hca|Rt)\s+([0-9]{1,3})\s+"([^"]+)"\s*(?:#\s*(?:"(.*)")?[^"]*)?$')
DEVICE_LINE = re.compile(r'^(?:Switch|Ca|Hca)\s+\d+\s+"', re.M)
PORT = re.compile(
    r'\[([0-9]{1,3})\](?:\[ext \d+\])?\s*(?:\(([0-9a-fA-F]{1,16})\))?\s*"([^"]+)"\s*\[([0-9]{1,3})\](?:\[ext \d+\])?'
    r"\s*(?:\([0-9a-fA-F]{1,16}\))?\s*(?:#.*)?$"
)
RATE = re.compile(r"\b([0-9]+x)([A-Z]+[0-9]*)\b")
WITHOUT_CABLES = re.compile(r"\s*(?:#.*)?$|(?:vendid|devid|sysimgguid)=|Chassis |Non-Chassis Nodes")


def read(source: Source) -> Listing:
    """Return the fabric; the GUIDs of adapters' ports are in their own lines."""
    return listing_of(parse_ibnetdiscover(source))


def accepts(source: Source) -> bool:
    """Whether a line begins a device."""
    return DEVICE_LINE.search(source.text) is not None


def parse_ibnetdiscover(source: Source) -> DiscoveredFabric:
    r"""Return the fabric that ``ibnetdiscover`` has printed.

    A block for each device has its GUID, its kind, number of ports, key and description, and then a line for each
    port with a cable, which ends with the rate of the link; fabric files of ibsim have no rates.

    Raises
    ------
    InputError
        If a line has another form, or lines contradict each other; the message names the line.

    Examples
    --------
    >>> from pathlib import Path
    >>> text = 'Switch 2 "A"\n[1] "B"[2]\nSwitch 2 "B"\n[2] "A"[1]'
    >>> parse_ibnetdiscover(Source(Path("text"), text.encode())).cables
    (_Cable(device=0, port=1, other=1, other_port=2, line=2, rate=None),)
    """
    builder = FabricBuilder(source)
    guid: int | None = None
    device: int | None = None
    patterns = [PORT, DEVICE, GUID, WITHOUT_CABLES]
    for number, found in builder.matches(patterns, "the output of ibnetdiscover"):
        if found.re is PORT:
            if device is None:
                raise source.wrong(number, "a port before any device", "a device before its ports")
            rate = _rate(builder, number, found.string)
            builder.add_end(number, device, int(found[1]), found[3], int(found[4]), rate)
            if found[2] is not None and builder.devices[device].kind == "adapter":
                builder.port_guids[builder.devices[device].key, int(found[1])] = int(found[2], 16)
        elif found.re is DEVICE:
            name = found[3] if found[4] is None else found[4]
            device = builder.add_device(DiscoveredDevice(KINDS[found[1]], found[3], name, guid, int(found[2]), number))
            guid = None
        elif found.re is GUID:
            # A new block begins: ports before the line of its device would belong to no one.
            guid, device = int(found[1], 16), None
    if guid is not None:
        raise source.wrong(len(source.lines), "a GUID without a device at the end", "the whole output of ibnetdiscover")
    return builder.fabric()


def _rate(builder: FabricBuilder, number: int, line: str) -> LinkRate | None:
    """Return the rate at the end of a line, behind the description of a device, which may contain anything."""
    rate = RATE.search(line.rpartition('"')[2])
    return None if rate is None else builder.rate(number, rate[1], rate[2])


IMPORTER = Importer("ibnetdiscover", accepts, read)
