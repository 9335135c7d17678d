"""Graphs and routing tables for the topology AnyTopo of merlin, the network simulator of SST."""

import json
from collections import Counter
from collections.abc import Iterator

import numpy as np

from isoplane.models import Plane
from isoplane.models.arrays import rows_of

from ..exporter import PACKETS, Exported, Exporter, Files, as_bytes
from ..simple_networks import require_no_parallel_links
from ..switch_paths import plane_targets, require_few_routes, sources_of, switch_paths


def files(exported: Exported) -> Files:
    """Yield three files for each plane: the graph, the routing table, and the node of each endpoint."""
    require_no_parallel_links("sst_merlin", exported, of_nodes=False)
    require_few_routes("sst_merlin", exported.network.planes)
    for number, plane in enumerate(exported.network.planes):
        yield f"plane{number}.graphml", as_bytes(_graph(plane))
        yield f"plane{number}-routing_table.json", as_bytes(_table(plane))
        order = np.argsort(plane.node_switch, kind="stable")
        yield f"plane{number}-endpoints.json", as_bytes([json.dumps(plane.node[order].tolist())])


def _graph(plane: Plane) -> Iterator[str]:
    """Yield GraphML in which each router has its number of endpoints, which are numbered in the order of routers."""
    topology = plane.topology
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    yield '  <key id="endpoints" for="node" attr.name="endpoints" attr.type="int"/>'
    yield '  <graph edgedefault="undirected">'
    counts = np.bincount(plane.node_switch, minlength=topology.switches).tolist()
    for switch, count in enumerate(counts):
        yield f'    <node id="{switch}"><data key="endpoints">{count}</data></node>'
    lower, port = topology.cable_ends()
    for source, target in rows_of(lower, topology.peer[lower, port]):
        yield f'    <edge source="{source}" target="{target}"/>'
    yield "  </graph>"
    yield "</graphml>"


def _table(plane: Plane) -> Iterator[str]:
    """Yield a line for each source: by destination, the paths with the share of its nodes that each leads to."""
    targets, target_of_link = plane_targets(plane)
    links = np.bincount(target_of_link, minlength=len(targets)).tolist()
    switches = plane.routes.switch_of(targets).tolist()
    total = np.bincount(plane.node_switch, minlength=plane.topology.switches).tolist()
    sources = sources_of(plane)
    yield "{"
    for source in sources:
        _, paths = switch_paths(plane, source, targets)
        found: dict[int, Counter[tuple[int, ...]]] = {}
        for switch, path, count in zip(switches, paths, links, strict=True):
            found.setdefault(switch, Counter())[tuple(path)] += count
        row = {
            str(switch): [[count / total[switch], path] for path, count in counted.items()]
            for switch, counted in found.items()
        }
        yield f'"{source}":{json.dumps(row, separators=(",", ":"))}{"" if source == sources[-1] else ","}'
    yield "}"


EXPORTER = Exporter("graph and routing table of each plane for AnyTopo of SST merlin", None, files, kinds=PACKETS)
