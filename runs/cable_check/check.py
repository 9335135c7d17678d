"""The comparison of the cables of a fabric with those of a design."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.device_names import NODE
from isoplane.models.files.exact_text import counted
from isoplane.runs.exports.built_design import racks_of
from isoplane.runs.imports.discovery.descriptions import host_name
from isoplane.runs.imports.discovery.discovered_fabric import DiscoveredFabric

from .comparison import Matching, Ports, compared
from .devices import Adapters, CabledDevices, design_devices
from .matching.exchanged_names import exchanged
from .matching.hosts import tied
from .matching.identification import agreeing, identified, switches_in_order
from .matching.matched_by_name import Contradiction, devices_by_name
from .merged_fabric import MergedFabric, merged
from .result import CableCheck

Identify = Literal["auto", "names", "cables"]
MAX_SHOWN = 8  # racks in a message
FEW = 6  # cables that three exchanges of two ends make wrong
IDENTIFY: tuple[Identify, ...] = ("auto", "names", "cables")


def check_cables(
    network: Network,
    sources: Sequence[str],
    fabrics: Sequence[DiscoveredFabric],
    names: Mapping[str, str] | None = None,
    identify: Identify = "auto",
    ports: Ports = "exact",
    racks: Sequence[str] | None = None,
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
        ``names``; ``cables``, which ignores names; or ``auto``, by cables where names are missing or exchanged.
    ports
        ``exact``, or ``ignore``: only which devices have how many cables in common. Names identify devices then.
    racks
        The names of the racks that are compared; None for all.

    Raises
    ------
    InputError
        If the files contradict each other or the names, list one plane twice or have no ports where these count, seem
        to list another machine, unless `identify` says how to compare it; no device is identified, or there is no such
        rack.
    """
    if ports == "ignore" and identify == "cables":
        raise InputError("identify=cables: needs the numbers of ports; allowed with ports=exact")
    fabric = merged(sources, fabrics)
    if ports == "exact":
        _require_ports(fabric)
    if ports == "ignore":
        matching = _named(fabric, design_devices(network, internal=_has_adapters(fabric)), names or {}, network)
    else:
        matching = _best_matching(network, fabric, names or {}, identify)
    _require_planes(matching)
    in_racks = None if racks is None else _devices_in_racks(network, matching.design, racks)
    check = compared(matching, network, ports, in_racks)
    if matching.has_names:
        check = _with_exchanges(check, matching, network, identify, ports, in_racks)
    return _of_this_machine(check, matching, network, identify)


def _require_ports(fabric: MergedFabric) -> None:
    """Require that the files number the ports of all cables."""
    for device, port in sorted(fabric.unnumbered)[:1]:
        (file, line), name = fabric.cable_places[device, port], fabric.devices.names[device]
        expected = "expected numbers of ports, or ports=ignore"
        raise InputError(f"found={fabric.sources[file]}: line {line}: no port of {name}; {expected}")


def _has_adapters(fabric: MergedFabric) -> bool:
    return not bool(fabric.devices.is_switch.all())


def _best_matching(network: Network, fabric: MergedFabric, names: Mapping[str, str], identify: Identify) -> Matching:
    """Return a fabric with the identification for which most cables agree, of those by the forms of adapters."""
    has_planes = len(network.cabling) > 1
    kinds: tuple[Adapters, ...] = ("shared", "own_ports", "node_ports") if has_planes else ("shared",)
    if network.cabling[0].adapter_ports is not None:
        kinds = ("stated",)
    designs = [design_devices(network, kind, internal=_has_adapters(fabric)) for kind in kinds]
    matchings = [_by_name(fabric, design, names, identify, network) for design in designs]
    if not matchings[0].has_names:  # the numbers of ports in use show how adapters are listed
        matchings = [max(matchings, key=lambda each: _alike(each.design, fabric.devices))]
    matchings = [_by_cables(each, identify) for each in matchings]
    possible = [each for each in matchings if each.clash is None]
    if not possible:
        raise InputError(f"{matchings[0].clash}; expected one cable at each port")
    return max(possible, key=lambda each: agreeing(each.design, each.fabric.devices, each.device))


