"""The differences between a design and a fabric whose devices are identified."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.arrays import Ints, rows_of
from isoplane.runs.imports.discovery.link_rate import LinkRate

from .absent_devices import absent_devices, is_difference, without_ends
from .devices import CabledDevices
from .differences import Cable, Difference, differences
from .ignored_ports import ends_at_designed_ports
from .matching.matched_by_name import Contradiction
from .merged_fabric import MergedFabric
from .result import CableCheck, labels_of
from .slow_cables import slow_cables

Ports = Literal["exact", "ignore"]
PORTS: tuple[Ports, ...] = ("exact", "ignore")


@dataclass(frozen=True, eq=False)
class Matching:
    """A fabric with the device of a design for each of its devices.

    Attributes
    ----------
    design, fabric
        The design and the fabric.
    by_name, contradictions
        What names say, as in `devices_by_name`.
    device, automorphisms, guesses
        What names and cables say, as in `identified`.
    clash
        A port that two adapters of one node have.
    """

    design: CabledDevices
    fabric: MergedFabric
    by_name: Ints
    contradictions: tuple[Contradiction, ...]
    device: Ints
    automorphisms: int = 1
    guesses: int = 0
    clash: str | None = None

    @property
    def has_names(self) -> bool:
        """Whether a name says what some device is."""
        return bool((self.by_name >= 0).any())


def compared(
    matching: Matching, network: Network, ports: Ports, in_racks: NDArray[np.bool_] | None = None
) -> CableCheck:
    """Return what differs between a design and a fabric.

    Parameters
    ----------
    matching, network
        The fabric, and the design.
    ports
        Whether port numbers matter.
    in_racks : bool[devices of the design]
        The devices that are compared, with the cables between them, and those of the fabric that lead to others; None
        for all.
    """
    design, fabric = matching.design, matching.fabric
    found, device, width = fabric.devices, matching.device.copy(), design.width
    strangers = np.flatnonzero(device < 0)
    # Behind the devices of the design, so that both have ends in one numbering.
    device[strangers] = len(design) + np.arange(len(strangers))
    devices = _with_strangers(design, fabric, strangers)
    checked = np.zeros(len(network.cabling), dtype=np.bool_)
    checked[np.unique(design.plane[device[(device < len(design)) & found.is_switch]])] = True
    at, planned, designed, actual, is_absent = _cables_side_by_side(found, device, devices, checked, ports, in_racks)
    listed, at_strangers = _listed_differences(designed, actual, width, len(design) * width)
    cabled = np.flatnonzero(actual >= 0) // width
    identities = list(zip(fabric.listed, device.tolist(), strict=True))
    end = np.flatnonzero(found.mate >= 0)
    return CableCheck(
        devices=devices,
        differences=listed,
        absent=absent_devices(devices, planned, is_absent),
        strangers=tuple(
            (int(device[each]), fabric.where(each), tuple(_cables_of(device[each], width, at_strangers)))
            for each in strangers.tolist()
            if in_racks is None or device[each] in cabled
        ),
        designed=int((planned >= 0).sum()) // 2,
        found=int((actual >= 0).sum()) // 2,
        agreeing=int(((designed == actual) & (actual >= 0)).sum()) // 2,
        unchecked=tuple(np.flatnonzero(~checked).tolist()),
        automorphisms=None if matching.has_names else matching.automorphisms,
        by_cables=_named_by_cables(matching),
        contradictions=tuple(
            (found.names[index], own, other, basis) for index, own, other, basis in matching.contradictions
        ),
        guesses=matching.guesses,
        inside=fabric.inside,
        routers=fabric.routers,
        notes=fabric.notes,
        listed=len(fabric.listed),
        identified=tuple((listed, design.names[own]) for listed, own in identities if own < len(design)),
        labels=labels_of(network, devices, identities, matching.by_name < 0),
        places={
            int(at[own * width + port]): (fabric.sources[file], line)
            for (own, port), (file, line) in fabric.cable_places.items()
        },
        slow=slow_cables(network, replace(devices, mate=designed), _rates(fabric, at, actual)),
        found_ports=_found_ports(fabric, at, end, width) if ports == "ignore" else None,
    )


def _found_ports(fabric: MergedFabric, at: Ints, end: Ints, width: int) -> dict[int, int | None]:
    """Return the port of the fabric by each end of a cable; None where the files do not number it."""
    rows = rows_of(at[end], *np.divmod(end, width))
    return {own: None if (device, port) in fabric.unnumbered else port for own, device, port in rows}


def _cables_side_by_side(
    found: CabledDevices,
    device: Ints,
    devices: CabledDevices,
    checked: NDArray[np.bool_],
    ports: Ports,
    in_racks: NDArray[np.bool_] | None,
) -> tuple[Ints, Ints, Ints, Ints, NDArray[np.bool_]]:
    """Return the cables of a design and of a fabric as mates of the ends of all devices.

    Parameters
    ----------
    found, device
        The fabric, and the index of each of its devices among all.
    devices
        All devices: those of the design, then those of the fabric that are not among them.
    checked
        The planes that are compared.
    ports, in_racks
        As of `compared`.

    Returns
    -------
    int64[ends of the fabric], int64[ends] three times, bool[devices]
        The end of the design for each end of the fabric; the mates in the design, those without cables of absent
        devices, and those in the fabric; and which devices are absent.
    """
    width, planned = devices.width, _cables_of_planes(devices, checked)
    is_absent = np.ones(len(devices), dtype=np.bool_)
    is_absent[device] = False
    designed = without_ends(planned, is_difference(devices, planned, is_absent).repeat(width))
    at = _ends_in_design(found, device, designed if ports == "ignore" else None)
    end = np.flatnonzero(found.mate >= 0)
    actual = np.full(len(designed), -1, dtype=np.int64)
    actual[at[end]] = at[found.mate[end]]
    if in_racks is not None:
        is_inside = np.pad(in_racks, (0, len(devices) - len(in_racks))).repeat(width)
        planned, designed = (_within(each, is_inside, actual) for each in (planned, designed))
        actual = without_ends(actual, ~is_inside & ~_mates_of(actual, is_inside))
        is_absent[: len(in_racks)] &= in_racks
    return at, planned, designed, actual, is_absent


def _named_by_cables(matching: Matching) -> tuple[tuple[str, str], ...]:
    """Return the devices that cables identify, where names identify others, and what they are."""
    chosen = np.flatnonzero((matching.by_name < 0) & (matching.device >= 0)) if matching.has_names else ()
    names = matching.fabric.devices.names
    return tuple((names[each], matching.design.names[matching.device[each]]) for each in chosen)


def _mates_of(mate: Ints, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which ends have a cable to a chosen one."""
    return (mate >= 0) & chosen[mate]


