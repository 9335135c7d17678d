"""What processes execute for a workload, and its messages by what they begin with."""

from dataclasses import replace

import numpy as np

from ..errors import InputError
from .mapped_workload import MappedWorkload
from .message_list import MessageList
from .phased_workload import PhasedWorkload
from .program_workload import ProgramWorkload
from .programs import STARTS, Operations, Program, message_list_of
from .programs.operations import exchange
from .trace_workload import TraceWorkload
from .workload import Workload, divided


def messages_begun_by(workload: Workload, start: str) -> MessageList:
    """Return the messages of a workload, which begin once their senders are ready, or also their receivers.

    Parameters
    ----------
    workload
        The workload.
    start
        ``sender``: messages as the workload lists them. ``both``: a message also awaits that its receiver has posted
        the receive (`message_list_of`), as in MPI libraries that do not buffer messages at the receiver. A trace says
        where that is (`TraceWorkload.received`).

    Raises
    ------
    InputError
        If the operations of processes are needed and not known (`operations_of`).

    Examples
    --------
    >>> from isoplane.models.workloads import PhasedWorkload
    >>> ends = [0, 1, 2, 0], [1, 2, 3, 2]  # 2 can receive from 0 when it has received from 1
    >>> chain = PhasedWorkload("chain", 4, np.arange(4), *map(np.array, ends), np.full(4, 8))
    >>> [messages_begun_by(chain, start).dependency.tolist() for start in STARTS]
    [[0, 1, 0], [0, 1, 0, 1]]
    """
    if start not in STARTS:
        raise InputError(f"messages_start={start}: expected {', '.join(STARTS)}")
    if start == "sender":
        return workload.message_list()
    if isinstance(workload, MappedWorkload):
        listed = TraceWorkload(workload.name, messages_begun_by(workload.workload, start))
        return replace(workload, workload=listed).message_list()
    if isinstance(workload, TraceWorkload) and workload.received is not None:
        return workload.received()
    eager_bytes, divisor = (0, 1)
    if isinstance(workload, ProgramWorkload):
        eager_bytes, divisor = workload.eager_bytes, workload.divisor
    messages = message_list_of(workload.processes, operations_of(workload), eager_bytes, start)
    return replace(messages, length_bytes=divided(messages.length_bytes, divisor))


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
