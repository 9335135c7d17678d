"""Optical circuits: which nodes are joined."""

from collections import Counter
from dataclasses import dataclass

from .errors import InputError
from .hybrid import HybridNetwork


@dataclass(frozen=True)
class Circuits:
    """Pairs of nodes that optical circuits join, in both directions.

    Parameters
    ----------
    pairs
        Nodes (a, b) of different groups; kept with a < b and in ascending order.

    Raises
    ------
    InputError
        If a circuit joins a node with itself, or two circuits join the same nodes.

    Examples
    --------
    >>> Circuits(((33, 1), (0, 32))).pairs
    ((0, 32), (1, 33))
    """

    pairs: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        ordered = tuple(sorted((min(pair), max(pair)) for pair in self.pairs))
        for pair, times in Counter(ordered).items():
            if times > 1:
                raise InputError(f"circuits: {list(pair)} {times} times; allowed is each pair once")
            if pair[0] == pair[1]:
                raise InputError(f"circuits: {list(pair)}; allowed are two nodes")
        object.__setattr__(self, "pairs", ordered)

    def __len__(self) -> int:
        return len(self.pairs)

    def require_fit(self, hybrid: HybridNetwork) -> None:
        """Raise unless a network can set up all of these circuits at a time.

        Raises
        ------
        InputError
            If a node does not exist or has too few ports, or a circuit stays inside a group.
        """
        for pair in self.pairs:
            for node in pair:
                if not 0 <= node < hybrid.nodes:
                    raise InputError(f"circuits: node={node} in {list(pair)}; allowed are 0 to {hybrid.nodes - 1}")
            inside = hybrid.group_of(pair[0])
            if inside == hybrid.group_of(pair[1]):
                raise InputError(f"circuits: {list(pair)} inside group {inside}; allowed are nodes of two groups")
        ports = Counter(node for pair in self.pairs for node in pair)
        for node, used in sorted(ports.items()):
            if used > hybrid.ports_per_node:
                raise InputError(f"circuits: {used} at node {node}; allowed are at most {hybrid.ports_per_node}")
