"""Optical switches, which connect pairs of nodes by circuits."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from .checks import check_int, exact_number
from .errors import InputError


@dataclass(frozen=True)
class OpticalSwitch:
    """A non-blocking optical switch with links to every node; its circuits join nodes of different groups.

    Parameters
    ----------
    group
        Group of every node. Nodes of a group are close to each other in the packet network.
    ports_per_node
        Maximum number of circuits per node at a time.
    gbps, delay_ns
        Rate of a circuit in each direction, and its delay from node to node.

    Examples
    --------
    >>> OpticalSwitch((0, 0, 1, 1, 1)).max_circuits
    2
    """

    group: tuple[int, ...]
    ports_per_node: int = 1
    gbps: float | Fraction = 32
    delay_ns: float | Fraction = 80

    def __post_init__(self) -> None:
        if len(set(self.group)) < 2:
            raise InputError(f"optical.group: {len(set(self.group))} groups of nodes; expected at least 2")
        check_int("optical.ports_per_node", self.ports_per_node, 1)
        exact_number("optical.gbps", self.gbps, above=True)
        exact_number("optical.delay_ns", self.delay_ns)

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.group)

    @property
    def max_circuits(self) -> int:
        """Maximum number of circuits: each occupies two ports, at most one of them in the largest group.

        With N nodes of P ports each and M nodes in the largest group, min(⌊N P / 2⌋, (N - M) P).
        """
        largest = max(Counter(self.group).values())
        return min(self.nodes * self.ports_per_node // 2, (self.nodes - largest) * self.ports_per_node)
