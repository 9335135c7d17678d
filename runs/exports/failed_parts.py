"""Cables and switches that fail, by the labels and names of exports or of the site."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from isoplane.models import InputError, Network
from isoplane.models.cabling.cable_list import cable_list
from isoplane.models.checks import shown
from isoplane.models.device_names import SWITCH, DeviceNames, name_key, node_name, switch_name
from isoplane.models.failures.failure_model import FailureModel
from isoplane.models.family_kinds.optical import refuse_circuits
from isoplane.models.family_kinds.planes import PlanesFamily

from .built_design import device_names
from .cabling.cables import cable_labels

CABLES, SWITCHES = "failed_cables", "failed_switches"
EXPECTED = {
    CABLES: "cables between switches, as format=cabling labels them",
    SWITCHES: "switches, as exports or the site name them",
}
# What failed, as given, and the numbers of cables and of switches in `FailureModel`.
Failed = tuple[tuple[str, ...], list[int], list[int]]


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
    labels, cables = _chosen(CABLES, given[CABLES], _cables_of(network))
    names, switches = _chosen(SWITCHES, given[SWITCHES], _switches_of(network))
    return (*labels, *names), cables, switches


def network_after(network: Network, failed: Failed) -> tuple[Network, int]:
    """Return the network that remains after failures, and the number of nodes that are cut off.

    Nodes and switches are numbered anew if some are cut off, and then have those of before as names, unless these have
    names at the site.
    """
    failed_names, cables, switches = failed
    remaining = FailureModel(network).after(cables, switches)
    part, left, names = remaining.connected_network, remaining.switches, network.family.names
    if remaining.lost or sum(map(len, left.values())) < sum(network.plane_switches):
        known = {} if names is None else names.by_device()
        by_plane = [[switch_name(plane, switch) for switch in own.tolist()] for plane, own in left.items()]
        *of_switches, of_nodes = (
            tuple(known.get(name, name) for name in own)
            for own in (*by_plane, map(node_name, remaining.nodes.tolist()))
        )
        names = DeviceNames(tuple(of_switches), of_nodes)
    assert isinstance(part.family, PlanesFamily)
    family = replace(part.family, label=f"{network.title} without {', '.join(failed_names)}", names=names)
    return Network(family, part.site), remaining.lost


def _cables_of(network: Network) -> dict[str, int]:
    cables = cable_list(network.cabling)
    return {label: number for number, label in enumerate(cable_labels(cables.where(~cables.to_node)))}


def _switches_of(network: Network) -> dict[str, int]:
    """Return the number of each switch by its name in exports, and by those at the site that only one device has."""
    switches = device_names(network)[: sum(network.plane_switches)]
    number_of = {name: number for number, name in enumerate(switches)}
    names = network.family.names
    at_site = {} if names is None else names.devices()
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
