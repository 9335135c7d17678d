"""Base class of families whose switches all have nodes, with a routing for any topology."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .routing import ROUTINGS, Routes, check_routing
from .topologies import graph
from .topology import Topology
from .uniform_family import Metres, UniformFamily


@dataclass(frozen=True, kw_only=True)
class RoutedFamily(UniformFamily):
    """Base class of single-plane families given by the edges of a graph; further parameters as in `UniformFamily`.

    Parameters
    ----------
    routing
        A routing for any topology, as in `Graph`.

    Raises
    ------
    InputError
        If a value is out of range.
    """

    cable_m: Metres = 5.0
    node_cable_m: Metres | None = 2.0
    routing: str = "hop_classes"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_routing(self.routing)

    @abstractmethod
    def edges(self) -> NDArray[np.int64]:
        """Return the two switches of each cable, as int64[cables, 2]; the ports of a switch are in this order."""

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return graph([(a, b) for a, b in self.edges().tolist()], self.switches)

    def routes(self) -> Routes:
        """Return the routes."""
        return ROUTINGS[self.routing](self.topology())
