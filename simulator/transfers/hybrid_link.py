"""Links of networks with circuits."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

LinkKind = Literal["out", "in", "up", "down", "cable", "circuit"]


@dataclass(frozen=True)
class HybridLink:
    """A link of a hybrid network, in one direction.

    Attributes
    ----------
    kind
        ``out`` from a node to its edge switch, ``in`` back; ``up`` (uplink) from an edge switch to the core switch,
        ``down`` back; ``cable`` between two switches of another packet network; ``circuit`` from node to node.
    source, destination
        A node; the group of an edge switch, None for the core switch; in other packet networks a switch of its plane.
    gbps
        Rate.
    wire_ns
        Delay of the link without the switch at its end.
    delay_ns
        `wire_ns` plus the delay of the switch at the far end; in other packet networks, of that at the near end.
    """

    kind: LinkKind
    source: int | None
    destination: int | None
    gbps: Fraction
    wire_ns: Fraction
    delay_ns: Fraction
