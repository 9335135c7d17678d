"""How many assignments of circuits there are, and all sets of circuits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING

from isoplane.models import Hybrid

if TYPE_CHECKING:  # a space asks how many it has
    from .assignments import Assignments

MAX_ASSIGNMENTS = 100_000  # that a search judges one by one
MAX_MESSAGES = 1 << 22  # which these send, where nobody asks for that: half of the seconds that a search has

Pairs = tuple[tuple[int, int], ...]


def all_circuits(hybrid: Hybrid, most: int) -> Iterator[Pairs]:
    """Yield every set of at most so many circuits that a network can set up, parallel ones among them, each once.

    Examples
    --------
    >>> list(all_circuits(Hybrid(2, 2), 2))
    [(), ((0, 2),), ((0, 2), (1, 3)), ((0, 3),), ((0, 3), (1, 2)), ((1, 2),), ((1, 3),)]
    >>> list(all_circuits(Hybrid(2, 1, 2), 2))
    [(), ((0, 1),), ((0, 1), (0, 1))]
    """
    return (tuple(chosen) for chosen in _grown(hybrid, most))


def _grown(hybrid: Hybrid, most: int) -> Iterator[list[tuple[int, int]]]:
    """Yield one list again and again, with every set of circuits in turn, depth first.

    The stack is a list of its own: a network of 1,000 nodes sets up more circuits than Python nests calls.
    """
    every = combinations(range(hybrid.nodes), 2)
    pairs = [(a, b) for a, b in every if hybrid.group_of(a) != hybrid.group_of(b)]
    free = [hybrid.ports_per_node] * hybrid.nodes
    chosen: list[tuple[int, int]] = []
    numbers: list[int] = []  # of the pairs that are chosen
    number = 0
    yield chosen
    while True:
        while number < len(pairs) and not all(free[end] for end in pairs[number]):
            number += 1
        if number < len(pairs) and len(chosen) < most:
            chosen.append(pairs[number])
            numbers.append(number)
            _take(free, pairs[number], 1)
            yield chosen
        elif chosen:
            _take(free, chosen.pop(), -1)
            number = numbers.pop() + 1
        else:
            return


def _take(free: list[int], pair: tuple[int, int], ports: int) -> None:
    for end in pair:
        free[end] -= ports


def count_assignments(space: Assignments, most: int = MAX_ASSIGNMENTS) -> int:
    """Return how many designs a space has, or `most` + 1 if they are more: sets of circuits times placements.

    Of n nodes with one port each, in g groups of s, the sets of j circuits are the matchings with j edges in the
    complete multipartite graph. By inclusion and exclusion over those of their edges that stay inside a group, they are

        Σ_i (-1)^i · a(i) · m(n - 2 i, j - i),   with m(n, j) = n! / (2^j j! (n - 2 j)!)

    matchings with j edges in the complete graph of n nodes, and a(i) the coefficient of x^i in (Σ_j m(s, j) x^j)^g.
    Those with one port are among those with more, which are counted one by one where the former are not too many
    already. A free placement has n! values.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> from isoplane.search import Assignments
    >>> [count_assignments(Assignments(Hybrid(2, 2), stencil((2, 2)), 2, to)) for to in ("by_switch", "free")]
    [7, 168]
    """
    hybrid = space.hybrid
    placements = factorial(hybrid.nodes) if space.placement == "free" else 1
    wanted = most // placements
    sets = _total((_matchings_between(hybrid, edges) for edges in range(space.most + 1)), wanted)
    if sets <= wanted and hybrid.ports_per_node > 1:
        sets = _total((1 for _ in _grown(hybrid, space.most)), wanted)
    return min(placements * sets, most + 1)


def _total(numbers: Iterator[int], most: int) -> int:
    """Return the sum of numbers, or of as many of them as it takes to exceed `most`."""
    total = 0
    for number in numbers:
        total += number
        if total > most:
            break
    return total


def _matchings_between(hybrid: Hybrid, edges: int) -> int:
    inside = _matchings_inside(hybrid, edges)
    left = hybrid.nodes
    return sum((-1) ** i * count * _matchings(left - 2 * i, edges - i) for i, count in enumerate(inside))


def _matchings_inside(hybrid: Hybrid, most: int) -> list[int]:
    """Return how many matchings with 0, 1, ... edges there are, of which all edges stay inside groups."""
    own = [_matchings(hybrid.nodes_per_group, edges) for edges in range(hybrid.nodes_per_group // 2 + 1)]
    counts = [1]
    for _ in range(hybrid.groups):
        product = [0] * min(len(counts) + len(own) - 1, most + 1)
        for i, left in enumerate(counts):
            for j, right in enumerate(own[: len(product) - i]):
                product[i + j] += left * right
        counts = product
    return counts


def _matchings(nodes: int, edges: int) -> int:
    """Return how many matchings with so many edges a complete graph has."""
    if 2 * edges > nodes:
        return 0
    return factorial(nodes) // ((factorial(edges) << edges) * factorial(nodes - 2 * edges))


def may_enumerate(space: Assignments) -> bool:
    """Whether a space is so small, and its workload so short, that judging all of it takes about 15 s at most."""
    most = min(MAX_ASSIGNMENTS, MAX_MESSAGES // space.messages.messages)
    return count_assignments(space, most) <= most
