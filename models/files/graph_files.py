"""Readers of graph files: edge lists and GraphML."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ..checks import check_int, decimal_number, millimetres
from ..errors import InputError
from ..mathematics.grid import MAX_SWITCHES
from ..topologies.graph import Edge, require_cables_once
from .bounded_file import read_uncompressed, suffix_of
from .graphml import DELAY, LENGTH, NODE_COUNT, NODE_KINDS, RATE, Element, read_graphml

GRAPHML_SUFFIXES = (".graphml", ".xml")
COMMENT = re.compile(r"(?:^|(?<=\s))(?:#|//)")
SEPARATORS, WITH_SEMICOLONS = re.compile(r"[\s,]+"), re.compile(r"[\s,;]+")
OTHER_FORMATS = {
    "GML": re.compile(r"(?:\s*#.*\n|\s*[A-Z]\w* .*\n)*\s*graph\s*\["),
    "DOT": re.compile(r"(?:\s*(?://|#).*\n)*\s*(?:strict\s+)?(?:di)?graph\b[^\[\n{]*\{"),
}
EXPECTED = "an edge list or a GraphML file"
OF_IMPORT = "a graph of switches; isoplane import reads"


def read_edges(path: str | Path) -> tuple[Edge, ...]:
    """Return the edges of a file, in file order; a file whose name ends in ``.gz`` is uncompressed.

    A file whose name ends in ``.graphml`` or ``.xml`` is GraphML: its vertices are the switches, in the order of the
    file, and edges may have an attribute ``length_m``. Any other file has one edge per line: two switches and,
    optionally, the length of the cable in metres (`edge_words`).

    Raises
    ------
    InputError
        If the file cannot be read or is in another format, or may have every cable twice; the message names the file
        and the line.
    """
    file, name = Path(path), f"network.file={path}"
    try:
        content = read_uncompressed(file)
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}; expected {EXPECTED}") from error
    edges = (_graphml_edges if suffix_of(file) in GRAPHML_SUFFIXES else _listed_edges)(name, content)
    if not edges:
        raise InputError(f"{name}: no edges; expected {EXPECTED}")
    return edges


def refuse_other_formats(name: str, text: str) -> None:
    """Raise an `InputError` for a graph in a format that another program can convert."""
    for title, pattern in OTHER_FORMATS.items():
        if pattern.match(text):
            convert = "for example by igraph: igraph.Graph.Read_GML('a.gml').write_graphml('a.graphml')"
            raise InputError(f"{name}: {title}; expected GraphML, {convert if title == 'GML' else 'or an edge list'}")


def edge_words(text: str) -> Iterator[tuple[int, list[str]]]:
    r"""Yield the words of each line of an edge list that has any, with its number from 1.

    Words are separated by blanks or commas; by semicolons only in a line where they cannot be a part of names, because
    it has fewer than two words otherwise or a word begins or ends with one. A ``#`` or ``//`` at the start or after a
    blank begins a comment.

    Examples
    --------
    >>> list(edge_words("a b 2.5 # long\n// nothing\nb;c;3\nMF0;x#2:U1, n//1"))
    [(1, ['a', 'b', '2.5']), (3, ['b', 'c', '3']), (4, ['MF0;x#2:U1', 'n//1'])]
    """
    for number, line in enumerate(text.split("\n"), start=1):
        code = COMMENT.split(line, maxsplit=1)[0]
        words = [word for word in SEPARATORS.split(code) if word]
        if len(words) < 2 or any(word[0] == ";" or word[-1] == ";" for word in words):
            words = [word for word in WITH_SEMICOLONS.split(code) if word]
        if words:
            yield number, words


def _listed_edges(name: str, content: bytes) -> tuple[Edge, ...]:
    text = content.decode("utf-8", "backslashreplace")
    refuse_other_formats(name, text)
    edges: list[Edge] = []
    for number, words in edge_words(text):
        try:
            if len(words) not in (2, 3):
                raise ValueError
            ends = int(words[0]), int(words[1])
            edges.append((*ends, float(words[2])) if len(words) == 3 else ends)
        except ValueError as error:
            shown = " ".join(words)[:40]
            raise InputError(
                f"{name}: line {number} is {shown!r}; expected two switches and, optionally, a length in metres"
            ) from error
        _require_edge(f"{name}: line {number}", edges[-1])
    require_cables_once(name, [edge[:2] for edge in edges])
    return tuple(edges)


def _require_edge(place: str, edge: Edge) -> None:
    """Raise an `InputError` that names the place of an edge in a file, unless it joins two switches."""
    for end in edge[:2]:
        check_int(f"{place}: switch", end, 0, MAX_SWITCHES - 1)
    if edge[0] == edge[1]:
        raise InputError(f"{place}: an edge from switch {edge[0]} to itself; expected edges between two switches")
    if len(edge) == 3:
        millimetres(f"{place}: length", edge[2])


def _graphml_edges(name: str, content: bytes) -> tuple[Edge, ...]:
    vertices, cables = read_graphml(name, content)
    for element in (*vertices, *cables):
        if problem := _beyond_switches(element):
            raise InputError(f"{name}: line {element.line}: {problem}")
    index = {vertex.id: number for number, vertex in enumerate(vertices)}
    edges: list[Edge] = []
    used: Counter[str] = Counter()
    for cable in cables:
        a, b = (index[end] for end in cable.ends)
        for end, key in zip(cable.ends, cable.port_names, strict=True):
            used[end] += 1
            if cable.known(key) not in ("", f"{used[end]}"):
                problem = f"{key}={cable.known(key)[:40]} at edge {used[end]} of {end}"
                expected = f"expected {used[end]}, the ports being in the order of edges, or {OF_IMPORT} {key}"
                raise InputError(f"{name}: line {cable.line}: {problem}; {expected}")
        length = cable.known(LENGTH)
        try:
            edges.append((a, b, decimal_number(LENGTH, length)) if length else (a, b))
        except InputError as error:
            raise InputError(f"{name}: line {cable.line}: {error}") from error
        _require_edge(f"{name}: line {cable.line}", edges[-1])
    return tuple(edges)


def _beyond_switches(element: Element) -> str:
    """Return what an element has that is lost in a graph of switches; empty if nothing."""
    if element.kind in NODE_KINDS:
        return f"vertex {element.id} of kind {element.kind}; expected {OF_IMPORT} nodes"
    for key in (RATE, DELAY, NODE_COUNT):
        if element.known(key):
            return f"{key}={element.known(key)[:40]}; expected {OF_IMPORT} {key}"
    return ""