def _require_planes(matching: Matching) -> None:
    """Require that no two files list switches of one plane, unless a cable joins it to another one."""
    fabric = matching.fabric
    planes: dict[int, set[int]] = {}
    shared: set[tuple[int, int]] = set()
    for files, own in zip(fabric.files, matching.device.tolist(), strict=True):
        if own >= 0 and matching.design.is_switch[own]:
            for file in files:
                planes.setdefault(file, set()).add(int(matching.design.plane[own]))
            shared.update(combinations(sorted(files), 2))
    for first, second in sorted(shared):
        if len(planes[first] | planes[second]) == 1:
            raise InputError(
                f"found={fabric.sources[second]}: lists switches of plane {min(planes[first])}, as "
                f"{fabric.sources[first]} does; expected one file for each plane"
            )


def _with_exchanges(
    check: CableCheck,
    matching: Matching,
    network: Network,
    identify: Identify,
    ports: Ports,
    in_racks: NDArray[np.bool_] | None,
) -> CableCheck:
    """Return a check with the devices whose names are exchanged; its differences follow from the cables, if allowed.

    If port numbers are ignored, names are exchanged only if the cables at equal ports say so and fewer moves remain:
    switches with equal neighbours have no difference then.
    """
    found = matching.fabric.devices
    device, exchanges = exchanged(matching.design, found, matching.device)
    if not exchanges:
        return check
    pinned = np.where(matching.by_name >= 0, device, -1)
    if identify == "auto" and ports == "exact" and (pinned < 0).any():
        device, _, _ = _by_cables_and_hosts(matching, pinned)
    other = compared(replace(matching, device=device, automorphisms=1, guesses=0), network, ports, in_racks)
    if ports == "ignore" and other.moves >= check.moves:
        return check
    return replace(
        other if identify == "auto" else check,
        exchanges=tuple(tuple(map(check.device, devices)) for devices in exchanges),
        moves_by_names=check.moves,
        moves_by_cables=other.moves,
    )


def _of_this_machine(check: CableCheck, matching: Matching, network: Network, identify: Identify) -> CableCheck:
    """Return a check of files that list the machine of the design, or which are to be compared with it anyway.

    Files list another machine if less than half of the cables of the design agree, and more than a few in the files do
    not; but not if it is built in part, where names say so and most cables in the files agree, nor if it differs in
    ports only. They do so too if the design has GUIDs of its devices, and none of the GUIDs and names in the files is
    one of them.
    """
    known = int((matching.by_name >= 0).sum())
    names = network.names
    listed = matching.fabric.listed
    has_guids = names is not None and bool(names.guids) and any(device.guid is not None for device in listed)
    differ = check.found - check.agreeing
    is_part = known > 0 and 4 * differ <= check.found
    is_another = differ > FEW and 2 * check.agreeing < check.designed and not (is_part or check.other_ports)
    if identify == "auto" and (is_another or (has_guids and not known)):
        raise InputError(
            f"found={','.join(matching.fabric.sources)}: nothing was compared, as this seems to be another machine: "
            f"{known} of {counted(len(listed), 'device')} have a GUID or name of the design, and {check.agreeing} of "
            f"{counted(check.found, 'cable')} agree with it; expected its design, with rewired_from= (the design "
            "before) if it was re-cabled; identify=names or cables compare it anyway"
        )
    return replace(check, is_another=is_another)


