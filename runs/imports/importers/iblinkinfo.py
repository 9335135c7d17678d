"""The output of ``iblinkinfo``."""

import re
from dataclasses import dataclass, field, replace

from ..discovery.discovered_fabric import DiscoveredDevice, DiscoveredFabric, FabricBuilder, Kind
from ..discovery.discovered_import import listing_of
from ..discovery.link_rate import LinkRate
from ..importer import Importer, Listing, Source

BLOCK = re.compile(r"(?:(Switch): 0x([0-9a-fA-F]{1,16}) |(CA|RT|Router): )(.*):\s*$")
PORT = re.compile(
    r"\s*(?:0x([0-9a-fA-F]{1,16}))?\s+([0-9]{1,5})\s+([0-9]{1,3})\[[^\]]*\] ==\((.*?)\)(?: \(HOQ:[^)]*\))?==>"
    r'\s+(?:([0-9]{1,5})\s+([0-9]{1,3}))?\[[^\]]*\] "(.*)" \(.*\)\s*$'
)
PORT_LINE = re.compile(r"^\s*(?:0x[0-9a-fA-F]+)?\s+\d+\s+\d+\[[^\]]*\] ==\(", re.M)
RATE = re.compile(r"\s*([0-9]{1,2}X|\?+)\s+(FDR10|[0-9.]+ Gbps \(FDR10\)|[0-9.]+|\?+)")
SPEEDS = {  # of the signals of a lane, in Gbit/s
    "2.5": "SDR",
    "5.0": "DDR",
    "10.0": "QDR",
    "FDR10": "FDR10",
    "10.0 Gbps (FDR10)": "FDR10",
    "14.0625": "FDR",
    "25.78125": "EDR",
    "53.125": "HDR",
    "106.25": "NDR",
    "212.5": "XDR",
}
EXPECTED = "the output of iblinkinfo without -l, --switches-only and --cas-only"


@dataclass
class _Block:
    """A device with the matches of the lines of its ports, by line."""

    device: DiscoveredDevice
    ports: dict[int, re.Match[str]] = field(default_factory=dict)


def read(source: Source) -> Listing:
    """Return the fabric; the lines of adapters begin with the GUIDs of ports."""
    return listing_of(parse_iblinkinfo(source))


def accepts(source: Source) -> bool:
    """Whether a line has a port and the state of its link."""
    return PORT_LINE.search(source.text) is not None


def parse_iblinkinfo(source: Source) -> DiscoveredFabric:
    """Return the fabric that ``iblinkinfo`` has printed.

    A block for each device has its kind and description, the GUID of a switch, and a line for each port with its LID
    and the LID and port at the other end. It does not state GUIDs of adapters, whose keys are those of their first
    ports.

    Raises
    ------
    InputError
        If a line has another form, or lines contradict each other; the message names the line.
    """
    builder = FabricBuilder(source)
    blocks = _blocks(builder)
    by_lid: dict[int, str] = {}
    for block in blocks:
        builder.add_device(block.device)
        for number, port in block.ports.items():
            key = by_lid.setdefault(int(port[2]), block.device.key)
            if key != block.device.key:
                raise source.wrong(number, f"LID {port[2]} of two devices", "LIDs as a subnet manager assigns them")
    # A second pass: a port may name the LID of a device that is listed further down.
    for block in blocks:
        for number, port in block.ports.items():
            if port[1] is not None:
                builder.port_guids[block.device.key, int(port[3])] = int(port[1], 16)
            if port[5] is None:
                continue
            if int(port[5]) not in by_lid:
                raise source.wrong(number, f"no device of LID {port[5]}", EXPECTED)
            rate = _rate(builder, number, port[4])
            index = builder.index[block.device.key]
            builder.add_end(number, index, int(port[3]), by_lid[int(port[5])], int(port[6]), rate)
    return builder.fabric()


def _blocks(builder: FabricBuilder) -> list[_Block]:
    """Return the devices in the order of the file; their number of ports is the highest that is listed."""
    blocks: list[_Block] = []
    for number, found in builder.matches([BLOCK, PORT], EXPECTED):
        if found.re is BLOCK:
            kind: Kind = "switch" if found[1] else "adapter" if found[3] == "CA" else "router"
            guid = None if found[2] is None else int(found[2], 16)
            key = f"device of line {number}" if guid is None else hex(guid)
            blocks.append(_Block(DiscoveredDevice(kind, key, found[4], guid, 0, number)))
        elif blocks:
            blocks[-1].ports[number] = found
        else:
            raise builder.source.wrong(number, "a port before any device", EXPECTED)
    return [_with_ports(block) for block in blocks]


def _with_ports(block: _Block) -> _Block:
    ports = block.ports.values()
    first = next((port[1] for port in ports if port[1] is not None), None)
    key = block.device.key if first is None or block.device.kind == "switch" else f"port 0x{first}"
    count = max((int(port[3]) for port in ports), default=1)
    return _Block(replace(block.device, key=key, ports=count), block.ports)


def _rate(builder: FabricBuilder, number: int, state: str) -> LinkRate | None:
    """Return the rate in the state of a port, such as ``4X 53.125 Gbps Active/ LinkUp``; None if it has none."""
    rate = RATE.match(state)
    return None if rate is None else builder.rate(number, rate[1].lower(), SPEEDS.get(rate[2], rate[2]))


IMPORTER = Importer("iblinkinfo", accepts, read)
