"""Workloads: messages between processes, from benchmarks, stencils, collectives, matrices or at random."""

from collections.abc import Callable, Mapping

from .at_random import dense, sparse
from .collectives import all_to_all, recursive_doubling, ring_all_reduce
from .matrix import from_matrix
from .npb import npb
from .phased_workload import PhasedWorkload
from .program_workload import ProgramWorkload
from .stencil import stencil
from .workload import Workload

# By kind: functions of parameters.
WORKLOADS: Mapping[str, Callable[..., Workload]] = {
    function.__name__: function
    for function in (stencil, sparse, dense, all_to_all, ring_all_reduce, recursive_doubling, npb)
}

__all__ = [
    "WORKLOADS",
    "PhasedWorkload",
    "ProgramWorkload",
    "Workload",
    "all_to_all",
    "dense",
    "from_matrix",
    "npb",
    "recursive_doubling",
    "ring_all_reduce",
    "sparse",
    "stencil",
]
