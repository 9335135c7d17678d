"""Constructors of topologies: switches and the cables between them, one kind per module."""

from .cube import cube_topology
from .graph import graph, graph_cables_mm
from .mesh import mesh
from .rdt import rdt
from .torus import torus

__all__ = ["cube_topology", "graph", "graph_cables_mm", "mesh", "rdt", "torus"]