def _within(mate: Ints, is_inside: NDArray[np.bool_], actual: Ints) -> Ints:
    """Return cables between ends inside, and those that lead outside from an end with a cable in the fabric."""
    in_use = is_inside & (actual >= 0)
    is_kept = (is_inside & _mates_of(mate, is_inside)) | in_use | _mates_of(mate, in_use)
    return without_ends(mate, ~is_kept)


def _listed_differences(
    designed: Ints, actual: Ints, width: int, first: int
) -> tuple[tuple[Difference, ...], list[Cable]]:
    """Return differences, and apart from them the cables of devices that are not in the design, from an end on."""
    listed, at_strangers = list[Difference](), list[Cable]()
    for each in differences(designed, actual, lambda end: end // width):
        if each.kind == "extra" and len(each.found) == 1 and not each.designed and max(each.found[0]) >= first:
            at_strangers.append(each.found[0])
        else:
            listed.append(each)
    return tuple(listed), at_strangers


def _rates(fabric: MergedFabric, at: Ints, actual: Ints) -> dict[Cable, LinkRate]:
    """Return the stated rates of the cables that are compared, by their ends in the design."""
    cables = ((int(at[own * fabric.devices.width + port]), rate) for (own, port), rate in fabric.rates.items())
    return {(end, int(actual[end])): rate for end, rate in cables if actual[end] >= 0}


def _cables_of(device: int, width: int, cables: Sequence[Cable]) -> list[Cable]:
    """Return the cables of a device that is not in the design, also to another one if that has a higher number."""
    return [cable for cable in cables if max(cable) // width == device]


def _cables_of_planes(devices: CabledDevices, checked: NDArray[np.bool_]) -> Ints:
    """Return the mates of a design without the cables at switches of planes that are not checked."""
    left_out = devices.is_switch & ~np.append(checked, True)[devices.plane]
    return without_ends(devices.mate, left_out.repeat(devices.width))


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
        cables = list(rows_of(device[first // width], device[other // width]))
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
