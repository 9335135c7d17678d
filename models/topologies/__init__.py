"""Constructors of topologies: switches and the cables between them, one kind per module."""

from .cube import cube_topology
from .dragonfly import GlobalCables, dragonfly, megafly
from .graph import graph, graph_cables_mm
from .hyperx import hyperx
from .rdt import rdt
from .torus import mesh, torus
from .xgft import xgft

__all__ = [
    "GlobalCables",
    "cube_topology",
    "dragonfly",
    "graph",
    "graph_cables_mm",
    "hyperx",
    "megafly",
    "mesh",
    "rdt",
    "torus",
    "xgft",
]
