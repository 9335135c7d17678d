"""Skeletons of the NAS parallel benchmarks as workloads."""

from ..checks import check_int, decimal_number
from .message_list import MAX_BYTES
from .npb import skeleton, stated_per_count
from .program_workload import ProgramWorkload

EAGER_BYTES = 65536  # the default of SMPI


def npb(
    benchmark: str = "cg",
    problem_class: str = "A",
    processes: int = 64,
    iterations: int | None = None,
    gflops: object = 0,
    graph: str | None = None,
    eager_bytes: int = EAGER_BYTES,
    operations_per_count: object = 1,
) -> ProgramWorkload:
    """Return a benchmark as a workload: all of its messages, with computing between them.

    Collective operations are messages by the algorithms of `isoplane.models.workloads.collectives.algorithms`.

    Parameters
    ----------
    benchmark, problem_class, processes, iterations, gflops, graph, operations_per_count
        As for `skeleton`.
    eager_bytes
        A process does not wait for the arrival of its own messages of up to this length, since a buffer holds them.

    References
    ----------
    NPB 3.3.1; SimGrid, SMPI, option smpi/send-is-detached-thresh.

    Examples
    --------
    >>> npb("ft", "S", 4).matrix()[0].tolist()  # 8 all-to-alls, 6 reductions, broadcasts and a barrier
    [0, 2097173, 2097173, 2097152]
    """
    program = skeleton(benchmark, problem_class, processes, iterations, gflops, graph, operations_per_count)
    per_count = stated_per_count(benchmark, operations_per_count)
    check_int("workload.eager_bytes", eager_bytes, 0, MAX_BYTES)
    name = f"{benchmark} {problem_class}{'' if graph is None else ' ' + graph}"
    parameters = (
        ("kind", "npb"),
        ("benchmark", benchmark),
        ("problem_class", problem_class),
        ("processes", processes),
        ("iterations", iterations),
        ("gflops", decimal_number("workload.gflops", gflops)),
        ("graph", graph),
        ("eager_bytes", eager_bytes),
        # Old records lack it.
        *(() if per_count == 1 else (("operations_per_count", per_count),)),
    )
    return ProgramWorkload(name, program, parameters, eager_bytes)


WORKLOADS = (npb,)
