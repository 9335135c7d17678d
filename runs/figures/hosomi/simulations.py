"""Simulations of every network at eight loads; a completed one is stored, and not repeated."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

from isoplane.models import Network
from isoplane.runs.folder.journal import Journal
from isoplane.runs.records import design_content
from isoplane.runs.report.designs.evaluated_cubes import EvaluatedCubes
from isoplane.search import Fleet
from isoplane.simulator import Estimate, Hardware, Precision, Scenario, Traffic

from .measures import measures

# Loads as shares of the maximum traffic: from a low load to slightly more than any network carries. Only the last one
# exceeds it, because buffers fill up and an overloaded run takes by far the longest.
SHARES = tuple(Fraction(share, 100) for share in (2, 20, 40, 60, 70, 80, 90, 110))

OnProgress = Callable[[int, int], None]  # called with (simulations ended, total)


@dataclass(frozen=True)
class SimulatedPoint:
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


def simulate(
    designs: Sequence[EvaluatedCubes],
    *,
    precision: Precision,
    seed: int,
    fleet: Fleet,
    on_progress: OnProgress | None = None,
    kept: Journal | None = None,
) -> list[SimulatedPoint]:
    """Simulate uniform random traffic on every network at every load, in the order of networks and loads.

    Parameters
    ----------
    designs
        The networks, with their names as titles.
    precision, seed
        Precision and seed of every simulation.
    fleet
        Fleet that runs them; it does not affect the results.
    on_progress
        Called after every simulation with (number ended, total).
    kept
        Points of an earlier, interrupted run; new points are added. A point is reused for the same network, load,
        precision, seed and revision of the program.

    References
    ----------
    Hosomi et al. 2021, section 3.4.1.
    """
    kept = kept or Journal(None)
    runs = [(design, share * measures(design.network)["max_traffic / 4"]) for design in designs for share in SHARES]
    limits = {name: str(value) for name, value in asdict(precision).items()}
    keys = [[run.title, design_content(run.design), str(offered), limits, seed] for run, offered in runs]
    points: dict[int, SimulatedPoint] = {}
    for index, (design, offered) in enumerate(runs):
        stored = kept.find(keys[index])
        if stored is not None:
            estimates = Estimate(**stored["accepted"]), Estimate(**stored["latency_ns"])
            points[index] = SimulatedPoint(design.title, design.cubes.n, offered, *estimates, stored["saturated"])
    # The longest first, so that they do not run alone at the end.
    order = sorted(
        set(range(len(runs))) - set(points), key=lambda index: (-runs[index][0].cubes.n, -(index % len(SHARES)), index)
    )
    tasks = [(runs[index][0].network, runs[index][1], precision, seed) for index in order]
    for result in fleet.map(simulated, tasks):
        if result is not None:
            index, (design, offered) = order[result[0]], runs[order[result[0]]]
            points[index] = SimulatedPoint(design.title, design.cubes.n, offered, *result[1])
            kept.add(keys[index], {**asdict(points[index]), "offered": str(offered)})
            if on_progress is not None:
                on_progress(len(points), len(runs))
    return [points[index] for index in range(len(runs))]


def simulated(task: tuple[Network, Fraction, Precision, int]) -> tuple[Estimate, Estimate, bool]:
    """Simulate a network at a load, with a precision and a seed; return load accepted, latency, and if saturated."""
    network, load, precision, seed = task
    scenario = Scenario(
        network,
        Hardware(switch=network.site.switch),
        Traffic(load=load),
        precision,
        check_deadlock=False,  # dimension order has no cycles
        seed=seed,
    )
    report = scenario.run(load)
    return report.accepted_load, report.network_latency_ns, report.saturated
