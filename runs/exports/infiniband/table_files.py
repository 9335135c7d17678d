"""Files of LIDs and forwarding tables, as OpenSM reads them."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from isoplane.models.device_names import node_name
from isoplane.models.planes.routes import ARRIVED, NO_ROUTE

from .forwarding import Forwarding
from .subnet import Subnet

NO_ENTRY = 0xFF
PORT_AT = len("0x0000 ")


def lid_lines(subnet: Subnet) -> Iterator[str]:
    """Yield the lines of OpenSM's ``guid2lid``: the GUID of each port with its first and last LID."""
    for lid, guid in enumerate(subnet.port_guids, start=1):
        yield f"0x{guid:016x} 0x{lid:04x} 0x{lid:04x}"
        yield ""  # OpenSM reads an entry up to an empty line


def table_rows(subnet: Subnet, forwarding: Forwarding) -> Iterator[NDArray[np.uint8]]:
    """Yield the forwarding table of each switch as uint8[LIDs], from LID 1; `NO_ENTRY` without an entry.

    Port 0 is the switch itself.
    """
    column = np.concatenate([forwarding.of_switch, forwarding.of_link])
    own_port = np.concatenate([np.zeros(subnet.switches, dtype=np.int64), subnet.node_port])
    for switch in range(subnet.switches):
        port = forwarding.port[switch, column].astype(np.int64)
        entry = np.where(port == ARRIVED, own_port, np.where(port == NO_ROUTE, NO_ENTRY, port + 1))
        yield entry.astype(np.uint8)


def table_chunks(subnet: Subnet, forwarding: Forwarding) -> Iterator[bytes]:
    """Yield the forwarding tables of all switches in the form of OpenSM's dumps, one switch at a time."""
    lines = _lines_with_port_0(subnet)
    guids = subnet.port_guids
    for switch, entry in enumerate(table_rows(subnet, forwarding)):
        yield (
            f"Unicast lids [0x0-{subnet.lids:#x}] of switch Lid {switch + 1} guid 0x{guids[switch]:016x} "
            f"('{subnet.switch_name(switch)}'):\n"
        ).encode()
        for digit in range(3):
            # One array serves all switches, whose lines differ in the three digits of the port alone.
            lines[:, PORT_AT + digit] = ord("0") + entry // 10 ** (2 - digit) % 10
        kept = lines if (entry != NO_ENTRY).all() else lines[entry != NO_ENTRY]
        yield kept.tobytes()
        yield f"{len(kept)} lids dumped\n".encode()


def _lines_with_port_0(subnet: Subnet) -> NDArray[np.uint8]:
    """Return the entry of each LID with port 0 as characters, all of one width."""
    devices = [("Switch", subnet.switch_name(switch)) for switch in range(subnet.switches)]
    devices += [("Channel Adapter", node_name(node)) for node in subnet.plane.node.tolist()]
    width = max(len(name) for _, name in devices) + 2
    text = "".join(
        f"0x{lid:04x} 000 : ({kind:15} portguid 0x{guid:016x}: {f'{name!r}':>{width}})\n"
        for lid, (guid, (kind, name)) in enumerate(zip(subnet.port_guids, devices, strict=True), start=1)
    )
    return np.frombuffer(text.encode(), dtype=np.uint8).reshape(subnet.lids, -1).copy()
