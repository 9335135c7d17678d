"""Vertices and edges of GraphML with their attributes and line numbers."""

from collections import Counter
from dataclasses import dataclass, field
from xml.parsers import expat

from isoplane.models import InputError

from .importer import Source

EXPECTED = "GraphML"
MAX_TEXT = 1 << 12


@dataclass
class Element:
    """A vertex or an edge.

    Attributes
    ----------
    id
        The id of a vertex.
    ends
        The ids of both vertices of an edge.
    line
        The line where it begins.
    data
        Its attributes, by name.
    """

    id: str
    ends: tuple[str, str]
    line: int
    data: dict[str, str] = field(default_factory=dict)


def read_graphml(source: Source) -> tuple[list[Element], list[Element]]:
    """Return the vertices and edges of the graphs in a file, in order.

    If a directed graph has every edge in both directions, as from one port of a cable to the other, one is returned.

    Raises
    ------
    InputError
        If it is not well-formed, has a document type, an element lacks an attribute, or only some edges of a directed
        graph are in both directions; the message names the line.
    """
    reader = _Reader(source)
    try:
        reader.parser.Parse(source.text, True)
    except expat.ExpatError as error:
        raise source.wrong(error.lineno, expat.ErrorString(error.code), EXPECTED) from error
    return reader.vertices, _once(source, reader.edges) if reader.is_directed else reader.edges


def _once(source: Source, edges: list[Element]) -> list[Element]:
    """Return one of both directions of every edge; all edges if each is in one direction only."""
    count = Counter(edge.ends for edge in edges)
    backward = [count[edge.ends[::-1]] for edge in edges]
    if not any(backward):
        return edges
    for edge, back in zip(edges, backward, strict=True):
        if back != count[edge.ends]:
            problem = f"{count[edge.ends]} edges from {edge.ends[0]} to {edge.ends[1]}, but {back} back"
            raise source.wrong(edge.line, problem, "all edges in both directions, or none")
    return [edge for edge in edges if edge.ends[0] <= edge.ends[1]]


class _Reader:
    """Collects elements while a file is parsed."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.vertices: list[Element] = []
        self.edges: list[Element] = []
        self.names: dict[str, tuple[str, str]] = {}  # of keys: the name, and what they describe
        self.defaults: dict[str, str] = {}
        self.element: Element | None = None
        self.key: str | None = None
        self.text = ""
        self.is_directed = False
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype

    def doctype(self, *_: object) -> None:
        raise self.wrong("a document type, which may define entities")

    def wrong(self, problem: str) -> InputError:
        """Return the error of the current line."""
        return self.source.wrong(self.parser.CurrentLineNumber, problem, EXPECTED)

    def start(self, tag: str, given: dict[str, str]) -> None:
        """Begin an element."""
        name = tag.rpartition(":")[2]
        needed = {"node": ("id",), "edge": ("source", "target"), "key": ("id",), "data": ("key",)}.get(name, ())
        for attribute in needed:
            if attribute not in given:
                raise self.wrong(f"{name} without {attribute}")
        if name == "key":
            self.key = given["id"]
            self.names[self.key] = given.get("attr.name", self.key), given.get("for", "all")
        elif name in ("node", "edge"):
            ends = (given["source"], given["target"]) if name == "edge" else ("", "")
            self.element = Element(given.get("id", ""), ends, self.parser.CurrentLineNumber)
            (self.edges if name == "edge" else self.vertices).append(self.element)
            for key, value in self.defaults.items():
                if self.names[key][1] in (name, "all"):
                    self.element.data[self.names[key][0]] = value
        elif "edgedefault" in given:  # of a graph
            self.is_directed |= given["edgedefault"] == "directed"
        elif name in ("data", "default"):
            self.key = given.get("key", self.key)
            self.text = ""
        elif name in ("hyperedge", "port"):
            raise self.wrong(f"the element {name}, which is not supported")

    def characters(self, text: str) -> None:
        """Add to the text of an attribute."""
        if len(self.text) < MAX_TEXT:
            self.text += text

    def end(self, tag: str) -> None:
        """End an element."""
        name = tag.rpartition(":")[2]
        if name == "default" and self.key is not None:
            self.defaults[self.key] = " ".join(self.text.split())
        elif name == "data" and self.key is not None and self.element is not None:
            if self.key not in self.names:
                raise self.wrong(f"the key {self.key}, which is not defined")
            self.element.data[self.names[self.key][0]] = " ".join(self.text.split())
        elif name in ("node", "edge"):
            self.element = None
