"""Where the switches and nodes of a plane are drawn."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models.mathematics.occurrences import occurrences
from isoplane.models.planes.plane import Cabling

Points = NDArray[np.float64]
FAN = np.radians(100)  # the nodes of a switch are drawn on an arc of at most this angle
NODE_STEP = 0.5  # radians between neighbouring nodes, at most
DROP = 0.05  # of nodes below their layer, at least, as a share of the picture


def switch_positions(plane: Cabling) -> tuple[Points, bool]:
    """Return the positions of switches, as float64[switches, 2], and whether they are in layers.

    If every cable joins two successive layers, where the layer of a switch is its distance from a switch with nodes, as
    in a tree, the layers are drawn one above the other. Other networks are drawn with distances between switches close
    to their numbers of hops.

    References
    ----------
    Kamada, Kawai 1989, "An algorithm for drawing general undirected graphs".
    """
    layer = layers(plane)
    lower, port = plane.topology.cable_ends()
    other = plane.topology.peer[lower, port]
    if layer.any() and (layer[lower] != layer[other]).all():
        return _layered(layer), True
    return _by_distance(plane.topology.switches, np.stack([lower, other], axis=1)), False


def layers(plane: Cabling) -> NDArray[np.int64]:
    """Return the distance of each switch from the nearest one with nodes, in hops."""
    layer = np.full(plane.topology.switches, -1, dtype=np.int64)
    frontier, hops = np.unique(plane.node_switch), 0
    while len(frontier):
        layer[frontier] = hops
        peers = np.unique(plane.topology.peer[frontier])
        frontier, hops = peers[(peers >= 0) & (layer[peers] < 0)], hops + 1
    return layer


def _layered(layer: NDArray[np.int64]) -> Points:
    widest = np.bincount(layer).max()
    found = np.empty((len(layer), 2))
    for height in range(layer.max() + 1):
        members = np.flatnonzero(layer == height)
        found[members, 0] = (np.arange(len(members)) + 0.5) * widest / len(members)
        found[members, 1] = height * max(1.0, widest / 4)
    return found


def _by_distance(switches: int, edges: NDArray[np.int64]) -> Points:
    import igraph  # slow to import: only for drawings

    angle = 2 * np.pi * np.arange(switches) / switches
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.sqrt(switches)
    graph = igraph.Graph(switches, edges.tolist()).simplify()
    layout = graph.layout_kamada_kawai(seed=circle.tolist(), maxiter=50 * switches)
    found = np.array(layout.coords, dtype=np.float64)
    centred: Points = found - found.mean(axis=0)
    return centred


def node_positions(plane: Cabling, switches: Points, in_layers: bool) -> Points:
    """Return the positions of nodes, as float64[nodes, 2]: around the switch of their first link, away from the centre.

    In layers they are in a row below their switch. A node without links is drawn at the centre.
    """
    has_links = np.diff(plane.starts) > 0
    first = plane.node_switch[plane.starts[:-1][has_links]]
    counts = np.bincount(first, minlength=len(switches))
    offset = occurrences(first) - (counts[first] - 1) / 2
    apart = _nearest_distance(switches)
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


def _nearest_distance(points: Points) -> float:
    """Return the median distance from a point to the nearest other one; 1 for a single point."""
    if len(points) < 2:
        return 1.0
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    np.fill_diagonal(apart, np.inf)
    return float(np.median(apart.min(axis=1)))
