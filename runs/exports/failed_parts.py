"""Cables and switches that fail, by the labels and names of exports or of the site."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.arrays import rows_of
from isoplane.models.cabling.cable_list import CableList, cable_list
from isoplane.models.checks import shown
from isoplane.models.device_names import GUID, SWITCH, DeviceNames, name_key, node_name, switch_name
from isoplane.models.failures.failure_model import FailureModel
from isoplane.models.family_kinds.optical import refuse_circuits
from isoplane.models.family_kinds.planes import PlanesFamily

from .built_design import device_names
from .cabling.cables import cable_labels

CABLES, SWITCHES = "failed_cables", "failed_switches"
EXPECTED = {
    CABLES: "cables as format=cabling labels them, or between two devices by the names of exports or the site",
    SWITCHES: "switches, as exports or the site name them",
}
PORT = re.compile(r":[0-9]+$")
GUID_IN_NAME = re.compile(rf"(?<!\w){GUID.pattern}(?!\w)")
MAX_SHOWN = 8  # cables or devices in a message
Ends = tuple[tuple[str, int], tuple[str, int]]  # the devices of a cable and their ports
# What failed, as given, and the numbers of cables, of switches and of links of nodes in `FailureModel`.
Failed = tuple[tuple[str, ...], list[int], list[int], list[int]]


def failed_parts(config: Mapping[str, Any], network: Network) -> Failed | None:
    """Return the cables and switches of a network that a config says have failed; None if it says nothing.

    Raises
    ------
    InputError
        If the network has circuits, or no such cable or switch.
    """
    given = {key: config[key] for key in (CABLES, SWITCHES)}
    known = [key for key, value in given.items() if value is not None]
    if not known:
        return None
    refuse_circuits(network.family, f"{known[0]}: a network with circuits; expected one of switches only")
    labels, chosen = _chosen_cables(given[CABLES], network)
    names, switches = _chosen(SWITCHES, given[SWITCHES], _switches_of(network))
    to_node = cable_list(network.cabling).to_node
    between, links = (np.cumsum(of_kind) - 1 for of_kind in (~to_node, to_node))
    cables, node_links = (
        [int(number[cable]) for cable in chosen if bool(to_node[cable]) == is_link]
        for number, is_link in ((between, False), (links, True))
    )
    return (*labels, *names), cables, switches, node_links


def network_after(network: Network, failed: Failed) -> tuple[Network, int]:
    """Return the network that remains after failures, and the number of nodes that are cut off.

    Nodes and switches are numbered anew if some are cut off, and then have those of before as names, unless these have
    names at the site.
    """
    failed_names, *numbers = failed
    remaining = FailureModel(network).after(*numbers)
    part, left, names = remaining.connected_network, remaining.switches, network.names
    if remaining.lost or sum(map(len, left.values())) < sum(network.plane_switches):
        known = {} if names is None else names.by_device()
        switches = ((plane, own.tolist()) for plane, own in left.items())
        names = DeviceNames.of(known, switches, remaining.nodes.tolist())
    assert isinstance(part.family, PlanesFamily)
    family = replace(part.family, label=f"{network.title} without {', '.join(failed_names)}", names=names)
    return Network(family, part.site), remaining.lost


def _chosen_cables(given: object, network: Network) -> tuple[list[str], list[int]]:
    """Return the cables that a list or a single value names, and their numbers in the list of all cables."""
    cables = cable_list(network.cabling)
    labels = cable_labels(cables)
    number_of = {label: number for number, label in enumerate(labels)}
    names = given if isinstance(given, list) else [given]
    if all(name in number_of for name in map(str, names)):
        return _chosen(CABLES, given, number_of)
    spelt = {name: GUID_IN_NAME.sub(lambda guid: name_key(guid[0]), name) for name in map(str, names)}
    called, ends = _names_of_devices(network, spelt.values()), list(_ends_of(cables))
    by_devices: defaultdict[str, list[int]] = defaultdict(list)
    for number, both in enumerate(ends):
        for word in _names_between(both, called):
            by_devices[word].append(number)
    for name, word in spelt.items():
        several = by_devices.get(word, ())
        if len(several) > 1:
            such = ", ".join(labels[number] for number in several[:3])
            raise InputError(f"{CABLES}={name}: {len(several)} cables; expected one with its ports, of {such}")
        if not several and name not in number_of:
            _refuse_devices(word, network, called, dict(zip(labels, ends, strict=True)))
    return _chosen(
        CABLES, given, number_of | {name: by_devices[word][0] for name, word in spelt.items() if word in by_devices}
    )


def _names_of_devices(network: Network, cables: Iterable[str]) -> dict[str, list[str]]:
    """Return what each device may be called, by its name in exports: this, and what no other is called at the site.

    That is its name there; its GUID and description only if they are part of the names of some cables.
    """
    at_site = {} if network.names is None else network.names.by_device()
    of_one = {} if network.names is None else network.names.devices()
    called = {}
    for device in device_names(network):
        own = at_site.get(device, device)
        called[device] = [device, own] if device != own and of_one.get(name_key(own)) == device else [device]
    text = "\n".join(cables)
    for alias, device in of_one.items():
        if device in called and alias in text and alias not in called[device]:
            called[device].append(alias)
    return called


def _ends_of(cables: CableList) -> Iterator[Ends]:
    """Yield both ends of each cable: the device, as in exports, and its port."""
    kinds = np.where(cables.to_node, "N", "S")
    columns = cables.plane, cables.switch, cables.switch_port, kinds, cables.other, cables.other_port
    for plane, switch, port, kind, other, other_port in rows_of(*columns):
        far = node_name(other) if kind == "N" else switch_name(plane, other)
        yield (switch_name(plane, switch), port), (far, other_port)


def _names_between(ends: Ends, called: Mapping[str, Sequence[str]]) -> set[str]:
    """Return what a cable may be called: its devices in either order, by any name, with both ports or without."""
    (near, near_port), (far, far_port) = ends
    return {
        word
        for a, b in product(called[near], called[far])
        for word in (f"{a}-{b}", f"{b}-{a}", f"{a}:{near_port}-{b}:{far_port}", f"{b}:{far_port}-{a}:{near_port}")
    }


def _refuse_devices(
    name: str, network: Network, called: Mapping[str, Sequence[str]], cables: Mapping[str, Ends]
) -> None:
    """Raise an `InputError` that says which device is unknown or which cables there are, if a name has two devices."""
    device_of = {word: device for device, words in called.items() for word in words}
    # Names of devices may have hyphens, too.
    pairs = [_devices(name[:at], name[at + 1 :], device_of) for at, letter in enumerate(name) if letter == "-"]
    near, far = max(pairs, key=lambda pair: sum(word in device_of for word in pair), default=("", ""))
    unknown = [word for word in (near, far) if word not in device_of]
    if len(unknown) == 2 and len(pairs) != 1:
        return
    if unknown:
        alike = 0 if network.names is None else [*network.names.by_device().values()].count(unknown[0])
        devices = f"{alike} devices are" if alike else "no device is"
        raise InputError(f"{CABLES}={name}: {devices} called {unknown[0]}; expected {EXPECTED[CABLES]}")
    first, second = device_of[near], device_of[far]
    of_first = {label: {a, b} - {first} for label, ((a, _), (b, _)) in cables.items() if first in (a, b)}
    between = [label for label, others in of_first.items() if second in others]
    if between:
        such = ", ".join(between[:MAX_SHOWN])
        raise InputError(f"{CABLES}={name}: no such cable; expected {such}, between {near} and {far}")
    # Names in exports if the first device is called so, else those at the site.
    peers = [
        max(called[other], key=lambda word: (word == other) == (near == first))
        for others in of_first.values()
        for other in others
    ]
    peers = [*dict.fromkeys(peers)]
    known = f"{', '.join(peers[:MAX_SHOWN])}{', ...' if len(peers) > MAX_SHOWN else ''}" if peers else "no device"
    # Without the word "expected", after which the command line looks for a misspelt one: these devices exist.
    raise InputError(f"{CABLES}={name}: no cable joins {near} and {far}; those of {near} lead to {known}")


def _devices(near: str, far: str, device_of: Mapping[str, str]) -> tuple[str, str]:
    """Return the names of the devices at two ends, which may have ports; labels leave out the plane of the far one."""
    near, far = (end if end in device_of else PORT.sub("", end) for end in (near, far))
    in_plane = f"{near.partition('-')[0]}-{far}"
    return near, in_plane if in_plane in device_of else far


def _switches_of(network: Network) -> dict[str, int]:
    """Return the number of each switch by its name in exports, and by those at the site that only one device has."""
    switches = device_names(network)[: sum(network.plane_switches)]
    number_of = {name: number for number, name in enumerate(switches)}
    at_site = {} if network.names is None else network.names.devices()
    return number_of | {name: number_of[device] for name, device in at_site.items() if SWITCH.fullmatch(device)}


def _chosen(key: str, given: object, number_of: Mapping[str, int]) -> tuple[list[str], list[int]]:
    """Return the names that a list or a single value has, and their numbers."""
    if given is None:
        return [], []
    names: list[object] = given if isinstance(given, list) else [given]
    unknown = next((name for name in names if name_key(str(name)) not in number_of), None)
    if not names or unknown is not None:
        such = f", such as [{next(iter(number_of))}]" if number_of else "; the network has none"
        raise InputError(f"{key}={shown(given) if unknown is None else unknown}: expected {EXPECTED[key]}{such}")
    return [str(name) for name in names], [number_of[name_key(str(name))] for name in names]
