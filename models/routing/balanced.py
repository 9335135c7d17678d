"""Shortest-path tables whose heaviest link is as light as local search can make it."""

import numpy as np
from numpy.typing import ArrayLike

from .. import _native
from ..checks import check_int
from ..errors import InputError
from ..topology import Topology
from .routes import Routes
from .table import forwarding_table

MOVES_PER_PAIR = 24  # of switches: about as many as still improve random regular graphs
MIN_MOVES, MAX_MOVES = 1 << 20, 1 << 28
MOVES_PER_CALL = 1 << 18  # bounds the time of a native call, which blocks interrupts
MAX_WEIGHT = 1 << 10


def balanced_table(topology: Topology, weight: ArrayLike | None = None, seed: int = 1) -> Routes:
    """Return shortest-path routes that spread all-to-all traffic over the links as evenly as local search can.

    It starts from `forwarding_table`, draws a switch, a destination and another port that leads nearer, and keeps the
    change unless it increases the sum of the 32nd powers of all loads: a smooth approximation of the heaviest one. A
    search has 24 moves for each pair of switches, but from 2^20 to 2^28 in total. It ends early if the heaviest load is
    the least possible: the mean of all links, rounded up to a multiple of the traffic between two switches.

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
    Domke, Hoefler and Nagel, Deadlock-Free Oblivious Routing for Arbitrary Topologies, 2011: the problem.

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
    balancer = _native.TableBalancer(topology.peer, np.ascontiguousarray(nodes), routes.next_port, seed)
    moves = min(max(MOVES_PER_PAIR * topology.switches**2, MIN_MOVES), MAX_MOVES)
    unit = max(1, int(np.gcd.reduce(nodes)) ** 2)  # divides the traffic between any two switches
    least = unit * -(-balancer.total // (unit * int((topology.peer >= 0).sum())))
    for done in range(0, moves, MOVES_PER_CALL):
        if balancer.heaviest <= least:
            break
        balancer.run(min(MOVES_PER_CALL, moves - done))
    return routes
