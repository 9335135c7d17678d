"""Base class of two-level networks: leaf switches with nodes below spine switches without."""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..cabling.cable_lengths import check_assumed_cable, given_cables_mm
from ..checks import MAX_NODES_PER_SWITCH, Metres, check_int, millimetres
from ..planes.plane import Cabling, Plane, uniform_attachment
from ..planes.routes import Routes
from ..planes.topology import Topology
from ..routing import leaf_spine_routes
from ..site.site import Site
from ..topologies import graph
from .sized import Sized


@dataclass(frozen=True, kw_only=True)
class LeafSpineFamily(Sized):
    """Base class of single-plane families of leaf and spine switches; leaves have the lower ids.

    Packets go up to a spine with cables to both leaves, and down, so they need one class of virtual channels: none goes
    up after it has gone down.

    Parameters
    ----------
    nodes_per_leaf
        Nodes at every leaf.
    assumed_cable_m, node_cable_m
        Lengths of the cables between switches, and between a node and its leaf, in metres. If `assumed_cable_m` is
        None, cables between switches have lengths from the layout.
    """

    nodes_per_leaf: int = 4
    assumed_cable_m: Metres | None = 5.0
    node_cable_m: Metres = 2.0

    def __post_init__(self) -> None:
        check_int("network.nodes_per_leaf", self.nodes_per_leaf, 1, MAX_NODES_PER_SWITCH)
        check_assumed_cable(self.assumed_cable_m)
        millimetres("network.node_cable_m", self.node_cable_m)

    @property
    @abstractmethod
    def leaves(self) -> int:
        """Number of leaves."""

    @property
    @abstractmethod
    def spines(self) -> int:
        """Number of spines."""

    @property
    @abstractmethod
    def uplinks(self) -> int:
        """Number of cables from every leaf to spines."""

    @abstractmethod
    def spines_of_leaves(self) -> NDArray[np.int64]:
        """Return the spine, from 0, of each uplink, as int64[leaves, uplinks]; parallel cables repeat it."""

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.leaves * self.nodes_per_leaf

    @property
    def nodes_at_switch(self) -> int:
        """Number of nodes at every leaf."""
        return self.nodes_per_leaf

    @property
    def throughput_bound(self) -> Fraction | None:
        """Upper bound on the all-to-all throughput: every packet to another leaf takes one separate uplink.

        With L leaves, of u uplinks and p nodes each, it is L u / (L - 1) p; None for a single leaf.
        """
        if self.leaves == 1:
            return None
        return Fraction(self.leaves * self.uplinks, (self.leaves - 1) * self.nodes_per_leaf)

    @property
    def switches(self) -> int:
        """Number of leaves and spines."""
        return self.leaves + self.spines

    @property
    def cables(self) -> int:
        """Number of cables between leaves and spines."""
        return self.leaves * self.uplinks

    @property
    def ports(self) -> int:
        """Ports of a leaf, or of a spine if it has more; every spine has as many cables as the others."""
        return max(self.nodes_per_leaf + self.uplinks, self.cables // self.spines)

    def build(self, site: Site) -> tuple[Cabling, ...]:
        """Return the plane without its routes."""
        topology, node_switch = self.topology(), uniform_attachment(self.leaves, self.nodes_per_leaf)
        lengths = given_cables_mm(topology, self.assumed_cable_m)
        return (Cabling(topology, lengths, node_switch, millimetres("network.node_cable_m", self.node_cable_m)),)

    def routed(self, planes: tuple[Cabling, ...]) -> tuple[Plane, ...]:
        """Return the plane with its routes."""
        return tuple(plane.routed(_last_routes(self)) for plane in planes)

    def topology(self) -> Topology:
        """Return the cables: uplink k of a leaf is at port k, the cables of a spine are in the order of the leaves."""
        spine = self.spines_of_leaves()
        leaf = np.repeat(np.arange(self.leaves), self.uplinks)
        return graph(np.stack([leaf, (self.leaves + spine).ravel()], axis=1), self.switches)

    def routes(self) -> Routes:
        """Return the routes: D-mod-k."""
        return leaf_spine_routes(self.topology(), self.leaves, uniform_attachment(self.leaves, self.nodes_per_leaf))


@lru_cache(maxsize=2)
def _last_routes(family: LeafSpineFamily) -> Routes:
    """Return the routes of a network, which take long in large ones; the last ones are kept."""
    return family.routes()
