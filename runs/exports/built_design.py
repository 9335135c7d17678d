"""A built design whose cables become those of another one: both have the same devices, in racks."""

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


def require_same_devices(built: Network, network: Network) -> None:
    """Require the same switches, nodes and links of nodes in each plane.

    Raises
    ------
    InputError
        If the built network has others; the message names the first.
    """
    expected = "expected a design of the same switches and nodes"
    for has, lacks in ((built, network), (network, built)):
        known = set(device_names(lacks))
        missing = next((name for name in device_names(has) if name not in known), None)
        if missing is not None:
            more = "; for more devices: export without rewired_from" if has is network else ""
            raise InputError(f"rewired_from: {has.title} has {missing}, but not {lacks.title}; {expected}{more}")
    for number, planes in enumerate(zip(built.cabling, network.cabling, strict=True)):
        links = [np.diff(plane.starts) for plane in planes]
        for node in np.flatnonzero(links[0] != links[1])[:1]:
            shown = f"{links[0][node]} in {built.title} and {links[1][node]} in {network.title}"
            raise InputError(f"rewired_from: links of N{node} in plane {number}: {shown}; {expected}")
