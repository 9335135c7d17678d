"""The simulations of the figure: every network at eight loads."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from isoplane.models import Network
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.runs.figures.hosomi.measures import measures
from isoplane.search import Fleet
from isoplane.simulator import Hardware, Precision, Scenario, Traffic

from .points import Point, Points, Run

# Loads as shares of the maximum traffic: from a low load to slightly more than any network carries. Only the last one
# exceeds it, because buffers fill up and an overloaded run takes by far the longest.
SHARES = tuple(Fraction(share, 100) for share in (2, 20, 40, 60, 70, 80, 90, 110))

OnProgress = Callable[[int, int], None]  # called with (simulations ended, total)


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
    found = {i: stored for i, task in enumerate(tasks) if (stored := kept.find(task)) is not None}
    # The longest first, so that they do not run alone at the end.
    order = sorted(
        set(range(len(tasks))) - set(found), key=lambda i: (-cubes_of(tasks[i].network).n, -(i % len(SHARES)), i)
    )
    for result in fleet.map(point, [tasks[i] for i in order]):
        if result is not None:
            index, new_point = order[result[0]], result[1]
            found[index] = new_point
            kept.add(tasks[index], new_point)
            if on_progress is not None:
                on_progress(len(found), len(tasks))
    return [found[i] for i in range(len(tasks))]


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
