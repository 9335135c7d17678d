"""The words among which statements choose, and the traffic pattern."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

FlowControl = Literal["StoreAndForward", "Wormhole", "VirtualCutThrough"]
Routing = Literal["DimensionOrder", "VectorRouting", "ShortestPath", "UpDown"]
DeadlockRecovery = Literal["Drop", "Report"]
Pattern = Literal["Uniform", "Complement", "BitReverse", "Transpose", "Shuffle", "Tornado", "Neighbour", "HotSpot"]


@dataclass(frozen=True)
class Traffic:
    """Destinations of random messages among N nodes; on a grid, a node is at (x, y, ...).

    Parameters
    ----------
    pattern
        A node mapped to itself sends nothing. ``Uniform``: any other node, equally likely. ``Complement``: i to
        N - 1 - i. ``BitReverse`` and ``Shuffle``: the bits of i reversed, or rotated by one place to the left; N is a
        power of two. ``Transpose``: x + m·y to y + m·x; N = m². ``Tornado``: ⌈k/2⌉ - 1 is added to every coordinate,
        modulo its size k. ``Neighbour``: 1 is added to every coordinate, modulo its size. ``HotSpot``: all nodes send a
        share of their messages to one of them, the hot node, and the rest as in ``Uniform``.
    hot_node, hot_share
        For a hot spot: the node, and the share of messages that it gets in addition to its part of the uniform rest.
    """

    pattern: Pattern = "Uniform"
    hot_node: int = 0
    hot_share: Fraction = Fraction(0)
