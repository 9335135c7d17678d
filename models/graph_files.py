"""Readers of graph files: edge lists and GraphML."""

from pathlib import Path

from .errors import InputError
from .input_file import read_input
from .topologies.graph import Edge

GRAPHML_SUFFIXES = (".graphml", ".xml")
LENGTH_ATTRIBUTE = "length_m"  # of a GraphML edge


def read_edges(path: str | Path) -> tuple[Edge, ...]:
    """Return the edges of a file, in file order.

    A file whose name ends in ``.graphml`` or ``.xml`` is GraphML: its vertices are the switches, in the order of the
    file, and edges may have an attribute ``length_m``. Any other file has one edge per line: two switches and,
    optionally, the length of the cable in metres; a ``#`` starts a comment.

    Raises
    ------
    InputError
        If the file cannot be read or is in another format; the message names the file and the line.
    """
    file = Path(path)
    try:
        text = read_input(file)
    except OSError as error:
        raise InputError(f"network.file={file}: {error.strerror}; expected an edge list or a GraphML file") from error
    edges = _read_graphml(file) if file.suffix.lower() in GRAPHML_SUFFIXES else _parse_edge_list(file, text)
    if not edges:
        raise InputError(f"network.file={file}: no edges; expected an edge list or a GraphML file")
    return edges


def _parse_edge_list(file: Path, text: bytes) -> tuple[Edge, ...]:
    edges: list[Edge] = []
    for number, line in enumerate(text.split(b"\n"), start=1):
        words = line.partition(b"#")[0].split()
        if not words:
            continue
        try:
            if len(words) not in (2, 3):
                raise ValueError
            ends = int(words[0]), int(words[1])
            edges.append((*ends, float(words[2])) if len(words) == 3 else ends)
        except ValueError as error:
            shown = line.decode("utf-8", "replace").strip()[:40]
            raise InputError(
                f"network.file={file}: line {number} is {shown!r}; expected two switches and, optionally, a length in "
                "metres"
            ) from error
    return tuple(edges)


def _read_graphml(file: Path) -> tuple[Edge, ...]:
    import igraph  # slow to import: only for GraphML

    try:
        graph = igraph.Graph.Read_GraphML(str(file))
    except (igraph.InternalError, OSError) as error:
        raise InputError(f"network.file={file}: igraph cannot read it; expected GraphML") from error
    lengths = graph.es[LENGTH_ATTRIBUTE] if LENGTH_ATTRIBUTE in graph.es.attributes() else [None] * graph.ecount()
    ends = graph.get_edgelist()
    return tuple(
        (a, b) if length is None or length != length else (a, b, float(length))
        for (a, b), length in zip(ends, lengths, strict=True)
    )
