"""Orders of an all-to-all exchange whose packets never wait for each other, one per kind of network.

A phase is free of contention if no two of its messages share a directed link, so that no packet loses an arbitration.
This holds when phases are separated by a barrier and a drained network, and buffers cover the round trip of a credit.
"""

from .aligned_shift import aligned_shift
from .layered_mesh import layered_mesh_order
from .projective_plane import projective_plane_order
from .whole_blocks import whole_blocks

__all__ = ["aligned_shift", "layered_mesh_order", "projective_plane_order", "whole_blocks"]
