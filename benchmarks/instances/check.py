"""Check a graph from its edge list alone, and print its distances: `python check.py FILE --degree 3`.

A line of FILE is an edge: two vertices, numbers from 0. Several files are planes of the same vertices, whose distance
is the least over the planes, each of them simple and connected. With --degree D all vertices have D edges in each
plane. With --hosts N the vertices 0 to N - 1 are hosts, with one edge in each plane, and distances are those between
hosts; the others are switches, with at most P edges by --ports P. With --places FILE, a permutation p in each line,
there is a further plane for each line, which joins x and y where the edge list joins p(x) and p(y). It needs Python
3.10 and nothing else.
"""

import argparse
import sys
from pathlib import Path

Numbers = list[list[int]]


def numbers_in(path: str) -> Numbers:
    """Return the numbers of each line of a file that is not blank."""
    found = []
    for number, line in enumerate(Path(path).read_text(encoding="ascii", errors="replace").splitlines(), 1):
        words = line.split()
        if not all(word.isdecimal() and len(word) < 10 for word in words):
            raise ValueError(f"{path}, line {number}: {line[:40]!r}; expected numbers from 0 to 999999999 alone")
        found += [list(map(int, words))] if words else []
    if not found:
        raise ValueError(f"{path}: has no numbers; expected some in each line")
    return found


def moved(edges: Numbers, places: list[int]) -> Numbers:
    """Return the edges of a plane whose switches have other places."""
    vertex_at = {place: vertex for vertex, place in enumerate(places)}
    if len(places) != 1 + max(map(max, edges)) or sorted(places) != list(range(len(places))):
        raise ValueError("places: expected a permutation of all vertices")
    return [[vertex_at[end] for end in edge] for edge in edges]


def neighbours_of(edges: Numbers) -> Numbers:
    """Return the neighbours of each vertex of a simple connected graph."""
    found: dict[int, list[int]] = {0: []}
    for edge in edges:
        if len(edge) != 2 or edge[0] == edge[1] or edge[1] in found.get(edge[0], ()):
            raise ValueError(f"edge {edge}: expected two different vertices, and no edge twice")
        for end, other in (edge, edge[::-1]):
            found.setdefault(end, []).append(other)
    reached = [0]
    for vertex in reached:  # which grows
        reached += set(found[vertex]).difference(reached)
    if sorted(reached) != list(range(len(found))):
        raise ValueError(f"{len(reached)} vertices are connected with vertex 0; expected 0 to {max(found)}")
    return [found[vertex] for vertex in range(len(found))]


def check(planes: list[Numbers], degree: int | None, hosts: int | None, ports: int | None) -> tuple[int, int]:
    """Return the diameter and the sum of distances over ordered pairs; a ValueError says what is wrong."""
    graphs, sums = [neighbours_of(edges) for edges in planes], []
    vertices = hosts or len(graphs[0])
    for graph in graphs:
        if not vertices <= len(graph) == len(graphs[0]):
            raise ValueError(f"{len(graph)} vertices in a plane; expected {max(vertices, len(graphs[0]))} in each")
        for vertex, others in enumerate(graph):
            least, most = (1, 1) if vertex < (hosts or 0) else (degree or 1, degree or ports or len(others))
            if not least <= len(others) <= most:
                raise ValueError(f"vertex {vertex} has {len(others)} edges; expected {least} to {most}")
    near = [[1 << vertex for vertex in range(len(graph))] for graph in graphs]  # a bit for each vertex within some hops
    while not sums or sums[-1] < vertices**2:
        sums.append(0)
        for vertex in range(vertices):
            union = 0
            for plane in near:
                union |= plane[vertex]
            sums[-1] += (union & ((1 << vertices) - 1)).bit_count()
        for number, (graph, old) in enumerate(zip(graphs, list(near), strict=True)):
            near[number] = list(old)
            for vertex, others in enumerate(graph):
                for other in others:
                    near[number][vertex] |= old[other]
    return len(sums) - 1, sum(vertices**2 - count for count in sums)


def main() -> int:
    """Check the files of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="+")
    parser.add_argument("--places")
    for name in ("degree", "hosts", "ports"):
        parser.add_argument(f"--{name}", type=int)
    options = parser.parse_args()
    for name, least in (("degree", 1), ("hosts", 2), ("ports", 1)):
        if (number := getattr(options, name)) is not None and number < least:
            parser.error(f"argument --{name}: {number}; expected at least {least}")
    try:
        planes = [numbers_in(file) for file in options.file]
        planes += [moved(planes[0], places) for places in (numbers_in(options.places) if options.places else ())]
        diameter, hops = check(planes, options.degree, options.hosts, options.ports)
    except (OSError, ValueError) as error:
        print(f"wrong: {error}", file=sys.stderr)
        return 1
    vertices = options.hosts or 1 + max(map(max, planes[0]))
    pairs = vertices * (vertices - 1)
    print(f"{vertices} vertices, diameter {diameter}, ASPL {hops}/{pairs} = {hops / pairs:.6f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
