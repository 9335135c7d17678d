"""Base class of fat-trees of any number of levels."""

from abc import abstractmethod
from fractions import Fraction
from math import prod
from operator import mul

from numpy.typing import ArrayLike

from ..cabling.cable_lengths import check_assumed_cable, given_cables_mm
from ..checks import Metres, millimetres
from ..exchanges.all_to_all import ExchangeOrder
from ..exchanges.contention_free import aligned_shift
from ..planes.plane import Cabling, Plane, uniform_attachment
from ..planes.topology import Topology
from ..routing import check_up_routing, require_d_mod_k, up_choices, xgft_heaviest_load, xgft_routes
from ..site.site import Site
from ..topologies import xgft
from ..topologies.xgft import Shape, level_sizes
from .sized import Sized


class TreeFamily(Sized):
    """Base class of single-plane families of trees, with the switches, cables and routes of `xgft`.

    Packets go up to a common ancestor and down, so that they need one class of virtual channels. Subclasses declare the
    fields, with their defaults.

    Attributes
    ----------
    assumed_cable_m, node_cable_m
        Lengths of the cables between switches, None if they follow from the layout, and between a node and its switch.
    routing, seed
        Uplinks by the destination node (`up_choices`): ``d_mod_k``, or ``random`` with the seed of a hash.
    """

    node_cable_m: Metres
    routing: str
    seed: int

    @property
    @abstractmethod
    def tree(self) -> Shape:
        """Children, parents and parallel cables of the switches of all levels, from the nodes up, as in `xgft`."""

    def check_fields(self) -> None:
        """Raise an `InputError` if the routing, its seed or a length of cables is not allowed."""
        check_up_routing(self.routing, self.seed)
        check_assumed_cable(self.assumed_cable_m)
        millimetres("network.node_cable_m", self.node_cable_m)

    @property
    def nodes(self) -> int:
        """Number of nodes, the product of the children of all levels."""
        return prod(self.tree[0])

    @property
    def nodes_at_switch(self) -> int:
        """Number of nodes at every switch of the lowest level."""
        return self.tree[0][0]

    @property
    def switches_by_level(self) -> tuple[int, ...]:
        """Number of switches of levels 1 to h: w₁ ... w_l m_{l+1} ... m_h at level l."""
        children, parents, _ = self.tree
        return tuple(level_sizes(children, parents))

    @property
    def switches(self) -> int:
        """Number of switches of all levels."""
        return sum(self.switches_by_level)

    @property
    def ports(self) -> int:
        """Maximum number of ports that a switch uses, the maximum of m_l p_l + w_{l+1} p_{l+1} and m_h p_h."""
        children, parents, cables = self.tree
        below, above = list(map(mul, children, cables)), list(map(mul, parents, cables))
        return max(map(sum, zip(below, (*above[1:], 0), strict=True)))

    @property
    def cables(self) -> int:
        """Number of cables between switches: at each level but the last, its switches times w_{l+1} p_{l+1}."""
        _, parents, cables = self.tree
        return sum(map(prod, zip(self.switches_by_level, parents[1:], cables[1:], strict=False)))

    @property
    def throughput_bound(self) -> Fraction:
        """Upper bound on the all-to-all throughput, from `xgft_heaviest_load`."""
        return Fraction(self.nodes, xgft_heaviest_load(*self.tree))

    @property
    def reaches_bound(self) -> bool:
        """Whether routing is D-mod-k, whose busiest link has the load that the bound counts."""
        return self.routing == "d_mod_k"

    def contention_free_order(self, nodes: ArrayLike | None = None) -> ExchangeOrder:
        """Return the shift order, of all nodes or an aligned job; see `aligned_shift`. Only with D-mod-k."""
        require_d_mod_k(self.routing)
        children, parents, cables = self.tree
        return aligned_shift(children, parents, nodes, cables)

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return xgft(*self.tree)

    def build(self, site: Site) -> tuple[Cabling, ...]:
        """Return the plane without its routes."""
        topology, node_switch = self.topology(), uniform_attachment(self.switches_by_level[0], self.nodes_at_switch)
        lengths = given_cables_mm(topology, self.assumed_cable_m)
        return (Cabling(topology, lengths, node_switch, millimetres("network.node_cable_m", self.node_cable_m)),)

    def routed(self, planes: tuple[Cabling, ...]) -> tuple[Plane, ...]:
        """Return the plane with its routes."""
        children, parents, cables = self.tree
        routes = xgft_routes(children, parents, up_choices(self.routing, self.nodes, self.seed), cables)
        return tuple(plane.routed(routes) for plane in planes)
