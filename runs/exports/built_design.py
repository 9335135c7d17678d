"""A built design whose cables become those of another one: that has all of its devices, in racks."""

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.cabling.floor_plan import Floor
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.families.multi_plane import assumed_length_key


def device_names(network: Network) -> list[str]:
    """Return the names of the switches of all planes, then of the nodes; those of a direct network are its switches."""
    planes = enumerate(network.cabling)
    switches = [switch_name(plane, switch) for plane, each in planes for switch in range(each.topology.switches)]
    return switches + [node_name(node) for node in range(network.nodes if network.node_cable_mm is not None else 0)]


def racks_of(network: Network) -> Floor | None:
    """Return the racks of a design; None without a layout.

    Raises
    ------
    InputError
        If the layout does not fit; the message also has what it takes for another one to have an effect.
    """
    try:
        return network.floor
    except InputError as error:
        key = assumed_length_key(network.family)
        raise error if key is None else InputError(f"{error}; any of these with {key}=null") from None


def require_built_devices(built: Network, network: Network) -> None:
    """Require a design with all devices of a built one, of as many planes, and the same links of its nodes in each.

    The design may have further switches and nodes.

    Raises
    ------
    InputError
        If the design lacks a device of the built one, or its nodes have other links; the message names the first.
    """
    expected = "expected a design with all switches and nodes of the built one, and as many planes"
    planes, known = len(built.cabling), set(device_names(network))
    direct = [each for each in (built, network) if each.node_cable_mm is None]
    if len(direct) == 1:  # its nodes are its switches
        (lacks,) = direct
        raise _lacks(network if lacks is built else built, lacks, node_name(0), expected)
    missing = next((name for name in device_names(built) if name not in known), None)
    if missing is not None:
        raise _lacks(built, network, missing, expected)
    if len(network.cabling) > planes:
        raise _lacks(network, built, switch_name(planes, 0), expected)
    for number, sides in enumerate(zip(built.cabling, network.cabling, strict=True)):
        before, after = (np.diff(plane.starts)[: built.nodes] for plane in sides)
        for node in np.flatnonzero(before != after)[:1]:
            shown = f"{before[node]} in {built.title} and {after[node]} in {network.title}"
            raise InputError(f"rewired_from: links of N{node} in plane {number}: {shown}; {expected}")


def _lacks(has: Network, lacks: Network, name: str, expected: str) -> InputError:
    return InputError(f"rewired_from: {has.title} has {name}, but not {lacks.title}; {expected}")
