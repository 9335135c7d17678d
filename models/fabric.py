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
    """One plane: its cables, its routes, and how long its cables are.

    Parameters
    ----------
    wiring, routes
        Which port is joined to which, and where packets go.
    cable_mm : int64[switches, ports]
        Length of the cable at each port, the same from both ends; 0 where there is none.

    Raises
    ------
    InputError
        If these do not fit together, or some switches are not connected.
    """

    wiring: Wiring
    routes: Routes
    cable_mm: NDArray[np.int64]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cable_mm", np.ascontiguousarray(self.cable_mm, dtype=np.int64))
        self.routes.require_fit(self.wiring)
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


@dataclass(frozen=True, eq=False)
class Fabric:
    """Planes over one set of nodes.

    Node i is at switch i // nodes_per_switch of every plane, with one port in each.

    Parameters
    ----------
    name
        What reports call it.
    planes
        The planes, with equally many switches.
    nodes_per_switch
        Nodes at each switch.
    node_cable_mm
        Length of the cable between a node and its switch; None in a direct network, where the switch is part of its
        only node: what it sends enters the switch at once, and what arrives for it is consumed as it comes in.

    Raises
    ------
    InputError
        If there are no planes, they differ in size, or a number is out of range.
    """

    name: str
    planes: tuple[FabricPlane, ...]
    nodes_per_switch: int = 1
    node_cable_mm: int | None = None

    def __post_init__(self) -> None:
        sizes = sorted({plane.wiring.switches for plane in self.planes})
        if len(sizes) != 1:
            raise InputError(f"fabric.planes: planes of {sizes} switches; allowed are planes of one size")
        check_int("fabric.nodes_per_switch", self.nodes_per_switch, 1, MAX_NODES_PER_SWITCH)
        if self.node_cable_mm is not None:
            check_int("fabric.node_cable_mm", self.node_cable_mm, 0)
        elif self.nodes_per_switch != 1:
            raise InputError(
                f"fabric.nodes_per_switch={self.nodes_per_switch}: allowed is 1 in a direct network, whose nodes have "
                "no cables"
            )

    @property
    def switches(self) -> int:
        """Switches of each plane."""
        return self.planes[0].wiring.switches

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.switches * self.nodes_per_switch


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
        planes.append(FabricPlane(wiring, dimension_order(cube), cable_mm.astype(np.int64)))
    node_cable_mm = 0
    if layout is not None:
        node_cable_mm, _ = prices.cable_for_mm(millimetres("layout.node_cable_m", layout.node_cable_m))
    return Fabric(name or network.family.title, tuple(planes), network.cubes.nodes_per_switch, node_cable_mm)
