"""The operations of workloads, as traces need them."""

import numpy as np

from isoplane.models import InputError
from isoplane.models.workloads import PhasedWorkload, ProgramWorkload, Workload
from isoplane.models.workloads.programs import Operations, Program
from isoplane.models.workloads.programs.operations import exchange


def operations_of(workload: Workload) -> Operations:
    """Return what each process of a workload executes, in its order.

    Raises
    ------
    InputError
        If a workload has barriers without messages, or is a list of messages that processes may send in any order.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> operations_of(stencil((2, 2), 8, iterations=1)).messages
    8
    """
    if isinstance(workload, PhasedWorkload) and workload.synchronised:
        raise InputError("workload.synchronised=true: barriers without messages; expected false")
    if isinstance(workload, PhasedWorkload):
        phase = np.unique(workload.phase, return_inverse=True)[1]
        once = exchange(workload.source, workload.destination, workload.length_bytes, phase)
        return once.repeated(workload.iterations)
    if isinstance(workload, ProgramWorkload) and isinstance(workload.program, Program):
        return workload.program.operations()
    raise InputError(
        f"workload={workload.name}: messages without an order of each process; expected phases or a program"
    )
