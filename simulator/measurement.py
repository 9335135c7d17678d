"""Measurement of a run: warm-up, steady state and saturation decided by the data."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from isoplane.models.checks import check_int, exact_number

from .batches import LEAST_BLOCKS, estimate
from .counter_snapshot import CounterSnapshot, changes
from .report import Outcome, Report, accepted_load, network_latency, report_of, senders_of
from .simulation import Simulation
from .sliced_run import SlicedRun
from .steady import keeps_growing, settled_half, truncation
from .theory import typical_latency_ticks
from .time_series import TimeSeries
from .traffic import Traffic

SPANS_OF_A_LATENCY, BLOCKS = 8, 4  # of a span; spans tell how a run develops, blocks how certain its means are
MAX_SPANS, MIN_SPANS, EVERY = 64, 32, 8  # beyond the most, neighbours are joined; when the data is judged
LONGER = 2  # a run goes on until it is so many times as long as when it seemed to be known well enough
GROWTH = 0.01  # of what is created: by so much at least the backlog of a saturated run grows
SURE = 0.5  # a growth is sure if half the width of its interval is at most this part of it
STILL = 0.25  # buffers are full if they fill by at most this part of the precision

Watch = Callable[[int], None]  # hears of the tick; may raise to end the run


@dataclass(frozen=True)
class Precision:
    """How well a run is measured, and when it ends at the latest.

    Parameters
    ----------
    latency, accepted
        Half the width of the 95 % confidence interval of the mean latency in the network and of the accepted load,
        relative to them. In a saturated run only the second counts.
    most_latencies, most_packets
        A run that has not reached that ends when it lasted so many typical latencies at zero load and its nodes have
        created so many packets; its report says that it is `limited`.

    Raises
    ------
    InputError
        If a value is out of range.
    """

    latency: float | Fraction = 0.01
    accepted: float | Fraction = 0.005
    most_latencies: int = 32
    most_packets: int = 1 << 20

    def __post_init__(self) -> None:
        exact_number("measurement.latency", self.latency, high=1, above=True)
        exact_number("measurement.accepted", self.accepted, high=1, above=True)
        check_int("measurement.most_latencies", self.most_latencies, MIN_SPANS // SPANS_OF_A_LATENCY, 1 << 40)
        check_int("measurement.most_packets", self.most_packets, 0, 1 << 50)


def measure(
    simulation: Simulation,
    precision: Precision | None = None,
    interval_ns: float | Fraction | None = None,
    watch: Watch | None = None,
) -> Report:
    """Run a simulation from its start until it is measured, and return its report.

    The run goes on in spans of an eighth of a typical latency at zero load, the same at all loads; when there are 64,
    neighbours are joined. From 32 spans on, the data is judged after every eighth. It is saturated if the backlog of
    data grows without slowing down, surely and by more than 1 % of what is created, or if nodes create less than is
    offered, for as many messages are in the network as may be. Otherwise it is steady when both
    the latency in the network and the backlog have left their warm-up behind; a saturated run is, when its buffers fill
    no more and it accepts as much as before. The run ends when the mean latency and the accepted load are known well
    enough, at each judgement since the run was half as long: those that ended at the first narrow interval would be
    those whose interval is too narrow. A saturated run ends when its accepted load is known. Nothing else but integer
    counters decides. Messages that come to an end have no steady state: all of them are sent.

    Parameters
    ----------
    simulation
        At its first tick.
    precision
        By default 1 % of the latency and 0.5 % of the accepted load.
    interval_ns
        Of the time series; by default a quarter of the spans.
    watch
        Called several times each second.

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
    return _Measurement(simulation, precision or Precision(), interval_ns, watch).result()


