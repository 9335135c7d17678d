"""IS, the sorting of integers: all-to-all exchanges of keys, whose lengths follow from the random keys."""

from isoplane.models.workloads.programs import Program

from ..key_counts import CLASSES, sent_keys
from ..problem import Problem, powers_of_two

ITERATIONS = dict.fromkeys(CLASSES, 10)
KEY_BYTES = 4
PER_KEY, PER_VALUE = 5, 1  # integer operations of the code: of a key, and of a value that keys may have


def processes(problem_class: str) -> tuple[int, ...]:
    """Return the allowed numbers of processes: powers of two, up to 128 in class S and at least 4 in class D."""
    return powers_of_two(128 if problem_class == "S" else 1024, 4 if problem_class == "D" else 2)


def operations(problem_class: str) -> int:
    """Return the number of keys, each of which the benchmark counts as an operation (is.c, "mops")."""
    keys_log2, _, _ = CLASSES[problem_class]
    return 1 << keys_log2


def operations_per_count(problem_class: str) -> float:
    """Return the integer operations behind each key and iteration: 5 + 2^(log2 of values - log2 of keys).

    Shifts, increments and additions are counted, each as one; not loads, stores, addresses and loop counters. A key is
    shifted to its bucket and increments the size of that; is shifted again and increments the place in the bucket; and
    increments the number of keys of its value. Each value adds the number of smaller keys. What follows for each bucket
    is left out.

    References
    ----------
    NPB 3.3.1, IS/is.c, rank.

    Examples
    --------
    >>> operations_per_count("A")
    5.0625
    """
    keys_log2, values_log2, _ = CLASSES[problem_class]
    return PER_KEY + PER_VALUE * 2.0 ** (values_log2 - keys_log2)


def program(problem: Problem) -> Program:
    """Return the skeleton of IS.

    In each iteration processes sum how many keys each bucket has, exchange how many keys each sends, and exchange the
    keys. The lengths are exact: the keys are those of the benchmark's generator. At the end each process sends its
    largest key to the next one.

    References
    ----------
    NPB 3.3.1, IS/is.c: create_seq, rank, full_verify.
    """
    run, (_, _, buckets_log2) = Program(problem.processes), CLASSES[problem.problem_class]
    exchanges = sent_keys(problem.problem_class, problem.processes, problem.iterations)
    run.collective("bcast", KEY_BYTES)
    for keys, times in exchanges:
        with run.repeated(times):
            run.compute(problem.compute_ps(operations(problem.problem_class)))
            run.collective("allreduce", KEY_BYTES * ((1 << buckets_log2) + 5))
            run.collective("alltoall", KEY_BYTES)
            run.collective("alltoallv", KEY_BYTES * keys)
    run.collective("reduce", 8)
    last = problem.processes - 1
    run.exchange(range(last), range(1, last + 1), KEY_BYTES)
    run.collective("reduce", KEY_BYTES)
    return run
