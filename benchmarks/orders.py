"""All-to-all orders found for networks of 64 nodes and for all small graphs, beside proven bounds.

One line per instance shows the phases of the best order that one search found, the lower bound over its routes and over
any routes, the gap to the former, and the evaluations and seconds after which it was found. Every order is checked link
by link. The networks have one node at each switch: a 6-cube with random minimal routes, random regular graphs and tori
with their own routes, by seed.

One line per number of nodes shows how many connected graphs have an order of N - 1 phases, and in how many the bound is
above N - 1, or above the heaviest load. There, routes are shortest paths, and every order is optimal.

With --check the exit code is 1 if the gap of an instance is above 10 % at degree 4 or 5 % at higher ones, the XOR order
does not take 63 phases on the 6-cube in dimension order, an order is not optimal on a small graph, or one has
collisions.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

import igraph
import numpy as np

from isoplane.models import Network
from isoplane.models.exchanges.exchange_orders import order_named
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.graph import Graph
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.planes.routes import Paths
from isoplane.models.routing import Routes
from isoplane.objectives.exchanges import check_order, free_routing_bound
from isoplane.search.orders import Exchange, OrderSolution, search_order

GOALS = {4: 0.10}  # by degree, the largest excess of the phases over the bound, relative to the bound
GOAL = 0.05  # of other degrees
COLUMNS = "{:<34} {:>6} {:>6} {:>6} {:>6} {:>8} {:>12} {:>8}"
CONNECTED = {2: 1, 3: 2, 4: 6, 5: 21, 6: 112, 7: 853, 8: 11117}  # graphs by nodes: sequence A001349 of the OEIS


def random_minimal_cube(n: int, seed: int) -> Network:
    """Return a cube in which each pair of nodes has a random minimal route of its own."""
    (plane,) = Network(DirectHypercube(n=n)).planes
    rng, nodes = np.random.default_rng(seed), 1 << n
    offset = (np.arange(nodes)[:, None] ^ np.arange(nodes)).ravel()
    routes = [rng.permutation([bit for bit in range(n) if each >> bit & 1]) for each in offset.tolist()]
    starts = np.cumsum([0, *map(len, routes)]).astype(np.uint32)
    paths = Paths(starts, np.concatenate(routes).astype(np.uint16))
    given = Routes("table", np.arange(nodes, dtype=np.int32), paths=paths)
    return Network(PlanesFamily(f"{n}-cube, random routes, seed {seed}", (plane.routed(given),)))


def instances() -> Iterator[tuple[int, Network]]:
    """Yield degree and network of every instance."""
    for seed in (1, 2):
        yield 6, random_minimal_cube(6, seed)
        for degree in (4, 6, 8):
            family = RandomRegular(switches=64, degree=degree, seed=seed, nodes_per_switch=1, node_cable_m=None)
            yield degree, Network(family)
    for shape in ((8, 8), (4, 4, 4)):
        for ties in ("positive", "parity"):
            yield 2 * len(shape), Network(Torus(shape=shape, ties=ties))


def title_of(network: Network) -> str:
    """Return the title of an instance."""
    ties = getattr(network.family, "ties", None)
    return network.title if ties is None else f"{network.title}, ties {ties}"


def connected_graphs(nodes: int) -> Iterator[igraph.Graph]:
    """Yield all connected graphs of up to 8 nodes, one of each isomorphism class."""
    atlas = [each for each in map(igraph.Graph.Atlas, range(1253)) if each.vcount() == min(nodes, 7)]
    if nodes <= 7:
        yield from filter(igraph.Graph.is_connected, atlas)
        return
    seen = set()
    for smaller in atlas:  # a vertex more, with any neighbours
        for neighbours in range(1, 1 << 7):
            larger = smaller.copy()
            larger.add_vertices(1)
            larger.add_edges([(vertex, 7) for vertex in range(7) if neighbours >> vertex & 1])
            if larger.is_connected():
                form = larger.permute_vertices(larger.canonical_permutation())
                key = frozenset(form.get_edgelist())
                if key not in seen:
                    seen.add(key)
                    yield form


def small_graphs(nodes: int, routing: str) -> tuple[str, bool]:
    """Return a line about all graphs of a number of nodes, and whether all orders are optimal and valid."""
    counts, met = Counter[str](), True
    for graph in connected_graphs(nodes):
        edges = tuple(graph.get_edgelist())
        network = Network(Graph(edges=edges, routing=routing, nodes_per_switch=1, node_cable_m=None))
        *_, best = search_order(network)
        met = met and best.is_optimal and check_order(network, best.order).contention_free
        counts["all"] += 1
        counts["N - 1"] += best.phases == nodes - 1
        counts["above"] += best.bound > nodes - 1
        counts["raised"] += best.bound > Exchange.of(network).bound
    line = (
        f"{counts['all']} connected graphs of {nodes} nodes: {counts['N - 1']} in N - 1 phases, {counts['above']} with "
        f"a bound above, {counts['raised']} of them above the heaviest load"
    )
    return line, met and counts["all"] == CONNECTED[nodes]


def searched(network: Network, options: argparse.Namespace) -> OrderSolution:
    """Return the best order of a search."""
    *_, best = search_order(network, seconds=options.seconds, evaluations=options.evaluations, seed=options.seed)
    return best


def main() -> int:
    """Search, print, and with --check compare with the goals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each search")
    parser.add_argument("--evaluations", type=int, help="of each search, instead of or beside a time limit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--instances", type=int, help="only the first ones")
    parser.add_argument("--graphs", type=int, default=8, help="nodes of the largest small graphs; 0 for none")
    parser.add_argument("--routing", default="shortest", help="of the small graphs")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    print(COLUMNS.format("instance", "degree", "phases", "bound", "free", "gap", "evaluations", "seconds"), flush=True)
    xor = check_order(Network(DirectHypercube(n=6)), order_named("xor", range(64)))
    met = xor.contention_free and xor.order.phases == xor.bound == 63
    print(COLUMNS.format("6-cube, dimension order, XOR", 6, xor.order.phases, xor.bound, 63, "0.0 %", 0, "0.0"))
    for degree, network in list(instances())[: options.instances]:
        best = searched(network, options)
        met = met and check_order(network, best.order).contention_free
        met = met and best.phases <= (1 + GOALS.get(degree, GOAL)) * best.bound
        cells = best.phases, best.bound, free_routing_bound(network), f"{100 * best.gap:.1f} %", best.evaluations
        print(COLUMNS.format(title_of(network), degree, *cells, f"{best.seconds:.1f}"), flush=True)
    for nodes in range(2, options.graphs + 1):
        line, optimal = small_graphs(nodes, options.routing)
        met = met and optimal
        print(line, flush=True)
    return int(options.check and not met)


if __name__ == "__main__":
    sys.exit(main())
