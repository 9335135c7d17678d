"""Base class of families with one plane and the same number of nodes at every switch, such as tori and dragonflies."""

from abc import abstractmethod
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..cabling.cable_lengths import check_assumed_cable, given_cables_mm
from ..checks import MAX_NODES_PER_SWITCH, Metres, check_int, millimetres
from ..errors import InputError
from ..family import returned
from ..planes.plane import Cabling, Plane, uniform_attachment
from ..planes.routes import Routes
from ..planes.topology import Topology
from ..site.site import Site
from .sized import Sized

MAX_KEPT_SWITCHES = 4096
NODE_CABLE_M = 2.0  # of the networks that `Sized.fitting` yields


@dataclass(frozen=True, kw_only=True)
class UniformFamily(Sized):
    """Base class of families with one plane whose switches all have the same number of nodes.

    Parameters
    ----------
    assumed_cable_m
        Length of all cables between switches, in metres; None if lengths follow from the layout.
    nodes_per_switch
        Nodes at every switch.
    node_cable_m
        Length of the cable between a node and its switch; None in a direct network, where each switch is part of its
        only node, which injects packets into it and consumes them from it without a link.
    """

    assumed_cable_m: Metres | None = 1.0
    nodes_per_switch: int = 1
    node_cable_m: Metres | None = None

    def __post_init__(self) -> None:
        check_int("network.nodes_per_switch", self.nodes_per_switch, 1, MAX_NODES_PER_SWITCH)
        check_assumed_cable(self.assumed_cable_m)
        if self.node_cable_m is not None:
            millimetres("network.node_cable_m", self.node_cable_m)
        elif self.nodes_per_switch != 1:
            raise InputError(
                f"network.nodes_per_switch={self.nodes_per_switch}: expected 1 in a direct network, or cables of "
                "nodes, as with network.node_cable_m=2"
            )

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.switches * self.nodes_per_switch

    @property
    def nodes_at_switch(self) -> int:
        """Number of nodes at every switch."""
        return self.nodes_per_switch

    @property
    def throughput_bound(self) -> Fraction | None:
        """Upper bound on the all-to-all throughput: the capacity of all links over the least hops of all packets.

        The least hops are those of the Moore bound (`least_hops`).
        """
        hops = least_hops(self.switches, self.degree)
        return Fraction(self.degree * self.switches, hops * self.nodes_per_switch) if hops else None

    @property
    def ports(self) -> int:
        """Maximum number of ports that a switch uses; nodes of a direct network need none."""
        return self.degree + (0 if self.node_cable_m is None else self.nodes_per_switch)

    @property
    @abstractmethod
    def degree(self) -> int:
        """Maximum number of ports that a switch uses for cables to other switches."""

    @property
    def cables(self) -> int:
        """Number of cables: half of the ports, if all switches have the maximum degree."""
        return self.switches * self.degree // 2

    @abstractmethod
    def topology(self) -> Topology:
        """Return the switches and their cables."""

    @abstractmethod
    def routes(self) -> Routes:
        """Return the routes."""

    def build(self, site: Site) -> tuple[Cabling, ...]:
        """Return the plane without its routes."""
        topology = returned(type(self), "topology", last_topology(self), Topology)
        attached = uniform_attachment(topology.switches, self.nodes_per_switch)
        node_cable_mm = None if self.node_cable_m is None else millimetres("network.node_cable_m", self.node_cable_m)
        return (Cabling(topology, self.cables_mm(topology), attached, node_cable_mm),)

    def cables_mm(self, topology: Topology) -> NDArray[np.int64]:
        """Return the given length of the cable at each port, ``int64[switches, ports]``; 0 without one."""
        return given_cables_mm(topology, self.assumed_cable_m)

    def routed(self, planes: tuple[Cabling, ...]) -> tuple[Plane, ...]:
        """Return the plane with its routes."""
        return tuple(plane.routed(returned(type(self), "routes", self.routes(), Routes)) for plane in planes)


def least_hops(switches: int, degree: int, cables: int | None = None) -> int:
    """Return the least sum of the distances of all switches from one, by the Moore bound.

    At most d (d - 1)^(h - 1) switches are h hops from a switch of degree d, or c (d - 1)^(h - 1) if it has c cables.

    Examples
    --------
    >>> least_hops(10, 3)  # the Petersen graph: 3 switches at 1 hop, and 6 at 2
    15
    >>> least_hops(10, 3, cables=2)  # 2 at 1 hop, 4 at 2, and 3 at 3
    19
    """
    remaining, hops, at, reached = switches - 1, 0, 1, degree if cables is None else cables
    while remaining > 0 and reached > 0:
        hops += at * min(reached, remaining)
        remaining, at, reached = remaining - reached, at + 1, reached * max(1, degree - 1)
    return hops


def moore_diameter(switches: int, degree: int, cables: int | None = None) -> int:
    """Return the least diameter of a graph of switches of a degree above 2, by the Moore bound.

    Parameters
    ----------
    switches, degree
        The graph.
    cables
        Those of a switch that has fewer than the others.

    Examples
    --------
    >>> moore_diameter(10, 3), moore_diameter(11, 3), moore_diameter(10, 3, cables=2)
    (2, 3, 3)
    """
    remaining, at, reached = switches - 1, 0, degree if cables is None else cables
    while remaining > 0:
        remaining, at, reached = remaining - reached, at + 1, reached * (degree - 1)
    return at


def sufficient_degrees(degrees: range, switches: int, per_switch: int, throughput: Fraction) -> range:
    """Return the degrees for which the Moore bound leaves a throughput open.

    Parameters
    ----------
    degrees
        Ascending degrees to choose from.
    switches, per_switch
        Number of switches, and of nodes at each.
    throughput
        Least all-to-all throughput, as in `Sized.throughput_bound`.

    Examples
    --------
    >>> sufficient_degrees(range(3, 30), 10, 2, Fraction(1))  # of degree 3, 3 · 10 links for 10 · 2 · 15 / 10 hops
    range(3, 30)
    """
    # With a degree more, there are more links and no more hops: the bound rises with the degree.
    least = bisect_left(
        degrees, True, key=lambda degree: degree * switches >= throughput * per_switch * least_hops(switches, degree)
    )
    return degrees[least:]


def last_topology(family: UniformFamily) -> Topology:
    """Return the topology of a network; those of the last networks of up to 4,096 switches are kept."""
    return _kept_topology(family) if family.switches <= MAX_KEPT_SWITCHES else family.topology()


@lru_cache(maxsize=32)
def _kept_topology(family: UniformFamily) -> Topology:
    return family.topology()


def format_shape(sizes: tuple[int, ...]) -> str:
    """Format the sizes of a grid for display.

    Examples
    --------
    >>> format_shape((4, 3))
    '4x3'
    """
    return "x".join(map(str, sizes))
