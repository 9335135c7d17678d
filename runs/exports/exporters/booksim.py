"""The anynet files of BookSim2, with a configuration for each."""

from collections.abc import Iterator

from isoplane.models.arrays import Ints, rows_of
from isoplane.models.checks import Json

from ..exporter import PACKETS, Exported, Exporter, Files, as_bytes
from ..reader_paths import path_latencies
from ..simple_networks import require_no_parallel_links, require_single_links


def files(exported: Exported) -> Files:
    """Yield two files for each plane: a line for each router, its nodes, its neighbours and latencies; and the options.

    BookSim finds paths of least latency. Latencies are such that these are paths of the fewest hops (`path_latencies`).
    A cycle is a nanosecond. Delays of nodes are left out: BookSim takes a number after a node for that of a router.
    """
    require_no_parallel_links("booksim", exported)
    require_single_links("booksim", exported.wired.cabling)
    for number in range(len(exported.wired.planes)):
        latency, description = path_latencies(exported, number)
        yield f"plane{number}.anynet", as_bytes(_lines(exported, number, latency))
        yield f"plane{number}.config", as_bytes(_options(number, description))


def paths(exported: Exported) -> Json:
    """Return the rule by which BookSim finds paths, and for each plane the latencies and the hops that follow."""
    planes = range(len(exported.wired.planes))
    return {
        "reader": "least latency between routers",
        "planes": [path_latencies(exported, number)[1] for number in planes],
    }


def _lines(exported: Exported, number: int, latency: Ints) -> Iterator[str]:
    plane = exported.wired.planes[number]
    words: list[list[str]] = [[] for _ in range(plane.topology.switches)]
    for node, switch in rows_of(plane.node, plane.node_switch):
        words[switch].append(f"node {node}")
    for listed, peers, cycles in zip(words, plane.topology.peer.tolist(), latency.tolist(), strict=True):
        listed.extend(f"router {peer} {delay}" for peer, delay in zip(peers, cycles, strict=True) if peer >= 0)
    yield from (f"router {switch} {' '.join(listed)}" for switch, listed in enumerate(words))


def _options(number: int, description: Json) -> Iterator[str]:
    """Yield the options of BookSim2 that the file needs; its comments begin with two slashes."""
    yield f"// Latencies of cables, in cycles of 1 ns: {description['latencies']}"
    if description["mean_hops"] is not None:
        paths, routes = (f"{description[key]:.6g}" for key in ("mean_hops", "mean_hops_of_routes"))
        yield f"// Mean hops of the paths that BookSim2 takes: {paths}; of the routes of the design: {routes}"
    yield "topology = anynet;"
    yield f"network_file = plane{number}.anynet;"
    yield "routing_function = min;"
    yield "routing_delay = 0;  // the delays of switches are in the latencies"


EXPORTER = Exporter("anynet file of BookSim2 for each plane, with its options", None, files, paths, kinds=PACKETS)
