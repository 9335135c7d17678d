"""References for the models: topologies as igraph graphs, and routes followed one by one."""

import igraph
import numpy as np

from isoplane.models.routing import ARRIVED


def graph_of(topology):
    """Return the undirected graph, with one edge per cable."""
    switch, port = np.nonzero(topology.peer >= 0)
    ends = zip(switch.tolist(), port.tolist(), topology.peer[switch, port].tolist(), strict=True)
    peer_ports = topology.peer_port[switch, port].tolist()
    edges = [(a, b) for (a, p, b), q in zip(ends, peer_ports, strict=True) if (a, p) < (b, q)]
    return igraph.Graph(n=topology.switches, edges=edges)


def distances(topology):
    return np.array(graph_of(topology).distances())


def offset(routes, source, destination):
    """Return the offset as defined in `Routes`, digit by digit."""
    if routes.group == "xor":
        return source ^ destination
    if routes.group == "table":
        return destination
    number, stride = 0, 1
    for size in routes.shape:
        number += (destination // stride - source // stride) % size * stride
        stride *= size
    return number


def class_before(rule, links, switch, port):
    """Return the class of a packet before the dateline of its next port, after the links so far."""
    if not links:
        return rule.start
    (old_switch, old_port, channel_class), wide = links[-1], rule.dimension.ndim == 2
    old, new = (rule.dimension[at] for at in (((old_switch, old_port), (switch, port)) if wide else (old_port, port)))
    if old == new:
        return channel_class
    if not rule.ordered:
        return 0
    return channel_class + 1 if new < old else channel_class


def walk(topology, routes, source, destination):
    """Return the links of a route as (switch, port, class); the only check is that it ends at its destination."""
    links, switch = [], source
    entry = int(routes.row[source]) * routes.columns + offset(routes, source, destination)
    while True:
        if routes.paths is None:
            port = int(routes.next_port[routes.row[switch], offset(routes, switch, destination)])
        else:
            path = routes.paths.ports[routes.paths.starts[entry] : routes.paths.starts[entry + 1]].tolist()
            port = path[len(links)] if len(links) < len(path) else ARRIVED
        if port == ARRIVED:
            assert switch == destination
            return links
        rule, channel_class = routes.channels, 0
        if rule is not None:
            channel_class = int(rule.dateline[switch, port]) + class_before(rule, links, switch, port)
        links.append((switch, port, channel_class))
        assert len(links) <= 10 * topology.switches
        switch = int(topology.peer[switch, port])


def all_walks(topology, routes):
    for source in range(topology.switches):
        for destination in range(topology.switches):
            yield source, destination, walk(topology, routes, source, destination)
