"""Vector routing in recursive diagonal tori."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.models.mathematics.grid import coordinates
from isoplane.models.planes.routes import Paths, Routes
from isoplane.models.topologies.rdt import ALPHA, check_side, rank_ports, rank_vectors, ranks_of_tile

from .base_walks import CLASSES, MAX_REMAINDER, base_walks, class_at

Ints32 = NDArray[np.int32]


def vector_routing(side: int, tile: str = ALPHA) -> Routes:
    """Return vector routing for `rdt(side, tile)`, as source routes for 8 classes of switches.

    The offset, with coordinates above -side/2 and up to side/2, is decomposed into a_r v_r + b_r w_r over the ranks r
    from the highest down to 1, and a remainder. At each rank the coefficients are those of the remainder of the higher
    ranks, rounded to the nearest integer or to the second nearest. The final remainder is covered by a walk on rank 0.
    Upper links preserve the ranks of surrounding nodes, so the walk has to visit a node of each rank with a nonzero
    coefficient: it is the shortest such walk, ties broken by a breadth-first search over the ports 0 to 3. At the first
    node of a rank the packet takes all links of that rank: first those along v, then those along w.

    The roundings are those with the fewest hops. Ties are broken in lexicographic order: the nearest before the second
    nearest integer, higher ranks before lower ones, v before w. Ranks whose links end where they start are skipped.
    Channel dependencies are cyclic, which `turn_classes` mends.

    Returns
    -------
    Routes
        Group ``torus``. The class of a switch is x mod 2 + 2·((y - x + x mod 2) mod 4).

    References
    ----------
    Yang, Amano, Shibamura and Sueyoshi, Recursive Diagonal Torus, 1993; Shibamura et al., INSIGHT, section 3.1. They
    give the principle; the choice of roundings and of the walk is ours.

    Examples
    --------
    >>> routes = vector_routing(64)
    >>> offset = 20 + 64 * 16
    >>> start, end = routes.paths.starts[offset : offset + 2]
    >>> routes.paths.ports[start:end].tolist()  # rank 1 twice, a step to a node of rank 3, its link, a step back
    [4, 6, 3, 4, 2]
    """
    check_side(side)
    highest = int(ranks_of_tile(tile).max())
    ports = np.array([rank_ports(side, rank) for rank in range(1, highest + 1)])
    usable = [rank for rank in range(highest, 0, -1) if ports[rank - 1].max() >= 0]
    position = coordinates(np.arange(side * side), (side, side))
    x, y = (position - np.where(2 * position > side, side, 0)).T.astype(np.int32)
    zero = np.zeros(len(x), dtype=np.int32)
    ports_of_walks, ranks_of_walks = base_walks(tile)
    lengths: Ints = (ports_of_walks >= 0).sum(axis=-1)
    coefficients, walk = _shortest_routes(_Decomposition((), zero, zero, x, y), usable, highest, lengths)
    return Routes(
        "torus",
        class_at(position[:, 0], position[:, 1]).astype(np.int32),
        paths=_to_paths(coefficients.swapaxes(0, 1), walk.T, ports, ports_of_walks, ranks_of_walks),
        shape=(side, side),
    )


@dataclass(frozen=True, eq=False)
class _Decomposition:
    """A decomposition of every offset: coefficients by rank, hops on upper ranks, required ranks, remainder."""

    coefficients: tuple[tuple[int, Ints32, Ints32], ...]
    hops: Ints32
    required: Ints32
    x: Ints32
    y: Ints32


def _extend(partial: _Decomposition, ranks: Sequence[int]) -> Iterator[_Decomposition]:
    """Yield all extensions of a decomposition to further ranks, from the highest to the lowest."""
    if not ranks:
        yield partial
        return
    rank, *lower = ranks
    v, w = rank_vectors(rank)  # orthogonal, and equally long
    choices = [_roundings(partial.x * u[0] + partial.y * u[1], v[0] ** 2 + v[1] ** 2) for u in (v, w)]
    for a, b in product(*choices):
        links = np.abs(a) + np.abs(b)
        yield from _extend(
            _Decomposition(
                (*partial.coefficients, (rank, a, b)),
                partial.hops + links,
                partial.required | (links > 0).astype(np.int32) << (rank - 1),
                partial.x - a * v[0] - b * w[0],
                partial.y - a * v[1] - b * w[1],
            ),
            lower,
        )


def _roundings(numerator: Ints32, denominator: int) -> tuple[Ints32, Ints32]:
    """Return the quotient rounded to the nearest integer, halves up, and to the second nearest."""
    nearest = (2 * numerator + denominator) // (2 * denominator)
    # On the other side of the quotient; if that is whole, both are the same, and the second never improves.
    return nearest, nearest + np.sign(numerator - nearest * denominator)


def _shortest_routes(
    offsets: _Decomposition, ranks: Sequence[int], highest: int, walk_lengths: Ints
) -> tuple[Ints, Ints]:
    """Return coefficients[offsets, classes, ranks, 2] and walks[offsets, classes] of the shortest routes.

    A walk is a flat index into the arrays of `base_walks` without their first and last axes.
    """
    lengths = np.ascontiguousarray(walk_lengths.reshape(CLASSES, -1).T, dtype=np.int16)
    shortest = np.full((len(offsets.x), CLASSES), np.iinfo(np.int16).max, dtype=np.int16)
    walk = np.zeros(shortest.shape, dtype=np.int64)
    coefficients = np.zeros((*shortest.shape, highest, 2), dtype=np.int64)
    for extended in _extend(offsets, ranks):
        index = np.ravel_multi_index(
            (extended.required, extended.x + MAX_REMAINDER, extended.y + MAX_REMAINDER), walk_lengths.shape[1:]
        )
        length = extended.hops.astype(np.int16)[:, None] + lengths[index]
        # Strictly: of equal lengths, the first in lexicographic order stays.
        improved = np.flatnonzero(length < shortest)
        row, column = np.divmod(improved, CLASSES)
        shortest[row, column] = length[row, column]
        walk[row, column] = index[row]
        for rank, a, b in extended.coefficients:
            coefficients[row, column, rank - 1, 0] = a[row]
            coefficients[row, column, rank - 1, 1] = b[row]
    return coefficients, walk


def _to_paths(coefficients: Ints, walk: Ints, ports: Ints, ports_of_walks: Ints, ranks_of_walks: Ints) -> Paths:
    """Expand the routes: at each node of a walk the links of an upper rank along v, along w, and the base link."""
    row = np.arange(CLASSES)[:, None]
    step_port, node_rank = (
        table.reshape(CLASSES, -1, table.shape[-1])[row, walk] for table in (ports_of_walks, ranks_of_walks)
    )
    rank = np.maximum(node_rank, 1) - 1
    signed_counts = np.take_along_axis(coefficients, rank[..., None], axis=2) * (node_rank > 0)[..., None]
    upper = ports[rank[..., None], 2 * np.arange(2) + (signed_counts < 0)]
    ports_taken = np.concatenate([upper, step_port[..., None]], axis=-1)
    counts = np.concatenate([np.abs(signed_counts), (step_port >= 0)[..., None]], axis=-1)
    lengths = counts.sum(axis=(2, 3)).ravel()
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint32)
    return Paths(starts, np.repeat(ports_taken.ravel(), counts.ravel()).astype(np.uint16))
