"""Measurement of a run: warm-up, steady state and saturation, detected from its data."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from isoplane.models.checks import check_int, exact_number

from ..flits.simulation import Simulation
from ..flits.sliced_run import CounterSnapshot, SlicedRun, changes
from ..theory.theory import typical_latency_ticks
from ..traffic.traffic import Traffic
from .batches import MIN_BLOCKS, estimate
from .report import Report, accepted_load, network_latency, report_of, senders_of
from .steady import keeps_growing, settled_half, truncation

SPANS_PER_LATENCY, BLOCKS_PER_SPAN = 8, 4  # spans show trends, blocks give confidence intervals
MAX_SPANS, MIN_SPANS, EVALUATE_EVERY = 64, 32, 8  # numbers of spans: maximum, at the first test, between tests
CONFIRMATION = 2  # a run must meet its precision in all tests since it was 1 / CONFIRMATION as long
MIN_GROWTH = 0.01  # minimum growth of the backlog of a saturated run, over the data created
MAX_RELATIVE_WIDTH = 0.5  # a growth is significant if its half-width over its mean is at most this
MAX_FILLING = 0.25  # buffers count as full if they still fill up by at most this fraction of the precision

OnProgress = Callable[[int], None]  # receives the tick; may raise to end the run


@dataclass(frozen=True)
class Precision:
    """Precision at which a run ends, and its limits.

    Parameters
    ----------
    latency, accepted
        Relative half-width of the 95 % confidence interval of the mean latency in the network and of the accepted load.
        In a saturated run only that of the accepted load applies.
    max_latencies, max_packets
        Limits of a run that does not reach this precision: it ends, and its report is marked `limited`, once it has
        lasted `max_latencies` typical zero-load latencies and its nodes have created `max_packets` packets.
    """

    latency: float | Fraction = 0.01
    accepted: float | Fraction = 0.005
    max_latencies: int = 32
    max_packets: int = 1 << 20

    def __post_init__(self) -> None:
        exact_number("measurement.latency", self.latency, high=1, above=True)
        exact_number("measurement.accepted", self.accepted, high=1, above=True)
        check_int("measurement.max_latencies", self.max_latencies, MIN_SPANS // SPANS_PER_LATENCY, 1 << 40)
        check_int("measurement.max_packets", self.max_packets, 0, 1 << 50)


def measure(
    simulation: Simulation,
    precision: Precision | None = None,
    interval_ns: float | Fraction | None = None,
    on_progress: OnProgress | None = None,
) -> Report:
    """Run a simulation from its start until it meets the precision, and return its report.

    The run is divided into spans of an eighth of a typical zero-load latency, the same at all loads; whenever there are
    64, adjacent spans are merged. Once there are 32 spans, the data is tested after every eighth span. The run is
    saturated if the backlog of data grows without slowing down, significantly and by more than 1 % of the data created,
    or if the limit on messages in the network keeps nodes from creating the offered load. Otherwise it is steady once
    the warm-up of both the latency in the network and the backlog is over; a saturated run is steady once its buffers
    are full and its accepted load is constant. The run ends when the mean latency and the accepted load have met the
    precision in every test since the run was half as long: stopping at the first narrow interval would select intervals
    that are too narrow. A saturated run ends as soon as its accepted load meets the precision. All decisions depend on
    integer counters only. If the number of messages is limited, there is no steady state, and all of them are sent.

    Parameters
    ----------
    simulation
        A simulation at its first tick.
    precision
        By default 1 % of the latency and 0.5 % of the accepted load.
    interval_ns
        Interval of the time series; by default a quarter of a span.
    on_progress
        Called several times per second.

    Raises
    ------
    InputError
        If the interval is too short.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.simulator import Hardware, Traffic
    >>> run = Simulation(dual_cube(3, (3, 5, 7)), Hardware(), Traffic(load=0.2), seed=1)
    >>> report = measure(run, Precision(latency=0.05, accepted=0.05))
    >>> report.saturated, report.steady, abs(report.accepted_load.mean - 0.2) < 0.02
    (False, True, True)
    """
    return _Measurement(simulation, precision or Precision(), interval_ns, on_progress).result()


class _Measurement:
    def __init__(
        self,
        simulation: Simulation,
        precision: Precision,
        interval_ns: float | Fraction | None,
        on_progress: OnProgress | None,
    ) -> None:
        self._run, self._precision = simulation, precision
        after_slice = (lambda: on_progress(simulation.now)) if on_progress is not None else (lambda: None)
        self._slices, self._has_intervals = SlicedRun(simulation, after_slice, interval_ns), interval_ns is not None
        self._typical = typical_latency_ticks(simulation.network, simulation.hardware)
        self._block = -(-self._typical // (SPANS_PER_LATENCY * BLOCKS_PER_SPAN))
        self._precise_since: int | None = None  # first tick of the current series of tests that met it
        traffic = simulation.traffic
        self._senders = senders_of(simulation)
        self._endless = isinstance(traffic, Traffic) and traffic.max_created is None
        self._snapshots = [CounterSnapshot.of(simulation, with_details=True)]

    def result(self) -> Report:
        while not self._slices.finished:
            if len(self._snapshots) > MAX_SPANS * BLOCKS_PER_SPAN:
                self._merge()
            self._add_block()
            spans, rest = divmod(len(self._snapshots) - 1, BLOCKS_PER_SPAN)
            if not self._endless or rest or spans < MIN_SPANS or spans % EVALUATE_EVERY:
                continue
            if (found := self._evaluate()) is not None:
                start, ending = found
                return self._report(start, **ending)
        complete = self._run.ended and not self._run.deadlock
        # Without a steady state the whole run is measured.
        return self._report(0, saturated=False, steady=False, complete=complete)

    def _report(self, warm_up: int, **ending: bool) -> Report:
        series = self._slices.snapshots() if self._has_intervals else self._snapshots
        return report_of(self._run, self._snapshots[warm_up * BLOCKS_PER_SPAN :], series, **ending)

    def _add_block(self) -> None:
        self._slices.run_to(self._snapshots[-1].tick + self._block)
        # The measured part may begin or end at the end of a span, or end here.
        with_details = len(self._snapshots) % BLOCKS_PER_SPAN == 0 or self._slices.finished
        self._snapshots.append(CounterSnapshot.of(self._run, with_details=with_details))

    def _merge(self) -> None:
        """Merge adjacent blocks."""
        self._block *= 2
        self._snapshots = [
            # Ends of merged spans were ends of spans before, so they have their details; those of others are freed.
            snapshot if index % BLOCKS_PER_SPAN == 0 else replace(snapshot, details=None)
            for index, snapshot in enumerate(self._snapshots[::2])
        ]

    @property
    def _spans(self) -> list[CounterSnapshot]:
        return self._snapshots[::BLOCKS_PER_SPAN]

    def _evaluate(self) -> tuple[int, dict[str, bool]] | None:
        """Return the number of spans before the measured part and how the run ends, None if it continues."""
        held_back, start = self._is_held_back(), None
        saturated = self._grows(MIN_GROWTH) and keeps_growing([span.totals["bits_alive"] for span in self._spans])
        if saturated:
            start = self._spans_before_constant_load()
        elif not self._grows(float(self._precision.accepted)):
            start = self._spans_of_warm_up()
        precise = start is not None and self._is_precise(start, latency=not saturated and not held_back)
        # A constant accepted load in a saturated run has already been tested on two parts of it.
        if self._stays_precise(precise=precise) or (precise and saturated):
            assert start is not None
            return start, {"saturated": saturated or held_back, "steady": True}
        if not self._reached_limits():
            return None
        grows = self._grows(float(self._precision.accepted), max_width=1)  # no later, more significant test will follow
        first_span = len(self._spans) // 2 if start is None else start
        return first_span, {"saturated": held_back or grows, "steady": False, "limited": True}

    def _stays_precise(self, *, precise: bool) -> bool:
        """Whether the precision is met, and has been since the run was half as long."""
        if not precise:
            self._precise_since = None
        elif self._precise_since is None:
            self._precise_since = self._run.now
        return self._precise_since is not None and self._run.now >= CONFIRMATION * self._precise_since

    def _reached_limits(self) -> bool:
        packets = self._snapshots[-1].totals["packets_created"]
        return packets >= self._precision.max_packets and self._run.now >= self._precision.max_latencies * self._typical

    def _is_held_back(self) -> bool:
        """Whether nodes waited so long in the second half that they created less than the offered load.

        A waiting node creates nothing, so the fraction of time spent waiting is the fraction of the load not created.
        """
        late = self._spans[len(self._spans) // 2 :]
        # Ticks of all senders together, as the engine adds up the waiting of all nodes.
        time = (late[-1].tick - late[0].tick) * self._senders
        return sum(changes(late, "ticks_waiting")) > float(self._precision.accepted) * time

    def _grows(self, min_growth: float, max_width: float = MAX_RELATIVE_WIDTH) -> bool:
        """Whether the backlog grew significantly in the second half, by more than `min_growth` of the data created."""
        late = self._spans[len(self._spans) // 2 :]
        created = changes(late, "bits_created")
        growth = estimate(changes(late, "bits_alive"), created)
        if growth.mean is None or growth.relative is None or growth.mean <= min_growth:
            return False
        return growth.relative <= max_width

    def _spans_of_warm_up(self) -> int | None:
        """Return the number of spans in the warm-up of latency and backlog, None if there is no steady state yet."""
        packets = changes(self._spans, "packets_arrived")
        # A span without arrivals has no mean latency.
        if min(packets) == 0:
            return None
        sums = changes(self._spans, "network_latency")
        series = [total / count for total, count in zip(sums, packets, strict=True)]
        starts = [truncation(series, float(self._precision.latency) * sum(sums) / sum(packets))]
        created = self._spans[-1].totals["bits_created"] / 4  # per quarter of the run
        backlog = [float(span.totals["bits_alive"]) for span in self._spans[1:]]
        starts.append(truncation(backlog, float(self._precision.accepted) * created))
        found = [start for start in starts if start is not None]
        return max(found) if len(found) == len(starts) else None

    def _spans_before_constant_load(self) -> int | None:
        """Return the number of spans before the accepted load of an overloaded network is constant; None if it is not.

        Then packets enter and leave the network at the same constant rate.
        """
        tolerance = float(self._precision.accepted)
        arrived = changes(self._spans[len(self._spans) // 2 :], "packets_arrived")
        packets_inside = [span.totals["packets_in_network"] for span in self._spans[1:]]
        if settled_half(packets_inside, MAX_FILLING * tolerance * sum(arrived) / 2) is None:
            return None  # while buffers fill, packets with short routes are over-represented among arrivals
        flits = changes(self._spans, "flits_arrived")
        return settled_half(flits, tolerance * sum(flits) / len(flits))

    def _is_precise(self, start: int, *, latency: bool) -> bool:
        """Whether the spans after the first `start` give a precise accepted load, and latency if it has a mean."""
        snapshots = self._snapshots[start * BLOCKS_PER_SPAN :]
        # The blocks are those between snapshots, one fewer.
        accepted = accepted_load(self._run, snapshots).relative if len(snapshots) > MIN_BLOCKS else None
        if accepted is None or accepted > self._precision.accepted:
            return False
        if not latency:
            return True
        width = network_latency(snapshots).relative
        # No mean latency exists while the backlog of the measured part still grows.
        growth, created = sum(changes(snapshots, "bits_alive")), sum(changes(snapshots, "bits_created"))
        return width is not None and width <= self._precision.latency and growth <= self._precision.accepted * created
