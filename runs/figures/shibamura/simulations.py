"""Means over simulations with different seeds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev

from isoplane.models.mathematics.batch_means import student_t
from isoplane.search import Fleet
from isoplane.simulator import Estimate
from isoplane.simulator.language import Program, run_program

from .settings import Setting, programs

OnProgress = Callable[[int, int], None]  # called with (simulations ended, total)
MAX_SEED = (1 << 63) - 1


@dataclass(frozen=True)
class LatencyPoint:
    """A point of a curve.

    Attributes
    ----------
    setting, network, interval_us
        Coordinates of the point.
    latency_ns
        Network latency of a packet: mean over simulations, with the half-width of its 95 % confidence
        interval.
    message_latency_ns
        Mean latency of a message, from its creation to the arrival of its last bit.
    dropped
        Mean number of messages dropped per simulation.
    replications
        Number of simulations.
    """

    setting: Setting
    network: str
    interval_us: int
    latency_ns: Estimate
    message_latency_ns: float
    dropped: float
    replications: int


def simulate(
    settings: Iterable[Setting],
    nodes: int,
    *,
    replications: int,
    seed: int,
    fleet: Fleet,
    on_progress: OnProgress | None = None,
) -> list[LatencyPoint]:
    """Simulate all networks at all intervals, several times each, and return their points in this order.

    Parameters
    ----------
    settings, nodes
        Settings and number of nodes, as in `programs`.
    replications
        Number of simulations per program, with consecutive seeds; at least 2.
    seed
        The first seed.
    fleet
        Fleet that runs the simulations; it does not affect the points.
    on_progress
        Called after every simulation with (number ended, total).
    """
    points = [(setting, *point) for setting in settings for point in programs(setting, nodes)]
    runs = [replace(program, random_seed=(seed + k) & MAX_SEED) for *_, program in points for k in range(replications)]
    results: dict[int, tuple[float, float, int]] = {}
    for result in fleet.map(latencies, runs):
        if result is not None:
            results[result[0]] = result[1]
            if on_progress is not None:
                on_progress(len(results), len(runs))
    rows = []
    for index, (setting, network, interval_us, _) in enumerate(points):
        repeated = [results[index * replications + k] for k in range(replications)]
        networks, messages, dropped = zip(*repeated, strict=True)
        rows.append(
            LatencyPoint(
                setting, network, interval_us, mean_of(networks), fmean(messages), fmean(dropped), replications
            )
        )
    return rows


def latencies(program: Program) -> tuple[float, float, int]:
    """Return the mean latency of packets in the network, that of messages, and the number of messages dropped."""
    report = run_program(program)
    return report.network_latency_ns or 0.0, report.message_latency_ns or 0.0, report.messages_dropped


def mean_of(values: tuple[float, ...]) -> Estimate:
    """Return the mean of independent values with its 95 % confidence interval, t · s / √n.

    Examples
    --------
    >>> mean_of((9.0, 10.0, 11.0)).mean, round(mean_of((9.0, 10.0, 11.0)).half_width, 4)
    (10.0, 2.4843)
    """
    count = len(values)
    return Estimate(fmean(values), student_t(count) * stdev(values) / sqrt(count))
