"""Deadlock: whether the channels of a network can wait for each other in a circle."""

from collections.abc import Sequence

from ..checks import check_int
from ..topology import Topology
from .dependencies import dependencies, rule_of
from .offsets import Ints
from .routes import Routes
from .walk import Link, hops

SHOWN = 6  # channels of a circle that its description names


def channel_cycle(topology: Topology, routes: Routes, virtual_channels: int) -> list[Link] | None:
    """Return channels that can wait for each other in a circle, or None: then no deadlock is possible.

    A channel waits for the next one when some route takes the two one after the other. If these dependencies have no
    circle, the channels can be ordered so that every packet climbs, and the last ones always drain, for nodes take what
    arrives. The routes of all pairs of switches count, as they may all be under way at once.

    Channels are (switch, port, class), with the classes of the routes' `ChannelRule`. Several virtual channels of a
    class are as good as one, and so are those of a link without a rule: a packet that may use any of them is blocked
    only when all are taken, so whoever waits, waits for the link. One class for each link is therefore enough for the
    proof; and a circle of links can lock with any number of virtual channels, once packets fill them all.

    Parameters
    ----------
    topology, routes
        The network.
    virtual_channels
        Virtual channels of each link, at least as many as the routes have classes.

    Returns
    -------
    list or None
        A circle: each channel waits for the next one, and the last for the first. No shorter one passes the first.

    Raises
    ------
    InputError
        If there are too few virtual channels, or a route does not arrive or needs more classes than there are.

    References
    ----------
    Dally and Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, 1987.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from .torus_order import torus_order
    >>> channel_cycle(torus((4,)), torus_order((4,)), virtual_channels=2)
    [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)]
    >>> channel_cycle(torus((4,)), torus_order((4,), datelines=True), virtual_channels=2)
    """
    classes = rule_of(topology, routes).classes
    check_int("virtual_channels", virtual_channels, classes)
    hops(topology, routes)
    circle = _circle(topology.switches * topology.ports * classes, dependencies(topology, routes))
    if circle is None:
        return None
    return [
        (channel // classes // topology.ports, channel // classes % topology.ports, channel % classes)
        for channel in circle
    ]


def describe_cycle(cycle: Sequence[Link]) -> str:
    """Tell in one line who waits for whom.

    Examples
    --------
    >>> describe_cycle([(0, 0, 0), (1, 0, 0), (2, 0, 0)])
    '3 channels wait in a circle: switch 0 port 0 class 0, switch 1 port 0 class 0, switch 2 port 0 class 0'
    """
    shown = [f"switch {switch} port {port} class {channel_class}" for switch, port, channel_class in cycle]
    if len(shown) > SHOWN:
        shown[SHOWN - 1 : -1] = ["..."]
    return f"{len(cycle)} channels wait in a circle: {', '.join(shown)}"


def _circle(channels: int, waits: Ints) -> list[int] | None:
    """Return the vertices of a circle in a directed graph, or None if it has none."""
    import igraph  # heavy: only where a graph is walked

    graph = igraph.Graph(n=channels, edges=waits, directed=True)
    if graph.is_dag():
        return None
    part = graph.connected_components(mode="strong").membership
    start = next(int(a) for a, b in waits if part[a] == part[b])
    back = [channel for channel in graph.predecessors(start) if part[channel] == part[start]]
    ways: list[list[int]] = graph.get_shortest_paths(start, to=back)
    return min(ways, key=len)
