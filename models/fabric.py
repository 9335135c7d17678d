"""Fabrics: networks of any topology, as a simulator or an exporter needs them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cabling import cable_lengths_mm
from .checks import check_int, millimetres
from .errors import InputError
from .network import MAX_NODES_PER_SWITCH, Network
from .routing import Routes, dimension_order
from .topologies import cube_wiring
from .wiring import Wiring


@dataclass(frozen=True, eq=False)
class FabricPlane:
    """One plane: its cables, its routes, how long its cables are, and where the nodes are.

    Parameters
    ----------
    wiring, routes
        Which port is joined to which, and where packets go.
    cable_mm : int64[switches, ports]
        Length of the cable at each port, the same from both ends; 0 where there is none.
    node_switch : int32[nodes]
        The switch at which each node has its port; some switches may have no nodes.

    Raises
    ------
    InputError
        If these do not fit together, or some switches are not connected.
    """

    wiring: Wiring
    routes: Routes
    cable_mm: NDArray[np.int64]
    node_switch: NDArray[np.int32]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cable_mm", np.ascontiguousarray(self.cable_mm, dtype=np.int64))
        object.__setattr__(self, "node_switch", np.ascontiguousarray(self.node_switch, dtype=np.int32))
        self._check_nodes()
        self.routes.require_fit(self.wiring, self.node_switch)
        if self.cable_mm.shape != self.wiring.peer.shape:
            raise InputError(
                f"plane.cable_mm: an array of shape {self.cable_mm.shape}; allowed is {self.wiring.peer.shape}, "
                "switches and ports of the wiring"
            )
        cabled = self.wiring.peer >= 0
        other_end = np.where(cabled, self.cable_mm[self.wiring.peer, self.wiring.peer_port], 0)
        wrong = np.argwhere((self.cable_mm < 0) | (self.cable_mm != other_end))
        if len(wrong):
            switch, port = wrong[0]
            raise InputError(
                f"plane.cable_mm={self.cable_mm[switch, port]} at switch {switch} port {port}: allowed is a length of "
                "at least 0, the same from both ends, and 0 without a cable"
            )
        self.wiring.require_connected()

    def _check_nodes(self) -> None:
        switches, shape = self.wiring.switches, self.node_switch.shape
        if len(shape) != 1 or not shape[0]:
            raise InputError(f"plane.node_switch: an array of shape {shape}; allowed is a switch for each node")
        wrong = np.flatnonzero((self.node_switch < 0) | (self.node_switch >= switches))
        if len(wrong):
            check_int(f"plane.node_switch[{wrong[0]}]", int(self.node_switch[wrong[0]]), 0, switches - 1)
        at_each = np.bincount(self.node_switch)
        if at_each.max() > MAX_NODES_PER_SWITCH:
            raise InputError(
                f"plane.node_switch: switch {at_each.argmax()} has {at_each.max()} nodes; allowed are at most "
                f"{MAX_NODES_PER_SWITCH} at a switch"
            )


def evenly(switches: int, nodes_per_switch: int) -> NDArray[np.int32]:
    """Return the switch of every node where all switches have equally many: node i is at i // nodes_per_switch.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> evenly(3, 2).tolist()
    [0, 0, 1, 1, 2, 2]
    """
    check_int("switches", switches, 1)
    check_int("nodes_per_switch", nodes_per_switch, 1, MAX_NODES_PER_SWITCH)
    return np.repeat(np.arange(switches, dtype=np.int32), nodes_per_switch)


@dataclass(frozen=True, eq=False)
class Fabric:
    """Planes over one set of nodes, each of which has one port in every plane.

    Parameters
    ----------
    name
        What reports call it.
    planes
        The planes, with equally many nodes.
    node_cable_mm
        Length of the cable between a node and its switch; None in a direct network, where switch i is part of node i
        alone: what it sends enters the switch at once, and what arrives for it is consumed as it comes in.

    Raises
    ------
    InputError
        If there are no planes, they differ in their number of nodes, or a number is out of range.
    """

    name: str
    planes: tuple[FabricPlane, ...]
    node_cable_mm: int | None = None

    def __post_init__(self) -> None:
        sizes = sorted({len(plane.node_switch) for plane in self.planes})
        if len(sizes) != 1:
            raise InputError(f"fabric.planes: planes of {sizes} nodes; allowed are planes over the same nodes")
        if self.node_cable_mm is not None:
            check_int("fabric.node_cable_mm", self.node_cable_mm, 0)
            return
        for number, plane in enumerate(self.planes):
            if not np.array_equal(plane.node_switch, np.arange(plane.wiring.switches)):
                raise InputError(
                    f"fabric.planes: {self.nodes} nodes at the {plane.wiring.switches} switches of plane {number}; "
                    "allowed is node i at switch i in a direct network, whose nodes have no cables"
                )

    @property
    def switches(self) -> tuple[int, ...]:
        """Switches of each plane."""
        return tuple(plane.wiring.switches for plane in self.planes)

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.planes[0].node_switch)


def fabric_of(network: Network, name: str = "") -> Fabric:
    """Return the fabric of a network of hypercube planes with dimension-order routing.

    Cables have the lengths that are bought: what the layout asks for, rounded up to the catalogue, for the nodes too.
    Without a layout all cables have length 0.

    Parameters
    ----------
    network
        The network; each of its nodes has one port in every plane.
    name
        What reports call it; family and dimension where it is empty.

    Raises
    ------
    InputError
        If nodes have two ports in a plane, or the catalogue has no cable that is long enough.

    References
    ----------
    Hosomi et al. 2021, sections 2 and 3.1.

    Examples
    --------
    >>> from .dual_cube import dual_cube
    >>> fabric = fabric_of(dual_cube(3, (3, 5, 7)))
    >>> fabric.name, fabric.nodes, fabric.node_cable_mm, fabric.planes[1].cable_mm[0].tolist()
    ('hypercube n=3', 32, 2000, [1000, 3000, 3000])
    """
    if network.cubes.ports_per_node != 1:
        raise InputError(f"network.ports_per_node={network.cubes.ports_per_node}: allowed for a fabric is 1")
    layout, prices = network.site.layout, network.site.prices
    planes = []
    for cube in network.cubes.planes:
        wiring = cube_wiring(cube)
        cable_mm = np.zeros(wiring.peer.shape) if layout is None else cable_lengths_mm(wiring, layout, prices)
        nodes = evenly(wiring.switches, network.cubes.nodes_per_switch)
        planes.append(FabricPlane(wiring, dimension_order(cube), cable_mm.astype(np.int64), nodes))
    node_cable_mm = 0
    if layout is not None:
        node_cable_mm, _ = prices.cable_for_mm(millimetres("layout.node_cable_m", layout.node_cable_m))
    return Fabric(name or network.family.title, tuple(planes), node_cable_mm)
