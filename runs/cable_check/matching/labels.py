"""What a site calls the devices of a design: their names, or else descriptions, and GUIDs."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from isoplane.models import Network
from isoplane.runs.imports.discovery.discovered_fabric import DiscoveredDevice

from ..devices import CabledDevices


class Label(NamedTuple):
    """The name of a device at its site, and its GUID; empty if unknown."""

    name: str
    guid: str


def labels(
    network: Network, devices: CabledDevices, identified: Sequence[tuple[DiscoveredDevice, int]]
) -> tuple[Label, ...]:
    """Return the label of each device.

    The name is that in the design, if it has names. An adapter of a node with several, and any device of a design
    without names, has its description. The GUID is that in the files; that in the design if the device is not in them.

    Parameters
    ----------
    network
        The design.
    devices
        Its devices, and those of the fabric that are not in the design.
    identified
        The devices of the fabric, each with its index.
    """
    names = network.family.names
    by_device, guids = ({}, {}) if names is None else (names.by_device(), names.guids)
    uses = Counter(devices.names)
    listed: dict[int, DiscoveredDevice] = {}
    for device, index in identified:
        listed.setdefault(index, device)
    result = []
    for index, name in enumerate(devices.names):
        known, guid = by_device.get(name, ""), guids.get(name, guids.get(_adapter_name(devices, index), ""))
        if index in listed:
            known = known if known and uses[name] == 1 else listed[index].name
            own_guid = listed[index].guid
            guid = guid if own_guid is None else hex(own_guid)
        result.append(Label(known, guid))
    return tuple(result)


def _adapter_name(devices: CabledDevices, index: int) -> str:
    """Return the name of an adapter by its lowest port, such as ``N5:2``."""
    (used,) = np.nonzero(devices.mate[index * devices.width : (index + 1) * devices.width] >= 0)
    port = int(used.min(initial=devices.width)) + int(devices.first_port[index])
    return f"{devices.names[index]}:{port}"
