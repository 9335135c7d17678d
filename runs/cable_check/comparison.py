"""The differences between a design and a fabric whose devices are identified."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network

from .devices import CabledDevices, Ints
from .differences import differences
from .identification import Identification
from .ignored_ports import ends_at_designed_ports
from .labels import labels
from .merged_fabric import MergedFabric
from .pins import Pins
from .result import CableCheck
from .slow_cables import slow_cables

Ports = Literal["exact", "ignore"]
PORTS: tuple[Ports, ...] = ("exact", "ignore")


@dataclass(frozen=True, eq=False)
class Placed:
    """A fabric with the device of a design for each of its devices."""

    design: CabledDevices
    fabric: MergedFabric
    pinned: Pins
    identification: Identification
    score: int
    clash: str | None  # a port that two adapters of one node have


def compared(placed: Placed, network: Network, ports: Ports) -> CableCheck:
    """Return what differs between a design and a fabric."""
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
        routers=fabric.routers,
        identified=tuple((listed, design.names[own]) for listed, own in identities if own >= 0),
        labels=labels(network, all_devices, list(zip(fabric.listed, device.tolist(), strict=True))),
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
