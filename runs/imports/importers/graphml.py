"""GraphML: vertices are switches and nodes, with names; edges have ports, lengths, rates and delays if known."""

from isoplane.models import InputError
from isoplane.models.checks import check_int, exact_number
from isoplane.models.device_names import NODE
from isoplane.models.files.graphml import DELAY, LENGTH, NODE_COUNT, NODE_KINDS, RATE, Element, read_graphml

from ..fabric_names import sorted_names
from ..importer import CableEntry, Importer, Listing, Source

NAMES = ("label", "name", "id")  # attributes of a vertex that may hold its name


def read(source: Source) -> Listing:
    """Return the vertices as switches, or as nodes by their ``kind``, or by names such as ``N5`` without any kind."""
    vertices, edges = read_graphml(source.name, source.content)
    has_kinds = any(vertex.kind for vertex in vertices)
    name_of: dict[str, str] = {}
    nodes, nodes_at = set(), {}
    use = _name_attribute(vertices)
    for vertex in vertices:
        name = vertex.data.get(use, vertex.id) if use else vertex.id
        name_of[vertex.id] = name
        if vertex.kind in NODE_KINDS if has_kinds else NODE.fullmatch(name):
            nodes.add(name)
        elif NODE_COUNT in vertex.data:
            nodes_at[name] = _nodes(source, vertex)
    names = sorted_names(name_of.values())
    if len(nodes) == len(names):
        nodes = set()
    links = [_link(source, edge, name_of) for edge in edges]
    return Listing(
        tuple(name for name in names if name not in nodes),
        tuple(name for name in names if name in nodes),
        tuple(links),
        nodes_at,
        has_kinds=has_kinds or bool(nodes_at),
    )


def _name_attribute(vertices: list[Element]) -> str | None:
    """Return the attribute with the names of vertices: the first that all have, all different."""
    for key in NAMES:
        values = {vertex.data[key] for vertex in vertices if vertex.data.get(key)}
        if vertices and len(values) == len(vertices):
            return key
    return None


def _nodes(source: Source, vertex: Element) -> int:
    try:
        number = exact_number("nodes", vertex.data["nodes"], high=1024)
        return check_int("nodes", int(number) if number.denominator == 1 else None, 0)
    except InputError as error:
        raise source.wrong(vertex.line, f"nodes={vertex.data['nodes']}", "a number of nodes up to 1024") from error


def _link(source: Source, edge: Element, name_of: dict[str, str]) -> CableEntry:
    names = edge.port_names
    numbers = {}
    for key in (*names, LENGTH, RATE, DELAY):
        value = edge.known(key)
        try:
            numbers[key] = exact_number(key, value, high=10**7) if value else None
        except InputError as error:
            raise source.wrong(edge.line, f"{key}={edge.data[key]}", "a number of at least 0") from error
    ports = []
    for key in names:
        number = numbers[key]
        if number is not None and number.denominator != 1:
            raise source.wrong(edge.line, f"{key}={edge.data[key]}", "a port number")
        ports.append(None if number is None else number.numerator)
    return CableEntry(
        (name_of[edge.ends[0]], name_of[edge.ends[1]]),
        edge.line,
        (ports[0], ports[1]),
        numbers[LENGTH],
        numbers[RATE],
        numbers[DELAY],
    )


def accepts(source: Source) -> bool:
    """Whether its name is that of GraphML, or it contains the root."""
    return source.suffix == ".graphml" or "<graphml" in source.text[:4096]


IMPORTER = Importer("GraphML", accepts, read)
