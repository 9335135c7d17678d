"""The topology of an arbitrary graph, from its edges."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int, millimetres
from ..errors import InputError
from ..mathematics.grid import MAX_SWITCHES
from ..mathematics.occurrences import occurrences
from ..planes.topology import Topology

# Two switches, and the length of the cable in metres.
Edge = tuple[int, int] | tuple[int, int, int | float | str | Fraction]
MAX_PLACES = 1 << 27  # ports of all switches, if each had as many as the one with the most
MAX_PORTS = 0xFFFE  # leaves room for the markers `ARRIVED` and `NO_ROUTE` in tables of 16-bit port numbers


def graph(edges: Sequence[Edge] | NDArray[np.integer], switches: int | None = None, *, name: str = "edges") -> Topology:
    """Return the topology of a graph: the k-th edge of a switch, in the given order, is at port k.

    Parameters
    ----------
    edges
        Pairs of switches, or triples with the length of the cable in metres, for `graph_cables_mm`; or pairs as
        int[cables, 2], which is faster. A repeated pair is a parallel cable.
    switches
        Number of switches; by default, one more than the highest id.
    name
        What messages call the edges.

    Examples
    --------
    >>> graph([(0, 1), (1, 2), (0, 2)]).peer.tolist()
    [[1, 2], [0, 2], [1, 0]]
    """
    ends, ports, count = _ends(edges, switches, name)
    peer = np.full((count, int(ports.max()) + 1), -1, dtype=np.int32)
    peer_port = peer.copy()
    peer[ends, ports] = ends[:, ::-1]
    peer_port[ends, ports] = ports[:, ::-1]
    return Topology(peer, peer_port)


def graph_cables_mm(edges: Sequence[Edge], switches: int | None = None, *, name: str = "edges") -> NDArray[np.int64]:
    """Return the cable lengths of edges, their third component, as ``int64[switches, ports]`` for `Plane`.

    Edges without a length have length 0.

    Examples
    --------
    >>> graph_cables_mm([(0, 1, 2.5), (1, 2)]).tolist()
    [[2500, 0], [2500, 0], [0, 0]]
    """
    ends, ports, count = _ends(edges, switches, name)
    lengths = [millimetres(f"{name}.length", edge[2]) if len(edge) == 3 else 0 for edge in edges]
    cable_mm = np.zeros((count, int(ports.max()) + 1), dtype=np.int64)
    cable_mm[ends, ports] = np.array(lengths, dtype=np.int64)[:, None]
    return cable_mm


def require_cables_once(name: str, pairs: Sequence[tuple[object, object]]) -> None:
    """Require that not every pair of an edge list is there in both orders, as where a program lists directions.

    Parallel cables, which are several edges between two switches, are in the same order. Loops are refused elsewhere.

    Raises
    ------
    InputError
        If all pairs are.
    """
    count = Counter(pairs)
    if pairs and all(a != b and count[b, a] == times for (a, b), times in count.items()):
        a, b = pairs[0]
        problem = f"every pair in both orders, such as {a} {b} and {b} {a}"
        raise InputError(f"{name}: {problem}; expected each cable once, and parallel cables in the same order")


def _ends(
    edges: Sequence[Edge] | NDArray[np.integer], switches: int | None, name: str
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return the switches and the ports at both ends of every edge, and the number of switches."""
    if not len(edges):
        raise InputError(f"{name}=[]: expected a list with at least one edge")
    highest = MAX_SWITCHES - 1 if switches is None else check_int("switches", switches, 2, MAX_SWITCHES) - 1
    ends = (
        _checked_array(edges, highest, name) if isinstance(edges, np.ndarray) else _checked_list(edges, highest, name)
    )
    ports = occurrences(ends.ravel())
    if ports.max() >= MAX_PORTS:
        raise InputError(f"{name}: a switch with {ports.max() + 1} ports; expected at most {MAX_PORTS}")
    count = int(ends.max()) + 1 if switches is None else switches
    if count * (int(ports.max()) + 1) > MAX_PLACES:
        shown = f"{count} switches, of which one has {ports.max() + 1} ports"
        raise InputError(f"{name}: {shown}; expected a product of at most {MAX_PLACES}")
    return ends, ports.reshape(ends.shape), count


def _checked_list(edges: Sequence[Edge], highest: int, name: str) -> NDArray[np.int64]:
    """Return the switches at both ends of every edge."""
    for edge in edges:
        if not isinstance(edge, (tuple, list)) or len(edge) not in (2, 3):
            raise InputError(f"{name}={edge!r}: expected (switch, switch) or (switch, switch, metres)")
        for end in edge[:2]:
            check_int(name, end, 0, highest)
        if edge[0] == edge[1]:
            raise InputError(f"{name}={edge!r}: expected edges between two switches")
    return np.array([edge[:2] for edge in edges], dtype=np.int64)


def _checked_array(edges: NDArray[np.integer], highest: int, name: str) -> NDArray[np.int64]:
    """Return the switches at both ends of every edge."""
    if edges.ndim != 2 or edges.shape[1] != 2 or not np.issubdtype(edges.dtype, np.integer):
        raise InputError(f"{name}: {edges.dtype} of shape {edges.shape}; expected pairs of switches")
    outside = edges[(edges < 0) | (edges > highest)]
    if len(outside):
        check_int(name, int(outside[0]), 0, highest)
    loops = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if len(loops):
        raise InputError(f"{name}={tuple(edges[loops[0]].tolist())}: expected edges between two switches")
    return edges.astype(np.int64)
