"""GraphML, which graph libraries and drawing programs read."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from ..device_graph import Columns, Value, cell, device_graph, rows
from ..exporter import Exported, Exporter, Files, as_bytes

TYPES = {
    "kind": "string",
    "plane": "int",
    "index": "int",
    "label": "string",
    "rack": "string",
    "x_m": "double",
    "y_m": "double",
    "source_port": "int",
    "target_port": "int",
    "length_m": "double",
    "rate_gbps": "double",
    "delay_ns": "double",
}
NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


def files(exported: Exported) -> Files:
    """Yield one file, with all planes as one graph."""
    yield "network.graphml", as_bytes(_lines(exported.network.title, *device_graph(exported)))


def _lines(title: str, vertices: Columns, edges: Columns) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<graphml xmlns={quoteattr(NAMESPACE)}>"
    yield '  <key id="g_title" for="graph" attr.name="title" attr.type="string"/>'
    for element, columns in (("node", vertices), ("edge", edges)):
        for name in [name for name in columns if name in TYPES]:
            yield f'  <key id="{element[0]}_{name}" for="{element}" attr.name="{name}" attr.type="{TYPES[name]}"/>'
    yield '  <graph id="network" edgedefault="undirected">'
    yield f'    <data key="g_title">{escape(title)}</data>'
    for row in rows(vertices):
        vertex = row.pop("id")
        yield f'    <node id="{vertex}">{_data("n", row)}</node>'
    for row in rows(edges):
        source, target = row.pop("source"), row.pop("target")
        yield f'    <edge source="{source}" target="{target}">{_data("e", row)}</edge>'
    yield "  </graph>"
    yield "</graphml>"


def _data(element: str, row: dict[str, Value]) -> str:
    return "".join(f'<data key="{element}_{name}">{escape(cell(value))}</data>' for name, value in row.items())


EXPORTER = Exporter(
    "all planes as one graph: switches, nodes, cables, ports, lengths, rates, delays, places", "networkx", files
)
