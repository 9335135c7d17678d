"""Planes as igraph graphs, and their shortest paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Cube, Plane

if TYPE_CHECKING:
    import igraph


def plane_graph(cube: Cube) -> igraph.Graph:
    """Return the graph of a plane, with a vertex per switch and an edge per cable.

    The edges are {x, x ⊕ h} for every switch x and link h; their attribute ``link`` is the index of h in `Cube.links`.

    References
    ----------
    Hosomi et al. 2021, section 2.1.

    Examples
    --------
    >>> from isoplane.models import ConnectionSet
    >>> graph = plane_graph(Cube(ConnectionSet.unit(3), folded=True))
    >>> graph.vcount(), graph.ecount(), graph.diameter()
    (8, 16, 2)
    """
    import igraph  # slow to import: only to build a graph

    switches = 1 << cube.n
    edges: list[tuple[int, int]] = []
    link_of: list[int] = []
    for index, link in enumerate(cube.links):
        cables = [(x, x ^ link) for x in range(switches) if x < x ^ link]
        edges += cables
        link_of += [index] * len(cables)
    return igraph.Graph(n=switches, edges=edges, edge_attrs={"link": link_of})


def topology_graph(plane: Plane) -> igraph.Graph:
    """Return the graph of the topology of any plane, with an edge for each end of a cable."""
    import igraph  # slow to import: only to build a graph

    peers = plane.topology.peer.tolist()
    edges = [(switch, peer) for switch, ports in enumerate(peers) for peer in ports if peer >= 0]
    return igraph.Graph(n=len(peers), edges=edges)


def distances(graph: igraph.Graph, sources: Sequence[int] | None = None) -> NDArray[np.int64]:
    """Return the shortest-path hops from given sources, by default all, to every switch: ``int64[sources, switches]``.

    Raises
    ------
    RuntimeError
        If a switch cannot be reached.

    Examples
    --------
    >>> from isoplane.models import ConnectionSet
    >>> distances(plane_graph(Cube(ConnectionSet(3, (3, 5, 7)))), [0]).tolist()
    [[0, 3, 2, 1, 2, 1, 2, 1]]
    """
    hops = np.array(graph.distances(source=sources), dtype=np.float64)  # igraph returns infinity if there is no path
    if np.isinf(hops).any():
        raise RuntimeError("a plane is not connected, although its generators are a basis")
    return hops.astype(np.int64)
