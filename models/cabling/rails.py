"""Rails: the ports of nodes, numbered over all adapters and planes."""

import numpy as np

from ..arrays import Ints
from ..mathematics.occurrences import occurrences


def rails_of(node: Ints, adapter_ports: Ints | None) -> Ints:
    """Return the number of each link's port at its node, from 1, different for all links of a node.

    Parameters
    ----------
    node : int64[node links]
        The node of each link, in the order of planes.
    adapter_ports : int64[node links, 2] or None
        The adapter of the node and the number of its port, both from 1. None to number the ports of each node in the
        order of its links. Otherwise ports keep their numbers if no two ports of the node have the same; else those of
        an adapter follow the highest one in use at the adapter before.

    Examples
    --------
    >>> rails_of(np.array([0, 1, 0]), None).tolist()
    [1, 1, 2]
    >>> rails_of(np.array([0, 1, 1, 0]), np.array([[1, 2], [1, 2], [2, 2], [2, 1]])).tolist()
    [2, 2, 4, 1]
    """
    if adapter_ports is None:
        return occurrences(node) + 1
    ends = np.column_stack([node, adapter_ports])
    _, port_of, uses = np.unique(ends[:, [0, 2]], axis=0, return_inverse=True, return_counts=True)
    is_renumbered = np.bincount(node[uses[port_of.ravel()] > 1], minlength=int(node.max(initial=0)) + 1) > 0
    adapters, adapter_of = np.unique(ends[:, :2], axis=0, return_inverse=True)
    highest = np.zeros(len(adapters), dtype=np.int64)
    np.maximum.at(highest, adapter_of.ravel(), ends[:, 2])
    before = np.cumsum(highest) - highest
    # The sum runs over all nodes: what earlier nodes use is taken off again.
    before -= before[np.searchsorted(adapters[:, 0], adapters[:, 0])]
    return ends[:, 2] + np.where(is_renumbered[node], before[adapter_of.ravel()], 0)
