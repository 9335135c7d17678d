"""Simulations of every network at eight loads; a completed one is stored, and not repeated."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from isoplane.models import Design, Network
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.runs.folder.journal import Journal
from isoplane.runs.records import design_content
from isoplane.search import Fleet
from isoplane.simulator import Estimate, Hardware, Precision, Scenario, Traffic

from .measures import measures

# Loads as shares of the maximum traffic: from a low load to slightly more than any network carries. Only the last one
# exceeds it, because buffers fill up and an overloaded run takes by far the longest.
SHARES = tuple(Fraction(share, 100) for share in (2, 20, 40, 60, 70, 80, 90, 110))

OnProgress = Callable[[int, int], None]  # called with (simulations ended, total)


@dataclass(frozen=True)
class Point:
    """Result of one simulation.

    Attributes
    ----------
    network, n
        The paper's name, and the dimension.
    offered
        Offered load per node, in units of one link's rate.
    accepted, latency_ns
        Estimates with the half-widths of their 95 % confidence intervals; the latency is that in the network.
    saturated
        Whether the network accepts less than the offered load.
    """

    network: str
    n: int
    offered: Fraction
    accepted: Estimate
    latency_ns: Estimate
    saturated: bool


@dataclass(frozen=True)
class Run:
    """All parameters of one simulation."""

    name: str
    network: Network
    offered: Fraction
    precision: Precision
    seed: int


class Points:
    """A file with one line per completed simulation, appended as simulations end.

    A line is reused for the same network, load, precision, seed and revision of the program.

    Parameters
    ----------
    path
        The file, whose folder is created with the first line; None to store nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._journal = Journal(path)

    def find(self, run: Run) -> Point | None:
        """Return the stored result of a simulation, if any."""
        stored = self._journal.find(_parameters(run))
        if stored is None:
            return None
        accepted, latency_ns = Estimate(**stored["accepted"]), Estimate(**stored["latency_ns"])
        return Point(run.name, cubes_of(run.network).n, run.offered, accepted, latency_ns, stored["saturated"])

    def add(self, run: Run, point: Point) -> None:
        """Append the result of a simulation."""
        self._journal.add(_parameters(run), {**asdict(point), "offered": str(point.offered)})


def _parameters(run: Run) -> list[Any]:
    """Return all parameters of a simulation as JSON data."""
    limits = {name: str(value) for name, value in asdict(run.precision).items()}
    return [run.name, design_content(Design(run.network)), str(run.offered), limits, run.seed]


def simulate(
    networks: Sequence[tuple[str, Network]],
    *,
    precision: Precision,
    seed: int,
    fleet: Fleet,
    on_progress: OnProgress | None = None,
    kept: Points | None = None,
) -> list[Point]:
    """Simulate uniform random traffic on every network at every load, in the order of networks and loads.

    Parameters
    ----------
    networks
        Names and networks.
    precision, seed
        Precision and seed of every simulation.
    fleet
        Fleet that runs them; it does not affect the results.
    on_progress
        Called after every simulation with (number ended, total).
    kept
        Points of an earlier, interrupted run; new points are added.

    References
    ----------
    Hosomi et al. 2021, section 3.4.1.
    """
    tasks = [
        Run(name, network, measures(network)["max_traffic / 4"] * share, precision, seed)
        for name, network in networks
        for share in SHARES
    ]
    kept = kept or Points(None)
    points = {i: stored for i, task in enumerate(tasks) if (stored := kept.find(task)) is not None}
    # The longest first, so that they do not run alone at the end.
    order = sorted(
        set(range(len(tasks))) - set(points), key=lambda i: (-cubes_of(tasks[i].network).n, -(i % len(SHARES)), i)
    )
    for result in fleet.map(point, [tasks[i] for i in order]):
        if result is not None:
            index, new_point = order[result[0]], result[1]
            points[index] = new_point
            kept.add(tasks[index], new_point)
            if on_progress is not None:
                on_progress(len(points), len(tasks))
    return [points[i] for i in range(len(tasks))]


def point(run: Run) -> Point:
    """Simulate one network at one load."""
    hardware = Hardware(switch=run.network.site.switch)
    scenario = Scenario(
        run.network,
        hardware,
        Traffic(load=run.offered),
        run.precision,
        check_deadlock=False,  # dimension order has no cycles
        seed=run.seed,
    )
    report = scenario.run(run.offered)
    return Point(
        run.name,
        cubes_of(run.network).n,
        run.offered,
        report.accepted_load,
        report.network_latency_ns,
        report.saturated,
    )
