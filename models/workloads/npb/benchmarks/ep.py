"""EP, pairs of random numbers: all processes compute, then sum their results."""

from isoplane.models.workloads.programs import Program

from ..problem import MAX_PROCESSES, Problem

# Log2 of the number of pairs, by class.
SIZES = {"S": 24, "W": 25, "A": 28, "B": 30, "C": 32, "D": 36}
ITERATIONS = dict.fromkeys(SIZES, 1)
BATCH_LOG2 = 16


def processes(problem_class: str) -> tuple[int, ...]:
    """Return the allowed numbers of processes: any that leaves each a batch of 2^16 pairs."""
    return tuple(range(2, min(MAX_PROCESSES, 1 << SIZES[problem_class] - BATCH_LOG2) + 1))


def operations(problem_class: str) -> int:
    """Return the number of random numbers, which the benchmark counts as operations (ep.f, "Mops")."""
    return 2 << SIZES[problem_class]


def program(problem: Problem) -> Program:
    """Return the skeleton of EP.

    References
    ----------
    NPB 3.3.1, EP/ep.f.
    """
    run = Program(problem.processes)
    run.collective("bcast", 4)
    run.collective("barrier")
    with run.repeated(problem.iterations):
        run.compute(problem.compute_ps(operations(problem.problem_class)))
        for size_bytes in (8, 8, 80):
            run.collective("allreduce", size_bytes)
    run.collective("allreduce", 8)
    return run
