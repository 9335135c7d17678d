"""The comparison of the cables of a fabric with those of a design."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from isoplane.models import InputError, Network
from isoplane.runs.formats.discovered_fabric import DiscoveredDevice, DiscoveredFabric

from .devices import Adapters, CabledDevices, Ints, design_devices
from .differences import Difference, differences
from .identification import Identification, agreeing, identified
from .merged_fabric import MergedFabric, merged
from .pins import pins

Identify = Literal["auto", "names", "cables"]
IDENTIFY: tuple[Identify, ...] = ("auto", "names", "cables")


@dataclass(frozen=True, eq=False)
class CableCheck:
    """What differs between a fabric and a design.

    Attributes
    ----------
    devices
        The devices of the design, and then those of the fabric that are not in the design; `shown` names their ports.
    differences
        The cables that differ.
    missing, unknown
        Devices of the design that are not in the fabric, and the opposite with their places in the files.
    designed, found, agreeing
        Numbers of cables: of the design, in its planes that were checked; of the fabric; and of both.
    unchecked
        Planes without a switch in the fabric.
    automorphisms
        Number of automorphisms of the design that keep port numbers, one of which the names are up to; None if names
        identify devices.
    by_cables
        Descriptions of devices that the cables identify, and what they are; only where others are identified by names.
    guesses
        Number of devices that neither names nor cables identify.
    inside
        Number of devices inside of switches, which are left out.
    identified
        Each device of the fabric that is in the design, and its name there.
    places
        Files and lines of found cables, by both of their ends.
    """

    devices: CabledDevices
    differences: tuple[Difference, ...]
    missing: tuple[str, ...]
    unknown: tuple[tuple[str, str], ...]
    designed: int
    found: int
    agreeing: int
    unchecked: tuple[int, ...]
    automorphisms: int | None
    by_cables: tuple[tuple[str, str], ...]
    guesses: int
    inside: int
    identified: tuple[tuple[DiscoveredDevice, str], ...]
    places: Mapping[int, tuple[str, int]]

    @property
    def agrees(self) -> bool:
        """Whether the fabric has exactly the devices and cables of the design, in the planes that were checked."""
        return not (self.differences or self.missing or self.unknown)


@dataclass(frozen=True, eq=False)
class _Placed:
    """A fabric with the device of a design for each of its devices."""

    design: CabledDevices
    fabric: MergedFabric
    pinned: Ints
    identification: Identification
    score: int
    clash: str | None  # a port that two adapters of one node have


def check_cables(
    network: Network,
    sources: Sequence[str],
    fabrics: Sequence[DiscoveredFabric],
    names: Mapping[str, str] | None = None,
    identify: Identify = "auto",
) -> CableCheck:
    """Compare the cables of a fabric with those of a network.

    Parameters
    ----------
    network
        The design.
    sources, fabrics
        The names of the files, and what they list: one for each plane, in their order if devices have no names.
    names
        Devices of the design by GUID or description, in addition to descriptions that are names of the design.
    identify
        ``names``; ``cables``, which ignores names; or ``auto``, by cables where names are missing.

    Raises
    ------
    InputError
        If the files contradict each other or the names, or no device is identified.
    """
    fabric = merged(sources, fabrics)
    planes = len(network.unrouted_planes)
    kinds: tuple[Adapters, ...] = ("shared", "own_ports", "node_ports") if planes > 1 else ("shared",)
    if all(plane.adapter_ports is not None for plane in network.unrouted_planes):
        kinds = ("stated",)
    internal = not bool(fabric.devices.is_switch.all())
    designs = [design_devices(network, kind, internal=internal) for kind in kinds]
    pinned = [_pinned(fabric, design, names or {}, identify, planes) for design in designs]
    if not (pinned[0] >= 0).any():  # without names the numbers of ports in use show how adapters are listed
        best = max(range(len(designs)), key=lambda index: _alike(designs[index], fabric.devices))
        designs, pinned = designs[best : best + 1], pinned[best : best + 1]
    placed = [_placed(fabric, *each, identify) for each in zip(designs, pinned, strict=True)]
    possible = [each for each in placed if each.clash is None]
    if not possible:
        raise InputError(f"{placed[0].clash}; expected one cable at each port")
    return _compared(max(possible, key=lambda each: each.score), planes)


def _pinned(
    fabric: MergedFabric, design: CabledDevices, names: Mapping[str, str], identify: Identify, planes: int
) -> Ints:
    """Return the devices of the design that names give.

    Raises
    ------
    InputError
        If there are none, but expected.
    """
    nothing = np.full(len(fabric.devices), -1, dtype=np.int64)
    pinned = nothing if identify == "cables" else pins(fabric, design, names)
    is_pinned = bool((pinned >= 0).any())
    if identify == "names" and not is_pinned:
        raise InputError(
            "identify=names: no device has a name of the design; expected P0-S0 and so on, or a file names="
        )
    if not is_pinned and len(fabric.sources) != planes:
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


def _placed(fabric: MergedFabric, design: CabledDevices, pinned: Ints, identify: Identify) -> _Placed:
    width = max(design.width, fabric.devices.width)
    design, found = (replace(each, width=width, mate=each.widened(width)) for each in (design, fabric.devices))
    is_pinned = bool((pinned >= 0).any())
    if identify == "names" or (pinned >= 0).all():
        identification = Identification(pinned, 1, 0)
    else:
        identification = identified(design, found, pinned, is_pinned=is_pinned)
    fabric = replace(fabric, devices=found)
    score = agreeing(design, found, identification.device)
    return _Placed(design, fabric, pinned, identification, score, _clash(fabric, identification.device))


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


def _compared(placed: _Placed, planes: int) -> CableCheck:
    design, fabric, identification = placed.design, placed.fabric, placed.identification
    found, device = fabric.devices, identification.device.copy()
    strangers = np.flatnonzero(device < 0)
    device[strangers] = len(design) + np.arange(len(strangers))
    all_devices = _with_strangers(design, fabric, strangers)
    width = design.width
    checked = np.zeros(planes, dtype=np.bool_)
    identified_switches = device[(device < len(design)) & found.is_switch]
    checked[np.unique(design.plane[identified_switches])] = True
    designed_mate = all_devices.mate.copy()
    own = np.flatnonzero(designed_mate >= 0)
    left_out = own[all_devices.is_switch[own // width] & ~checked[all_devices.plane[own // width]]]
    designed_mate[designed_mate[left_out]] = -1
    designed_mate[left_out] = -1
    end = np.flatnonzero(found.mate >= 0)
    found_mate = np.full(len(designed_mate), -1, dtype=np.int64)
    found_mate[device[end // width] * width + end % width] = (
        device[found.mate[end] // width] * width + found.mate[end] % width
    )
    cabled = np.zeros(len(all_devices), dtype=np.bool_)
    cabled[np.flatnonzero(designed_mate >= 0) // width] = True
    cabled[device] = False
    is_pinned = bool((placed.pinned >= 0).any())
    by_cables = np.flatnonzero((placed.pinned < 0) & (identification.device >= 0)) if is_pinned else ()
    return CableCheck(
        all_devices,
        tuple(differences(designed_mate, found_mate, lambda end: end // width)),
        tuple(all_devices.names[each] for each in np.flatnonzero(cabled)),
        tuple((all_devices.names[device[each]], fabric.where(each)) for each in strangers.tolist()),
        int((designed_mate >= 0).sum()) // 2,
        len(end) // 2,
        int(((designed_mate == found_mate) & (found_mate >= 0)).sum()) // 2,
        tuple(np.flatnonzero(~checked).tolist()),
        None if is_pinned else identification.automorphisms,
        tuple((found.names[each], design.names[device[each]]) for each in by_cables),
        identification.guesses,
        fabric.inside,
        tuple(
            (listed, design.names[own])
            for listed, own in zip(fabric.listed, identification.device.tolist(), strict=True)
            if own >= 0
        ),
        {
            int(device[own]) * width + port: (fabric.sources[file], line)
            for (own, port), (file, line) in fabric.cable_places.items()
        },
    )


def _with_strangers(design: CabledDevices, fabric: MergedFabric, strangers: Ints) -> CabledDevices:
    """Return the devices of a design, and those of a fabric that are not among them."""
    known = {*design.names}
    names = []
    for each in strangers.tolist():
        listed = fabric.listed[each]
        name = listed.name if listed.guid is None else f"{listed.name} ({listed.guid:#x})"
        names.append(f"{name} (not in the design)" if name in known else name)
    count, nothing = len(strangers), np.full(len(strangers), -1, dtype=np.int64)
    return CabledDevices(
        (*design.names, *names),
        np.concatenate([design.is_switch, np.zeros(count, dtype=np.bool_)]),
        np.concatenate([design.plane, nothing]),
        np.concatenate([design.first_port, np.zeros(count, dtype=np.int64)]),
        design.width,
        np.concatenate([design.mate, np.full(count * design.width, -1, dtype=np.int64)]),
    )