class _Measurement:
    def __init__(
        self, simulation: Simulation, precision: Precision, interval_ns: float | Fraction | None, watch: Watch | None
    ) -> None:
        self._run, self._precision = simulation, precision
        self._slices = SlicedRun(simulation, (lambda: watch(simulation.now)) if watch is not None else (lambda: None))
        self._typical = typical_latency_ticks(simulation.network, simulation.hardware)
        self._block = -(-self._typical // (SPANS_OF_A_LATENCY * BLOCKS))
        self._known_since: int | None = None  # the tick of the first judgement in a row
        self._series = None if interval_ns is None else TimeSeries(simulation, self._slices, interval_ns)
        traffic = simulation.traffic
        self._senders = senders_of(simulation)
        self._endless = isinstance(traffic, Traffic) and traffic.most_created is None
        self._marks = [CounterSnapshot.of(simulation, with_details=True)]

    def result(self) -> Report:
        while not self._slices.over:
            if len(self._marks) > MAX_SPANS * BLOCKS:
                self._join()
            self._add_block()
            spans, rest = divmod(len(self._marks) - 1, BLOCKS)
            if not self._endless or rest or spans < MIN_SPANS or spans % EVERY:
                continue
            if (found := self._judge()) is not None:
                return self._report(*found)
        complete = self._run.ended and not self._run.deadlock
        # All of it, for there is no steady state.
        return self._report(0, Outcome(saturated=False, steady=False, complete=complete))

    def _report(self, warm_up: int, outcome: Outcome) -> Report:
        series = self._marks if self._series is None else self._series.marks()
        return report_of(self._run, self._marks[warm_up * BLOCKS :], series, outcome)

    def _add_block(self) -> None:
        (self._series or self._slices).go_to(self._marks[-1].tick + self._block)
        # The measured part may begin or end after a span, or end here.
        with_details = len(self._marks) % BLOCKS == 0 or self._slices.over
        self._marks.append(CounterSnapshot.of(self._run, with_details=with_details))

    def _join(self) -> None:
        """Join neighbouring blocks."""
        self._block *= 2
        self._marks = [
            mark if index % BLOCKS == 0 else replace(mark, details=None) for index, mark in enumerate(self._marks[::2])
        ]

    @property
    def _spans(self) -> list[CounterSnapshot]:
        return self._marks[::BLOCKS]

    def _judge(self) -> tuple[int, Outcome] | None:
        """Return after how many spans the measured part begins and how the run ends, None if it goes on."""
        held, start = self._is_held(), None
        saturated = self._grows(GROWTH) and keeps_growing([mark.totals["bits_alive"] for mark in self._spans])
        if saturated:
            start = self._accepted_from()
        elif not self._grows(float(self._precision.accepted)):
            start = self._steady_from()
        known = start is not None and self._is_known(start, latency=not saturated and not held)
        # That a saturated run accepts as much as before is a judgement on two parts of it already.
        if self._stays(known=known) or (known and saturated):
            assert start is not None
            return start, Outcome(saturated=saturated or held, steady=True)
        if not self._is_over():
            return None
        grows = self._grows(float(self._precision.accepted), sure=1)  # it might be known better, but no later
        begins = len(self._spans) // 2 if start is None else start
        return begins, Outcome(saturated=held or grows, steady=False, limited=True)

    def _stays(self, *, known: bool) -> bool:
        """Whether all is known well enough, and has been since the run was half as long."""
        if not known:
            self._known_since = None
        elif self._known_since is None:
            self._known_since = self._run.now
        return self._known_since is not None and self._run.now >= LONGER * self._known_since

    def _is_over(self) -> bool:
        packets = self._marks[-1].totals["packets_created"]
        return (
            packets >= self._precision.most_packets and self._run.now >= self._precision.most_latencies * self._typical
        )

    def _is_held(self) -> bool:
        """Whether nodes waited so much in the last half that they created less than is offered.

        A node that waits creates nothing: the share of their time that nodes wait is missing in what they create.
        """
        late = self._spans[len(self._spans) // 2 :]
        time = (late[-1].tick - late[0].tick) * self._senders
        return sum(changes(late, "ticks_held")) > float(self._precision.accepted) * time

    def _grows(self, least: float, sure: float = SURE) -> bool:
        """Whether the backlog surely grew in the last half, by more than this part of what was created."""
        late = self._spans[len(self._spans) // 2 :]
        created = changes(late, "bits_created")
        growth = estimate(changes(late, "bits_alive"), created)
        if growth.mean is None or growth.relative is None or growth.mean <= least:
            return False
        return growth.relative <= sure

    def _steady_from(self) -> int | None:
        """Return after how many spans neither latency nor backlog belong to the warm-up any more."""
        packets = changes(self._spans, "packets_arrived")
        if min(packets) == 0:
            return None
        sums = changes(self._spans, "network_latency")
        series = [total / count for total, count in zip(sums, packets, strict=True)]
        starts = [truncation(series, float(self._precision.latency) * sum(sums) / sum(packets))]
        created = self._spans[-1].totals["bits_created"] / 4  # in the time between the middles of two quarters
        backlog = [float(mark.totals["bits_alive"]) for mark in self._spans[1:]]
        starts.append(truncation(backlog, float(self._precision.accepted) * created))
        found = [start for start in starts if start is not None]
        return max(found) if len(found) == len(starts) else None

    def _accepted_from(self) -> int | None:
        """Return after how many spans an overloaded network accepts what it always will.

        As much flows in as out, at a steady rate.
        """
        tolerance = float(self._precision.accepted)
        arrived = changes(self._spans[len(self._spans) // 2 :], "packets_arrived")
        inside = [mark.totals["packets_in_network"] for mark in self._spans[1:]]
        if settled_half(inside, STILL * tolerance * sum(arrived) / 2) is None:
            return None  # while buffers fill, the packets with short ways are the first to arrive
        flits = changes(self._spans, "flits_arrived")
        return settled_half(flits, tolerance * sum(flits) / len(flits))

    def _is_known(self, start: int, *, latency: bool) -> bool:
        """Whether what comes after so many spans tells enough of the accepted load, and of a latency with a mean."""
        marks = self._marks[start * BLOCKS :]
        accepted = accepted_load(self._run, marks).relative if len(marks) > LEAST_BLOCKS else None
        if accepted is None or accepted > self._precision.accepted:
            return False
        if not latency:
            return True
        known = network_latency(marks).relative
        late, created = sum(changes(marks, "bits_alive")), sum(changes(marks, "bits_created"))
        return known is not None and known <= self._precision.latency and late <= self._precision.accepted * created
