"""Pipelines: stages of a model on one process each, through which micro-batches pass forward and backward."""

import numpy as np

from ..checks import check_int, decimal_number, exact_number
from ..errors import InputError
from .message_list import MAX_BYTES, check_message_count
from .program_workload import Parameter, ProgramWorkload
from .programs import COMPUTE, SEND, WAIT, Operations, Program

SCHEDULES = ("gpipe", "1f1b")
MAX_US = 10**9


def pipeline(
    processes: int = 8,
    micro_batches: int = 16,
    message_bytes: int = 16_777_216,
    forward_us: object = 1000,
    backward_us: object = 2000,
    schedule: str = "1f1b",
) -> ProgramWorkload:
    """Return a step of training in a pipeline, with one stage for each process.

    A stage awaits a micro-batch from the stage before, computes, and sends it to the next; gradients return the same
    way. With `gpipe` a stage executes all forward passes, then all backward ones. With `1f1b` the stage that is d from
    the last one executes d forward passes, then alternates between forward and backward passes, so that it holds at
    most d + 1 micro-batches. Sends are in the background.

    Parameters
    ----------
    processes
        Number of stages.
    micro_batches
        Number of micro-batches.
    message_bytes
        Length of a micro-batch between stages, in both directions.
    forward_us, backward_us
        Time that a stage computes for a micro-batch, in microseconds.
    schedule
        `gpipe` or `1f1b`.

    References
    ----------
    Huang et al., GPipe, 2019; Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using
    Megatron-LM, 2021.

    Examples
    --------
    >>> work = pipeline(4, 8, 1000)
    >>> work.matrix()[:2].tolist()
    [[0, 8000, 0, 0], [8000, 0, 8000, 0]]
    """
    check_int("workload.processes", processes, 2, 1 << 12)
    check_int("workload.micro_batches", micro_batches, 1, 1 << 16)
    check_int("workload.message_bytes", message_bytes, 1, MAX_BYTES)
    if schedule not in SCHEDULES:
        raise InputError(f"workload.schedule={schedule!r}: expected {', '.join(SCHEDULES)}")
    times_us = {"forward_us": forward_us, "backward_us": backward_us}
    delays_ps = [
        round(1_000_000 * exact_number(f"workload.{name}", value, high=MAX_US)) for name, value in times_us.items()
    ]
    check_message_count(2 * (processes - 1) * micro_batches)
    program = Program(processes)
    program.add(_operations(processes, micro_batches, message_bytes, delays_ps, schedule))
    parameters: tuple[tuple[str, Parameter], ...] = (
        ("kind", "pipeline"),
        ("processes", processes),
        ("micro_batches", micro_batches),
        ("message_bytes", message_bytes),
        *((name, decimal_number(f"workload.{name}", value)) for name, value in times_us.items()),
        ("schedule", schedule),
    )
    return ProgramWorkload("pipeline", program, parameters, eager_bytes=0)


def _passes(ahead: int, micro_batches: int, schedule: str) -> list[tuple[int, int]]:
    """Return the passes of a stage with so many stages after it: direction, 0 or 1, and number of the micro-batch."""
    warm = micro_batches if schedule == "gpipe" else min(ahead, micro_batches)
    forward, backward = [(0, batch) for batch in range(micro_batches)], [(1, batch) for batch in range(micro_batches)]
    alternating = [passed for pair in zip(forward[warm:], backward, strict=False) for passed in pair]
    return [*forward[:warm], *alternating, *backward[micro_batches - warm :]]


def _operations(stages: int, batches: int, message_bytes: int, delays_ps: list[int], schedule: str) -> Operations:
    """Return the operations of all stages; message (d, s, b) leaves stage s for the next one in direction d."""
    # Only stages 0 to S - 2 send forward, and only 1 to S - 1 backward, whose numbers follow.
    forward = np.arange(stages * batches).reshape(stages, batches)
    number = np.stack([forward, forward + (stages - 2) * batches])
    rows: list[tuple[int, int, int]] = []
    for stage in range(stages):
        for direction, batch in _passes(stages - 1 - stage, batches, schedule):
            before, after = (stage - 1, stage + 1) if direction == 0 else (stage + 1, stage - 1)
            if 0 <= before < stages:
                rows.append((stage, WAIT, int(number[direction, before, batch])))
            rows.append((stage, COMPUTE, delays_ps[direction]))
            if 0 <= after < stages:
                rows.append((stage, SEND, int(number[direction, stage, batch])))
    process, kind, value = np.array(rows, dtype=np.int64).T
    lower = np.repeat(np.arange(stages - 1), batches)
    source, destination = np.concatenate([lower, lower + 1]), np.concatenate([lower + 1, lower])
    return Operations(source, destination, np.full(len(source), message_bytes), process, kind, value)


WORKLOADS = (pipeline,)
