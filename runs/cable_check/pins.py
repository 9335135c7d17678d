"""Which device of the design a device of a fabric is, by its name or a file."""

import csv
import re
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import numpy as np

from isoplane.models import InputError
from isoplane.models.input_file import read_input
from isoplane.runs.formats.discovered_fabric import DiscoveredDevice
from isoplane.runs.formats.fabric_names import natural
from isoplane.runs.formats.names import NODE, SWITCH

from .devices import CabledDevices, Ints
from .merged_fabric import MergedFabric

COLUMNS = ["name", "device"]
ADAPTER = re.compile(rf"{NODE.pattern}(?::\d+)?")
GUID = re.compile(r"0x[0-9a-fA-F]{1,16}")


def read_names(path: Path) -> dict[str, str]:
    """Return the devices of a file of names: CSV with the columns ``name``, a GUID or a description, and ``device``.

    GUIDs, which begin with 0x, are returned in the shortest form. A device may be an adapter of a node, by one of the
    ports of the node: ``N5:2``.

    Raises
    ------
    InputError
        If there is no such file, or a line is not a name and a device of a design; the message names the line.
    """
    try:
        rows = list(csv.reader(StringIO(read_input(path).decode("utf-8"), newline=""), strict=True))
    except OSError as error:
        raise InputError(f"names={path}: {error.strerror}; expected a CSV file with columns name and device") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"names={path}: {error}; expected a CSV file with columns name and device") from error
    if not rows or rows[0] != COLUMNS:
        shown = ",".join(rows[0])[:40] if rows else ""
        raise InputError(f"names={path}: line 1: {shown!r}; expected name,device")
    names: dict[str, str] = {}
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != len(COLUMNS) or not (SWITCH.fullmatch(row[1]) or ADAPTER.fullmatch(row[1])):
            shown = ",".join(row)[:60]
            raise InputError(f"names={path}: line {number}: {shown!r}; expected a name and a device such as P0-S12, N5")
        key = hex(int(row[0], 16)) if GUID.fullmatch(row[0]) else row[0]
        if key in names:
            raise InputError(f"names={path}: line {number}: {row[0]!r} again; expected each name once")
        names[key] = row[1]
    return names


def pins(fabric: MergedFabric, design: CabledDevices, names: Mapping[str, str]) -> Ints:
    """Return the device of the design for each device of a fabric, -1 where names do not give one.

    The file of names applies first, by GUID and by description; then descriptions that are names of the design, or
    begin with the name of a node and a space, as ``N5 mlx5_0`` does. Adapters of a node for which no port is given are
    those of the plane of their switches, in natural order of descriptions.

    Raises
    ------
    InputError
        If a device has the name of one of the other kind, or two switches have one name.
    """
    by_name: dict[str, list[int]] = {}
    for index, name in enumerate(design.names):
        by_name.setdefault(name, []).append(index)
    given = [_given_name(device, names) for device in fabric.listed]
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


def _given_name(device: DiscoveredDevice, names: Mapping[str, str]) -> str:
    by_guid = None if device.guid is None else names.get(hex(device.guid))
    return by_guid or names.get(device.name) or _own_name(device.name)


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
