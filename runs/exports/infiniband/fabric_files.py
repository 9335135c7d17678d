"""Files that describe the devices and cables of a subnet: for ibsim, and for cable checkers."""

from collections.abc import Iterator

from isoplane.models.device_names import SWITCH, node_name

from .subnet import Subnet


def ibsim_lines(subnet: Subnet) -> Iterator[str]:
    """Yield the lines of a fabric file of ibsim: switches, then the adapters of nodes."""
    for switch, row in enumerate(subnet.switch_rows()):
        guid = subnet.guids.switches[switch]
        yield f"switchguid={guid:#x}({guid:x})"
        yield f'Switch {subnet.switch_ports} "{subnet.switch_name(switch)}"'
        yield from (f'[{port}] "{other}"[{other_port}]' for port, other, other_port in row)
        yield ""
    for node, links in subnet.adapter_rows().items():
        yield f"caguid={subnet.guids.adapters[node]:#x}"
        yield f'Hca {subnet.adapter_ports} "{node_name(node)}"'
        for port, other, other_port, link in links:
            yield f'[{port}]({subnet.guids.links[link]:x}) "{other}"[{other_port}]'
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
