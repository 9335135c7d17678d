"""Saturation throughput of a network."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from isoplane.models import InputError
from isoplane.models.checks import check_int, exact_number

from .measurement import OnProgress
from .report import Report
from .sweep import MIN_LOAD, Map, Scenario, sequential_map, sweep

TOLERANCE = Fraction(1, 100)
RUNS_PER_ROUND = 3
MARGIN = Fraction(6, 5)  # ratio of the first load tried to the estimated limit
RESOLUTION = 10**6  # loads are rounded to multiples of 10^-6


@dataclass(frozen=True, eq=False)
class Saturation:
    """Saturation point of a network.

    Attributes
    ----------
    throughput
        The largest accepted load of all runs that are not saturated; 0 if none is.
    stable_load, saturated_load
        The largest stable offered load below `saturated_load`, 0 if there is none; and the smallest saturated one,
        None if the network is stable even at the highest load that nodes can create, or above their link rates.
    largest_accepted
        The largest accepted load of all runs, saturated or not: the saturation throughput as defined by Hosomi et al.
        2021, section 3.4.1.
    reports
        Reports of all runs, by ascending load.
    """

    throughput: float
    stable_load: float
    saturated_load: float | None
    largest_accepted: float
    reports: tuple[Report, ...]


def saturation(
    scenario: Scenario,
    tolerance: float | Fraction = TOLERANCE,
    known: Sequence[tuple[float | Fraction, Report]] = (),
    mapped: Map = sequential_map,
    on_progress: OnProgress | None = None,
    runs_per_round: int = RUNS_PER_ROUND,
) -> Saturation:
    """Find the saturation throughput by multisection of the interval between a stable and a saturated load.

    In each round, runs at equidistant loads divide the interval; their number does not depend on the number of workers.
    The first interval extends to 1.2 times the throughput bound from the routes. The bound is only a hint: the runs
    decide whether a load saturates the network.

    Parameters
    ----------
    scenario
        The network, hardware, traffic and precision.
    tolerance
        Width of the final interval, relative to its upper end.
    known
        Loads already simulated, with their reports.
    mapped, on_progress
        As in `sweep`.
    runs_per_round
        Number of runs per round.

    Raises
    ------
    InputError
        If a value is out of range, or the number of messages is limited.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.simulator import Hardware, Precision, Traffic
    >>> network, rough = dual_cube(3, (3, 5, 7)), Precision(latency=0.05, accepted=0.05, max_packets=50_000)
    >>> hardware = Hardware(longest_cable_m=10)  # short buffers, which fill quickly
    >>> found = saturation(Scenario(network, hardware, Traffic(load=1), rough, seed=1), tolerance=0.2)
    >>> 1 < found.throughput < 31 / 24
    True
    """
    max_created = scenario.random_traffic.max_created
    if max_created is not None:
        raise InputError(
            f"traffic.max_created={max_created}: saturation needs a steady state, which a limited number of messages "
            f"does not have; expected null"
        )
    width = exact_number("tolerance", tolerance, high=1, above=True)
    check_int("runs_per_round", runs_per_round, 1)
    reports = {exact_number("loads", load): report for load, report in known}

    def simulate(loads: Sequence[Fraction]) -> None:
        missing = [load for load in dict.fromkeys(loads) if load not in reports]
        reports.update(zip(missing, sweep(scenario, missing, mapped, on_progress), strict=True))

    top = _round(MARGIN * scenario.saturation_guess())
    max_load = min(MARGIN * scenario.max_sent, scenario.max_offered)
    while (ends := _interval(reports))[1] is None and max(reports, default=Fraction(0)) < max_load:
        # The bound is only a hint: while a network is stable beyond it, the load doubles.
        simulate([min(max(top, 2 * ends[0]), scenario.max_offered)])
    stable, saturated = ends
    while saturated is not None and saturated - stable > width * saturated:
        step = (saturated - stable) / (runs_per_round + 1)
        simulate([max(_round(stable + (i + 1) * step), MIN_LOAD) for i in range(runs_per_round)])
        previous, (stable, saturated) = (stable, saturated), _interval(reports)
        if previous == (stable, saturated):
            break  # the interval is at the resolution of loads
    ordered = tuple(reports[load] for load in sorted(reports))
    accepted = [report.accepted_load.mean or 0.0 for report in ordered]
    return Saturation(
        max((a for a, report in zip(accepted, ordered, strict=True) if report.stable), default=0.0),
        float(stable),
        None if saturated is None else float(saturated),
        max(accepted, default=0.0),
        ordered,
    )


def _round(load: Fraction) -> Fraction:
    return Fraction(round(load * RESOLUTION), RESOLUTION)


def _interval(reports: dict[Fraction, Report]) -> tuple[Fraction, Fraction | None]:
    """Return the largest stable load below the smallest saturated one, and the latter."""
    # Chance may leave a stable load above a saturated one: the interval ends at the smallest saturated load.
    saturated = min((load for load, report in reports.items() if not report.stable), default=None)
    stable = (load for load, report in reports.items() if report.stable and (saturated is None or load < saturated))
    return max(stable, default=Fraction(0)), saturated
