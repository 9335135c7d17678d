"""Files of a subnet: devices and cables for ibsim and cable checkers, and LIDs and forwarding tables for OpenSM."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from isoplane.models.device_names import SWITCH, node_name
from isoplane.models.planes.routes import ARRIVED, NO_ROUTE

from .forwarding import Forwarding
from .subnet import Subnet

NO_ENTRY = 0xFF
PORT_AT = len("0x0000 ")


def ibsim_lines(subnet: Subnet) -> Iterator[str]:
    """Yield the lines of a fabric file of ibsim: switches, then the adapters of nodes."""
    for switch, row in enumerate(subnet.switch_rows()):
        guid = subnet.switch_guids[switch]
        yield f"switchguid={guid:#x}({guid:x})"
        yield f'Switch {subnet.switch_ports} "{subnet.switch_name(switch)}"'
        yield from (f'[{port}] "{other}"[{other_port}]' for port, other, other_port in row)
        yield ""
    for node, links in subnet.adapter_rows().items():
        yield f"caguid={subnet.adapter_guids[node]:#x}"
        yield f'Hca {subnet.adapter_ports} "{node_name(node)}"'
        for port, other, other_port, link in links:
            yield f'[{port}]({subnet.link_guids[link]:x}) "{other}"[{other_port}]'
        yield ""


def topo_lines(subnet: Subnet) -> Iterator[str]:
    """Yield the lines of a topology file of IBDM (``.topo``): each device with the cables at its ports."""
    systems = {True: switch_system(subnet), False: adapter_system(subnet)}
    for switch, row in enumerate(subnet.switch_rows()):
        yield f"{systems[True]} {subnet.switch_name(switch)}"
        for port, other, other_port in row:
            yield f"   P{port} -> {systems[SWITCH.fullmatch(other) is not None]} {other} P{other_port}"
        yield ""
    for node, links in subnet.adapter_rows().items():
        yield f"{systems[False]} {node_name(node)}"
        yield from (f"   P{port} -> {systems[True]} {other} P{other_port}" for port, other, other_port, _ in links)
        yield ""


def switch_system(subnet: Subnet) -> str:
    """Return the system type of switches in a topology file."""
    return f"ISO{subnet.switch_ports}"


def adapter_system(subnet: Subnet) -> str:
    """Return the system type of adapters in a topology file."""
    return f"ISOHCA{subnet.adapter_ports}"


def switch_system_lines(subnet: Subnet) -> Iterator[str]:
    """Yield the lines of the type of switches (``.ibnl``): one chip with the ports P1, P2, ..."""
    yield f"TOPSYSTEM {switch_system(subnet)}"
    yield ""
    yield f"NODE SW {subnet.switch_ports} ISOCHIP U1"
    yield from (f"   {port} -> P{port}" for port in range(1, subnet.switch_ports + 1))
    yield ""


def adapter_system_lines(subnet: Subnet) -> Iterator[str]:
    """Yield the lines of the type of adapters (``.ibnl``): a chip for each port, U1 for P1 and so on.

    IBDM follows no paths to the second port of a chip in the same subnet.
    """
    yield f"TOPSYSTEM {adapter_system(subnet)}"
    for port in range(1, subnet.adapter_ports + 1):
        yield ""
        yield f"NODE CA 1 ISOHCA U{port}"
        yield f"   1 -> P{port}"
    yield ""


def lid_lines(subnet: Subnet) -> Iterator[str]:
    """Yield the lines of OpenSM's ``guid2lid``: the GUID of each port with its first and last LID."""
    for lid, guid in enumerate(subnet.port_guids, start=1):
        yield f"0x{guid:016x} 0x{lid:04x} 0x{lid:04x}"
        yield ""  # OpenSM reads an entry up to an empty line


def table_rows(subnet: Subnet, forwarding: Forwarding) -> Iterator[NDArray[np.uint8]]:
    """Yield the forwarding table of each switch as uint8[LIDs], from LID 1; `NO_ENTRY` without an entry.

    Port 0 is the switch itself.
    """
    column = np.concatenate([forwarding.of_switch, forwarding.of_link[: subnet.links]])
    own_port = np.concatenate([np.zeros(subnet.switches, dtype=np.int64), subnet.node_port[: subnet.links]])
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
    devices += [("Channel Adapter", node_name(node)) for node in subnet.plane.node[: subnet.links].tolist()]
    width = max(len(name) for _, name in devices) + 2
    text = "".join(
        f"0x{lid:04x} 000 : ({kind:15} portguid 0x{guid:016x}: {f'{name!r}':>{width}})\n"
        for lid, (guid, (kind, name)) in enumerate(zip(subnet.port_guids, devices, strict=True), start=1)
    )
    return np.frombuffer(text.encode(), dtype=np.uint8).reshape(subnet.lids, -1).copy()
