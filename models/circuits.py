"""Optical circuits between nodes, with hashing over parallel circuits."""

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass

from .errors import InputError
from .optical_switch import OpticalSwitch

_MULTIPLIER = 2654435769  # 2^32 divided by the golden ratio


@dataclass(frozen=True)
class Circuits:
    """Pairs of nodes that are connected by bidirectional optical circuits.

    Parallel circuits between the same two nodes are listed once each, up to the number of ports. Each is a separate
    link, and all messages between the same source and destination take the same one (`circuit_index`).

    Parameters
    ----------
    pairs
        Nodes (a, b) of different groups; kept with a < b and in ascending order.

    Examples
    --------
    >>> Circuits(((33, 1), (0, 32), (32, 0))).pairs
    ((0, 32), (0, 32), (1, 33))
    """

    pairs: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        ordered = tuple(sorted((min(pair), max(pair)) for pair in self.pairs))
        for pair in ordered:
            if pair[0] == pair[1]:
                raise InputError(f"circuits: {list(pair)}; expected two different nodes")
        object.__setattr__(self, "pairs", ordered)

    def __len__(self) -> int:
        return len(self.pairs)

    def circuit_index(self, from_node: int, to_node: int, source: int, destination: int) -> int | None:
        """Return the index of the circuit between two nodes for a source and destination; None if there is none.

        Link aggregation: messages are distributed over k parallel circuits by conversation, the pair (s, d) of source
        and final destination, so that the messages of a conversation stay in order. A conversation takes circuit number

            ⌊k · (2654435769 · (2^16 s + d) mod 2^32) / 2^32⌋

        of the k. With this multiplicative hash about one in k of many conversations takes a given circuit, while a
        single conversation gets at most the rate of one circuit.

        References
        ----------
        IEEE Std 802.1AX, Link Aggregation: a conversation is not spread over links. Knuth, The Art of Computer
        Programming, vol. 3, section 6.4: multiplicative hashing.

        Examples
        --------
        >>> parallel = Circuits(((0, 32), (0, 32), (1, 33)))
        >>> [parallel.circuit_index(0, 32, source, 40) for source in range(4)], parallel.circuit_index(1, 34, 1, 34)
        ([1, 0, 1, 0], None)
        """
        pair = (min(from_node, to_node), max(from_node, to_node))
        # Parallel circuits are neighbours, because pairs are ascending.
        first = bisect_left(self.pairs, pair)
        count = bisect_right(self.pairs, pair) - first
        if not count:
            return None
        # The mask gives the product modulo 2^32: integers of Python do not wrap.
        hashed = _MULTIPLIER * (source << 16 | destination) & 0xFFFFFFFF
        return first + (count * hashed >> 32)

    def require_fit(self, optical: OpticalSwitch) -> None:
        """Raise unless an optical switch can set up all of these circuits at once.

        Raises
        ------
        InputError
            If a node does not exist or has too few ports, or a circuit stays inside a group.
        """
        for pair in self.pairs:
            for node in pair:
                if not 0 <= node < optical.nodes:
                    raise InputError(f"circuits: node={node} in {list(pair)}; expected 0 to {optical.nodes - 1}")
            group = optical.group[pair[0]]
            if group == optical.group[pair[1]]:
                raise InputError(f"circuits: {list(pair)} inside group {group}; expected nodes of two groups")
        ports = Counter(node for pair in self.pairs for node in pair)
        for node, used in sorted(ports.items()):
            if used > optical.ports_per_node:
                raise InputError(f"circuits: {used} at node {node}; expected at most {optical.ports_per_node}")
