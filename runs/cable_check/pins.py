"""Which device of the design a device of a fabric is, by its name or given names."""

from collections.abc import Mapping

import numpy as np

from isoplane.models import InputError
from isoplane.models.names import NODE, SWITCH
from isoplane.runs.formats.discovered_fabric import DiscoveredDevice
from isoplane.runs.formats.fabric_names import natural

from .devices import CabledDevices, Ints
from .merged_fabric import MergedFabric


def pins(fabric: MergedFabric, design: CabledDevices, names: Mapping[str, str]) -> Ints:
    """Return the device of the design for each device of a fabric, -1 where names do not give one.

    The given names apply first, by GUID and by description; then descriptions that are names of the design, or
    begin with the name of a node and a space, as ``N5 mlx5_0`` does. Adapters of a node for which no port is given are
    those of the plane of their switches, in natural order of descriptions.

    Raises
    ------
    InputError
        If a device has the name of one of the other kind, its GUID and its description have different given names, or
        two switches have one name.
    """
    by_name: dict[str, list[int]] = {}
    for index, name in enumerate(design.names):
        by_name.setdefault(name, []).append(index)
    given = [_given_name(fabric, index, names) for index in range(len(fabric.listed))]
    found = np.full(len(given), -1, dtype=np.int64)
    owner: dict[int, int] = {}
    for index in sorted(range(len(given)), key=lambda each: _order(fabric.listed[each], given[each])):
        (own, _, port), kind = given[index].partition(":"), fabric.listed[index].kind
        targets = by_name.get(own)
        if not targets:
            continue
        if bool(design.is_switch[targets[0]]) != (kind == "switch"):
            expected = "a switch" if design.is_switch[targets[0]] else "an adapter"
            raise InputError(f"found={fabric.where(index)}: {own} is of kind {kind}; expected {expected}")
        target = targets[0]
        if len(targets) > 1:
            plane = _plane(fabric, index, found, design)
            target = _adapter(design, targets, int(port or 0), plane, owner)
        if kind == "switch" and target in owner:
            first = fabric.where(owner[target])
            raise InputError(f"found={fabric.where(index)}: {own} again, after {first}; expected each switch once")
        owner[target] = index
        found[index] = target
    return found


def _order(device: DiscoveredDevice, given: str) -> tuple[object, ...]:
    """Return the key by which devices are identified: switches as listed, then adapters with ports, then others."""
    return (0,) if device.kind == "switch" else (1, ":" not in given, natural(device.name), device.guid or 0)


def _adapter(design: CabledDevices, targets: list[int], port: int, plane: int, owner: Mapping[int, int]) -> int:
    """Return the adapter of a node that has a port of the node; else one of a plane, if possible a free one."""
    for target in targets:
        own = port - int(design.first_port[target])
        if 0 < own < design.width and design.mate[target * design.width + own] >= 0:
            return target
    in_plane = [target for target in targets if design.plane[target] == plane] or targets
    return next((target for target in in_plane if target not in owner), in_plane[0])


def _given_name(fabric: MergedFabric, index: int, names: Mapping[str, str]) -> str:
    """Return the name that a device is given by its GUID or its description, or else its own."""
    device = fabric.listed[index]
    by_guid = "" if device.guid is None else names.get(hex(device.guid), "")
    by_name = names.get(device.name, "")
    if by_guid and by_name and by_guid.partition(":")[0] != by_name.partition(":")[0]:
        raise InputError(
            f"found={fabric.where(index)}: {by_guid} by its GUID, but {by_name} by its name {device.name!r} in names=; "
            "expected one device"
        )
    return by_guid or by_name or _own_name(device.name)


def _own_name(description: str) -> str:
    """Return the name of a design in a description."""
    first = description.split(" ", 1)[0]
    if SWITCH.fullmatch(description) or NODE.fullmatch(first):
        return description if SWITCH.fullmatch(description) else first
    return ""


def _plane(fabric: MergedFabric, index: int, found: Ints, design: CabledDevices) -> int:
    """Return the plane of most of the switches at an adapter; without any, that of its file."""
    width = fabric.devices.width
    mates = fabric.devices.mate[index * width : (index + 1) * width]
    far = found[mates[mates >= 0] // width]
    planes = design.plane[far[(far >= 0) & design.is_switch[far]]]
    return int(np.bincount(planes).argmax()) if len(planes) else max(int(fabric.devices.plane[index]), 0)
