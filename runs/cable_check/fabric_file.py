"""Files with the cables of a fabric: listings, and what `isoplane import` reads and writes."""

import json
from collections import Counter
from pathlib import Path

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.arrays import rows_of
from isoplane.models.families.fabric import Fabric
from isoplane.models.network import NO_SITE
from isoplane.runs.imports.discovery.discovered_fabric import DiscoveredDevice, DiscoveredFabric
from isoplane.runs.imports.fabric_reader import read_fabric
from isoplane.runs.imports.importer import source_of

from .devices import adapter_name, design_devices


def fabric_in(option: str, path: Path) -> DiscoveredFabric:
    """Return the fabric in a file: ``fabric.json`` of `isoplane import`, or as `read_fabric` reads it.

    Raises
    ------
    InputError
        If it cannot be read, is damaged or contradicts itself.
    """
    source = source_of(option, path)
    if not source.text.lstrip().startswith("{"):
        return read_fabric(option, path)
    try:
        data = json.loads(source.text)
    except (ValueError, RecursionError):  # a subnet dump begins with a brace, too
        return read_fabric(option, path)
    if not isinstance(data, dict) or "planes" not in data or "schema" in data:
        raise InputError(f"{source.name}: JSON of another kind; expected fabric.json of isoplane import, or a listing")
    try:
        family = Fabric.read({"file": f"{path}"})
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from error
    return _listed(Network(family, NO_SITE))


def _listed(network: Network) -> DiscoveredFabric:
    """Return the devices of a fabric by their names and GUIDs; an adapter of a node with several is one of them."""
    is_stated = network.cabling[0].adapter_ports is not None
    found = design_devices(network, "stated" if is_stated else "shared")
    names = network.family.names
    by_device, guids = ({}, {}) if names is None else (names.by_device(), names.guids)
    ends = np.flatnonzero(found.mate >= 0)
    used = np.unique(ends // found.width)
    highest = np.zeros(len(found), dtype=np.int64)
    np.maximum.at(highest, ends // found.width, ends % found.width)
    index = {device: number for number, device in enumerate(used.tolist())}
    uses = Counter(found.names[device] for device in index)
    devices = []
    for device in index:
        own = found.names[device]
        guid = guids.get(own, guids.get(adapter_name(found, device)))
        name = by_device.get(own, own)
        devices.append(
            DiscoveredDevice(
                "switch" if found.is_switch[device] else "adapter",
                f"{device}",
                # As descriptions name the adapters of a host.
                f"{name} HCA-{device}" if uses[own] > 1 else name,
                None if guid is None else int(guid, 16),
                int(highest[device]),
                1,
            )
        )
    first = ends[ends < found.mate[ends]]
    rows = rows_of(*np.divmod(first, found.width), *np.divmod(found.mate[first], found.width))
    return DiscoveredFabric.of_ends(devices, ((index[a], port, index[b], other, 1) for a, port, b, other in rows))
