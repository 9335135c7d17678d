"""Shortest-path tables whose heaviest link is as light as local search can make it."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..checks import check_int
from ..deadlock.cycles import channel_cycle
from ..errors import InputError
from ..planes.route_walk import hops
from ..planes.routes import ChannelRule, Routes
from ..planes.topology import Topology
from ..steps import step
from .grids.turn_classes import table_turn_classes
from .hop_classes import hop_classes
from .table import COLUMNS_PER_CALL, LoadedTable, forwarding_table
from .up_down import depths

MOVES_PER_PAIR = 24  # of switches: about as many as still improve random regular graphs
MIN_MOVES, MAX_MOVES = 1 << 21, 1 << 28
FIRST_THRESHOLD = 10
IDLE_MOVES_PER_PAIR = 6
MOVES_PER_CALL = 1 << 16  # bounds the time of a native call, which blocks interrupts
MAX_WEIGHT = 1 << 10

# The plane of each pair, as uint8[switches, columns], the number of planes, and the hops by which its route may be
# longer than in the nearest plane. The tables of the planes are one below the other.
PairPlanes = tuple[NDArray[np.uint8], int, int]


def balanced_table(topology: Topology, weight: ArrayLike | None = None, seed: int = 1) -> Routes:
    """Return shortest-path routes that spread all-to-all traffic over the links as evenly as local search can.

    It starts from `forwarding_table`, draws a switch, a destination and another port that leads nearer, and keeps the
    change unless it increases the sum of the 32nd powers of all loads by more than a threshold: a smooth approximation
    of the heaviest one. Loads are relative to their mean.

    A search has 24 moves for each pair of switches, but from 2^21 to 2^28 in total. Where 2^21 are more than 24 each,
    the threshold falls from 10 to 0 in the first half; in larger networks it is 0, and the search ends if 6 moves for
    each pair have not lowered the heaviest load. Any search ends if that is the least possible: the mean of all links,
    rounded up to a multiple of the traffic between two switches.

    Parameters
    ----------
    topology
        A connected graph.
    weight : int[switches]
        Nodes at each switch: traffic from s to d is weight[s]·weight[d]. By default one everywhere.
    seed
        Seed of the search; the same seed gives the same routes.

    Raises
    ------
    InputError
        If two switches are not connected, there are too many for a table of all pairs, or a weight is out of range.

    References
    ----------
    Dueck and Scheuer, Threshold accepting, 1990. Domke, Hoefler and Nagel, Deadlock-Free Oblivious Routing for
    Arbitrary Topologies, 2011: the problem.

    Examples
    --------
    >>> from ..topologies import torus
    >>> balanced_table(torus((4,))).next_port.tolist()
    [[65535, 0, 0, 1], [1, 65535, 0, 1], [0, 1, 65535, 0], [0, 1, 1, 65535]]
    """
    nodes = np.ones(topology.switches, dtype=np.int64) if weight is None else np.asarray(weight, dtype=np.int64)
    if nodes.shape != (topology.switches,) or nodes.min() < 0 or nodes.max() > MAX_WEIGHT:
        raise InputError(f"weight: expected {topology.switches} integers from 0 to {MAX_WEIGHT}")
    check_int("seed", seed, 0)
    routes = forwarding_table(topology)
    assert routes.next_port is not None
    # In place: `routes` holds the same array.
    balance(LoadedTable(topology, routes.next_port, np.arange(topology.switches, dtype=np.int32), nodes, nodes), seed)
    return routes


def balance(
    table: LoadedTable, seed: int = 1, depth: NDArray[np.int32] | None = None, min_moves: int | None = None
) -> int:
    """Spread the traffic of a table over the links in place, as `balanced_table` does; return the heaviest load.

    No route becomes longer or shorter. With the depths of `up_down_table`, the table is one of up*/down* routes, and
    remains so. Small tables have `min_moves`, by default 2^21.
    """
    return spread(balancer_of(table, seed, depth), table, min_moves)


def spread(balancer: _native.TableBalancer, table: LoadedTable, min_moves: int | None = None) -> int:
    """Search as `balance` does, with the native search over a table; return the heaviest load."""
    min_moves = MIN_MOVES if min_moves is None else min_moves
    pairs = table.next_port.size
    unit = max(1, int(np.gcd.reduce(table.senders)) * int(np.gcd.reduce(table.receivers)))  # it divides all traffic
    least = unit * -(-balancer.total // (unit * max(1, int((table.topology.peer >= 0).sum()))))
    moves = min(max(MOVES_PER_PAIR * pairs, min_moves), MAX_MOVES)
    is_small = MOVES_PER_PAIR * pairs < min_moves
    heaviest, since = balancer.heaviest, 0
    with step("balancing routes") as balanced:
        for done in range(0, moves, MOVES_PER_CALL):
            if heaviest <= least or (not is_small and done - since >= IDLE_MOVES_PER_PAIR * pairs):
                break
            threshold = FIRST_THRESHOLD * (1 - 2 * done / moves) if is_small else 0.0
            balancer.run(min(MOVES_PER_CALL, moves - done), max(0.0, threshold))
            if balancer.heaviest < heaviest:
                heaviest, since = balancer.heaviest, done + MOVES_PER_CALL
            balanced.done = (done + MOVES_PER_CALL) / moves
    return balancer.heaviest


def balancer_of(
    table: LoadedTable,
    seed: int = 1,
    depth: NDArray[np.int32] | None = None,
    pairs: PairPlanes | None = None,
    descents: int | None = None,
) -> _native.TableBalancer:
    """Return the native search over a table, with its loads."""
    plane, planes, detour = pairs or (None, 1, 0)
    balancer = _native.TableBalancer(
        table.topology.peer,
        np.ascontiguousarray(table.senders),
        table.target_switch,
        table.receivers,
        table.next_port,
        seed,
        depth,
        plane,
        planes,
        detour,
        descents,
    )
    count = len(table.target_switch)
    with step("loads of routes") as measured:
        for start in range(0, count, COLUMNS_PER_CALL):
            balancer.measure(start, min(COLUMNS_PER_CALL, count - start))
            measured.done = (start + COLUMNS_PER_CALL) / count
    return balancer


def balanced_between_nodes(topology: Topology, node_switch: NDArray[np.integer]) -> Routes:
    """Return the routes of `balanced_table` between switches with nodes, free from deadlock by `with_fewest_classes`.

    Parameters
    ----------
    topology
        A connected graph.
    node_switch : int[node links]
        The switch of each node link.

    Examples
    --------
    >>> from ..topologies import graph, torus
    >>> balanced_between_nodes(graph([(0, 2), (0, 3), (1, 2), (1, 3)]), np.array([0, 0, 1, 1])).channels
    >>> balanced_between_nodes(torus((8,)), np.arange(8)).channels.classes
    2
    """
    target, column = np.unique(node_switch, return_inverse=True)
    table = balanced_table(topology, np.bincount(node_switch, minlength=topology.switches))
    assert table.next_port is not None
    routes = replace(
        table,
        next_port=np.ascontiguousarray(table.next_port[:, target]),
        column=column.astype(np.int32),
        target_switch=target.astype(np.int32),
    )
    return with_fewest_classes(topology, routes)


def with_fewest_classes(topology: Topology, routes: Routes) -> Routes:
    """Return the routes of a table with a rule for virtual channels by which they are free from deadlock.

    Without cycles of channel dependencies, as on trees, packets may use any virtual channel. Otherwise there are
    classes by hops or by turns, in the order of switches or of their distance from the switch with the shortest
    longest route: those that are fewest.
    """
    if channel_cycle(topology, routes, virtual_channels=1) is None:
        return routes
    # The centre ranks highest, so that the way to it rises and the way from it falls, as in up*/down* routes.
    by_hops, centre = hop_classes(topology, routes), int(hops(topology, routes).max(axis=1).argmin())
    ranks = np.arange(topology.switches), -depths(topology, centre).astype(np.int64)
    # min returns the first of equals: classes by hops if turns need as many.
    return min(by_hops, *(table_turn_classes(topology, routes, rank) for rank in ranks), key=_classes)


def _classes(routes: Routes) -> int:
    assert isinstance(routes.channels, ChannelRule)
    return routes.channels.classes
