"""Hypothesis strategies: random bases of GF(2)^n and edges of connected graphs."""

import random
from collections.abc import Sequence
from itertools import combinations

from hypothesis import strategies as st

from isoplane.models import ConnectionSet


def random_basis(n: int, seed: int) -> ConnectionSet:
    """Mix the unit basis by elementary operations: a basis in which g_i is replaced with g_i ⊕ g_j is still a basis."""
    rng = random.Random(seed)
    generators = [1 << i for i in range(n)]
    for _ in range(4 * n if n > 1 else 0):
        i, j = rng.sample(range(n), 2)
        generators[i] ^= generators[j]
    return ConnectionSet(n, tuple(generators))


def bases(n: int) -> st.SearchStrategy[ConnectionSet]:
    return st.integers(0, 2**32 - 1).map(lambda seed: random_basis(n, seed))


def bases_up_to(n: int) -> st.SearchStrategy[ConnectionSet]:
    return st.integers(2, n).flatmap(bases)


def permute_coordinates(connections: ConnectionSet, order: list[int]) -> ConnectionSet:
    """Move coordinate i of every generator to coordinate order[i]."""
    permuted = (sum((g >> i & 1) << target for i, target in enumerate(order)) for g in connections.generators)
    return ConnectionSet(connections.n, tuple(permuted))


def connected_edges(switches: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Draw the edges of a connected graph with at most `switches` switches: a random tree and some more edges."""
    return st.tuples(st.integers(2, switches), st.integers(0, 2**32 - 1)).map(lambda drawn: _random_edges(*drawn))


def _random_edges(switches: int, seed: int) -> list[tuple[int, int]]:
    rng = random.Random(seed)
    edges = [(switch, rng.randrange(switch)) for switch in range(1, switches)]
    edges += [tuple(rng.sample(range(switches), 2)) for _ in range(rng.randrange(2 * switches))]
    rng.shuffle(edges)
    return edges


@st.composite
def circuit_pairs(draw: st.DrawFn, group: Sequence[int], ports: int, parallel: int = 1) -> tuple[tuple[int, int], ...]:
    """Draw circuits between nodes of different groups: `ports` at a node and `parallel` between two at most."""
    free, pairs = [ports] * len(group), []
    for a, b in draw(st.permutations(parallel * list(combinations(range(len(group)), 2)))):
        if group[a] != group[b] and free[a] and free[b] and draw(st.booleans()):
            pairs.append((a, b))
            free[a], free[b] = free[a] - 1, free[b] - 1
    return tuple(pairs)
