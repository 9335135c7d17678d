"""Permutations of switches and groups of nodes that keep all links, capacities and nodes, and their orbits."""

from dataclasses import dataclass

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.mathematics.automorphisms import automorphisms, orbits

from .capacity_graph import CapacityGraph

MAX_CABLES = 300_000  # in seconds


@dataclass(frozen=True, eq=False)
class GraphSymmetry:
    """Symmetries of the links of a network; not necessarily all.

    Parameters
    ----------
    permutations : each int64[switches + groups]
        The image of every switch, and of every group of nodes; groups are numbered after the switches.
    link_orbit : int64[links]
        The orbit of each link between switches, numbered from 0.
    group_orbit : int64[groups]
        The orbit of each group of nodes.
    """

    permutations: tuple[Ints, ...]
    link_orbit: Ints
    group_orbit: Ints


def graph_symmetry(graph: CapacityGraph) -> GraphSymmetry | None:
    """Return the symmetries of a graph, all of which are verified.

    Returns
    -------
    GraphSymmetry or None
        None if there are more than 300,000 cables.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from .capacity_graph import capacity_graph
    >>> found = graph_symmetry(capacity_graph(dual_cube(3, (1, 2, 4))))  # cubes of dimension 3, one in each plane
    >>> len(found.link_orbit), set(found.link_orbit.tolist()), set(found.group_orbit.tolist())
    (48, {0}, {0})
    """
    if len(graph.tail) > 2 * MAX_CABLES:
        return None
    switches, key = graph.switches, graph.tail * graph.switches + graph.head
    found = automorphisms(*_coloured(graph))
    vertices = switches + len(graph.nodes)
    images = [_image(graph, key, each[:vertices]) for each in found]
    group_orbit = orbits(vertices, [each[:vertices] for each in found])[switches:]
    return GraphSymmetry(
        tuple(each[:vertices] for each in found),
        orbits(len(key), images),
        np.unique(group_orbit, return_inverse=True)[1].astype(np.int64),
    )


def _coloured(graph: CapacityGraph) -> tuple[Ints, list[int]]:
    """Return cables and links of groups as edges; cables of an unusual capacity have a vertex in their middle.

    Colours are those of switches, of groups by their number of nodes, and of cables by their capacity.
    """
    # A cable is two links of equal capacity, and the search for automorphisms wants undirected edges.
    once = graph.tail < graph.head
    tail, head, capacity = graph.tail[once], graph.head[once], graph.capacity[once]
    group = graph.group_links.group
    attached = np.unique(np.stack([graph.switches + group, graph.group_links.at], axis=1), axis=0)
    # The capacity of the first cable needs no vertices in the middle; the sum is 0 if there is no cable.
    is_divided = capacity != capacity[:1].sum()
    middle = graph.switches + len(graph.nodes) + np.arange(is_divided.sum())
    edges = np.concatenate(
        [
            np.stack([tail, head], axis=1)[~is_divided],
            np.stack([tail[is_divided], middle], axis=1),
            np.stack([middle, head[is_divided]], axis=1),
            attached,
        ]
    )
    sizes = 1 + np.unique(graph.nodes, return_inverse=True)[1]
    kinds = 1 + sizes.max() + np.unique(capacity[is_divided], return_inverse=True)[1]
    return edges, [*[0] * graph.switches, *sizes.tolist(), *kinds.tolist()]


def _image(graph: CapacityGraph, key: Ints, permutation: Ints) -> Ints:
    """Return the image of every link under a permutation, which is verified."""
    switches = graph.switches
    # A missing image is found one place past the end or at another key; the comparison below rejects both.
    image = np.searchsorted(key, permutation[graph.tail] * switches + permutation[graph.head])
    group = graph.group_links.group
    attached = np.stack([switches + group, graph.group_links.at], axis=1)
    kept = (
        np.array_equal(np.sort(permutation), np.arange(switches + len(graph.nodes))),
        np.array_equal(key[image % len(key)], permutation[graph.tail] * switches + permutation[graph.head]),
        np.array_equal(graph.capacity[image % len(key)], graph.capacity),
        np.array_equal(graph.nodes[permutation[switches:] - switches], graph.nodes),
        np.array_equal(np.unique(permutation[attached], axis=0), np.unique(attached, axis=0)),
    )
    assert all(kept), f"a permutation that keeps {kept} of vertices, links, capacities, nodes, and links of groups"
    return image.astype(np.int64)
