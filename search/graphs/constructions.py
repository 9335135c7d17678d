"""Known constructions, cut or grown to size, where searches for regular graphs begin."""

from collections.abc import Iterator

import numpy as np
from numpy.random import PCG64

from isoplane.models import family_named, family_names
from isoplane.models.arrays import Ints
from isoplane.models.family_kinds.sized import Sized
from isoplane.models.network import NO_SITE
from isoplane.models.planes.topology import Topology
from isoplane.objectives import Lexicographic

from .. import _native
from ..core.space import Candidate
from .groups import cyclic
from .host_members import WALK, cabled_pairs
from .space import RegularGraphs

MOST_SURPLUS = 4  # cables of a switch of a member beyond the degree, which are left out
MOST_MISSING = 1 / 6  # share of cables or of switches that are added to those of a member
MOST_PAIRS = 3 << 24  # of switches, of all graphs that are compared: takes some seconds
MOST_TRIES = 1000  # draws of an edge to be divided
COMPARED_ENDS = 8  # free ports, of which a cable takes one


def best_construction(space: RegularGraphs, objective: Lexicographic, seed: int) -> Candidate | None:
    """Return the construction with the shortest paths; None if it is no good start.

    It is one if its distances are above the Moore bound by at most half as much as those of the random graph, which
    annealing alone brings down as far.

    Parameters
    ----------
    space
        The space.
    objective
        Least distances, of all pairs or the largest one first.
    seed
        Of the cables that are chosen at random where a graph is cut or grown.
    """
    family, random = space.family, space.candidate(space.baseline)
    task = _native.GraphTask(family.switches, family.degree, [cyclic(1)], "diameter" in objective.metrics[0])
    walk = _native.GraphWalk(task, seed, 0, random, **WALK)
    best, found = walk.designs()[0], None
    for candidate in constructions(family.switches, family.degree, seed):
        walk.offer(candidate)
        if walk.designs()[0] != best:
            best, found = walk.designs()[0], candidate
    if found is None:
        return None
    hops, random_hops = (
        objective.evaluator.exact(space.design(each), ("total_hops",))["total_hops"] for each in (found, random)
    )
    return found if 2 * hops <= random_hops + space.least_total_hops else None


