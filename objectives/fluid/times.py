"""Times of a workload on a design, of planes and with circuits."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from isoplane.objectives import _native
from isoplane.objectives.general.arrays import in_threads

Result = TypeVar("Result")


@dataclass(frozen=True)
class Times:
    """Times of a workload on a design, in whole nanoseconds; those with a default where they are asked for.

    Attributes
    ----------
    completion_ns, completion_min_ns, completion_max_ns
        Arrival time of the last message in the fluid model: median, shortest and longest of 9 runs; with circuits,
        with relay by messages.
    bottleneck_ns
        Busy time of the busiest link or circuit.
    total_ns
        Sum of the busy times of all links and circuits.
    hops
        Number of segments of all messages.
    synchronised_ns
        Sum over the levels of dependencies of the busy time of the busiest link or circuit of the level.
    heaviest_load_bytes
        Largest number of bytes over one direction of a link or circuit; of a mix, in any of its parts.
    circuits
        Number of circuits.
    completion_by_packets_ns, completion_by_packets_min_ns, completion_by_packets_max_ns
        With circuits, the completion with relay by packets.
    """

    completion_ns: int
    completion_min_ns: int
    completion_max_ns: int
    bottleneck_ns: int
    total_ns: int
    hops: int
    synchronised_ns: int = 0
    heaviest_load_bytes: int = 0
    circuits: int = 0
    completion_by_packets_ns: int = 0
    completion_by_packets_min_ns: int = 0
    completion_by_packets_max_ns: int = 0


def run_times(run_ns: Callable[[int], int]) -> list[int]:
    """Return the times in ns of all runs of a workload, which differ in the jitter of its messages.

    They run in a separate thread, one after the other, so that signals are handled: with a million messages a run
    takes minutes.
    """
    return list(in_threads(lambda part: run_ns(part.start), _native.RUNS, 1, "runs of the fluid model", threads=1))


def in_one_thread(work: Callable[[], Result], title: str) -> Result:
    """Return the result of a long call, made in a separate thread as in `run_times`."""
    (result,) = in_threads(lambda _: work(), 1, 1, title, threads=1)
    return result
