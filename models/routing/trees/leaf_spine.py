"""Up/down routing in networks of leaves and spines, with traffic spread over the spines."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models.errors import InputError
from isoplane.models.planes.routes import ARRIVED, NO_ROUTE, Routes
from isoplane.models.planes.shared_tables import shared_tables
from isoplane.models.planes.topology import Topology


def leaf_spine_routes(
    topology: Topology,
    leaves: int,
    node_switch: NDArray[np.integer],
    choices: NDArray[np.integer] | None = None,
) -> Routes:
    """Return routes that go up to a spine and down: to node d by spine number c mod m of the m that both leaves share.

    Spines are in the order of the uplinks of the source leaf. With c = d, and a cable from each leaf to each spine,
    this is D-mod-k. A spine has no route to leaves without a cable to it, whose packets never pass it. No packet goes
    up after it has gone down, so the routes are free of deadlock with one class of virtual channels.

    Parameters
    ----------
    topology
        Switches 0 to `leaves` - 1 are leaves, the others spines; there are cables only between the two kinds, at most
        one between two switches.
    leaves
        Number of leaves.
    node_switch : int32[nodes]
        The leaf of each node.
    choices : int64[nodes]
        The number c of each node, at least 0 (`up_choices`); the node itself by default.

    References
    ----------
    Zahavi, D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees, 2010.

    Examples
    --------
    >>> from isoplane.models.topologies import graph
    >>> two = graph([(0, 2), (0, 3), (1, 2), (1, 3)])
    >>> leaf_spine_routes(two, 2, np.array([0, 0, 1, 1])).next_port.tolist()
    [[0, 1, 0, 1], [0, 0, 1, 1]]
    """
    choice = np.arange(len(node_switch)) if choices is None else np.asarray(choices, dtype=np.int64)
    spines = topology.switches - leaves
    down = np.full((spines, leaves), -1, dtype=np.int64)  # port of each spine to each leaf
    leaf, port = np.nonzero(topology.peer[:leaves] >= 0)
    down[topology.peer[leaf, port] - leaves, leaf] = topology.peer_port[leaf, port]
    table = np.full((topology.switches, len(choice)), ARRIVED, dtype=np.uint16)
    for source in range(leaves):
        ports = np.flatnonzero(topology.peer[source] >= 0)
        reaches = down[topology.peer[source, ports] - leaves] >= 0
        count = reaches.sum(axis=0)
        if not count.all():
            raise InputError(f"leaves {source} and {int(count.argmin())}: no spine in common; expected one at least")
        # Stable: those that reach the leaf come first, in the order of the uplinks.
        in_order = np.argsort(~reaches, axis=0, kind="stable")
        table[source] = ports[in_order[choice % count[node_switch], node_switch]]
    table[leaves:] = np.where(down >= 0, down, NO_ROUTE)[:, node_switch]
    return shared_tables(table, node_switch)
