"""The simulations of the figure: every network at eight loads."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from isoplane.models import Network
from isoplane.runs.figures.hosomi.measures import measures
from isoplane.search import Fleet
from isoplane.simulator import Hardware, Precision, Scenario, Traffic

from .points import Point, Points, Run

# Of the maximum traffic: from hardly any to more than any network carries. Little more, and but once: the more is
# offered, the fuller the buffers, and an overloaded run takes by far the longest.
SHARES = tuple(Fraction(share, 100) for share in (2, 20, 40, 60, 70, 80, 90, 110))

Watch = Callable[[int, int], None]  # hears how many simulations have ended, of how many


def simulate(
    networks: Sequence[tuple[str, Network]],
    *,
    precision: Precision,
    seed: int,
    fleet: Fleet,
    watch: Watch | None = None,
    kept: Points | None = None,
) -> list[Point]:
    """Simulate uniform random traffic on every network at every load, in the order of networks and loads.

    Parameters
    ----------
    networks
        Names and networks.
    precision, seed
        Of every simulation.
    fleet
        Where they run; no influence on the result.
    watch
        Hears of every simulation that has ended.
    kept
        Points of an earlier run that was interrupted; receives all others.

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
    found = {i: seen for i, task in enumerate(tasks) if (seen := kept.find(task)) is not None}
    # The longest first, so that no worker is left alone with them.
    order = sorted(
        set(range(len(tasks))) - set(found), key=lambda i: (-tasks[i].network.cubes.n, -(i % len(SHARES)), i)
    )
    for ended in fleet.map(point, [tasks[i] for i in order]):
        if ended is not None:
            index, seen = order[ended[0]], ended[1]
            found[index] = seen
            kept.add(tasks[index], seen)
            if watch is not None:
                watch(len(found), len(tasks))
    return [found[i] for i in range(len(tasks))]


def point(run: Run) -> Point:
    """Simulate one network at one load."""
    hardware = Hardware(switch=run.network.site.switch)
    scenario = Scenario(
        run.network,
        hardware,
        Traffic(load=run.offered),
        run.precision,
        watch_deadlock=False,  # dimension order has no cycles
        seed=run.seed,
    )
    seen = scenario.report(run.offered)
    return Point(
        run.name, run.network.cubes.n, run.offered, seen.accepted_load, seen.network_latency_ns, seen.saturated
    )
