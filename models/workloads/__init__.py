"""Workloads: messages between processes, from benchmarks, stencils, collectives, matrices or at random."""

from collections.abc import Callable, Mapping

from .at_random import dense, sparse
from .collectives.expert_parallel import expert_parallel
from .collectives.operations import (
    all_to_all,
    doubling_all_gather,
    halving_doubling,
    halving_reduce_scatter,
    recursive_doubling,
    ring_all_gather,
    ring_all_reduce,
    ring_reduce_scatter,
)
from .listed_workload import ListedWorkload
from .matrix import from_matrix
from .mix import WorkloadMix, parts_of
from .npb_workload import npb
from .phased_workload import PhasedWorkload
from .pipeline import pipeline
from .placed import PlacedWorkload
from .program_workload import ProgramWorkload
from .stencil import stencil
from .tree_all_reduce import tree_all_reduce
from .workload import Workload

# By kind: functions of parameters.
WORKLOADS: Mapping[str, Callable[..., Workload]] = {
    function.__name__: function
    for function in (
        *(stencil, sparse, dense, all_to_all),
        *(ring_all_reduce, recursive_doubling, halving_doubling, tree_all_reduce),
        *(ring_all_gather, doubling_all_gather, ring_reduce_scatter, halving_reduce_scatter),
        *(expert_parallel, pipeline, npb),
    )
}

__all__ = [
    "WORKLOADS",
    "ListedWorkload",
    "PhasedWorkload",
    "PlacedWorkload",
    "ProgramWorkload",
    "Workload",
    "WorkloadMix",
    "all_to_all",
    "dense",
    "doubling_all_gather",
    "expert_parallel",
    "from_matrix",
    "halving_doubling",
    "halving_reduce_scatter",
    "npb",
    "parts_of",
    "pipeline",
    "recursive_doubling",
    "ring_all_gather",
    "ring_all_reduce",
    "ring_reduce_scatter",
    "sparse",
    "stencil",
    "tree_all_reduce",
]
