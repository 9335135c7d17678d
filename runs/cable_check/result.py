"""The result of a cable check."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.runs.imports.discovery.discovered_fabric import DiscoveredDevice

from .absent_devices import Absent
from .devices import CabledDevices, adapter_name
from .differences import Cable, Difference
from .slow_cables import SlowCable


class ShownEnd(NamedTuple):
    """An end of a cable as it is shown.

    Parameters
    ----------
    device, port
        The name of the device in the design, and the number of a port; None for any.
    name, own_port
        What the site calls the device, empty if unknown, and the port at the device itself: those of nodes are numbered
        over all adapters.
    guid
        The GUID of the device, empty if it is unknown.
    designed
        The name of the device in the design, where cables alone say that it is this one and the site differs.
    """

    device: str
    port: int | None
    name: str
    own_port: int | None
    guid: str
    designed: str = ""

    @property
    def at_site(self) -> tuple[str, int | None, str]:
        """Name, port and GUID of the device."""
        return self.name, self.own_port, self.guid


@dataclass(frozen=True, eq=False)
class CableCheck:
    """What differs between a fabric and a design.

    Attributes
    ----------
    devices
        The devices of the design, and then those of the fabric that are not in the design; `found_end` and
        `designed_end` name their ports.
    differences
        The cables that differ, but for those of devices that are absent or strangers.
    absent
        Devices of the design that are not in the fabric, as in `absent_devices`.
    strangers
        Devices of the fabric that are not in the design, each with its place in the files, and its cables at ports that
        should be free, which are no separate differences.
    designed, found, agreeing
        Numbers of cables: of the design, in its planes that were checked; of the fabric; and of both.
    unchecked
        Planes without a switch in the fabric.
    automorphisms
        Number of automorphisms of the design that keep port numbers, one of which the names are up to; None if names
        identify devices.
    by_cables
        Descriptions of devices that the cables identify, and what they are; only where others are identified by names.
    contradictions
        Descriptions of devices that are one device of the design by their GUIDs, or what else decided, and another one
        by their names, with both and what decided.
    guesses
        Number of devices that neither names nor cables identify.
    inside
        Number of devices inside of switches, which are left out.
    routers
        Number of routers, which are left out.
    notes
        What the files have beyond devices and cables, in words.
    listed
        Number of devices of the fabric.
    identified
        Each device of the fabric that is in the design, and its name there.
    labels
        What the site calls each of `devices`, its name and its GUID, empty if unknown, and ``designed`` of `ShownEnd`.
    places
        Files and lines of found cables, by both of their ends.
    slow
        Cables with a low rate.
    exchanges
        Devices whose names are exchanged, as their cables show; each with those whose cables the one before has.
    moves_by_names, moves_by_cables
        Number of moves by the names as they are, and with the names exchanged; `differences` is by one of both.
    is_another
        Whether the files seem to list another machine: little agrees.
    found_ports
        Where port numbers are ignored, the port in the fabric of each end of a found cable, None where the files do not
        number it; else None.
    """

    devices: CabledDevices
    differences: tuple[Difference, ...]
    absent: tuple[Absent, ...]
    strangers: tuple[tuple[int, str, tuple[Cable, ...]], ...]
    designed: int
    found: int
    agreeing: int
    unchecked: tuple[int, ...]
    automorphisms: int | None
    by_cables: tuple[tuple[str, str], ...]
    contradictions: tuple[tuple[str, str, str, str], ...]
    guesses: int
    inside: int
    routers: int
    notes: tuple[str, ...]
    listed: int
    identified: tuple[tuple[DiscoveredDevice, str], ...]
    labels: tuple[tuple[str, str, str], ...]
    places: Mapping[int, tuple[str, int]]
    slow: tuple[SlowCable, ...]
    found_ports: Mapping[int, int | None] | None
    exchanges: tuple[tuple[ShownEnd, ...], ...] = ()
    moves_by_names: int = 0
    moves_by_cables: int = 0
    is_another: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the fabric has exactly the devices and cables of the design, in the planes that were checked.

        A cable at a low rate that the design does not state is a difference.
        """
        return not (self.count or self.absent or self.strangers or self.slow_by_mistake)

    @property
    def count(self) -> int:
        """Number of differences; a device with its cables is one."""
        absent = sum(cables > 0 for _, cables, _ in self.absent)
        strangers = sum(len(cables) > 0 for *_, cables in self.strangers)
        return len(self.differences) + absent + strangers + len(self.exchanges)

    @property
    def moves(self) -> int:
        """Number of moves that mend the differences."""
        return sum(len(each.moves) for each in self.differences)

    @property
    def at_other_switches(self) -> int:
        """Number of found cables of nodes at switches that should have fewer of them."""
        width, more = self.devices.width, Counter[int]()
        absent = [device * width + port for device, cables, _ in self.absent if cables for port in range(width)]
        found = [cable for each in self.differences for cable in each.found]
        found += [cable for *_, cables in self.strangers for cable in cables]
        designed = [cable for each in self.differences for cable in each.designed]
        designed += [(end, int(self.devices.mate[end])) for end in absent if self.devices.mate[end] >= 0]
        for cables, sign in ((found, 1), (designed, -1)):
            for cable in cables:
                switches = [end // width for end in cable if self.devices.is_switch[end // width]]
                if len(switches) == 1:
                    more[switches[0]] += sign
        return (+more).total()

    @property
    def other_ports(self) -> int:
        """Number of ends of cables to move, if that leaves every two devices with the cables that they have; else 0."""
        found, designed = (
            Counter(
                tuple(sorted(end // self.devices.width for end in cable))
                for each in self.differences
                for cable in cables(each)
            )
            for cables in (attrgetter("found"), attrgetter("designed"))
        )
        return self.moves if found == designed and not (self.absent or self.strangers or self.exchanges) else 0

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of devices of the design that are not in the fabric."""
        indices = (index for device, _, others in self.absent for index in (device, *others))
        return tuple(self.devices.names[index] for index in sorted(indices))

    @property
    def unknown(self) -> tuple[tuple[str, str], ...]:
        """The names of devices of the fabric that are not in the design, with their places in the files."""
        return tuple((self.devices.names[device], where) for device, where, _ in self.strangers)

    @property
    def slow_by_mistake(self) -> tuple[SlowCable, ...]:
        """The cables with a lower rate than they should have by the design."""
        return tuple(cable for cable in self.slow if cable.basis != "by_design")

    def device(self, index: int) -> ShownEnd:
        """Return a device, without a port."""
        name, *others = self.labels[index]
        return ShownEnd(self.devices.names[index], None, name, None, *others)

    def device_of_name(self, name: str) -> ShownEnd:
        """Return a device by its name in the design, without a GUID if it is a node with several adapters."""
        shown = self.device(self.devices.names.index(name))
        return shown if self.devices.names.count(name) == 1 else shown._replace(guid="")

    def found_end(self, end: int) -> ShownEnd:
        """Return an end of a found cable."""
        return self._end(end) if self.found_ports is None else self._end(end, self.found_ports[end])

    def designed_end(self, end: int) -> ShownEnd:
        """Return an end of a cable of the design, without a port if port numbers are ignored."""
        return self._end(end) if self.found_ports is None else self._end(end, None)

    def _end(self, end: int, *port: int | None) -> ShownEnd:
        index, own_port = divmod(end, self.devices.width)
        device, designed_port = self.devices.device_and_port(end)
        shown, own = (*port, *port) if port else (designed_port, own_port)
        name, *others = self.labels[index]
        return ShownEnd(device, shown, name, own, *others)


def labels_of(
    network: Network,
    devices: CabledDevices,
    identified: Sequence[tuple[DiscoveredDevice, int]],
    by_cables: NDArray[np.bool_],
) -> tuple[tuple[str, str, str], ...]:
    """Return what a site calls each device, its name and its GUID, and another name that the design has for it, or "".

    The name is that in the design, if it has names, and not only cables say which device it is; else that in the files.
    An adapter of a node with several, and any device of a design without names, has its description. The GUID is that
    in the files; that in the design if the device is not in them.

    Parameters
    ----------
    network
        The design.
    devices
        Its devices, and those of the fabric that are not in the design.
    identified
        The devices of the fabric, each with its index.
    by_cables : bool[devices of the fabric]
        Whether cables alone say which device it is.
    """
    names = network.names
    by_device, guids = ({}, {}) if names is None else (names.by_device(), names.guids)
    uses = Counter(devices.names)
    listed: dict[int, tuple[DiscoveredDevice, bool]] = {}
    for (device, index), is_by_cables in zip(identified, by_cables.tolist(), strict=True):
        listed.setdefault(index, (device, is_by_cables))
    result = []
    for index, name in enumerate(devices.names):
        known, guid = by_device.get(name, ""), guids.get(name, guids.get(adapter_name(devices, index), ""))
        designed = ""
        if index in listed:
            device, is_by_cables = listed[index]
            guid = guid if device.guid is None else hex(device.guid)
            if not known or uses[name] > 1:
                known = device.name
            elif is_by_cables and known not in (device.name, device.host) and (device.name or guid):
                known, designed = device.host or device.name or guid, known
        result.append((known, guid, designed))
    return tuple(result)
