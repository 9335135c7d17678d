"""Fabrics: networks of any topology, as a simulator or an exporter needs them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .routing import Routes
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
    """

    wiring: Wiring
    routes: Routes
    cable_mm: NDArray[np.int64]


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
    """

    name: str
    planes: tuple[FabricPlane, ...]
    nodes_per_switch: int = 1
    node_cable_mm: int | None = None

    @property
    def switches(self) -> int:
        """Switches of each plane."""
        return self.planes[0].wiring.switches

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.switches * self.nodes_per_switch