def _named(fabric: MergedFabric, design: CabledDevices, names: Mapping[str, str], network: Network) -> Matching:
    """Return a fabric whose devices names identify, wide enough for the cables of all adapters of a node."""
    by_name, contradictions = devices_by_name(fabric, design, names, network.names)
    if not (by_name >= 0).any():
        raise InputError("ports=ignore: no device has a name of the design; expected P0-S0 and so on, or a file names=")
    owner = by_name[np.flatnonzero(fabric.devices.mate >= 0) // fabric.devices.width]
    width = max(design.width, fabric.devices.width) + int(np.bincount(owner[owner >= 0]).max(initial=0))
    design, found = (replace(each, width=width, mate=each.widened(width)) for each in (design, fabric.devices))
    return Matching(design, replace(fabric, devices=found), by_name, contradictions, by_name)


def _by_name(
    fabric: MergedFabric, design: CabledDevices, names: Mapping[str, str], identify: Identify, network: Network
) -> Matching:
    """Return a fabric with the devices of the design that GUIDs and names give; none if names are ignored."""
    if identify == "cables":
        by_name, contradictions = np.full(len(fabric.devices), -1, dtype=np.int64), tuple[Contradiction, ...]()
    else:
        by_name, contradictions = devices_by_name(fabric, design, names, network.names)
    matching, planes = Matching(design, fabric, by_name, contradictions, by_name), len(network.cabling)
    if identify == "names" and not matching.has_names:
        raise InputError(
            "identify=names: no device has a name of the design; expected P0-S0 and so on, or a file names="
        )
    if not matching.has_names and len(fabric.sources) != planes:
        raise InputError(
            f"found: {len(fabric.sources)} files for {planes} planes; expected one for each plane, or names of devices"
        )
    return matching


def _alike(design: CabledDevices, found: CabledDevices) -> int:
    """Return how many adapters of a fabric can be paired with those of a design that use ports of the same numbers."""
    used = []
    for devices in (design, found):
        table = devices.mate.reshape(len(devices), devices.width)[~devices.is_switch] >= 0
        # The two sides differ in width: free ports at the end must not count.
        used.append(Counter(bytes(row).rstrip(b"\0") for row in np.packbits(table, axis=1)))
    return (used[0] & used[1]).total()


def _by_cables(matching: Matching, identify: Identify) -> Matching:
    """Return a matching in which cables identify the devices that names do not, and both sides have one width."""
    design, found, by_name = matching.design, matching.fabric.devices, matching.by_name
    width = max(design.width, found.width)
    design, found = (replace(each, width=width, mate=each.widened(width)) for each in (design, found))
    matching = replace(matching, design=design, fabric=replace(matching.fabric, devices=found))
    known = by_name, 1, 0
    if identify == "auto" and (by_name < 0).any():
        known = _by_cables_and_hosts(matching, by_name)
        if not matching.has_names:
            known = _in_order_of_names(matching, known)
    elif identify == "cables":
        known = identified(design, found, by_name, is_named=False)
    return Matching(
        design, matching.fabric, by_name, matching.contradictions, *known, _clash(matching.fabric, known[0])
    )


def _by_cables_and_hosts(matching: Matching, pinned: Ints) -> tuple[Ints, int, int]:
    """Return what `identified` does, with the adapters of one host as those of one node."""
    design, found = matching.design, matching.fabric.devices
    listed = zip(matching.fabric.listed, found.is_switch, strict=True)
    hosts = ["" if is_switch else host_name(each.name) for each, is_switch in listed]
    sides = tied(design, found, hosts, pinned) or (design, found)
    return identified(*sides, pinned, is_named=matching.has_names, hosts=hosts)


def _in_order_of_names(matching: Matching, known: tuple[Ints, int, int]) -> tuple[Ints, int, int]:
    """Return the identification with `switches_in_order` if as many cables agree, as with every automorphism."""
    design, found = matching.design, matching.fabric.devices
    switches = switches_in_order(design, found)
    if switches is None:
        return known
    device, _, guesses = _by_cables_and_hosts(matching, switches)
    is_worse = agreeing(design, found, device) < agreeing(design, found, known[0])
    return known if is_worse else (device, known[1], guesses)


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


def _devices_in_racks(network: Network, design: CabledDevices, racks: Sequence[str]) -> NDArray[np.bool_]:
    """Return which devices of a design are in racks of these names, such as ``R2-3``, as bool[devices]."""
    floor = racks_of(network)
    if floor is None:
        raise InputError(f"racks={racks[0]}: the design has no layout; expected one with racks, such as layout=floor")
    unknown = next((name for name in racks if name not in floor.names), None)
    if unknown is not None:
        more = ", ..." if len(floor.names) > MAX_SHOWN else ""
        raise InputError(f"racks={unknown}: no such rack; expected some of {', '.join(floor.names[:MAX_SHOWN])}{more}")
    chosen = np.isin(np.array(floor.names), list(racks))
    nodes = [int(found[1]) for found in map(NODE.fullmatch, design.names) if found]
    is_chosen: NDArray[np.bool_] = chosen[np.concatenate([*floor.of_switches, floor.of_nodes[nodes]])]
    return is_chosen
