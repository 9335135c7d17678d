"""Port numbers of the links of an imported plane: those of its file, and free ones for the others."""

from collections.abc import Sequence

from .importer import FoundLink, Source

MAX_PORT = 4096
Ends = tuple[int, int]
Device = tuple[str, str]


def port_numbers(source: Source, links: Sequence[FoundLink]) -> list[Ends]:
    """Return the port number at both ends of each link, from 1; unknown ones are the lowest free ports, in order.

    Raises
    ------
    InputError
        If a port is used twice or out of range; the message names the line.
    """
    used: dict[Device, dict[int, int]] = {}
    for link in links:
        for device, port in zip(_devices(link), link.ports, strict=True):
            if port is None:
                continue
            if not 1 <= port <= MAX_PORT:
                raise source.wrong(link.line, f"port {port} of {device[0]}", f"ports from 1 to {MAX_PORT}")
            line = used.setdefault(device, {}).setdefault(port, link.line)
            if line != link.line or link.ends[0] == link.ends[1]:
                raise source.wrong(
                    link.line, f"port {port} of {device[0]} is in use since line {line}", "one cable at each port"
                )
    # A second pass: only now is it known which ports later lines of the file state.
    lowest: dict[Device, int] = {}
    found = []
    for link in links:
        ports = [
            _free(device, used.setdefault(device, {}), lowest, link.line) if port is None else port
            for device, port in zip(_devices(link), link.ports, strict=True)
        ]
        found.append((ports[0], ports[1]))
    return found


def _devices(link: FoundLink) -> tuple[Device, Device]:
    """Return what has the ports at both ends; a node, which is the second one, has them at its adapter."""
    return (link.ends[0], ""), (link.ends[1], link.adapter)


def _free(device: Device, used: dict[int, int], lowest: dict[Device, int], line: int) -> int:
    """Return the lowest free port of a device, which is then in use."""
    port = lowest.get(device, 1)
    while port in used:
        port += 1
    used[port] = line
    lowest[device] = port + 1
    return port
