"""Load sweeps of one network: independent runs, one per load."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar

from isoplane.models import InputError, Network
from isoplane.models.checks import exact_number

from ..flits.message_trace import MessageTrace
from ..flits.plane_ticks import max_node_rate
from ..flits.simulation import Simulation
from ..hardware import Hardware
from ..theory.theory import estimated_bound
from ..traffic.traffic import Traffic
from .measurement import OnProgress, Precision, measure
from .report import Report

T = TypeVar("T")
R = TypeVar("R")

Load = float | Fraction | None  # None: the load of the traffic itself
MIN_LOAD = Fraction(1, 10**6)  # below this, simulating enough messages would take hours


# A parallel map: yields (index, result) as calls finish, in any order, and None while no call has.
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[tuple[int, Any] | None]]


def sequential_map(function: Callable[[T], R], items: Iterable[T]) -> Iterator[tuple[int, R] | None]:
    """Call a function on the items one by one."""
    for index, item in enumerate(items):
        yield index, function(item)


@dataclass(frozen=True, eq=False)
class Scenario:
    """The common part of runs at different loads.

    Parameters
    ----------
    network, hardware
        The simulated network and its hardware.
    traffic
        Its load is replaced by that of each run, unless a run has none.
    precision
        Precision of each run.
    tracked_pairs
        Pairs of nodes whose latencies are recorded separately.
    interval_ns
        Interval of the time series; None for the blocks of the measurement.
    check_deadlock
        False if the routing is proven deadlock-free.
    seed
        Determines all random choices; the seed of a run at a given load is derived from it and the load.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> network, rough = dual_cube(3, (3, 5, 7)), Precision(latency=0.05, accepted=0.05)
    >>> hardware = Hardware(longest_cable_m=10)  # short buffers, which fill quickly
    >>> scenario = Scenario(network, hardware, Traffic(load=1), rough, seed=1)
    >>> [report.saturated for report in sweep(scenario, [0.3, 1.6])]
    [False, True]
    """

    network: Network
    hardware: Hardware
    traffic: Traffic | MessageTrace
    precision: Precision = field(default_factory=Precision)
    tracked_pairs: Sequence[tuple[int, int]] = ()
    interval_ns: float | Fraction | None = None
    check_deadlock: bool = True
    seed: int = 1

    def new_simulation(self, load: Load) -> Simulation:
        """Return a simulation at a load, not yet started.

        Raises
        ------
        InputError
            If a load is given for listed messages, or is out of range.
        """
        traffic, seed = self.traffic, self.seed
        if load is not None:
            traffic = replace(self.random_traffic, load=self.exact_load(load), interval_ns=None)
            seed = seed_at(seed, load)
        return Simulation(self.network, self.hardware, traffic, seed, self.tracked_pairs, self.check_deadlock)

    def exact_load(self, load: float | Fraction) -> Fraction:
        """Return an offered load as an exact fraction.

        Raises
        ------
        InputError
            If it is less than 10^-6, or more than nodes can create.
        """
        exact, max_load = exact_number("loads", load, above=True), self.max_offered
        if not MIN_LOAD <= exact <= max_load:
            raise InputError(
                f"loads={load}: expected at least {float(MIN_LOAD):g} and at most {float(max_load):g} "
                "(one message per node per tick)"
            )
        return exact

    @property
    def random_traffic(self) -> Traffic:
        """The traffic, if its load can be replaced.

        Raises
        ------
        InputError
            If the messages are listed.
        """
        if isinstance(self.traffic, Traffic):
            return self.traffic
        raise InputError("loads: has no effect on listed messages, whose times are fixed; expected auto")

    def run(self, load: Load, on_progress: OnProgress | None = None) -> Report:
        """Simulate and measure the network at a load."""
        return measure(self.new_simulation(load), self.precision, self.interval_ns, on_progress)

    def saturation_guess(self) -> Fraction:
        """Return a first guess of the saturation load.

        It is the throughput bound of the pattern, or of uniform traffic if it has none, limited to what nodes can send.
        """
        traffic = self.random_traffic
        bounded = "uniform" if traffic.pattern == "hot_spot" else traffic
        bound = estimated_bound(self.network, bounded, self.hardware)
        return min(bound, self.max_sent, self.max_offered)

    @property
    def max_sent(self) -> Fraction:
        """Largest load that a node can send: the rate of its links, or of the crossbars in a direct network."""
        if self.network.node_cable_mm is None:
            return Fraction(len(self.network.planes) * self.hardware.speedup)
        return max_node_rate(self.network, self.hardware)

    @property
    def max_offered(self) -> Fraction:
        """Largest load that a node can create: a message in every tick."""
        return self.random_traffic.max_offered(self.hardware)


def seed_at(seed: int, load: float | Fraction) -> int:
    """Return the seed of the run at a load: the same in every sweep and bisection.

    Examples
    --------
    >>> seed_at(1, 0.5) == seed_at(1, Fraction(1, 2)), seed_at(1, 0.5) == seed_at(2, 0.5)
    (True, False)
    """
    # A cryptographic hash, as that of Python changes from process to process, and as near loads need unrelated seeds.
    text = f"{seed} {exact_number('loads', load)}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def sweep(
    scenario: Scenario, loads: Sequence[Load], mapped: Map = sequential_map, on_progress: OnProgress | None = None
) -> list[Report]:
    """Simulate a network at several loads, and return the reports in the order of the loads.

    Parameters
    ----------
    scenario, loads
        The scenario, and the loads to run it at.
    mapped
        Distributes the runs, for example ``Threads(2).map`` of `isoplane.search`.
    on_progress
        Called by every run, in its own thread.
    """
    found: dict[int, Report] = {}
    for result in mapped(lambda load: scenario.run(load, on_progress), loads):
        if result is not None:
            found[result[0]] = result[1]
    return [found[index] for index in range(len(loads))]
