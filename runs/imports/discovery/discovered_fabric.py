"""InfiniBand fabrics as tools list them: devices, and the cables between their ports."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Self

from isoplane.models import InputError
from isoplane.models.files.exact_text import counted, shortened

from ..importer import Source
from .descriptions import host_name, switch_host_name
from .link_rate import EXPECTED, LANE_GBPS, LANES, LinkRate

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

    @property
    def host(self) -> str:
        """The name of the host or switch in its description; empty if there is none."""
        return switch_host_name(self.name) if self.kind == "switch" else host_name(self.name)


class _Cable(NamedTuple):
    """A cable: a device by its index and a port, at both ends; the line of the file in which it occurs first; its rate.

    The rate is None if the file has none; it is the lower one if the ends state different rates.
    """

    device: int
    port: int
    other: int
    other_port: int
    line: int
    rate: LinkRate | None = None


# What one end of a cable states: the key of the other device and its port, the line and the rate.
End = tuple[str, int, int, LinkRate | None]


@dataclass(frozen=True)
class DiscoveredFabric:
    """The devices of a fabric in the order of a file, and its cables, each once.

    Every cable joins two ports, and every port has at most one cable. ``notes`` tell what the file has beyond that, and
    ``port_guids`` the GUIDs of ports of adapters, by the key of the device and port. ``unnumbered`` are the devices and
    ports of ends whose ports the file does not number.
    """

    devices: tuple[DiscoveredDevice, ...]
    cables: tuple[_Cable, ...]
    notes: tuple[str, ...] = ()
    port_guids: Mapping[tuple[str, int], int] = field(default_factory=dict)
    unnumbered: Collection[tuple[int, int]] = ()

    @classmethod
    def of_ends(
        cls,
        devices: Iterable[DiscoveredDevice],
        cables: Iterable[tuple[int, int, int, int, int]],
        notes: Iterable[str] = (),
        unnumbered: Collection[tuple[int, int]] = (),
    ) -> Self:
        """Return the fabric of devices and cables: a device by its index and a port at both ends, and a line."""
        return cls(tuple(devices), tuple(_Cable(*ends) for ends in cables), tuple(notes), {}, unnumbered)


def switches_and_hosts(fabric: DiscoveredFabric) -> tuple[DiscoveredFabric, list[DiscoveredDevice]]:
    """Return a fabric without routers and the aggregation nodes in its switches, and these."""
    kept: list[DiscoveredDevice] = []
    left_out: list[DiscoveredDevice] = []
    for device in fabric.devices:
        (left_out if device.kind == "router" or device.name == AGGREGATION_NODE else kept).append(device)
    index = {device.key: number for number, device in enumerate(kept)}
    cables = []
    for cable in fabric.cables:
        first, second = (index.get(fabric.devices[end].key) for end in (cable.device, cable.other))
        if first is not None and second is not None:
            cables.append(cable._replace(device=first, other=second))
    unnumbered = {(index[fabric.devices[device].key], port) for device, port in fabric.unnumbered}
    return replace(fabric, devices=tuple(kept), cables=tuple(cables), unnumbered=unnumbered), left_out


@dataclass
class FabricBuilder:
    """Collects the lines of a file; contradictions between them are errors that name the line."""

    source: Source
    devices: list[DiscoveredDevice] = field(default_factory=list)
    index: dict[str, int] = field(default_factory=dict)
    ends: dict[tuple[int, int], End] = field(default_factory=dict)
    port_guids: dict[tuple[str, int], int] = field(default_factory=dict)

    def matches(self, patterns: Sequence[re.Pattern[str]], expected: str) -> Iterator[tuple[int, re.Match[str]]]:
        """Yield the number of each line, but for empty ones and comments, and the match of its first pattern."""
        for number, line in enumerate(self.source.lines, start=1):
            if not line.strip() or line.startswith("#"):
                continue
            for pattern in patterns:
                if found := pattern.match(line):
                    yield number, found
                    break
            else:
                raise self.source.wrong(number, repr(line.strip()[:40]), expected)

    def rate(self, line: int, lanes: str, speed: str) -> LinkRate | None:
        """Return the rate that a line states, such as ``4x`` and ``HDR``; None if it has question marks."""
        if "?" in f"{lanes}{speed}":
            return None
        if lanes not in LANES or speed not in LANE_GBPS:
            raise self.source.wrong(line, f"rate {lanes[:20]}{speed[:20]}", EXPECTED)
        return LinkRate(LANES[lanes], speed)

    def add_device(self, device: DiscoveredDevice) -> int:
        """Add a device; return its index."""
        if device.key in self.index:
            first = self.devices[self.index[device.key]].line
            raise self.source.wrong(device.line, f"{device.key!r} again, after line {first}", "each device once")
        self.index[device.key] = len(self.devices)
        self.devices.append(device)
        return self.index[device.key]

    def add_end(
        self, line: int, device: int, port: int, other: str, other_port: int, rate: LinkRate | None = None
    ) -> None:
        """Add what one end of a cable states."""
        given = self.devices[device]
        if not 1 <= port <= given.ports:
            raise self.source.wrong(line, f"port {port} of {given.key!r}", f"ports from 1 to {given.ports}")
        if (device, port) in self.ends:
            _, _, first, _ = self.ends[device, port]
            raise self.source.wrong(line, f"port {port} of {given.key!r} again, after line {first}", "each port once")
        self.ends[device, port] = other, other_port, line, rate

    def fabric(self) -> DiscoveredFabric:
        """Return the fabric, without ports that lead to themselves, as with a loopback plug; a note names these.

        Raises
        ------
        InputError
            If there is no device, two have one GUID, or a cable is not listed at both of its ends.
        """
        if not self.devices:
            raise InputError(f"{self.source.name}: no devices; expected switches and adapters")
        self._check_guids()
        cables, notes = [], list(self._take_out_plugs())
        for (device, port), end in self.ends.items():
            (_, other_port, line, rate), (other, back) = end, self._other_end(device, port, end)
            _, _, back_line, back_rate = back
            # Every cable is met at both ends: the one that is listed first adds it.
            if back_line > line or (back_line == line and (device, port) < (other, other_port)):
                cables.append(_Cable(device, port, other, other_port, line, _lower(rate, back_rate)))
                if rate != back_rate:
                    notes.append(f"a cable with {_stated(end)} and {_stated(back)}: the lower rate counts")
        return DiscoveredFabric(tuple(self.devices), tuple(cables), tuple(notes), self.port_guids)

    def _take_out_plugs(self) -> Iterator[str]:
        """Take out ports that lead to themselves, and yield a note on them."""
        plugs = [(at, end) for at, end in self.ends.items() if (self.index.get(end[0]), end[1]) == at]
        for at, _ in plugs:
            del self.ends[at]
        if plugs:
            shown = shortened([f"port {port} of {self.devices[at].name} (line {end[2]})" for (at, port), end in plugs])
            yield f"{counted(len(plugs), 'loopback plug')} left out: {shown}"

    def _other_end(self, device: int, port: int, end: End) -> tuple[int, End]:
        """Return the device at the other end of a cable, and what that end states."""
        key, other_port, line, _ = end
        other = self.index.get(key)
        if other is None:
            raise self.source.wrong(line, f"no device {key!r} in the file", "the devices at both ends of each cable")
        back = self.ends.get((other, other_port))
        if back is None or (self.index.get(back[0]), back[1]) != (device, port):
            state = "has no cable in the file" if back is None else f"leads elsewhere in line {back[2]}"
            problem = f"a cable to port {other_port} of {key!r}, which {state}"
            raise self.source.wrong(line, problem, "each cable at both of its ends")
        return other, back

    def _check_guids(self) -> None:
        first: dict[int, DiscoveredDevice] = {}
        for device in self.devices:
            if device.guid is None:
                continue
            if device.guid in first:
                problem = f"GUID {device.guid:#x} of {device.key!r} is that of line {first[device.guid].line}"
                raise self.source.wrong(device.line, problem, "each GUID once")
            first[device.guid] = device


def _lower(rate: LinkRate | None, other: LinkRate | None) -> LinkRate | None:
    """Return the lower one of the rates that are known."""
    return min((each for each in (rate, other) if each is not None), key=lambda each: each.gbps, default=None)


def _stated(end: End) -> str:
    _, _, line, rate = end
    return f"{rate or 'no rate'} in line {line}"
