"""Workloads: messages between processes, from benchmarks, stencils, collectives, matrices or at random."""

import sys
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules

from ..checks import check_type
from ..errors import InputError
from ..installed.entry_points import WORKLOAD_POINTS, function_at, points_of
from . import collectives
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
from .mapped_workload import MappedWorkload
from .matrix import from_matrix
from .mix import WorkloadMix, parts_of
from .npb_workload import npb
from .phased_workload import PhasedWorkload
from .pipeline import pipeline
from .program_workload import ProgramWorkload
from .stencil import stencil
from .trace_workload import TraceWorkload
from .tree_all_reduce import tree_all_reduce
from .workload import Workload


def _by_kind() -> dict[str, Callable[..., Workload]]:
    """Return the functions in `WORKLOADS` of the modules of this room and of its collectives, in alphabetical order."""
    modules = [
        import_module(f"{package.__name__}.{module.name}")
        for package in (sys.modules[__name__], collectives)
        for module in iter_modules(package.__path__)
        if not module.ispkg
    ]
    functions = {function.__name__: function for module in modules for function in getattr(module, "WORKLOADS", ())}
    return dict(sorted(functions.items()))


WORKLOADS: Mapping[str, Callable[..., Workload]] = _by_kind()  # functions of parameters, by kind


def installed_workloads(built_in: Collection[str] = WORKLOADS) -> dict[str, Callable[..., Workload]]:
    """Return the functions of workloads that installed packages have, by kind.

    Parameters
    ----------
    built_in
        The kinds that isoplane itself has.

    Raises
    ------
    InputError
        If a package has one of these kinds, or no such function.
    """
    points = points_of(WORKLOAD_POINTS, built_in)
    return {kind: _checked(kind, function_at(f"workload={kind}", path)) for kind, path in points.items()}


def _checked(kind: str, function: Callable[..., Workload]) -> Callable[..., Workload]:
    """Return a function that requires parameters of their types, and that the one of a package returns a workload."""

    @wraps(function)
    def workload(**parameters: object) -> Workload:
        _require_types(function, parameters)
        found = function(**parameters)
        if not all(hasattr(found, name) for name in ("processes", "iterations", "message_list", "scaled")):
            raise InputError(f"workload={kind}: returned {type(found).__name__}; expected a Workload")
        return found

    return workload


def _require_types(function: Callable[..., Workload], values: Mapping[str, object]) -> None:
    """Require that values of parameters are of the types that a function states for them, or their defaults."""
    try:
        parameters = signature(function, eval_str=True).parameters
    except NameError:  # of a type that is imported for type checkers only
        return
    for name, value in values.items():
        if name in parameters and value != parameters[name].default:
            check_type(f"workload.{name}", value, parameters[name].annotation)


__all__ = [
    "WORKLOADS",
    "MappedWorkload",
    "PhasedWorkload",
    "ProgramWorkload",
    "TraceWorkload",
    "Workload",
    "WorkloadMix",
    "all_to_all",
    "dense",
    "doubling_all_gather",
    "expert_parallel",
    "from_matrix",
    "halving_doubling",
    "halving_reduce_scatter",
    "installed_workloads",
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
