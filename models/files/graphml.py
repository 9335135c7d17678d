"""GraphML: vertices and edges with their attributes and line numbers.

It is read here rather than by igraph, which orders the ends of undirected edges: their ports would change places.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from ..errors import InputError
from ..topologies.graph import require_cables_once

EXPECTED = "GraphML"
MAX_TEXT = 1 << 12
PORT_NAMES = (  # attributes of an edge with the ports at both ends, as several programs call them
    ("source_port", "target_port"),
    ("port", "other_port"),
    ("switch_port", "other_port"),
    ("port_a", "port_b"),
)
LENGTH, RATE, DELAY = "length_m", "rate_gbps", "delay_ns"
KINDS = ("kind", "type")  # attributes of a vertex
NODE_KINDS = ("node", "host", "terminal", "adapter", "hca", "ca", "nic")
NODE_COUNT = "nodes"  # an attribute of a switch


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
    is_directed
        Whether an edge is directed.
    data
        Its attributes, by name.
    """

    id: str
    ends: tuple[str, str]
    line: int
    is_directed: bool = False
    data: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """What the file calls the kind of a vertex; empty if it does not."""
        return next((self.data[key].lower() for key in KINDS if key in self.data), "")

    @property
    def port_names(self) -> tuple[str, str]:
        """The attributes with the ports at both ends of an edge."""
        return next((pair for pair in PORT_NAMES if pair[0] in self.data), PORT_NAMES[0])

    def known(self, key: str) -> str:
        """Return the value of an attribute; empty if it is unknown."""
        value = self.data.get(key, "")
        return "" if value.lower() == "nan" else value


def read_graphml(name: str, content: bytes) -> tuple[list[Element], list[Element]]:
    """Return the vertices and the cables of the graphs in a file, in order.

    An edge is a cable. If directed edges join the same vertices in both directions, as from one port of a cable to the
    other, both are one cable, and one of them is returned.

    Parameters
    ----------
    name
        What messages call the file.
    content
        Its content, in UTF-8 or in the encoding that it declares.

    Raises
    ------
    InputError
        If it is not well-formed or has a document type; an element lacks an attribute, or a vertex is there twice or
        is none; or only some directed edges are in both directions, or differ in them. The message names the line.
    """
    reader = _Reader(name)
    try:
        reader.parser.Parse(content, True)
    except InputError:
        raise
    except expat.ExpatError as error:
        problem = expat.ErrorString(error.code)
        raise InputError(f"{name}: line {error.lineno}: {problem}; expected {EXPECTED}") from error
    except (LookupError, ValueError) as error:  # an encoding that Python does not know, or of several bytes
        raise InputError(f"{name}: line 1: {error}; expected {EXPECTED} in UTF-8") from error
    known: set[str] = set()
    for vertex in reader.vertices:
        if vertex.id in known:
            raise _wrong(name, vertex, f"vertex {vertex.id} again", "each vertex once")
        known.add(vertex.id)
    for edge in reader.edges:
        for end in edge.ends:
            if end not in known:
                raise _wrong(name, edge, f"an edge of vertex {end}", "one of the vertices")
    return reader.vertices, _cables(name, reader.edges)


def _wrong(name: str, element: Element, problem: str, expected: str) -> InputError:
    return InputError(f"{name}: line {element.line}: {problem}; expected {expected}")


def _cables(name: str, edges: list[Element]) -> list[Element]:
    """Return one of both directions of directed edges; all edges if each is in one direction only."""
    directed = [edge for edge in edges if edge.is_directed]
    if not directed and not any(edge.known(edge.port_names[0]) for edge in edges):  # ports tell parallel cables apart
        require_cables_once(name, [edge.ends for edge in edges])
    count = Counter(edge.ends for edge in directed)
    backward = [count[edge.ends[::-1]] for edge in directed]
    if not any(backward):
        return edges
    for edge, back in zip(directed, backward, strict=True):
        if back != count[edge.ends]:
            problem = f"{count[edge.ends]} edges from {edge.ends[0]} to {edge.ends[1]}, but {back} back"
            raise _wrong(name, edge, problem, "all edges in both directions, or none")
    stated = Counter(_stated(edge) for edge in directed)
    for edge in directed:
        (a, b), (port, other), *rest = values = _stated(edge)
        if stated[(b, a), (other, port), *rest] != stated[values]:
            problem = f"the edges between {a} and {b} differ in both directions"
            raise _wrong(name, edge, problem, f"the same ports, {LENGTH}, {RATE} and {DELAY}")
    return [edge for edge in edges if not edge.is_directed or edge.ends[0] <= edge.ends[1]]


def _stated(edge: Element) -> tuple[tuple[str, ...], ...]:
    """Return the ends, the ports and the other values of an edge that both of its directions have in common."""
    ports = tuple(map(edge.known, edge.port_names))
    return edge.ends, ports, tuple(map(edge.known, (LENGTH, RATE, DELAY)))


class _Reader:
    """Collects elements while a file is parsed."""

    def __init__(self, file: str) -> None:
        self.file = file
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

    def doctype(self, *_: object) -> NoReturn:
        raise self.wrong("a document type, which may define entities")

    def wrong(self, problem: str) -> InputError:
        """Return the error of the current line."""
        return InputError(f"{self.file}: line {self.parser.CurrentLineNumber}: {problem}; expected {EXPECTED}")

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
            self.begin(name, given)
        elif "edgedefault" in given:
            self.is_directed = given["edgedefault"] == "directed"
        elif name in ("data", "default"):
            self.key = given.get("key", self.key)
            self.text = ""
        elif name in ("hyperedge", "port"):
            raise self.wrong(f"the element {name}, which is not supported")

    def begin(self, name: str, given: dict[str, str]) -> None:
        """Begin a vertex or an edge, with the defaults of its attributes."""
        ends = (given["source"], given["target"]) if name == "edge" else ("", "")
        is_directed = given["directed"] == "true" if "directed" in given else self.is_directed
        self.element = Element(given.get("id", ""), ends, self.parser.CurrentLineNumber, is_directed)
        (self.edges if name == "edge" else self.vertices).append(self.element)
        for key, value in self.defaults.items():
            if self.names[key][1] in (name, "all"):
                self.element.data[self.names[key][0]] = value

    def characters(self, text: str) -> None:
        """Add to the text of an attribute."""
        if len(self.text) < MAX_TEXT:
            self.text += text

    def end(self, tag: str) -> None:
        """End an element."""
        name = tag.rpartition(":")[2]
        if name == "default" and self.key in self.names:
            self.defaults[self.key] = " ".join(self.text.split())
        elif name == "data" and self.key is not None and self.element is not None:
            if self.key not in self.names:
                raise self.wrong(f"the key {self.key}, which is not defined")
            self.element.data[self.names[self.key][0]] = " ".join(self.text.split())
        elif name in ("node", "edge"):
            self.element = None
