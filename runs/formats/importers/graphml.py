"""GraphML: vertices are switches and nodes, with names; edges have ports, lengths, rates and delays if known."""

from isoplane.models import InputError
from isoplane.models.checks import check_int, exact_number
from isoplane.models.names import NODE

from ..fabric_names import sorted_names
from ..graphml_reader import Element, read_graphml
from ..importer import Found, FoundLink, Importer, Source

NAMES = ("label", "name", "id")  # attributes of a vertex that may hold its name
KINDS = ("kind", "type")
NODE_KINDS = ("node", "host", "terminal", "adapter", "hca", "ca", "nic")
PORTS = ("source_port", "target_port")
SAME_PORTS = (("port", "other_port"), ("switch_port", "other_port"), ("port_a", "port_b"))  # as others call them


def read(source: Source) -> Found:
    """Return the vertices as switches, or as nodes by their ``kind``, or by names such as ``N5`` without any kind."""
    vertices, edges = read_graphml(source)
    has_kinds = any(_kind(vertex) for vertex in vertices)
    name_of: dict[str, str] = {}
    nodes, nodes_at = set(), {}
    use = _name_attribute(vertices)
    for vertex in vertices:
        name = vertex.data.get(use, vertex.id) if use else vertex.id
        if vertex.id in name_of:
            raise source.wrong(vertex.line, f"vertex {vertex.id} again", "each vertex once")
        name_of[vertex.id] = name
        if _kind(vertex) in NODE_KINDS if has_kinds else NODE.fullmatch(name):
            nodes.add(name)
        elif "nodes" in vertex.data:
            nodes_at[name] = _nodes(source, vertex)
    names = sorted_names(name_of.values())
    if len(nodes) == len(names):
        nodes = set()
    links = [_link(source, edge, name_of) for edge in edges]
    return Found(
        tuple(name for name in names if name not in nodes),
        tuple(name for name in names if name in nodes),
        tuple(links),
        nodes_at,
    )


def _kind(vertex: Element) -> str:
    return next((vertex.data[key].lower() for key in KINDS if key in vertex.data), "")


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


def _link(source: Source, edge: Element, name_of: dict[str, str]) -> FoundLink:
    for end in edge.ends:
        if end not in name_of:
            raise source.wrong(edge.line, f"an edge of vertex {end}", "one of the vertices")
    names = next((pair for pair in (PORTS, *SAME_PORTS) if pair[0] in edge.data), PORTS)
    numbers = {}
    for key in (*names, "length_m", "rate_gbps", "delay_ns"):
        try:
            is_known = edge.data.get(key, "").lower() not in ("", "nan")
            numbers[key] = exact_number(key, edge.data[key], high=10**7) if is_known else None
        except InputError as error:
            raise source.wrong(edge.line, f"{key}={edge.data[key]}", "a number of at least 0") from error
    ports = []
    for key in names:
        value = numbers[key]
        if value is not None and value.denominator != 1:
            raise source.wrong(edge.line, f"{key}={edge.data[key]}", "a port number")
        ports.append(None if value is None else value.numerator)
    return FoundLink(
        (name_of[edge.ends[0]], name_of[edge.ends[1]]),
        edge.line,
        (ports[0], ports[1]),
        numbers["length_m"],
        numbers["rate_gbps"],
        numbers["delay_ns"],
    )


def accepts(source: Source) -> bool:
    """Whether its name is that of GraphML, or it contains the root."""
    return source.path.suffix.lower() == ".graphml" or "<graphml" in source.text[:4096]


IMPORTER = Importer("GraphML", accepts, read)
