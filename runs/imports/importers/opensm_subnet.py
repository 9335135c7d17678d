"""OpenSM's dump of its subnet, ``opensm-subnet.lst``."""

import re
from collections.abc import Sequence

from ..discovery.discovered_fabric import DiscoveredDevice, DiscoveredFabric, FabricBuilder, Kind
from ..discovery.discovered_import import listing_of
from ..importer import Importer, Listing, Source

KINDS: dict[str, Kind] = {"SW": "switch", "CA": "adapter", "RT": "router"}
END = (
    r"\{ (CA|SW|RT)(?:-SM)? Ports:([0-9A-F]{2}) SystemGUID:[0-9a-fA-F]{16} NodeGUID:([0-9a-fA-F]{16}) "
    r"PortGUID:([0-9a-fA-F]{16}) VenID:[0-9A-F]+ DevID:[0-9A-F]+ Rev:[0-9A-F]+ \{(.*?)\} LID:[0-9A-F]+ "
    r"PN:([0-9A-F]{2}) \}"
)
CABLE = re.compile(rf"{END} {END} PHY=(\S+) LOG=\S+ SPD=(\S+)\s*$")
FIELDS = 6  # of an end
SPEEDS = {  # of a lane, as OpenSM writes it: the rate of signals, in whole Gbit/s from FDR on
    "2.5": "SDR",
    "5": "DDR",
    "10": "QDR",
    "FDR10": "FDR10",
    "14": "FDR",
    "25": "EDR",
    "50": "HDR",
    "100": "NDR",
    "200": "XDR",
}


def read(source: Source) -> Listing:
    """Return the fabric; every end of a cable has the GUID of its port."""
    return listing_of(parse_subnet_dump(source))


def accepts(source: Source) -> bool:
    """Whether it begins with an end of a cable."""
    return source.text.lstrip().startswith("{ ") and "NodeGUID:" in source.text[:4096]


def parse_subnet_dump(source: Source) -> DiscoveredFabric:
    """Return the fabric of a dump: a line for each end of each cable, with both devices; numbers are hexadecimal.

    Raises
    ------
    InputError
        If a line has another form, or lines contradict each other; the message names the line.
    """
    builder = FabricBuilder(source)
    for number, found in builder.matches([CABLE], "both ends of a cable, as in opensm-subnet.lst"):
        fields = found.groups()
        (device, port), (other, other_port) = (_end(builder, number, fields[at : at + FIELDS]) for at in (0, FIELDS))
        if not 1 <= other_port <= builder.devices[other].ports:
            raise source.wrong(number, f"port {other_port}", f"ports from 1 to {builder.devices[other].ports}")
        lanes, speed = fields[2 * FIELDS :]
        rate = builder.rate(number, lanes, SPEEDS.get(speed, speed))
        builder.add_end(number, device, port, builder.devices[other].key, other_port, rate)
    return builder.fabric()


def _end(builder: FabricBuilder, number: int, fields: Sequence[str]) -> tuple[int, int]:
    """Return the device, which is added if it is new, and the port."""
    kind, ports, guid, port_guid, name, port = fields
    key = guid.lower()
    if KINDS[kind] == "adapter":
        builder.port_guids[key, int(port, 16)] = int(port_guid, 16)
    device = DiscoveredDevice(KINDS[kind], key, name, int(guid, 16), int(ports, 16), number)
    index = builder.index.get(key)
    if index is None:
        return builder.add_device(device), int(port, 16)
    first = builder.devices[index]
    if (first.kind, first.ports, first.name) != (device.kind, device.ports, device.name):
        problem = f"device {key} differs from line {first.line}"
        raise builder.source.wrong(number, problem, "the same kind, ports and name")
    return index, int(port, 16)


IMPORTER = Importer("subnet dump of OpenSM", accepts, read)