def constructions(switches: int, degree: int, seed: int) -> Iterator[Candidate]:
    """Yield regular graphs from members of families with nearly as many switches and cables of each.

    Of larger members some switches are left out. Those of a fraction of the size are multiplied (star products): with
    two copies, the points of a projective plane, which a PolarFly joins, become its points and lines; with more, a
    PolarFly becomes a PolarStar, of diameter 3. Graphs need not be connected.

    Parameters
    ----------
    switches, degree
        Of the graphs.
    seed
        Of choices among cables.

    References
    ----------
    Bermond, Delorme and Farhi, Large Graphs with Given Degree and Diameter III, 1982. Lakhotia et al., PolarStar:
    Expanding the Scalability Horizon of Diameter-3 Networks, 2024.

    Examples
    --------
    >>> len(next(constructions(50, 7, seed=1)))  # the graph of Hoffman and Singleton: both ends of 175 edges
    350
    """
    graphs = [*_near(switches, degree)]
    for inner in range(degree // 2 + 1):
        graphs += [_star_product(graph, inner) for graph in _near(-(-switches // (2 * (inner + 1))), degree - inner)]
    graphs.sort(key=lambda graph: abs(graph[0] - switches))
    pairs = 0
    for size, edges in graphs:
        for left_out in _orders(size, edges) if size > switches else [np.arange(0)]:
            pairs += max(size, switches) ** 2
            if pairs > MOST_PAIRS:
                return
            resized = _resized(switches, degree, _without(size, edges, left_out[: max(0, size - switches)]), seed)
            if resized is not None:
                yield resized


def _near(switches: int, degree: int) -> Iterator[tuple[int, Ints]]:
    """Yield numbers of switches and the cables of members of families that are little smaller or larger."""
    least, found = int(switches * (1 - MOST_MISSING)), dict[tuple[str, int, int], Topology]()
    for kind in map(family_named, family_names()):
        if not issubclass(kind, Sized) or not kind.few_hops:
            continue
        for size in (switches, least):
            for member in kind.fitting(size, degree + MOST_SURPLUS + 1) or ():
                if least <= member.switches <= 2 * switches:
                    topology = member.build(NO_SITE)[0].topology
                    found.setdefault((kind.name, topology.switches, topology.ports), topology)
    for topology in found.values():
        if topology.ports >= degree * (1 - MOST_MISSING):
            yield topology.switches, cabled_pairs(topology)


def _star_product(graph: tuple[int, Ints], degree: int) -> tuple[int, Ints]:
    """Return the star product of a graph and an inductive-quad graph of a degree; of degree 0, it is the double cover.

    Each vertex becomes such a graph, and each edge joins every vertex at one end to the partner of its counterpart at
    the other. Vertices with fewer neighbours than others are taken to be joined to themselves. If any two vertices of
    the graph are then ends of a walk of two edges, as in a polarity graph, the product has a diameter of 3.
    """
    (size, edges), inner = graph, _inductive_quad(degree)
    copies = np.arange(2 * (degree + 1))
    degrees = np.bincount(edges.ravel(), minlength=size)
    itself = np.flatnonzero(degrees < degrees.max())
    one, other = np.concatenate([edges, edges[:, ::-1], np.stack([itself, itself], axis=1)]).T
    between = np.stack([one[:, None] + size * copies, other[:, None] + size * (copies ^ 1)], axis=2).reshape(-1, 2)
    within = (np.arange(size)[:, None, None] + size * inner).reshape(-1, 2)
    return len(copies) * size, np.unique(np.sort(np.concatenate([between, within])), axis=0)


def _inductive_quad(degree: int) -> Ints:
    """Return the edges of a graph of 2 (degree + 1) vertices which, with those between partners, covers all pairs.

    Vertices 2 i and 2 i + 1 are partners. Of two edges that become each other if all ends become their partners, one is
    in the graph. So between two pairs of partners there are two edges: here both are at one vertex of the first pair,
    and one at each of the second. A pair is the first one for some of the others, at its two vertices in turn. If for
    an even number, both have the same degree: a tournament of even scores, which exists for degrees 4 w and 4 w + 3.
    For others, two vertices have one more and one less.
    """
    first = np.triu(np.ones((degree + 1, degree + 1), dtype=np.bool_), 1)
    odd = np.flatnonzero(first.sum(axis=1) % 2)
    for one, other in zip(odd[:-1:2], odd[1::2], strict=True):
        first[one, other], first[other, one] = first[other, one], first[one, other]
    edges = list[tuple[int, int]]()
    for one, row in enumerate(first):
        for number, other in enumerate(np.flatnonzero(row)):
            edges += [(2 * one + number % 2, 2 * int(other)), (2 * one + number % 2, 2 * int(other) + 1)]
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def _orders(size: int, edges: Ints) -> Iterator[Ints]:
    """Yield orders in which switches are left out.

    The neighbours of a switch first, so that all others lose about as many cables: in a projective plane, a line. Then
    always the switch that has lost the most cables, and last the highest numbers, which are whole parts of some graphs.
    """
    neighbours = _neighbours(size, edges)
    cables = [sum(len(neighbours[each]) for each in near) for near in neighbours]
    order = [each for centre in np.argsort(cables, kind="stable") for each in (*sorted(neighbours[centre]), centre)]
    yield np.array(list(dict.fromkeys(map(int, order))))
    lost, most_lost = np.zeros(size, dtype=np.int64), list[int]()
    for _ in range(size):
        most_lost.append(int(np.argmax(lost)))
        lost[list(neighbours[most_lost[-1]])] += 1
        lost[most_lost[-1]] = -size
    yield np.array(most_lost)
    yield np.arange(size)[::-1]


def _without(size: int, edges: Ints, left_out: Ints) -> Ints:
    """Return the edges between the vertices that are left, with their new numbers."""
    is_left = np.ones(size, dtype=np.bool_)
    is_left[left_out] = False
    place = np.cumsum(is_left) - 1
    edges_left: Ints = place[edges[is_left[edges].all(axis=1)]]
    return edges_left


def _neighbours(size: int, edges: Ints) -> list[set[int]]:
    neighbours: list[set[int]] = [set() for _ in range(size)]
    for one, other in edges.tolist():
        neighbours[one].add(other)
        neighbours[other].add(one)
    return neighbours


def _resized(switches: int, degree: int, edges: Ints, seed: int) -> Candidate | None:
    """Return a regular graph that has most edges of a graph, whose vertices may be fewer; None if that fails."""
    near, bits = _neighbours(switches, edges), PCG64(seed)
    _leave_out_surplus(near, degree)
    added = [vertex for vertex in range(switches) if not near[vertex]]
    free = [vertex for vertex in range(switches) if 0 < len(near[vertex]) < degree]
    for vertex in added:  # not joined to each other, but to all parts of the graph
        for other in free[: degree - degree % 2]:
            _join(near, vertex, other)
        while degree - len(near[vertex]) > 1 and _divide(near, vertex, vertex, bits):
            pass
        free = [each for each in free if len(near[each]) < degree]
    if not _fill(near, degree, bits):
        return None
    return tuple(end for one in range(switches) for other in sorted(near[one]) if one < other for end in (one, other))


def _fill(near: list[set[int]], degree: int, bits: PCG64) -> bool:
    """Join vertices that have less than a degree, or else divide edges; return whether all have it then.

    Each is joined to the one of some others drawn at random with which it shares the fewest neighbours.
    """
    ends = [vertex for vertex, neighbours in enumerate(near) for _ in range(degree - len(neighbours))]
    while ends:
        one = ends.pop()
        for places in (_draws(bits, len(ends)), range(len(ends))):
            possible = [place for place in places if ends[place] != one and ends[place] not in near[one]]
            if possible:
                break
        else:
            if not _divide(near, one, ends.pop(), bits):
                return False
            continue
        place = min(possible, key=lambda place: len(near[one] & near[ends[place]]))
        _join(near, one, ends[place])
        ends[place] = ends[-1]
        ends.pop()
    return True


def _draws(bits: PCG64, count: int) -> list[int]:
    """Return numbers below a count."""
    return [int(draw) % count for draw in bits.random_raw(COMPARED_ENDS)]


def _leave_out_surplus(near: list[set[int]], degree: int) -> None:
    """Leave out edges of vertices that have more than a degree, to the neighbours that have the most."""
    for vertex, neighbours in enumerate(near):
        while len(neighbours) > degree:
            other = max(sorted(neighbours), key=lambda each: len(near[each]))
            neighbours.remove(other)
            near[other].remove(vertex)


def _join(near: list[set[int]], one: int, other: int) -> None:
    near[one].add(other)
    near[other].add(one)


def _divide(near: list[set[int]], one: int, other: int, bits: PCG64) -> bool:
    """Replace an edge by one from each of its ends, to two vertices or to the same one; return whether that is done."""
    for _ in range(MOST_TRIES):
        place, which = map(int, bits.random_raw(2))
        end = place % len(near)
        if not near[end] or end == one or end in near[one]:
            continue
        far = sorted(near[end])[which % len(near[end])]
        if far in near[other] or end == other or far in (one, other):
            continue
        near[end].remove(far)
        near[far].remove(end)
        _join(near, one, end)
        _join(near, other, far)
        return True
    return False
