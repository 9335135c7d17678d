"""What a skeleton is made for: class, processes, iterations and the rate of computing."""

from dataclasses import dataclass
from fractions import Fraction

from isoplane.models.errors import InputError

from ..message_list import MAX_DELAY_PS

MAX_PROCESSES = 1024


@dataclass(frozen=True)
class Problem:
    """Size of a run of a benchmark.

    Parameters
    ----------
    problem_class
        Class: S, W, A, B, C or D.
    processes, iterations
        Number of processes; number of timed iterations.
    gflops
        Rate at which a process computes, in 10^9 operations per second; 0 if computing takes no time.
    variant
        Graph of DT; empty for others.
    operations_per_count
        Operations that a process executes for each that the benchmark counts.
    """

    problem_class: str
    processes: int
    iterations: int
    gflops: Fraction = Fraction(0)
    variant: str = ""
    operations_per_count: Fraction = Fraction(1)

    def compute_ps(self, operations: Fraction | float) -> int:
        """Return the time in which all processes together execute what the benchmark counts as some operations, in ps.

        Examples
        --------
        >>> Problem("A", 4, 1, Fraction(2)).compute_ps(8000)
        1000000
        """
        if not self.gflops:
            return 0
        executed = Fraction(operations) * self.operations_per_count
        delay_ps = int(executed * 1000 / (self.gflops * self.processes) + Fraction(1, 2))
        if delay_ps > MAX_DELAY_PS:
            raise InputError(
                f"workload.gflops={float(self.gflops):g}: computing for more than {MAX_DELAY_PS // 10**12} s at once; "
                "expected a higher rate, or 0"
            )
        return delay_ps


def powers_of_two(most: int = MAX_PROCESSES, least: int = 2) -> tuple[int, ...]:
    """Return the powers of two within limits.

    Examples
    --------
    >>> powers_of_two(16, 4)
    (4, 8, 16)
    """
    return tuple(1 << k for k in range(11) if least <= 1 << k <= most)
