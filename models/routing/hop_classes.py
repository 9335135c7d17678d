"""Classes of virtual channels by hop count, which make any routing deadlock-free, given enough channels."""

from dataclasses import replace

from ..planes.route_walk import hops
from ..planes.routes import Routes, hop_class_rule
from ..planes.topology import Topology


def hop_classes(topology: Topology, routes: Routes) -> Routes:
    """Return the same routes with channels of class k - 1 for hop k.

    A channel then depends on channels of the next class only, so dependencies are acyclic on any graph. The number of
    classes is the maximum number of hops from a switch where packets begin: on shortest paths, the diameter.

    Parameters
    ----------
    topology, routes
        The network; an existing rule for virtual channels is replaced.

    References
    ----------
    Günther, Prevention of Deadlocks in Packet-Switched Data Transport Systems, 1981.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from ..deadlock.cycles import channel_cycle
    >>> from .table import forwarding_table
    >>> ring = torus((5,))
    >>> routes = hop_classes(ring, forwarding_table(ring))
    >>> routes.channels.classes, channel_cycle(ring, routes, virtual_channels=2)
    (2, None)
    """
    length = hops(topology, routes)
    if routes.group == "table":
        length = length[routes.sources]
    return replace(routes, channels=hop_class_rule(topology, int(length.max())))
