"""Workloads: messages between processes, from stencils, collectives, matrices or at random."""

from .at_random import dense, sparse
from .collectives import all_to_all, recursive_doubling, ring_all_reduce
from .matrix import from_matrix
from .phased_workload import PhasedWorkload
from .placed import PlacedWorkload
from .stencil import stencil
from .workload import Workload

__all__ = [
    "PhasedWorkload",
    "PlacedWorkload",
    "Workload",
    "all_to_all",
    "dense",
    "from_matrix",
    "recursive_doubling",
    "ring_all_reduce",
    "sparse",
    "stencil",
]
