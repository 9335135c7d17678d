"""Many runs of one network: at each load one, independent of all others."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Protocol, TypeVar

from isoplane.models import Fabric
from isoplane.models.checks import exact_number

from .hardware import Hardware
from .measurement import Precision, Watch, measure
from .report import Report
from .simulation import Simulation
from .theory import load_bound
from .traffic import Traffic

T = TypeVar("T")
R = TypeVar("R")

Load = float | Fraction


class Map(Protocol):
    """Calls a function on every item, and yields (index, result) as calls end, or None while nothing ends."""

    def __call__(self, function: Callable[[T], R], items: Iterable[T], /) -> Iterator[tuple[int, R] | None]:
        """Do so; the order has no influence on what comes out."""


def one_by_one(function: Callable[[T], R], items: Iterable[T]) -> Iterator[tuple[int, R] | None]:
    """Call a function on every item, one after the other."""
    for index, item in enumerate(items):
        yield index, function(item)


@dataclass(frozen=True, eq=False)
class Scenario:
    """All that runs at different loads share.

    Parameters
    ----------
    fabric, hardware
        What is simulated.
    traffic
        The load of it is replaced.
    precision
        How well each run is measured.
    watched
        Pairs of nodes whose latencies are kept apart.
    interval_ns
        Of the time series; None for the blocks of the measurement.
    watch_deadlock
        False where the routing is proven free of deadlock.
    seed
        Decides everything that is random; each load has a seed of its own that follows from it.

    Examples
    --------
    >>> from isoplane.models import dual_cube, fabric_of
    >>> fabric, rough = fabric_of(dual_cube(3, (3, 5, 7))), Precision(latency=0.05, accepted=0.05)
    >>> scenario = Scenario(fabric, Hardware(), Traffic(load=1), rough, seed=1)
    >>> [report.saturated for report in sweep(scenario, [0.3, 1.6])]
    [False, True]
    """

    fabric: Fabric
    hardware: Hardware
    traffic: Traffic
    precision: Precision = field(default_factory=Precision)
    watched: Sequence[tuple[int, int]] = ()
    interval_ns: Load | None = None
    watch_deadlock: bool = True
    seed: int = 1

    def simulation(self, load: Load) -> Simulation:
        """Return the run at a load, at its first tick."""
        traffic = replace(self.traffic, load=exact_number("loads", load), interval_ns=None)
        seed = seed_at(self.seed, load)
        return Simulation(self.fabric, self.hardware, traffic, seed, self.watched, self.watch_deadlock)

    def report(self, load: Load, watch: Watch | None = None) -> Report:
        """Simulate and measure the network at a load."""
        return measure(self.simulation(load), self.precision, self.interval_ns, watch)

    def likely_limit(self) -> Fraction:
        """Return a load near which saturation is looked for first: the bound of uniform traffic where there is none."""
        pattern = "uniform" if self.traffic.pattern == "hot_spot" else self.traffic.pattern
        return min(load_bound(self.fabric, pattern), self.most_sent)

    @property
    def most_sent(self) -> Fraction:
        """What a node can send at most: over its links, or in a direct network as fast as the crossbar takes it."""
        return Fraction(len(self.fabric.planes) * (self.hardware.speedup if self.fabric.node_cable_mm is None else 1))


def seed_at(seed: int, load: Load) -> int:
    """Return the seed of the run at a load: the same in every sweep and bisection.

    Examples
    --------
    >>> seed_at(1, 0.5) == seed_at(1, Fraction(1, 2)), seed_at(1, 0.5) == seed_at(2, 0.5)
    (True, False)
    """
    text = f"{seed} {exact_number('loads', load)}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def sweep(
    scenario: Scenario, loads: Sequence[Load], mapped: Map = one_by_one, watch: Watch | None = None
) -> list[Report]:
    """Simulate a network at several loads, and return the reports in the order of the loads.

    Parameters
    ----------
    scenario, loads
        What is simulated.
    mapped
        How the runs are shared out, such as ``Threads(2).map`` of `isoplane.search`.
    watch
        Called by every run, in its own thread.
    """
    found: dict[int, Report] = {}
    for ended in mapped(lambda load: scenario.report(load, watch), loads):
        if ended is not None:
            found[ended[0]] = ended[1]
    return [found[index] for index in range(len(loads))]
