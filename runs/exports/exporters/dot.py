"""DOT, the language of Graphviz."""

import json
from collections.abc import Iterator

from ..device_graph import Columns, Value, cell, device_graph, rows
from ..exporter import Exported, Exporter, Files, as_bytes


def files(exported: Exported) -> Files:
    """Yield one file, with all planes as one graph."""
    yield "network.dot", as_bytes(_lines(exported.network.title, *device_graph(exported)))


def _lines(title: str, vertices: Columns, edges: Columns) -> Iterator[str]:
    yield "graph network {"
    yield f"  label={json.dumps(title)};"
    for row in rows(vertices):
        name, shape = row.pop("id"), "circle" if row["kind"] == "node" else "box"
        yield f'  "{name}" [{_attributes({**row, "shape": shape})}];'
    for row in rows(edges):
        source, target = row.pop("source"), row.pop("target")
        yield f'  "{source}" -- "{target}" [{_attributes(row)}];'
    yield "}"


def _attributes(row: dict[str, Value]) -> str:
    values = ((name, json.dumps(cell(value), ensure_ascii=False)) for name, value in row.items())
    return ", ".join(f"{name}={value}" for name, value in values)  # quoted, since node is a keyword of DOT


EXPORTER = Exporter("all planes as one graph, for Graphviz", "Graphviz", files)
