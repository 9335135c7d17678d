"""Topologies: who is joined to whom, each as a wiring."""

from .cube import cube_wiring
from .torus import torus

__all__ = ["cube_wiring", "torus"]
