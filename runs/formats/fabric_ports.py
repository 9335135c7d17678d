"""Port numbers of the links of an imported plane: those of its file, and free ones for the others."""

from collections.abc import Sequence

from .importer import FoundLink, Source

MAX_PORT = 4096
Ends = tuple[int, int]


def port_numbers(source: Source, links: Sequence[FoundLink]) -> list[Ends]:
    """Return the port number at both ends of each link, from 1; unknown ones are the lowest free ports, in order.

    Raises
    ------
    InputError
        If a port is used twice or out of range; the message names the line.
    """
    used: dict[str, dict[int, int]] = {}
    for link in links:
        for device, port in zip(link.ends, link.ports, strict=True):
            if port is None:
                continue
            if not 1 <= port <= MAX_PORT:
                raise source.wrong(link.line, f"port {port} of {device}", f"ports from 1 to {MAX_PORT}")
            line = used.setdefault(device, {}).setdefault(port, link.line)
            if line != link.line or link.ends[0] == link.ends[1]:
                raise source.wrong(
                    link.line, f"port {port} of {device} is in use since line {line}", "one cable at each port"
                )
    lowest: dict[str, int] = {}
    found = []
    for link in links:
        ports = [
            _free(device, used.setdefault(device, {}), lowest, link.line) if port is None else port
            for device, port in zip(link.ends, link.ports, strict=True)
        ]
        found.append((ports[0], ports[1]))
    return found


def _free(device: str, used: dict[int, int], lowest: dict[str, int], line: int) -> int:
    """Return the lowest free port of a device, which is then in use."""
    port = lowest.get(device, 1)
    while port in used:
        port += 1
    used[port] = line
    lowest[device] = port + 1
    return port
