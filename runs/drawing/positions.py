"""Where the switches and nodes of a plane are drawn."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Floats, Ints
from isoplane.models.mathematics.occurrences import occurrences
from isoplane.models.planes.plane import Cabling

Points = NDArray[np.float64]
GAP = 0.12  # between groups on a circle, as a share of their arcs
INSIDE = 0.75  # radius of the switches with nodes inside a circle of nodes of radius 1
NO_DIRECTION = 1e-6  # length of a sum of directions up to which they cancel out
FAN = np.radians(100)  # the nodes of a switch are drawn on an arc of at most this angle
NODE_STEP = 0.5  # radians between neighbouring nodes, at most
DENSE = 0.4  # share of pairs with an edge from which vertices are on a circle
DROP = 0.05  # of nodes below their layer, at least, as a share of the picture


def switch_positions(plane: Cabling) -> tuple[Points, bool]:
    """Return the positions of switches, as float64[switches, 2], and whether they are in layers: `positions_of`."""
    lower, port = plane.topology.cable_ends()
    return positions_of(layers(plane), np.stack([lower, plane.topology.peer[lower, port]], axis=1))


def positions_of(layer: Ints, edges: Ints) -> tuple[Points, bool]:
    """Return the positions of the vertices of a graph, as float64[vertices, 2], and whether they are in layers.

    If every edge joins two layers, as in a tree, the layers are drawn one above the other; if most pairs are joined,
    the vertices are on a circle. Other graphs are drawn with distances between vertices close to their numbers of hops.

    Parameters
    ----------
    layer : int64[vertices]
        The distance of each vertex from the nearest one with nodes.
    edges : int64[edges, 2]
        The vertices at both ends.

    References
    ----------
    Kamada, Kawai 1989, "An algorithm for drawing general undirected graphs".
    """
    if layer.any() and (layer[edges[:, 0]] != layer[edges[:, 1]]).all():
        return _layered(layer), True
    if len(edges) >= DENSE * len(layer) * (len(layer) - 1) / 2:
        return _circle(len(layer)), False
    return _by_distance(len(layer), edges), False


def layers(plane: Cabling) -> Ints:
    """Return the distance of each switch from the nearest one with nodes, in hops."""
    return plane.topology.levels(np.unique(plane.node_switch)).astype(np.int64)


def _layered(layer: Ints) -> Points:
    widest = np.bincount(layer).max()
    found = np.empty((len(layer), 2))
    for height in range(layer.max() + 1):
        members = np.flatnonzero(layer == height)
        found[members, 0] = (np.arange(len(members)) + 0.5) * widest / len(members)
        found[members, 1] = height * max(1.0, widest / 4)
    return found


def _by_distance(vertices: int, edges: Ints) -> Points:
    import igraph  # slow to import: only for drawings

    graph = igraph.Graph(vertices, edges.tolist()).simplify()
    layout = graph.layout_kamada_kawai(seed=_circle(vertices).tolist(), maxiter=50 * vertices)
    found = np.array(layout.coords, dtype=np.float64)
    centred: Points = found - found.mean(axis=0)
    return centred


def _circle(vertices: int) -> Points:
    angle = 2 * np.pi * np.arange(vertices) / vertices
    points: Points = np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.sqrt(vertices)
    return points


def node_positions(plane: Cabling, switches: Points, in_layers: bool) -> Points:
    """Return the positions of nodes, as float64[nodes, 2]: around the switch of their first link, away from the centre.

    In layers they are in a row below their switch. A node without links is drawn at the centre.
    """
    has_links = np.diff(plane.starts) > 0
    first = plane.node_switch[plane.starts[:-1][has_links]]
    counts = np.bincount(first, minlength=len(switches))
    offset = occurrences(first) - (counts[first] - 1) / 2
    apart = nearest_distance(switches)
    found = np.zeros((plane.nodes, 2))
    if in_layers:
        drop = max(0.45 * apart, np.ptp(switches, axis=0).max() * DROP)
        shift = np.stack([0.8 * apart * offset / counts[first], np.full(len(first), -drop)], axis=1)
    else:
        step = np.minimum(NODE_STEP, FAN / np.maximum(1, counts[first] - 1))
        angle = np.arctan2(switches[first, 1], switches[first, 0]) + offset * step
        shift = 0.45 * apart * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    found[has_links] = switches[first] + shift
    return found


def ring(group: Ints, within: Floats, groups: int) -> Points:
    """Return points on a circle of radius 1, group by group clockwise from the top, with gaps between groups.

    Parameters
    ----------
    group : int64[points]
        The group of each point, from 0.
    within : float64[points]
        Its place in the group, from 0 to 1.
    groups
        The number of groups.
    """
    turn = 2 * np.pi * (group + GAP / 2 + (1 - GAP) * within) / groups
    points: Points = np.stack([np.sin(turn), np.cos(turn)], axis=-1)
    return points


def node_ring(group: Ints) -> Points:
    """Return positions of nodes on a circle, as float64[nodes, 2], given the group of each."""
    members = np.bincount(group)
    return ring(group, (occurrences(group) + 0.5) / members[group], len(members))


def inside_ring(plane: Cabling, nodes: Points) -> Points:
    """Return positions of switches inside the circle of their nodes, as float64[switches, 2].

    Switches with nodes are in the direction of these, those of other layers evenly around the centre, nearer to it.
    """
    layer, found = layers(plane), np.zeros((plane.topology.switches, 2))
    np.add.at(found, plane.node_switch, nodes[plane.node])
    for height in range(1 + int(layer.max())):
        members = np.flatnonzero(layer == height)
        evenly = ring(np.arange(len(members)), np.full(len(members), 0.5), len(members))
        length = np.linalg.norm(found[members], axis=1, keepdims=True)
        direction = np.where(length > NO_DIRECTION, found[members] / np.maximum(length, NO_DIRECTION), evenly)
        found[members] = INSIDE * (1 - height / (1 + layer.max())) * direction * (len(members) > 1)
    return found


def nearest_distance(points: Points) -> float:
    """Return the median distance from a point to the nearest other one; 1 for a single point."""
    if len(points) < 2:
        return 1.0
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    np.fill_diagonal(apart, np.inf)
    return float(np.median(apart.min(axis=1)))
