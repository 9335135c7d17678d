"""Routes of several planes that are planned together, with the plane of each pair."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..errors import InputError
from ..paths.nearest_plane import switch_hops
from ..planes.plane import Cabling, Plane
from ..planes.routes import ChannelRule, Routes
from ..planes.topology import Topology
from .balanced import balancer_of, spread, with_fewest_classes
from .table import LoadedTable, forwarding_table, node_columns

CUBE_DESCENTS = 1  # changes to a lower dimension in a route
DETOUR = 1  # hops by which the route of a pair may be longer than in the nearest plane


def planned_planes(planes: Sequence[Cabling], are_cubes: bool = False) -> tuple[Plane, ...]:
    """Return planes whose routes carry all-to-all traffic with a heaviest link as light as local search can make it.

    Packets of a pair, a source switch and a destination node, take one plane: the nearest, or one with a route one hop
    longer. In each plane routes are shortest paths. The search of `balanced_table` goes over the routes of all planes,
    every second move giving a pair another plane; then pairs with a longer route get the nearest plane back where
    that makes no link heavier than the heaviest. In planes of more than 2^22 pairs, all nodes of a destination switch
    have the same routes.

    The dimension of a hop in a cube is its port. Routes there change to a lower dimension at most once, where they
    change to the second of two classes of virtual channels: dimensions ascend in each. Without this limit the heaviest
    link of the best known planes of 6 to 8 dimensions is no lighter. Other planes have the classes of
    `with_fewest_classes`.

    The nearest planes in turn, each with routes of its own, can lose what near planes promise: two relabelled planes of
    a Slim Fly have shorter paths than identical ones, but a lower throughput, until planes and routes are planned.

    Parameters
    ----------
    planes
        The planes, with the same nodes at the same switches, each with one link to every node.
    are_cubes
        Whether the planes are hypercubes or folded ones, in which port i of a switch leads to port i of another.

    Raises
    ------
    InputError
        If nodes are attached otherwise.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> from ..network import NO_SITE
    >>> (ring,) = Torus(shape=(5,), node_cable_m=2.0).build(NO_SITE)
    >>> one, other = planned_planes([ring, ring])
    >>> int((one.routes.carried ^ other.routes.carried).sum())  # each pair of switches takes one of the planes
    20
    """
    first = planes[0]
    for plane in planes:
        if plane.node_start is not None or not np.array_equal(plane.node_switch, first.node_switch):
            raise InputError(
                "network.routing=planned: expected planes with one link to every node at the same switches"
            )
    switches, (target, receivers, column) = first.topology.switches, node_columns(first.topology, first.node_switch)
    tables = [_table(plane.topology)[:, target] for plane in planes]
    # The planes one below the other, as one network that is not connected.
    union = LoadedTable(
        _union([plane.topology for plane in planes]),
        np.ascontiguousarray(np.concatenate(tables)),
        target,
        np.bincount(first.node_switch, minlength=switches),
        receivers,
    )
    chosen = _nearest_in_turn([plane.topology for plane in planes], target)
    # The tables of cubes have the lowest port first, so that dimensions ascend on all routes.
    balancer = balancer_of(union, pairs=(chosen, len(planes), DETOUR), descents=CUBE_DESCENTS if are_cubes else None)
    spread(balancer, union)
    balancer.shorten()
    at_target = np.arange(switches)[:, None] == target
    routed = []
    for number, plane in enumerate(planes):
        routes = Routes(
            "table",
            np.arange(switches, dtype=np.int32),
            union.next_port[number * switches : (number + 1) * switches],
            column=column,
            target_switch=target,
            carried=(chosen == number) | at_target,
        )
        with_classes = _with_ordered_dimensions if are_cubes else with_fewest_classes
        routed.append(plane.routed(with_classes(plane.topology, routes)))
    return tuple(routed)


def _with_ordered_dimensions(topology: Topology, routes: Routes) -> Routes:
    """Return the routes of a cube with a class of virtual channels for each run of ascending ports."""
    dimensions, no_dateline = np.arange(topology.ports, dtype=np.int32), np.zeros(topology.peer.shape, dtype=np.bool_)
    return replace(routes, channels=ChannelRule(dimensions, no_dateline, classes=1 + CUBE_DESCENTS, ordered=True))


def _table(topology: Topology) -> NDArray[np.uint16]:
    table = forwarding_table(topology).next_port
    assert table is not None
    return table


def _union(topologies: list[Topology]) -> Topology:
    """Return planes of equally many switches as one network, the switches of the first plane before those of the next.

    Switches of the planes may have different numbers of ports.
    """
    switches, ports = topologies[0].switches, max(each.ports for each in topologies)
    peers = [np.pad(each.peer, ((0, 0), (0, ports - each.ports)), constant_values=-1) for each in topologies]
    peer = np.concatenate([np.where(each < 0, -1, each + number * switches) for number, each in enumerate(peers)])
    far_ports = [np.pad(each.peer_port, ((0, 0), (0, ports - each.ports))) for each in topologies]
    return replace(topologies[0], peer=peer.astype(np.int32), peer_port=np.concatenate(far_ports))


def _nearest_in_turn(topologies: list[Topology], target: Ints | NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return the number of a nearest plane of every switch and column, those of one switch in turn."""
    hops = np.stack([switch_hops(topology)[:, target] for topology in topologies])
    is_nearest = hops == hops.min(axis=0)
    turn = (np.arange(hops.shape[1])[:, None] + np.arange(hops.shape[2])) % is_nearest.sum(axis=0)
    return np.ascontiguousarray(
        (is_nearest & (np.cumsum(is_nearest, axis=0) == turn + 1)).argmax(axis=0).astype(np.uint8)
    )
