"""Match devices of a fabric to those of the design, by GUID and name."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from isoplane.models import InputError
from isoplane.models.arrays import Ints
from isoplane.models.device_names import NODE, SWITCH, DeviceNames
from isoplane.runs.imports.discovery.discovered_fabric import DiscoveredDevice
from isoplane.runs.imports.fabric_names import natural

from ..devices import CabledDevices
from ..merged_fabric import MergedFabric

Contradiction = tuple[int, str, str, str]  # a device, what it is, what it is by its name, and what decided
# What decides by the rank of a claim, in the order of `_claims`.
_BASES = ("its GUID", "its GUID", "names=", "the design", "names=", "the design", "its name")


class _Claim(NamedTuple):
    """What says which device of the design a device is.

    Parameters
    ----------
    rank
        Its place in the order of preference.
    device
        The name in the design, such as ``P0-S12``, ``N5`` or ``N5:2``.
    is_certain
        Whether it is an error if it is wrong: it is given for this check, or is a name of the design itself.
    """

    rank: int
    device: str
    is_certain: bool

    @property
    def own(self) -> str:
        """The switch or node."""
        return self.device.partition(":")[0]


def devices_by_name(
    fabric: MergedFabric, design: CabledDevices, given: Mapping[str, str], names: DeviceNames | None
) -> tuple[Ints, tuple[Contradiction, ...]]:
    """Return the device of the design for each device of a fabric, as far as GUIDs and names give one.

    GUIDs apply before descriptions; of each, the given ones before those that the design has. Then follow the names of
    hosts and switches in descriptions, and descriptions that are names of the design, or begin with the name of a node
    and a space, as ``N5 mlx5_0`` does. What the design says of several switches of the fabric is ignored. Adapters for
    which no port is given are those of the plane of their switches, in natural order of descriptions.

    Parameters
    ----------
    fabric, design
        The devices.
    given
        Devices of the design by GUID or description.
    names
        Names and GUIDs that the design has.

    Returns
    -------
    int64[devices of the fabric]
        The device of the design; -1 where no name gives one.
    tuple[Contradiction, ...]
        Devices whose GUID and description are those of different devices, with the names of both in the design.

    Raises
    ------
    InputError
        If a device has a given name, or one of the design, of a device of the other kind or of another switch.
    """
    by_name: dict[str, list[int]] = {}
    for index, name in enumerate(design.names):
        by_name.setdefault(name, []).append(index)
    known = {} if names is None else names.devices()
    claims = [_claims(fabric, index, given, known, by_name) for index in range(len(fabric.listed))]
    uses = Counter((claim, listed.kind) for each, listed in zip(claims, fabric.listed, strict=True) for claim in each)
    placed = _Placed(fabric, design, by_name)
    for index in sorted(range(len(claims)), key=lambda each: _order(fabric.listed[each], claims[each])):
        is_switch = fabric.listed[index].kind == "switch"
        for claim in claims[index]:
            is_shared = is_switch and uses[claim, "switch"] > 1 and not claim.is_certain
            if not is_shared and placed.add(index, claim):
                break
    return placed.device, tuple(_contradictions(fabric, claims, placed))


def _claims(
    fabric: MergedFabric, index: int, given: Mapping[str, str], known: Mapping[str, str], by_name: Mapping[str, object]
) -> list[_Claim]:
    """Return what says which device a device is, the best first; what the design says of the other kind is left out."""
    device = fabric.listed[index]
    guid = "" if device.guid is None else hex(device.guid)
    host = device.host
    keys = [key for key in (guid, device.name, host) if key in known]
    of_kind = {key: known[key] for key in keys if _kind(known[key]) == device.kind}
    by_host = given.get(host, "") if host else ""
    own = "" if {device.name, host} & set(of_kind) else _own_name(device.name)
    ranked = [
        (given.get(guid), True),
        (of_kind.get(guid), False),
        (given.get(device.name) if device.name else None, True),
        (of_kind.get(device.name), False),
        (by_host if _kind(by_host) == device.kind else None, False),
        (of_kind.get(host), False),
        (own if not known or _kind(own) == device.kind else None, not known),
    ]
    claims = [_Claim(rank, name, is_certain) for rank, (name, is_certain) in enumerate(ranked) if name]
    return [claim for claim in claims if claim.own in by_name]


def _kind(device: str) -> str:
    return "switch" if SWITCH.fullmatch(device) else "adapter"


def _own_name(description: str) -> str:
    """Return the name of a design in a description."""
    first = description.split(" ", 1)[0]
    if SWITCH.fullmatch(description) or NODE.fullmatch(first):
        return description if SWITCH.fullmatch(description) else first
    return ""


def _order(device: DiscoveredDevice, claims: list[_Claim]) -> tuple[object, ...]:
    """Return the key by which devices are identified: the best known first, switches before adapters.

    Of adapters that are known equally well, those with ports are first.
    """
    rank, name, _ = claims[0] if claims else _Claim(len(_Claim._fields), "", False)
    if device.kind == "switch":
        return 0, rank
    # The GUID comes last: it orders adapters with equal descriptions, whatever the order of the file.
    return 1, rank, ":" not in name, natural(device.name), device.guid or 0


class _Placed:
    """The devices of a design that have been assigned to those of a fabric."""

    def __init__(self, fabric: MergedFabric, design: CabledDevices, by_name: Mapping[str, list[int]]) -> None:
        self.fabric, self.design, self.by_name = fabric, design, by_name
        self.device: Ints = np.full(len(fabric.listed), -1, dtype=np.int64)
        self.claim: dict[int, _Claim] = {}  # of devices of the fabric
        self.owners: dict[int, list[int]] = {}  # of devices of the design

    def add(self, index: int, claim: _Claim) -> bool:
        """Assign a device, unless one that is better known takes its place; return whether it is assigned."""
        kind, targets = self.fabric.listed[index].kind, self.by_name[claim.own]
        if self.design.is_switch[targets[0]] != (kind == "switch"):
            expected = "a switch" if self.design.is_switch[targets[0]] else "an adapter"
            raise InputError(f"found={self.fabric.where(index)}: {claim.own} is of kind {kind}; expected {expected}")
        port = int(claim.device.partition(":")[2] or 0)
        target = targets[0] if len(targets) == 1 else self._adapter(index, targets, port)
        for owner in self.owners.get(target, ()):
            if self.claim[owner].rank < claim.rank and (kind == "switch" or self._share_a_port(owner, index)):
                return False
            if kind == "switch":
                first = self.fabric.where(owner)
                raise InputError(
                    f"found={self.fabric.where(index)}: {claim.own} again, after {first}; expected each switch once"
                )
        self.owners.setdefault(target, []).append(index)
        self.device[index], self.claim[index] = target, claim
        return True

    def _share_a_port(self, index: int, other: int) -> bool:
        mate = self.fabric.devices.mate.reshape(-1, self.fabric.devices.width)
        return bool(((mate[index] >= 0) & (mate[other] >= 0)).any())

    def _adapter(self, index: int, targets: list[int], port: int) -> int:
        """Return the adapter of a node that has a port of the node; else one of a plane, if possible a free one."""
        design = self.design
        for target in targets:
            own = port - int(design.first_port[target])
            if 0 < own < design.width and design.mate[target * design.width + own] >= 0:
                return target
        plane = self._plane(index)
        in_plane = [target for target in targets if design.plane[target] == plane] or targets
        return next((target for target in in_plane if target not in self.owners), in_plane[0])

    def _plane(self, index: int) -> int:
        """Return the plane of most of the switches at an adapter; without any, that of its file."""
        devices = self.fabric.devices
        mates = devices.mate[index * devices.width : (index + 1) * devices.width]
        far = self.device[mates[mates >= 0] // devices.width]
        planes = self.design.plane[far[(far >= 0) & self.design.is_switch[far]]]
        return int(np.bincount(planes).argmax()) if len(planes) else max(int(devices.plane[index]), 0)


def _contradictions(fabric: MergedFabric, claims: list[list[_Claim]], placed: _Placed) -> list[Contradiction]:
    """Return devices that are what one claim says, but not what another one does; several of one name are left out."""
    found = []
    uses = Counter(listed.name for listed in fabric.listed)
    for index, each in enumerate(claims):
        chosen = placed.claim.get(index)
        other = next((claim.own for claim in each if chosen is not None and claim.own != chosen.own), None)
        if chosen is not None and other is not None and uses[fabric.listed[index].name] == 1:
            found.append((index, chosen.own, other, _BASES[chosen.rank]))
    return found
