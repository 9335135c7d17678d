"""Canonical forms of connection sets: equal if and only if the sets are equivalent under symmetry."""

from collections.abc import Sequence

from ..mathematics import gf2
from .connection_set import ConnectionSet

Matrix = tuple[tuple[int, ...], ...]


def canonical_form(connections: ConnectionSet, folded: bool = False) -> Matrix:
    """Return a matrix over GF(2): equal if and only if the connection sets are isomorphic.

    Isomorphic means: equal up to permuting generators, permuting coordinates and swapping the planes, which replaces A,
    the matrix of the generators, with its inverse; none of these changes distances or loads. In a folded cube of even n
    the folded link is equivalent to any generator, so S(n+1) acts on either side; for odd n the tie-breaking rule
    distinguishes the folded link, and the symmetries are those of the plain cube.

    Notes
    -----
    Rows are generators, columns coordinates. The matrix is the adjacency matrix of a bipartite graph in the canonical
    labelling of BLISS (igraph): the smaller of the matrices for A and for its inverse.

    Examples
    --------
    >>> canonical_form(ConnectionSet(3, (3, 5, 7))) == canonical_form(ConnectionSet(3, (6, 5, 7)))
    True
    """
    connections.require_basis()
    n, generators = connections.n, connections.generators
    inverse = gf2.coordinates_of_units(generators)
    to_matrix = _with_folded_link if folded and n % 2 == 0 else _to_matrix
    return min(_canonical(to_matrix(n, vectors)) for vectors in (generators, inverse))


def joint_canonical_form(planes: Sequence[ConnectionSet], folded: bool = False) -> tuple[Matrix, ...]:
    """Return matrices over GF(2): equal if and only if the networks of several planes are isomorphic.

    Isomorphic means: equal up to permuting the planes, permuting the generators of each, and relabelling the switches
    by a linear map; none of these changes distances or loads. Each plane in turn is the base: the generators of the
    others are expressed in its coordinates, in a single graph, so that the same permutation of coordinates acts on
    every plane. The result is the smallest of these forms.

    Parameters
    ----------
    planes
        At least two, of the same dimension.
    folded
        Whether all are folded; the symmetries are those of `canonical_form`.

    Examples
    --------
    >>> one, two = ConnectionSet(3, (3, 5, 7)), ConnectionSet(3, (1, 3, 7))
    >>> unit = ConnectionSet.unit(3)
    >>> joint_canonical_form((unit, one, two)) == joint_canonical_form((two, unit, one))
    True
    """
    for plane in planes:
        plane.require_basis()
    return min(_in_coordinates_of(base, planes, folded) for base in range(len(planes)))


def _in_coordinates_of(base: int, planes: Sequence[ConnectionSet], folded: bool) -> tuple[Matrix, ...]:
    """Return the canonical form of all other planes in the coordinates of one of them."""
    n, units = planes[base].n, gf2.coordinates_of_units(planes[base].generators)
    extended = folded and n % 2 == 0
    others = []
    for index, plane in enumerate(planes):
        if index != base:
            vectors = [_combine(units, generator) for generator in plane.generators]
            others.append(_with_folded_link(n, vectors) if extended else _to_matrix(n, vectors))
    return _canonical_together(others)


def _combine(units: Sequence[int], vector: int) -> int:
    """Return the coordinates of a vector, given those of every unit vector."""
    value = 0
    for i, unit in enumerate(units):
        value ^= unit if vector >> i & 1 else 0
    return value


def _canonical_together(matrices: Sequence[Matrix]) -> tuple[Matrix, ...]:
    """Return the canonical form of matrices under a common permutation of columns, row permutations and reordering."""
    import igraph  # slow to import: only for canonical forms

    size, count = len(matrices[0]), len(matrices)
    first_row = size + count  # vertices: columns, then one per matrix, then rows
    # The vertex of a matrix ties its rows together: matrices may change places, but never mix their rows.
    edges = [(size + m, first_row + m * size + r) for m in range(count) for r in range(size)]
    edges += [
        (c, first_row + m * size + r)
        for m, matrix in enumerate(matrices)
        for r in range(size)
        for c in range(size)
        if matrix[r][c]
    ]
    graph = igraph.Graph(n=first_row + count * size, edges=edges)
    # Columns, matrices and rows stay in their ranges of numbers, because the labelling sorts by colour first.
    colours = [0] * size + [1] * count + [2] * count * size
    canonical = graph.permute_vertices(graph.canonical_permutation(color=colours))
    forms = []
    for m in range(size, first_row):
        rows = sorted(row for row in canonical.neighbors(m) if row >= first_row)
        forms.append(tuple(tuple(int(canonical.are_adjacent(row, c)) for c in range(size)) for row in rows))
    return tuple(forms)


def _to_matrix(n: int, vectors: Sequence[int]) -> Matrix:
    return tuple(tuple(v >> i & 1 for i in range(n)) for v in vectors)


def _with_folded_link(n: int, vectors: Sequence[int]) -> Matrix:
    """Add the folded link as a row and the folded link of plane 0 as a column.

    Modulo the relation that all n+1 generators of plane 0 sum to zero, a vector is a subset of them up to complement;
    n+1 is odd, so exactly one of the two has even weight, and that one is symmetric under S(n+1).
    """
    folded_link = 0
    for vector in vectors:
        folded_link ^= vector
    full = (1 << n + 1) - 1
    even = (v if v.bit_count() % 2 == 0 else v ^ full for v in (*vectors, folded_link))
    return _to_matrix(n + 1, tuple(even))


def _canonical(matrix: Matrix) -> Matrix:
    import igraph  # slow to import: only for canonical forms

    size = len(matrix)
    edges = [(r, size + c) for r in range(size) for c in range(size) if matrix[r][c]]
    graph = igraph.Graph(n=2 * size, edges=edges)
    canonical = graph.permute_vertices(graph.canonical_permutation(color=[0] * size + [1] * size))
    ones = {(min(edge), max(edge) - size) for edge in canonical.get_edgelist()}  # colour 0, the rows, comes first
    return tuple(tuple(int((r, c) in ones) for c in range(size)) for r in range(size))
