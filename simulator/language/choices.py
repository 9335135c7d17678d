"""Words of which a program chooses one."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class FlowControl(StrEnum):
    """When a packet may go on: as a whole, flit by flit, or flit by flit where the next buffer can hold all of it."""

    STORE_AND_FORWARD = "StoreAndForward"
    WORMHOLE = "Wormhole"
    VIRTUAL_CUT_THROUGH = "VirtualCutThrough"


class Routing(StrEnum):
    """How routes are found; all of them are fixed before a simulation begins.

    `DIMENSION_ORDER` corrects one coordinate after the other, x first, or the generators of a cube in ascending order.
    `VECTOR_ROUTING` is the way of an RDT. `SHORTEST_PATH` has the fewest hops. `UP_DOWN` climbs a spanning tree before
    it descends, and so has no deadlocks.
    """

    DIMENSION_ORDER = "DimensionOrder"
    VECTOR_ROUTING = "VectorRouting"
    SHORTEST_PATH = "ShortestPath"
    UP_DOWN = "UpDown"


class DeadlockRecovery(StrEnum):
    """What becomes of a deadlock: one of its messages is dropped and counted, or the simulation ends with a report."""

    DROP = "Drop"
    REPORT = "Report"


class Pattern(StrEnum):
    """Where random messages go, with N nodes and nodes on a grid at (x, y, ...).

    A node whose own number comes out sends nothing. `UNIFORM`: any other node alike. `COMPLEMENT`: i to N - 1 - i.
    `BIT_REVERSE` and `SHUFFLE`: the bits of i reversed, or rotated by one place to the left; N is a power of two.
    `TRANSPOSE`: x + m·y to y + m·x; N = m². `TORNADO`: every coordinate of k values moves on by ⌈k/2⌉ - 1, around.
    `NEIGHBOUR`: every coordinate moves on by 1, around. `HOT_SPOT`: a share of the messages of every other node to
    one node, the rest `UNIFORM`.
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
        Its name.
    hot_node, hot_share
        Of a hot spot only: the node, and the share of messages that it gets beyond its part of the others.
    """

    pattern: Pattern = Pattern.UNIFORM
    hot_node: int = 0
    hot_share: Fraction = Fraction(0)
