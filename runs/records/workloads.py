"""Workloads as JSON data."""

import numpy as np

from isoplane.models import Design, InputError, MessageList
from isoplane.models.checks import Json
from isoplane.models.workloads import (
    WORKLOADS,
    MappedWorkload,
    PhasedWorkload,
    ProgramWorkload,
    TraceWorkload,
    Workload,
    WorkloadMix,
)
from isoplane.models.workloads.mapped_workload import PER_NODE, in_groups, require_all_nodes
from isoplane.models.workloads.trace_workload import COLUMNS

LISTED = "messages"  # the kind of a workload that is given message by message
ARRAYS = ("phase", "source", "destination", "length_bytes")
PLACEMENT, MACHINE_NODES = "placement", "machine_nodes"  # of a workload on given nodes


def workload_json(workload: Workload) -> Json:
    """Return a workload as JSON: the parameters of a program, all messages by columns, or parts of a mix.

    That of processes on given nodes names these nodes, too; records have one process, or a group, for each node.

    Raises
    ------
    InputError
        If the workload is neither in phases, nor a list, nor a whole program.

    Examples
    --------
    >>> from isoplane.models.workloads import from_matrix
    >>> workload_json(from_matrix(np.array([[0, 5], [0, 0]])))["length_bytes"]
    [5]
    """
    if isinstance(workload, WorkloadMix):
        parts = [{"weight": weight, "workload": workload_json(part)} for weight, part in workload.parts]
        return {"kind": "mix", "parts": parts}
    if isinstance(workload, MappedWorkload):
        groups = {PER_NODE: several} if (several := workload.processes_per_node) > 1 else {}
        is_in_order = workload == in_groups(workload.workload, several)
        nodes = {} if is_in_order else {PLACEMENT: list(workload.nodes), MACHINE_NODES: workload.machine_nodes}
        return {**workload_json(workload.workload), **groups, **nodes}
    if isinstance(workload, ProgramWorkload):
        if workload.divisor != 1:
            raise InputError(f"workload: lengths divided by {workload.divisor}; expected the whole workload")
        return dict(workload.parameters)
    if isinstance(workload, TraceWorkload):
        columns = {name: getattr(workload.listed, name).tolist() for name in COLUMNS}
        return {"kind": LISTED, "name": workload.name, "processes": workload.processes, **columns}
    if not isinstance(workload, PhasedWorkload):
        raise InputError(f"workload={workload.name}: {type(workload).__name__}; expected a program, phases or a list")
    columns = {name: getattr(workload, name).tolist() for name in ARRAYS}
    return {
        "name": workload.name,
        "processes": workload.processes,
        "iterations": workload.iterations,
        **({"synchronised": True} if workload.synchronised else {}),
        **columns,
    }


def workload_from(data: Json) -> Workload:
    """Rebuild a workload.

    Raises
    ------
    InputError
        If the columns do not fit together, or a parameter is not allowed.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> workload_from(workload_json(stencil())) == stencil()
    True
    """
    if PLACEMENT in data:
        job = {key: data[key] for key in data if key not in (PLACEMENT, MACHINE_NODES, PER_NODE)}
        return MappedWorkload(workload_from(job), tuple(data[PLACEMENT]), data[MACHINE_NODES], data.get(PER_NODE, 1))
    if PER_NODE in data:
        return in_groups(workload_from({key: data[key] for key in data if key != PER_NODE}), data[PER_NODE])
    if data.get("kind") == LISTED:
        columns = (np.array(data[name], dtype=np.int64) for name in COLUMNS)
        source, destination, length, delay, start, dependency = columns
        first, last, before = (column.astype(np.int32) for column in (source, destination, dependency))
        listed = MessageList(data["processes"], first, last, length, delay, start, before)
        return TraceWorkload(data["name"], listed)
    if data.get("kind") == "mix":
        return WorkloadMix(tuple((part["weight"], workload_from(part["workload"])) for part in data["parts"]))
    if "kind" in data:
        return WORKLOADS[data["kind"]](**{key: value for key, value in data.items() if key != "kind"})
    phase, source, destination, length_bytes = (np.array(data[name], dtype=np.int64) for name in ARRAYS)
    ends = phase, source, destination, length_bytes
    synchronised = data.get("synchronised", False)
    return PhasedWorkload(data["name"], data["processes"], *ends, data["iterations"], synchronised)


def require_fit(design: Design, workload: Workload) -> None:
    """Require that a workload has one process per node of a design."""
    require_all_nodes(workload, design.network.nodes)
