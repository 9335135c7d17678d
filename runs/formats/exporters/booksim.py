"""The anynet files of BookSim2."""

from collections.abc import Iterator

import numpy as np

from ..exporter import Exported, Exporter, Files, as_bytes
from ..link_times import link_times
from ..simple_networks import require_no_circuits, require_no_parallel_links, require_single_links


def files(exported: Exported) -> Files:
    """Yield a file for each plane, with a line for each router: its nodes, its neighbours and the delays to them.

    A cycle is a nanosecond. Delays of nodes are left out: BookSim takes a number after a node for that of a router.
    """
    require_no_circuits("booksim", exported.network)
    require_no_parallel_links("booksim", exported)
    require_single_links("booksim", exported.network.unrouted_planes)
    cycles = np.maximum(1, np.ceil(np.round(link_times(exported).cable_ns, 6))).astype(np.int64)
    for plane in range(len(exported.network.unrouted_planes)):
        yield f"plane{plane}.anynet", as_bytes(_lines(exported, plane, cycles))


def _lines(exported: Exported, plane: int, cycles: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Iterator[str]:
    cables, given = exported.cables, exported.network.unrouted_planes[plane]
    chosen = np.flatnonzero((cables.plane == plane) & ~cables.to_node)
    words: list[list[str]] = [[] for _ in range(given.topology.switches)]
    for node, switch in zip(given.node.tolist(), given.node_switch.tolist(), strict=True):
        words[switch].append(f"node {node}")
    ends = (cables.switch[chosen].tolist(), cables.other[chosen].tolist(), cycles[chosen].tolist())
    for switch, other, delay in zip(*ends, strict=True):
        words[switch].append(f"router {other} {delay}")
        words[other].append(f"router {switch} {delay}")
    yield from (f"router {switch} {' '.join(listed)}" for switch, listed in enumerate(words))


EXPORTER = Exporter("anynet file of BookSim2 for each plane", None, files)
