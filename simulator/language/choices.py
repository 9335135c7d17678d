"""Enumerated values of statements."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class FlowControl(StrEnum):
    """When a packet is forwarded: as a whole, flit by flit, or flit by flit once the next buffer has room for it."""

    STORE_AND_FORWARD = "StoreAndForward"
    WORMHOLE = "Wormhole"
    VIRTUAL_CUT_THROUGH = "VirtualCutThrough"


class Routing(StrEnum):
    """Routing algorithm; all routes are fixed before a simulation begins.

    `DIMENSION_ORDER` corrects one coordinate after the other, x first, or the generators of a cube in ascending order.
    `VECTOR_ROUTING` is the routing of an RDT. `SHORTEST_PATH` minimises the number of hops. `UP_DOWN` climbs a spanning
    tree before it descends, and so is deadlock-free.
    """

    DIMENSION_ORDER = "DimensionOrder"
    VECTOR_ROUTING = "VectorRouting"
    SHORTEST_PATH = "ShortestPath"
    UP_DOWN = "UpDown"


class DeadlockRecovery(StrEnum):
    """What happens on a deadlock: one of its messages is dropped and counted, or the simulation ends and reports it."""

    DROP = "Drop"
    REPORT = "Report"


class Pattern(StrEnum):
    """Destinations of random messages among N nodes; on a grid, a node is at (x, y, ...).

    A node mapped to itself sends nothing. `UNIFORM`: any other node, equally likely. `COMPLEMENT`: i to N - 1 - i.
    `BIT_REVERSE` and `SHUFFLE`: the bits of i reversed, or rotated by one place to the left; N is a power of two.
    `TRANSPOSE`: x + m·y to y + m·x; N = m². `TORNADO`: ⌈k/2⌉ - 1 is added to every coordinate, modulo its size k.
    `NEIGHBOUR`: 1 is added to every coordinate, modulo its size. `HOT_SPOT`: all nodes send a share
    of their messages to one of them, the hot node, and the rest as in `UNIFORM`.
    """

    UNIFORM = "Uniform"
    COMPLEMENT = "Complement"
    BIT_REVERSE = "BitReverse"
    TRANSPOSE = "Transpose"
    SHUFFLE = "Shuffle"
    TORNADO = "Tornado"
    NEIGHBOUR = "Neighbour"
    HOT_SPOT = "HotSpot"


@dataclass(frozen=True)
class Traffic:
    """A traffic pattern.

    Parameters
    ----------
    pattern
        Name of the pattern.
    hot_node, hot_share
        For a hot spot: the node, and the share of messages that it gets in addition to its part of the uniform rest.
    """

    pattern: Pattern = Pattern.UNIFORM
    hot_node: int = 0
    hot_share: Fraction = Fraction(0)
