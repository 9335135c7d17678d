"""Servers, switches and cables of networks of switches with 2d ports, by formula and counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from isoplane.models import Family, Network
from isoplane.objectives.scale.largest import LARGEST, LATIN_SQUARE, exists

BUILT_UP_TO = 8  # d up to which networks are also built and counted: 1024 servers


@dataclass(frozen=True)
class Size:
    """The size of the largest network of a kind for a given d.

    Attributes
    ----------
    network
        One of `LARGEST`.
    degree
        Half the number of ports of a switch, d.
    source
        ``formula``: formulas of the family; ``built``: counted in the network.
    servers, switches, cables
        Numbers of servers and switches, and of cables between switches.
    ports
        Ports that the switch with the most of them uses.
    """

    network: str
    degree: int
    source: str
    servers: int
    switches: int
    cables: int
    ports: int

    @property
    def servers_per_switch(self) -> Fraction:
        """Servers per switch, the paper's measure of cost."""
        return Fraction(self.servers, self.switches)


def largest_sizes(degrees: Sequence[int]) -> Iterator[Size]:
    """Yield the sizes of all networks that exist for the given values of d; up to `BUILT_UP_TO` they are counted too.

    Examples
    --------
    >>> [(size.network, size.servers, size.switches) for size in largest_sizes([10]) if size.source == "formula"][2:]
    [('multi-layer full mesh', 1100, 165), ('Latin-square fat-tree', 1820, 273)]
    """
    for network, family_for in LARGEST.items():
        for d in degrees:
            if not exists(network, d):
                continue
            family = family_for(d)
            yield Size(network, d, "formula", family.nodes, family.switches, family.cables, family.ports)
            if d <= BUILT_UP_TO:
                yield _counted(network, d, family)


def nearest(degree: int) -> list[int]:
    """Return the nearest values below and above d with a Latin-square fat-tree; one if there is none below.

    Examples
    --------
    >>> nearest(2), nearest(7), nearest(16)
    ([3], [6, 8], [14, 17])
    """
    below = next((d for d in range(degree - 1, 2, -1) if exists(LATIN_SQUARE, d)), None)
    above = next(d for d in range(degree + 1, 2 * degree + 1) if exists(LATIN_SQUARE, d))  # a power of 2 plus 1
    return [above] if below is None else [below, above]


def _counted(network: str, degree: int, family: Family) -> Size:
    (plane,) = Network(family).planes
    ends = np.count_nonzero(plane.topology.peer >= 0, axis=1)
    return Size(
        network,
        degree,
        "built",
        len(plane.node_switch),
        int(np.count_nonzero(ends)),
        int(ends.sum()) // 2,
        int(plane.ports_used.max()),
    )
