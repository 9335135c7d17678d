"""EP, pairs of random numbers: all processes compute, then sum their results."""

from math import pi

from isoplane.models.workloads.programs import Program

from ..problem import MAX_PROCESSES, Problem

# Log2 of the number of pairs, by class.
SIZES = {"S": 24, "W": 25, "A": 28, "B": 30, "C": 32, "D": 36}
ITERATIONS = dict.fromkeys(SIZES, 1)
BATCH_LOG2 = 16
# Floating-point operations of the code: of a random number (vranlc), of a pair, and of a pair within the unit circle.
PER_NUMBER, PER_PAIR, PER_ACCEPTED = 16, 7, 9


def processes(problem_class: str) -> tuple[int, ...]:
    """Return the allowed numbers of processes: any that leaves each a batch of 2^16 pairs."""
    return tuple(range(2, min(MAX_PROCESSES, 1 << SIZES[problem_class] - BATCH_LOG2) + 1))


def operations(problem_class: str) -> int:
    """Return the number of random numbers, which the benchmark counts as operations (ep.f, "Mops")."""
    return 2 << SIZES[problem_class]


def operations_per_count(problem_class: str) -> float:
    """Return the floating-point operations behind each random number: (2 · 16 + 7 + 9 π / 4) / 2.

    Additions, subtractions, multiplications, divisions, roots and logarithms are counted, each as one; not truncations,
    comparisons and absolute values. The generator in double precision multiplies modulo 2^46 by halves: 3 operations
    split the last number, 4 and 2 make the middle part and reduce it, 4 and 2 the product, and 1 scales it to below 1:
    16. Of a pair x and y, 2 x - 1, 2 y - 1 and t = x² + y² are 7. If t is at most 1, as for a share π / 4,
    sqrt(-2 log(t) / t) has 4, its products with x and y 2, and the sums and the count of the annulus 3.

    References
    ----------
    NPB 3.3.1, EP/ep.f, loop 140, and common/randdp.f, vranlc (RAND = randdp).

    Examples
    --------
    >>> round(operations_per_count("A"), 2)
    23.03
    """
    return (2 * PER_NUMBER + PER_PAIR + PER_ACCEPTED * pi / 4) / 2


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
