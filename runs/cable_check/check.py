"""The comparison of the cables of a fabric with those of a design."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.runs.formats.built_design import cables_from
from isoplane.runs.formats.discovered_fabric import DiscoveredFabric

from .devices import Adapters, CabledDevices, Ints, design_devices
from .differences import differences
from .identification import Identification, agreeing, identified
from .ignored_ports import ends_at_designed_ports
from .merged_fabric import MergedFabric, merged
from .pins import Pins, no_pins, pins
from .result import CableCheck
from .slow_cables import slow_cables

Identify = Literal["auto", "names", "cables"]
IDENTIFY: tuple[Identify, ...] = ("auto", "names", "cables")
Ports = Literal["exact", "ignore"]
PORTS: tuple[Ports, ...] = ("exact", "ignore")


@dataclass(frozen=True, eq=False)
class _Placed:
    """A fabric with the device of a design for each of its devices."""

    design: CabledDevices
    fabric: MergedFabric
    pinned: Pins
    identification: Identification
    score: int
    clash: str | None  # a port that two adapters of one node have


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
        return _compared(named, network, ports)
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
    return _compared(max(possible, key=lambda each: each.score), network, ports)


def _named(fabric: MergedFabric, design: CabledDevices, names: Mapping[str, str], network: Network) -> _Placed:
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
    return _Placed(design, replace(fabric, devices=found), pinned, Identification(pinned.device, 1, 0), 0, None)


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


def _placed(fabric: MergedFabric, design: CabledDevices, pinned: Pins, identify: Identify) -> _Placed:
    width = max(design.width, fabric.devices.width)
    design, found = (replace(each, width=width, mate=each.widened(width)) for each in (design, fabric.devices))
    if identify == "names" or (pinned.device >= 0).all():
        identification = Identification(pinned.device, 1, 0)
    else:
        identification = identified(design, found, pinned.device, is_pinned=pinned.any)
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


def _compared(placed: _Placed, network: Network, ports: Ports) -> CableCheck:
    design, fabric, identification = placed.design, placed.fabric, placed.identification
    found, device, width = fabric.devices, identification.device.copy(), design.width
    strangers = np.flatnonzero(device < 0)
    device[strangers] = len(design) + np.arange(len(strangers))
    all_devices = _with_strangers(design, fabric, strangers)
    checked = np.zeros(len(network.unrouted_planes), dtype=np.bool_)
    checked[np.unique(design.plane[device[(device < len(design)) & found.is_switch]])] = True
    designed_mate = _cables_of_planes(all_devices, checked)
    at = _ends_in_design(found, device, designed_mate if ports == "ignore" else None)
    end = np.flatnonzero(found.mate >= 0)
    found_mate = np.full(len(designed_mate), -1, dtype=np.int64)
    found_mate[at[end]] = at[found.mate[end]]
    cabled = np.zeros(len(all_devices), dtype=np.bool_)
    cabled[np.flatnonzero(designed_mate >= 0) // width] = True
    cabled[device] = False
    is_pinned = placed.pinned.any
    by_cables = np.flatnonzero((placed.pinned.device < 0) & (identification.device >= 0)) if is_pinned else ()
    identities = zip(fabric.listed, identification.device.tolist(), strict=True)
    places = fabric.cable_places.items()
    cables = ((int(at[own * width + port]), rate) for (own, port), rate in fabric.rates.items())
    rates = {(end, int(found_mate[end])): rate for end, rate in cables}
    return CableCheck(
        devices=all_devices,
        differences=tuple(differences(designed_mate, found_mate, lambda end: end // width)),
        missing=tuple(all_devices.names[each] for each in np.flatnonzero(cabled)),
        unknown=tuple((all_devices.names[device[each]], fabric.where(each)) for each in strangers.tolist()),
        designed=int((designed_mate >= 0).sum()) // 2,
        found=len(end) // 2,
        agreeing=int(((designed_mate == found_mate) & (found_mate >= 0)).sum()) // 2,
        unchecked=tuple(np.flatnonzero(~checked).tolist()),
        automorphisms=None if is_pinned else identification.automorphisms,
        by_cables=tuple((found.names[each], design.names[device[each]]) for each in by_cables),
        contradictions=tuple((found.names[index], own, other) for index, own, other in placed.pinned.contradictions),
        guesses=identification.guesses,
        inside=fabric.inside,
        identified=tuple((listed, design.names[own]) for listed, own in identities if own >= 0),
        places={int(at[own * width + port]): (fabric.sources[file], line) for (own, port), (file, line) in places},
        slow=slow_cables(network, replace(all_devices, mate=designed_mate), rates),
        found_ports=dict(zip(at[end].tolist(), (end % width).tolist(), strict=True)) if ports == "ignore" else None,
    )


def _cables_of_planes(devices: CabledDevices, checked: NDArray[np.bool_]) -> Ints:
    """Return the mates of a design without the cables at switches of planes that are not checked."""
    mate = devices.mate.copy()
    own = np.flatnonzero(mate >= 0)
    left_out = own[devices.is_switch[own // devices.width] & ~checked[devices.plane[own // devices.width]]]
    mate[mate[left_out]] = -1
    mate[left_out] = -1
    return mate


def _ends_in_design(found: CabledDevices, device: Ints, designed_mate: Ints | None) -> Ints:
    """Return the end of a device of the design for each end of the fabric, at the same port or at one that agrees.

    Parameters
    ----------
    found
        The fabric.
    device
        The device of the design for each of its devices.
    designed_mate
        The cables of the design, if port numbers are ignored.
    """
    width = found.width
    at = device.repeat(width) * width + np.tile(np.arange(width), len(device))
    if designed_mate is not None:
        first = np.flatnonzero(found.mate > np.arange(len(found.mate)))
        other = found.mate[first]
        cables = list(zip(device[first // width].tolist(), device[other // width].tolist(), strict=True))
        chosen = np.array(ends_at_designed_ports(designed_mate, width, cables), dtype=np.int64).reshape(-1, 2)
        at[first], at[other] = chosen.T
    return at


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
