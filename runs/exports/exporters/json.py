"""JSON with the whole graph of a design, and its routes if wanted."""

import json
from collections.abc import Iterable, Iterator

from isoplane.models import Plane
from isoplane.models.checks import check_bool
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.mathematics.occurrences import members

from ..device_graph import Columns, device_graph, rows
from ..exporter import Exported, Exporter, Files, as_bytes
from ..switch_paths import plane_targets, require_few_routes, sources_of, switch_paths

SCHEMA_VERSION = 1


def files(exported: Exported) -> Files:
    """Yield one file: vertices, links and, with the option ``routes``, the routes of each plane."""
    with_routes = check_bool("routes", exported.option("routes"))
    if with_routes:
        require_few_routes("json", exported.wired.planes)
    yield "network.json", as_bytes(_lines(exported, *device_graph(exported), with_routes=with_routes))


def _lines(exported: Exported, vertices: Columns, edges: Columns, *, with_routes: bool) -> Iterator[str]:
    network = exported.wired
    yield "{"
    head = {
        "schema_version": SCHEMA_VERSION,
        "record": exported.content["id"],
        "title": network.title,
        "policy": network.policy,
        "nodes": network.nodes,
        "switches": [plane.topology.switches for plane in network.cabling],
    }
    yield from (f"{_text(key)}: {_text(value)}," for key, value in head.items())
    yield from _array("vertices", map(_text, rows(vertices)))
    yield ","
    yield from _array("links", map(_text, rows(edges)))
    if with_routes:
        yield ","
        yield from _array("targets", (_text(_target_names(plane)) for plane in network.planes))
        yield ","
        yield from _array("routes", _routes(network.planes))
    yield "}"


def _routes(planes: tuple[Plane, ...]) -> Iterator[str]:
    """Yield the ports, from 1, on the routes of each plane from each switch with nodes to every target."""
    for number, plane in enumerate(planes):
        targets, _ = plane_targets(plane)
        for source in sources_of(plane):
            ports, _ = switch_paths(plane, source, targets)
            shown = [[port + 1 for port in route] for route in ports]
            yield _text({"plane": number, "source": switch_name(number, source), "ports": shown})


def _target_names(plane: Plane) -> list[list[str]]:
    """Return the names of the nodes of each target."""
    _, target_of_link = plane_targets(plane)
    return [[node_name(node) for node in plane.node[links].tolist()] for links in members(target_of_link)]


def _array(name: str, items: Iterable[str]) -> Iterator[str]:
    """Yield the lines of an array with one item in each."""
    yield f"{_text(name)}: ["
    before = None
    for item in items:
        if before is not None:
            yield f"{before},"
        before = item
    if before is not None:
        yield before
    yield "]"


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


EXPORTER = Exporter("all planes as one graph, with routes if wanted", None, files)
