"""A built design whose cables become those of another one: that has all of its devices, in racks."""

from collections import Counter, defaultdict

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.cabling.assumed_lengths import assumed_length_key
from isoplane.models.cabling.floor_plan import Floor
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.family_kinds.optical import OpticalFamily
from isoplane.models.planes.spread_places import spread_order
from isoplane.objectives.structure.permutations.group_matching import match_groups


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


def built_places(network: Network, built: Network, nodes: int) -> tuple[int, ...] | None:
    """Return a place for each node of a network that is made from a built one with fewer nodes than places.

    As many cables of its nodes as possible stay at their switches, which a transportation problem between nodes and
    places with equal links finds. Further nodes, and those of one switch, take free places in `spread_order`.

    Parameters
    ----------
    network, built
        A network with a node at each place, and the built one.
    nodes
        Number of nodes that the network has, up to all places.

    Returns
    -------
    tuple of int, or None
        None if each node is at the place of its number, or if fewer nodes remain than are built.
    """
    has_choice = built.nodes <= nodes and built.nodes < network.nodes and network.node_cable_mm is not None
    if not has_choice or network.family.kind == OpticalFamily.kind:  # circuits join nodes by number
        return None
    order = spread_order(network.cabling)
    of_node, origins = _grouped_by_links(built, np.arange(built.nodes))
    of_place, goals = _grouped_by_links(network, order)
    groups_at = defaultdict[tuple[int, int], list[int]](list)
    for group, links in enumerate(goals):
        for end in links:
            groups_at[end].append(group)
    shared = [
        (origin, goal, (links & goals[goal]).total())
        for origin, links in enumerate(origins)
        for goal in sorted({goal for end in links for goal in groups_at[end]})
        if _by_plane(links) == _by_plane(goals[goal])
    ]
    sizes = (np.array([len(group) for group in groups]) for groups in (of_node, of_place))
    _, matched = match_groups(*np.array(shared, dtype=np.int64).reshape(-1, 3).T, *sizes)
    places = np.full(nodes, -1, dtype=np.int64)
    for origin, goal, count in matched:
        chosen, of_node[origin] = np.split(of_node[origin], [count])
        free, of_place[goal] = np.split(of_place[goal], [count])
        places[chosen] = np.sort(free)
    for unplaced in (np.flatnonzero(places[: built.nodes] < 0), np.arange(built.nodes, nodes)):
        places[unplaced] = np.sort(order[~np.isin(order, places)][: len(unplaced)])
    return None if np.array_equal(places, np.arange(network.nodes)) else tuple(places.tolist())


def _grouped_by_links(network: Network, nodes: Ints) -> tuple[list[Ints], list[Counter[tuple[int, int]]]]:
    """Return groups of nodes with equal links, each in the given order, and the plane and switch of each link."""
    links: list[list[tuple[int, int]]] = [[] for _ in range(network.nodes)]
    for number, plane in enumerate(network.cabling):
        for node, switch in zip(plane.node.tolist(), plane.node_switch.tolist(), strict=True):
            links[node].append((number, switch))
    groups = defaultdict[tuple[tuple[int, int], ...], list[int]](list)
    for node in nodes.tolist():
        groups[tuple(sorted(links[node]))].append(node)
    return [np.array(group) for group in groups.values()], [Counter(group) for group in groups]


def _by_plane(links: Counter[tuple[int, int]]) -> Counter[int]:
    return Counter(plane for plane, _ in links.elements())


def _lacks(has: Network, lacks: Network, name: str, expected: str) -> InputError:
    return InputError(f"rewired_from: {has.title} has {name}, but not {lacks.title}; {expected}")
