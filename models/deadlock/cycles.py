"""Deadlock analysis: cycles of channel dependencies."""

from collections.abc import Sequence

from ..arrays import Ints
from ..checks import check_int
from ..device_names import DeviceNames, shown_port
from ..planes.detours import Detours
from ..planes.route_walk import Link, hops
from ..planes.routes import Routes
from ..planes.topology import Topology
from .channel_dependencies import dependencies, rule_of
from .detour_dependencies import detour_dependencies

MAX_SHOWN_CHANNELS = 6  # in the description of a cycle


def channel_cycle(topology: Topology, routes: Routes, virtual_channels: int) -> list[Link] | None:
    """Return a cycle of channel dependencies; None if there is none, in which case deadlock is impossible.

    A channel depends on the next one if some route uses the two consecutively. If the dependencies are acyclic, the
    channels have a topological order that every route follows, and the last channels always drain, because nodes
    consume arriving packets. The routes from all switches where packets begin (`Routes.sources`) are considered,
    because all may be in use at once.

    Channels are (switch, port, class), with the classes of the routes' `ChannelRule`. Several virtual channels of a
    class count as one, and so do those of a link without a rule: a packet that may use any of them is blocked only if
    all are occupied, so it depends on the link as a whole. One channel per link and class is therefore enough for the
    proof; and a cycle of links can deadlock with any number of virtual channels, once packets occupy all of them.

    Parameters
    ----------
    topology, routes
        The network.
    virtual_channels
        Virtual channels per link, at least as many as the routes have classes.

    Returns
    -------
    list or None
        A shortest cycle through its first channel: each channel depends on the next one, the last on the first.

    References
    ----------
    Dally and Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, 1987.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from ..routing.grids.torus_order import torus_order
    >>> channel_cycle(torus((4,)), torus_order((4,)), virtual_channels=2)
    [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)]
    >>> channel_cycle(torus((4,)), torus_order((4,), datelines=True), virtual_channels=2)
    """
    classes = rule_of(topology, routes).classes
    check_int("virtual_channels", virtual_channels, classes)
    # Raises the error of a route that does not arrive: the dependencies of a loop would prove nothing.
    hops(topology, routes)
    return _cycle(topology, classes, dependencies(topology, routes))


def detour_channel_cycle(
    topology: Topology, routes: Routes, detours: Detours, virtual_channels: int
) -> list[Link] | None:
    """Return a cycle of channel dependencies of all minimal routes and all detours; None if there is none.

    As in `channel_cycle`, with the channels of the rule of the detours. If every hop moves to the next class, and there
    are as many classes as the longest detour has hops, a channel depends on those of the next class only, so there is
    no cycle; the routes are followed under other rules.

    Examples
    --------
    >>> from ..topologies import GlobalCables, dragonfly
    >>> from ..routing.groups.dragonfly import dragonfly_detours
    >>> from ..routing.groups.dragonfly import dragonfly_minimal
    >>> cables = GlobalCables(4, 2, 9, "relative")
    >>> detours = dragonfly_detours(cables)
    >>> detour_channel_cycle(dragonfly(cables), dragonfly_minimal(cables), detours, virtual_channels=3)
    """
    rule = detours.channels
    check_int("virtual_channels", virtual_channels, rule.classes)
    max_hops = int(detours.ends(topology)[1].max() + hops(topology, routes).max())
    if rule.start == -1 and rule.dateline.all() and max_hops <= rule.classes:
        return None
    return _cycle(topology, rule.classes, detour_dependencies(topology, routes, detours))


def _cycle(topology: Topology, classes: int, edges: Ints) -> list[Link] | None:
    cycle = _find_cycle(topology.switches * topology.ports * classes, edges)
    if cycle is None:
        return None
    return [
        (channel // classes // topology.ports, channel // classes % topology.ports, channel % classes)
        for channel in cycle
    ]


def describe_cycle(cycle: Sequence[Link], names: DeviceNames | None = None, plane: int = 0) -> str:
    """Describe a cycle of channels in one line, with ports counted from 1, as in exports and listings.

    Parameters
    ----------
    cycle
        The channels.
    names, plane
        Names of the switches, if they have some, and their plane.

    Examples
    --------
    >>> describe_cycle([(0, 0, 0), (1, 0, 0), (2, 0, 0)])
    '3 channels form a dependency cycle: P0-S0:1 class 0, P0-S1:1 class 0, P0-S2:1 class 0'
    """
    shown = [f"{shown_port(names, plane, switch, port)} class {channel_class}" for switch, port, channel_class in cycle]
    if len(shown) > MAX_SHOWN_CHANNELS:
        shown[MAX_SHOWN_CHANNELS - 1 : -1] = ["..."]
    return f"{len(cycle)} channels form a dependency cycle: {', '.join(shown)}"


def _find_cycle(channels: int, edges: Ints) -> list[int] | None:
    """Return the vertices of a cycle in a directed graph, or None if it is acyclic."""
    import igraph  # slow to import: only for this check

    graph = igraph.Graph(n=channels, edges=edges, directed=True)
    if graph.is_dag():
        return None
    component = graph.connected_components(mode="strong").membership
    # An edge within a strong component is part of a cycle.
    start = next(int(a) for a, b in edges if component[a] == component[b])
    # The last vertex of a cycle through the first is one of its predecessors; in the same component, so it can be
    # reached.
    last_vertices = [channel for channel in graph.predecessors(start) if component[channel] == component[start]]
    paths: list[list[int]] = graph.get_shortest_paths(start, to=last_vertices)
    return min(paths, key=len)
