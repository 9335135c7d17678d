"""A built design whose cables become those of another one of the same devices: the nodes keep their ports."""

from dataclasses import replace

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints, rows_of
from isoplane.models.cabling.cable_list import CableList, cable_list, interface_ports
from isoplane.models.cabling.floor_plan import Floor
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.families.multi_plane import assumed_length_key

SwitchPort = tuple[int, int]


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
            raise InputError(f"rewired_from: {has.title} has {missing}, but not {lacks.title}; {expected}")
    for number, planes in enumerate(zip(built.cabling, network.cabling, strict=True)):
        links = [np.diff(plane.starts) for plane in planes]
        for node in np.flatnonzero(links[0] != links[1])[:1]:
            shown = f"{links[0][node]} in {built.title} and {links[1][node]} in {network.title}"
            raise InputError(f"rewired_from: links of N{node} in plane {number}: {shown}; {expected}")


def cables_from(network: Network, built: Network | None) -> CableList:
    """Return the cables of a network, at the ports of nodes that are in use if it is made from a built one.

    If the built network states the ports of its adapters and the new one does not, a link of a node has the port of the
    built link to the same port of a switch, if there is one; the others have the remaining ports of the node in the
    plane, in order.
    """
    cables = cable_list(network.cabling)
    if built is None:
        return cables
    require_same_devices(built, network)
    known = cable_list(built.cabling)
    if cables.adapter.any() or not known.adapter.any():
        return cables
    return _at_built_ports(cables, known)


def rails_from(network: Network, cables: CableList) -> tuple[Ints, ...]:
    """Return the port of each node link at its node, for each plane, as in `interface_ports`, from its cables."""
    rails = interface_ports(network.cabling)
    if network.node_cable_mm is None:
        return rails
    return tuple(cables.other_port[cables.to_node & (cables.plane == number)] for number in range(len(rails)))


def _at_built_ports(cables: CableList, built: CableList) -> CableList:
    """Return cables whose ends at nodes have the ports of built ones."""
    left: dict[tuple[int, int], dict[SwitchPort, int]] = {}
    for link, (node, at) in _node_links(built):
        left.setdefault(node, {})[at] = link
    links = list(_node_links(cables))
    chosen = {link: left[node].pop(at) for link, (node, at) in links if at in left[node]}
    # Second, so that no link takes a port that another one keeps.
    for link, (node, _) in links:
        if link not in chosen:
            chosen[link] = left[node].pop(next(iter(left[node])))
    to, source = np.array(list(chosen.items()), dtype=np.int64).T
    columns = {name: getattr(cables, name).copy() for name in ("other_port", "adapter", "adapter_port")}
    for name, column in columns.items():
        column[to] = getattr(built, name)[source]
    return replace(cables, **columns)


def _node_links(cables: CableList) -> list[tuple[int, tuple[tuple[int, int], SwitchPort]]]:
    """Return the index of each cable of a node, with the plane and the node, and the switch and the port of it."""
    at = np.flatnonzero(cables.to_node)
    columns = (cables.plane, cables.other, cables.switch, cables.switch_port)
    rows = rows_of(at, *(column[at] for column in columns))
    return [(link, ((plane, node), (switch, port))) for link, plane, node, switch, port in rows]
