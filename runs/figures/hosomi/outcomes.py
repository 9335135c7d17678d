"""Comparison of simulations with the formulas and with the published simulations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from isoplane.runs.figures.checked import AGREES, DIFFERS, Checked
from isoplane.runs.published import Published
from isoplane.runs.report.designs.evaluated_cubes import EvaluatedCubes

from .agreement import MET, NOT_MET, REPORTED, Verdict, points_of
from .designs import IDENTICAL, baseline
from .simulations import SimulatedPoint

THROUGHPUT_BAND, LATENCY_BAND = 3.0, 1.5  # percentage points, as for the published changes
SIZES = (8, 12)  # dimensions in section 3.5


@dataclass(frozen=True)
class Outcome:
    """Computed and simulated numbers of a network.

    Attributes
    ----------
    traffic, throughput
        Computed: `max_traffic` over the nodes of a switch. Simulated: the largest accepted load of all runs.
    delay_ns, delay_paper_ns, latency_ns
        Computed over the real routes, computed by the published formula, and simulated at the lowest load.
    """

    network: str
    n: int
    traffic: float
    throughput: float
    delay_ns: float
    delay_paper_ns: float
    latency_ns: float

    @property
    def traffic_error(self) -> float:
        """Error of the computed traffic relative to the simulation, in percent."""
        return 100 * abs(self.traffic / self.throughput - 1)

    @property
    def delay_error(self) -> float:
        """Error of the computed delay relative to the simulation, in percent."""
        return 100 * abs(self.delay_ns / self.latency_ns - 1)

    @property
    def delay_paper_error(self) -> float:
        """Error of the published formula relative to the simulation, in percent."""
        return 100 * abs(self.delay_paper_ns / self.latency_ns - 1)


# Network, n, ``throughput`` or ``latency``, change from the identical planes as computed and as simulated in percent,
# the band within which the two should be, and whether they are.
Change = tuple[str, int, str, float, float, float, str]


def outcomes_of(designs: Iterable[EvaluatedCubes], points: Sequence[SimulatedPoint]) -> list[Outcome]:
    """Return computed and simulated numbers of each network.

    References
    ----------
    Hosomi et al. 2021, section 3.4.2: the throughput is the largest average accepted traffic, the latency the smallest.
    """
    outcomes = []
    for design in designs:
        name, cubes = design.title, design.cubes
        curve = [point for point in points if (point.network, point.n) == (name, cubes.n)]
        traffic, delay, paper = (design.metrics[key] for key in ("max_traffic", "delay_ns", "delay_paper_ns"))
        assert traffic is not None
        assert delay is not None
        assert paper is not None
        throughput = max(point.accepted.mean or 0.0 for point in curve)
        latency = min(point.latency_ns.mean for point in curve if point.latency_ns.mean is not None)
        outcomes.append(Outcome(name, cubes.n, traffic / cubes.nodes_per_switch, throughput, delay, paper, latency))
    return outcomes


def changes(outcomes: Sequence[Outcome]) -> list[Change]:
    """Return the changes of all networks that are not identical planes."""
    by_name = {(outcome.network, outcome.n): outcome for outcome in outcomes}
    rows: list[Change] = []
    for outcome in outcomes:
        base = by_name.get((baseline(outcome.network), outcome.n))
        if outcome.network in IDENTICAL or base is None:
            continue
        pairs = (
            ("throughput", outcome.traffic / base.traffic, outcome.throughput / base.throughput, THROUGHPUT_BAND),
            ("latency", outcome.delay_ns / base.delay_ns, outcome.latency_ns / base.latency_ns, LATENCY_BAND),
        )
        for metric, computed, simulated, band in pairs:
            percents = 100 * (computed - 1), 100 * (simulated - 1)
            verdict = AGREES if abs(percents[1] - percents[0]) <= band else DIFFERS
            rows.append((outcome.network, outcome.n, metric, *percents, band, verdict))
    return rows


def verdicts(outcomes: Sequence[Outcome]) -> list[Verdict]:
    """Compare the published changes within their bands; mean errors of section 3.5 must be no larger."""
    simulated = {
        (network, n, f"simulated {metric} change"): (percent, band)
        for network, n, metric, _, percent, band, _ in changes(outcomes)
    }
    checked = []
    for point in points_of("Fig 9"):
        key = (point.network, point.n or 0, point.metric)
        if key in simulated:
            percent, band = simulated[key]
            near = abs(percent - float(point.value)) <= band + float(point.precision)
            same_sign = (percent > 0) == (point.value > 0)
            checked.append(Checked(point, Fraction(percent), AGREES if near and same_sign else DIFFERS))
    if {outcome.n for outcome in outcomes} == set(SIZES):
        checked += [_error_verdict(point, outcomes) for point in points_of("Section 3.5")]
    return checked


def _error_verdict(point: Published, outcomes: Sequence[Outcome]) -> Verdict:
    errors = [outcome.traffic_error if "max_traffic" in point.metric else outcome.delay_error for outcome in outcomes]
    kind = point.metric.split()[0]
    if kind != "mean":
        return Checked(point, Fraction(min(errors) if kind == "smallest" else max(errors)), REPORTED)
    ours = Fraction(fmean(errors))
    return Checked(point, ours, MET if ours <= point.value + point.precision else NOT_MET)
