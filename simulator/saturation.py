"""The saturation throughput: how much a network carries at most."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from isoplane.models import InputError
from isoplane.models.checks import check_int, exact_number

from .measurement import Watch
from .report import Report
from .sweep import LEAST_LOAD, Map, Scenario, one_by_one, sweep

TOLERANCE = Fraction(1, 100)
SECTIONS = 3  # runs of a round
BEYOND = Fraction(6, 5)  # of the likely limit: the first load that should be saturated
DIGITS = 10**6  # loads are looked for among the multiples of 10^-6


@dataclass(frozen=True, eq=False)
class Saturation:
    """Where a network saturates.

    Attributes
    ----------
    throughput
        The largest accepted load of all runs that are not saturated; 0 if none is.
    stable_load, saturated_load
        The largest offered load below the second that is not saturated, 0 if none is; and the smallest one that is,
        None if even what nodes can create at most, or more than their links can carry, is.
    largest_accepted
        Of all runs, saturated or not: the saturation throughput of Hosomi et al. 2021, section 3.4.1, is the largest
        average accepted traffic.
    reports
        Of all runs, by ascending load.
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
    mapped: Map = one_by_one,
    watch: Watch | None = None,
    sections: int = SECTIONS,
) -> Saturation:
    """Find the saturation throughput by sections: the interval between a stable and a saturated load shrinks.

    In each round runs at equal distances divide the interval, always as many, however many workers share them out. The
    first interval reaches up to 1.2 times the bound that follows from the routes. That is a hint only: runs alone
    decide what is saturated.

    Parameters
    ----------
    scenario
        What is simulated.
    tolerance
        The width of the last interval, relative to its upper end.
    known
        Loads that were simulated already, with their reports.
    mapped, watch
        As in `sweep`.
    sections
        Runs of a round.

    Raises
    ------
    InputError
        If a value is out of range, or messages come to an end.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.simulator import Hardware, Precision, Traffic
    >>> network, rough = dual_cube(3, (3, 5, 7)), Precision(latency=0.05, accepted=0.05)
    >>> found = saturation(Scenario(network, Hardware(), Traffic(load=1), rough, seed=1), tolerance=0.2)
    >>> 1 < found.throughput < 31 / 24
    True
    """
    most_created = scenario.random_traffic.most_created
    if most_created is not None:
        raise InputError(
            f"traffic.most_created={most_created}: so many messages have no steady state, which a saturation is about; "
            f"expected null"
        )
    width = exact_number("tolerance", tolerance, high=1, above=True)
    check_int("sections", sections, 1)
    reports = {exact_number("loads", load): report for load, report in known}

    def simulate(loads: Sequence[Fraction]) -> None:
        asked = [load for load in dict.fromkeys(loads) if load not in reports]
        reports.update(zip(asked, sweep(scenario, asked, mapped, watch), strict=True))

    top = _rounded(BEYOND * scenario.likely_limit())
    most = min(BEYOND * scenario.max_sent, scenario.max_offered)
    while (ends := _interval(reports))[1] is None and max(reports, default=Fraction(0)) < most:
        simulate([min(max(top, 2 * ends[0]), scenario.max_offered)])
    stable, saturated = ends
    while saturated is not None and saturated - stable > width * saturated:
        step = (saturated - stable) / (sections + 1)
        simulate([max(_rounded(stable + (i + 1) * step), LEAST_LOAD) for i in range(sections)])
        before, (stable, saturated) = (stable, saturated), _interval(reports)
        if before == (stable, saturated):
            break  # finer than loads are told apart
    ordered = tuple(reports[load] for load in sorted(reports))
    accepted = [report.accepted_load.mean or 0.0 for report in ordered]
    return Saturation(
        max((a for a, report in zip(accepted, ordered, strict=True) if report.stable), default=0.0),
        float(stable),
        None if saturated is None else float(saturated),
        max(accepted, default=0.0),
        ordered,
    )


def _rounded(load: Fraction) -> Fraction:
    return Fraction(round(load * DIGITS), DIGITS)


def _interval(reports: dict[Fraction, Report]) -> tuple[Fraction, Fraction | None]:
    """Return the largest stable load below the smallest saturated one, and that."""
    saturated = min((load for load, report in reports.items() if not report.stable), default=None)
    below = (load for load, report in reports.items() if report.stable and (saturated is None or load < saturated))
    return max(below, default=Fraction(0)), saturated
