"""InfiniBand fabrics as tools list them: devices, and the cables between their ports."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from isoplane.models import InputError

Kind = Literal["switch", "adapter", "router"]
AGGREGATION_NODE = "Mellanox Technologies Aggregation Node"  # the description of a unit for collectives in a switch


@dataclass(frozen=True)
class DiscoveredDevice:
    """A device of a fabric.

    Parameters
    ----------
    kind
        A switch, the channel adapter of a host, or a router.
    key
        What the file calls it: unique in the file.
    name
        Its description, which need not be unique.
    guid
        Its globally unique identifier; None if the file has none.
    ports
        Number of ports, from 1.
    line
        The line of the file in which it occurs first.
    """

    kind: Kind
    key: str
    name: str
    guid: int | None
    ports: int
    line: int


class DiscoveredCable(NamedTuple):
    """A cable: a device by its index and a port, at both ends, and the line of the file in which it occurs first."""

    device: int
    port: int
    other: int
    other_port: int
    line: int


@dataclass(frozen=True)
class DiscoveredFabric:
    """The devices of a fabric in the order of a file, and its cables, each once.

    Every cable joins two ports, and every port has at most one cable.
    """

    devices: tuple[DiscoveredDevice, ...]
    cables: tuple[DiscoveredCable, ...]


@dataclass
class FabricBuilder:
    """Collects the lines of a file; contradictions between them are errors that name the line.

    Parameters
    ----------
    source
        What messages call the file, such as ``found=plane0.txt``.
    """

    source: str
    devices: list[DiscoveredDevice] = field(default_factory=list)
    index: dict[str, int] = field(default_factory=dict)
    ends: dict[tuple[int, int], tuple[str, int, int]] = field(default_factory=dict)  # other key, its port, line

    def error(self, line: int, problem: str, expected: str) -> InputError:
        """Return the error of a line."""
        return InputError(f"{self.source}: line {line}: {problem}; expected {expected}")

    def add_device(self, device: DiscoveredDevice) -> int:
        """Add a device; return its index.

        Raises
        ------
        InputError
            If another device has the same key or GUID.
        """
        if device.key in self.index:
            first = self.devices[self.index[device.key]].line
            raise self.error(device.line, f"{device.key!r} again, after line {first}", "each device once")
        self.index[device.key] = len(self.devices)
        self.devices.append(device)
        return self.index[device.key]

    def add_end(self, line: int, device: int, port: int, other: str, other_port: int) -> None:
        """Add what one end of a cable states.

        Raises
        ------
        InputError
            If the device has no such port, or the port has a cable already.
        """
        given = self.devices[device]
        if not 1 <= port <= given.ports:
            raise self.error(line, f"port {port} of {given.key!r}", f"ports from 1 to {given.ports}")
        if (device, port) in self.ends:
            first = self.ends[device, port][2]
            raise self.error(line, f"port {port} of {given.key!r} again, after line {first}", "each port once")
        self.ends[device, port] = other, other_port, line

    def fabric(self) -> DiscoveredFabric:
        """Return the fabric.

        Raises
        ------
        InputError
            If there is no device, two have one GUID, or a cable is not listed at both of its ends.
        """
        if not self.devices:
            raise InputError(f"{self.source}: no devices; expected switches and adapters")
        self._check_guids()
        cables = []
        for (device, port), (key, other_port, line) in self.ends.items():
            other = self.index.get(key)
            if other is None:
                raise self.error(line, f"no device {key!r} in the file", "the devices at both ends of each cable")
            back = self.ends.get((other, other_port))
            if back is None or (self.index.get(back[0]), back[1]) != (device, port):
                state = "has no cable in the file" if back is None else f"leads elsewhere in line {back[2]}"
                problem = f"a cable to port {other_port} of {key!r}, which {state}"
                raise self.error(line, problem, "each cable at both of its ends")
            if (device, port) == (other, other_port):
                raise self.error(line, f"a cable from port {port} of {key!r} to itself", "cables between two ports")
            if back[2] > line or (back[2] == line and (device, port) < (other, other_port)):
                cables.append(DiscoveredCable(device, port, other, other_port, line))
        return DiscoveredFabric(tuple(self.devices), tuple(cables))

    def _check_guids(self) -> None:
        first: dict[int, DiscoveredDevice] = {}
        for device in self.devices:
            if device.guid is None:
                continue
            if device.guid in first:
                problem = f"GUID {device.guid:#x} of {device.key!r} is that of line {first[device.guid].line}"
                raise self.error(device.line, problem, "each GUID once")
            first[device.guid] = device
