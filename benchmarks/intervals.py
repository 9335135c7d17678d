"""Coverage of the simulator's confidence intervals: how often they contain the true mean.

4-cube with two nodes per switch, which saturates at a load of 0.88; virtual cut-through, speed-up 2, packets of 8
flits, 4 channels of 32. At each load many runs that differ only in their seeds are measured with the settings of
`measurement=rough` and `standard`; the reference is a run that continues until its interval is a tenth as wide as
theirs. The true accepted load is the offered load. A run ended by its limit counts like any other. With --check the
exit code is 1 if, at any load, fewer than 88 of 100 intervals contain the mean latency in the network or the accepted
load.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

from omegaconf import OmegaConf

from isoplane.models import ConnectionSet, Cube, Network, SwitchModel, cube_planes
from isoplane.search import Threads
from isoplane.simulator import Estimate, Hardware, Precision, Report, Simulation, Traffic, measure

CONFIGS = Path(__file__).parents[1] / "conf" / "measurement"
LOADS, PRECISIONS = (0.3, 0.7, 0.8), ("rough", "standard")
MIN_COVERAGE = 0.88  # share of runs
REFERENCE_WIDTH_RATIO = 0.1  # width of the reference interval relative to that of the runs
FIRST_SEED, REFERENCE_SEED = 100_000, 1_000_000  # held-out seeds, not used to choose the rule
NETWORK = Network(cube_planes((Cube(ConnectionSet.unit(4)),), nodes_per_switch=2))
HARDWARE = Hardware(buffer_flits=32, switch=SwitchModel(delay_ns=0, cable_delay_ns_per_m=0))
NO_PACKET_LIMIT = 1 << 40  # packets


def precision_of(name: str) -> Precision:
    """Return the precision of a config."""
    values = {key: value for key, value in OmegaConf.load(CONFIGS / f"{name}.yaml").items() if key != "tolerance"}
    return Precision(**values)


def run(load: float, seed: int, precision: Precision) -> Report:
    """Measure a run."""
    return measure(Simulation(NETWORK, HARDWARE, Traffic(load=load), seed, check_deadlock=False), precision)


def count_covered(reports: list[Report], truth: float, measured: Callable[[Report], Estimate]) -> int:
    """Count the intervals that contain the truth."""
    found = [measured(report) for report in reports]
    return sum(
        estimate.mean is not None
        and estimate.half_width is not None
        and abs(estimate.mean - truth) <= estimate.half_width
        for estimate in found
    )


def compare(load: float, name: str, runs: int, workers: int) -> bool:
    """Print how many intervals at a load contain the truth, and return whether coverage is sufficient."""
    precision = precision_of(name)
    reports = [None] * runs
    for indexed in Threads(workers).map(lambda seed: run(load, seed, precision), range(FIRST_SEED, FIRST_SEED + runs)):
        if indexed is not None:
            reports[indexed[0]] = indexed[1]
    widths = [report.network_latency_ns.relative for report in reports]
    # A saturated run has no interval.
    width = REFERENCE_WIDTH_RATIO * fmean(width for width in widths if width is not None)
    truth = run(load, REFERENCE_SEED, Precision(latency=width, max_packets=NO_PACKET_LIMIT)).network_latency_ns
    latency = count_covered(reports, truth.mean, lambda report: report.network_latency_ns)
    accepted = count_covered(reports, load, lambda report: report.accepted_load)
    print(
        f"{load:g} {name:8}: of {runs} intervals {latency} contain the latency, {accepted} the accepted load; "
        f"{sum(report.limited for report in reports)} runs ended at their limit; latency {truth.mean:.2f} ns "
        f"± {truth.half_width:.2f}",
        flush=True,
    )
    return min(latency, accepted) >= MIN_COVERAGE * runs


def main() -> int:
    """Compare at all loads."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--load", type=float, nargs="+", default=LOADS)
    parser.add_argument("--measurement", nargs="+", choices=PRECISIONS, default=PRECISIONS)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    sufficient = [
        compare(load, name, arguments.runs, arguments.workers)
        for name in arguments.measurement
        for load in arguments.load
    ]
    return int(arguments.check and not all(sufficient))


if __name__ == "__main__":
    sys.exit(main())
