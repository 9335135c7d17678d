"""Graphs that others have written: lists of edges, and GraphML."""

from pathlib import Path

from .errors import InputError
from .input_file import read_input
from .topologies.graph import Edge

GRAPHML = (".graphml", ".xml")
LENGTH = "length_m"  # attribute of an edge


def read_edges(path: str | Path) -> tuple[Edge, ...]:
    """Return the edges of a file, in its order.

    A file whose name ends in ``.graphml`` or ``.xml`` is GraphML: its vertices are the switches, in the order of the
    file, and edges may have an attribute ``length_m``. Any other file has a line for each edge: two switches and, if it
    is known, the length of the cable in metres; what follows a ``#`` is a comment.

    Raises
    ------
    InputError
        If it cannot be read, or is none of them, naming the file and the line.
    """
    file = Path(path)
    try:
        text = read_input(file)
    except OSError as error:
        raise InputError(f"network.file={file}: {error.strerror}; expected a file of edges") from error
    edges = _graphml(file) if file.suffix.lower() in GRAPHML else _listed(file, text)
    if not edges:
        raise InputError(f"network.file={file}: no edge in it; expected a list of edges, or GraphML")
    return edges


def _listed(file: Path, text: bytes) -> tuple[Edge, ...]:
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
                f"network.file={file}: line {number} is {shown!r}; expected two switches and a length in metres"
            ) from error
    return tuple(edges)


def _graphml(file: Path) -> tuple[Edge, ...]:
    import igraph  # heavy: only where GraphML is read

    try:
        graph = igraph.Graph.Read_GraphML(str(file))
    except (igraph.InternalError, OSError) as error:
        raise InputError(f"network.file={file}: no GraphML that igraph can read; expected GraphML") from error
    lengths = graph.es[LENGTH] if LENGTH in graph.es.attributes() else [None] * graph.ecount()
    ends = graph.get_edgelist()
    return tuple(
        (a, b) if length is None or length != length else (a, b, float(length))
        for (a, b), length in zip(ends, lengths, strict=True)
    )
