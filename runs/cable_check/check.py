"""The comparison of the cables of a fabric with those of a design."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from isoplane.models import InputError, Network
from isoplane.runs.formats.built_design import cables_from
from isoplane.runs.formats.discovered_fabric import DiscoveredFabric

from .comparison import Placed, Ports, compared
from .devices import Adapters, CabledDevices, Ints, design_devices
from .identification import Identification, agreeing, identified
from .merged_fabric import MergedFabric, merged
from .pins import Pins, no_pins, pins
from .result import CableCheck

Identify = Literal["auto", "names", "cables"]
IDENTIFY: tuple[Identify, ...] = ("auto", "names", "cables")


def check_cables(
    network: Network,
    sources: Sequence[str],
    fabrics: Sequence[DiscoveredFabric],
    names: Mapping[str, str] | None = None,
    identify: Identify = "auto",
    ports: Ports = "exact",
    built: Network | None = None,
) -> CableCheck:
    """Compare the cables of a fabric with those of a network.

    Parameters
    ----------
    network
        The design.
    sources, fabrics
        The names of the files, and what they list: one for each plane, in their order if devices have no names.
    names
        Devices of the design by GUID or description, in addition to the names and GUIDs that the network has, and to
        descriptions that are names of the design.
    identify
        ``names``; ``cables``, which ignores names; or ``auto``, by cables where names are missing.
    ports
        ``exact``, or ``ignore``: only which devices have how many cables in common. Names identify devices then.
    built
        The network whose cables became those of the design, and whose nodes keep their ports; None if it is new.

    Raises
    ------
    InputError
        If the files contradict each other or the names, no device is identified, or the built network has other
        devices.
    """
    if ports == "ignore" and identify == "cables":
        raise InputError("identify=cables: needs the numbers of ports; allowed with ports=exact")
    fabric = merged(sources, fabrics)
    planes = len(network.unrouted_planes)
    internal = not bool(fabric.devices.is_switch.all())
    if ports == "ignore":
        named = _named(fabric, design_devices(network, internal=internal), names or {}, network)
        return compared(named, network, ports)
    cables = cables_from(network, built)
    kinds: tuple[Adapters, ...] = ("shared", "own_ports", "node_ports") if planes > 1 else ("shared",)
    if cables.adapter.any():
        kinds = ("stated",)
    designs = [design_devices(network, kind, cables, internal=internal) for kind in kinds]
    pinned = [_pinned(fabric, design, names or {}, identify, network) for design in designs]
    if not pinned[0].any:  # without names the numbers of ports in use show how adapters are listed
        best = max(range(len(designs)), key=lambda index: _alike(designs[index], fabric.devices))
        designs, pinned = designs[best : best + 1], pinned[best : best + 1]
    placed = [_placed(fabric, *each, identify) for each in zip(designs, pinned, strict=True)]
    possible = [each for each in placed if each.clash is None]
    if not possible:
        raise InputError(f"{placed[0].clash}; expected one cable at each port")
    return compared(max(possible, key=lambda each: each.score), network, ports)


def _named(fabric: MergedFabric, design: CabledDevices, names: Mapping[str, str], network: Network) -> Placed:
    """Return a fabric whose devices names identify, wide enough for the cables of all adapters of a node.

    Raises
    ------
    InputError
        If no device has a name of the design.
    """
    pinned = pins(fabric, design, names, network.family.names)
    if not pinned.any:
        raise InputError("ports=ignore: no device has a name of the design; expected P0-S0 and so on, or a file names=")
    owner = pinned.device[np.flatnonzero(fabric.devices.mate >= 0) // fabric.devices.width]
    width = max(design.width, fabric.devices.width) + int(np.bincount(owner[owner >= 0]).max(initial=0))
    design, found = (replace(each, width=width, mate=each.widened(width)) for each in (design, fabric.devices))
    return Placed(design, replace(fabric, devices=found), pinned, Identification(pinned.device, 1, 0), 0, None)


def _pinned(
    fabric: MergedFabric, design: CabledDevices, names: Mapping[str, str], identify: Identify, network: Network
) -> Pins:
    """Return the devices of the design that GUIDs and names give.

    Raises
    ------
    InputError
        If there are none, but expected.
    """
    pinned = no_pins(fabric) if identify == "cables" else pins(fabric, design, names, network.family.names)
    planes = len(network.unrouted_planes)
    if identify == "names" and not pinned.any:
        raise InputError(
            "identify=names: no device has a name of the design; expected P0-S0 and so on, or a file names="
        )
    if not pinned.any and len(fabric.sources) != planes:
        raise InputError(
            f"found: {len(fabric.sources)} files for {planes} planes; expected one for each plane, or names of devices"
        )
    return pinned


def _alike(design: CabledDevices, found: CabledDevices) -> int:
    """Return how many adapters of a fabric can be paired with those of a design that use ports of the same numbers."""
    used = []
    for devices in (design, found):
        table = devices.mate.reshape(len(devices), devices.width)[~devices.is_switch] >= 0
        used.append(Counter(bytes(row).rstrip(b"\0") for row in np.packbits(table, axis=1)))
    return (used[0] & used[1]).total()


def _placed(fabric: MergedFabric, design: CabledDevices, pinned: Pins, identify: Identify) -> Placed:
    width = max(design.width, fabric.devices.width)
    design, found = (replace(each, width=width, mate=each.widened(width)) for each in (design, fabric.devices))
    if identify == "names" or (pinned.device >= 0).all():
        identification = Identification(pinned.device, 1, 0)
    else:
        identification = identified(design, found, pinned.device, is_pinned=pinned.any)
    fabric = replace(fabric, devices=found)
    score = agreeing(design, found, identification.device)
    return Placed(design, fabric, pinned, identification, score, _clash(fabric, identification.device))


def _clash(fabric: MergedFabric, device: Ints) -> str | None:
    """Return the message for two cables at one port of a device of the design, if there are any."""
    first: dict[tuple[int, int], tuple[int, int]] = {}
    for own, port in fabric.cable_places:
        if device[own] < 0:
            continue
        other = first.setdefault((int(device[own]), port), (own, port))
        if other != (own, port):
            (file, line), (before, first_line) = fabric.cable_places[own, port], fabric.cable_places[other]
            names = f"{fabric.devices.names[own]!r} and {fabric.devices.names[other[0]]!r}"
            return (
                f"found={fabric.sources[file]}: line {line}: port {port} again, after {fabric.sources[before]}, line "
                f"{first_line}: {names} are one device of the design"
            )
    return None
