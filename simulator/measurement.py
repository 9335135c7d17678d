"""Measurement of a run: warm-up, steady state and saturation decided by the data."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from isoplane.models.checks import check_int, exact_number

from .batches import FEWEST, estimate
from .marks import Mark, changes
from .report import Outcome, Report, accepted_load, network_latency, report_of, senders_of
from .series import Series
from .simulation import Simulation
from .slices import Slices
from .steady import keeps_growing, settled_half, truncation
from .theory import typical_latency_ticks
from .traffic import Traffic

BLOCKS_OF_A_LATENCY = 8
MOST_BLOCKS, FEWEST_BLOCKS, EVERY = 64, 32, 8  # beyond the most, neighbours are joined; when the data is judged
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
        created so many packets.

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
        check_int("measurement.most_latencies", self.most_latencies, FEWEST_BLOCKS // BLOCKS_OF_A_LATENCY, 1 << 40)
        check_int("measurement.most_packets", self.most_packets, 0, 1 << 50)


def measure(
    simulation: Simulation,
    precision: Precision | None = None,
    interval_ns: float | Fraction | None = None,
    watch: Watch | None = None,
) -> Report:
    """Run a simulation from its start until it is measured, and return its report.

    The run goes on in blocks of an eighth of a typical latency at zero load, the same at all loads; when there are 64,
    neighbours are joined. From 32 blocks on, the data is judged after every eighth. It is saturated if the backlog of
    data grows without slowing down, surely and by more than 1 % of what is created, or if nodes create less than is
    offered, for as many messages are in the network as may be. Otherwise it is steady when both
    the latency in the network and the backlog have left their warm-up behind; a saturated run is, when its buffers fill
    no more and it accepts as much as before. The run ends when the mean latency and the accepted load are known well
    enough; of a saturated run, the accepted load. Nothing else but integer counters
    decides. Messages that come to an end have no steady state: all of them are sent.

    Parameters
    ----------
    simulation
        At its first tick.
    precision
        By default 1 % of the latency and 0.5 % of the accepted load.
    interval_ns
        Of the time series; by default the blocks.
    watch
        Called several times each second.

    Raises
    ------
    InputError
        If the interval is too short.

    Examples
    --------
    >>> from isoplane.models import dual_cube, fabric_of
    >>> from isoplane.simulator import Hardware, Traffic
    >>> run = Simulation(fabric_of(dual_cube(3, (3, 5, 7))), Hardware(), Traffic(load=0.2), seed=1)
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
        self._slices = Slices(simulation, (lambda: watch(simulation.now)) if watch is not None else (lambda: None))
        self._typical = typical_latency_ticks(simulation.fabric, simulation.hardware)
        self._block = -(-self._typical // BLOCKS_OF_A_LATENCY)
        self._series = None if interval_ns is None else Series(simulation, self._slices, interval_ns)
        traffic = simulation.traffic
        self._senders = senders_of(simulation)
        self._endless = isinstance(traffic, Traffic) and traffic.most_created is None
        self._marks = [Mark.of(simulation, with_details=True)]

    def result(self) -> Report:
        while not self._slices.over:
            if len(self._marks) > MOST_BLOCKS:
                self._marks, self._block = self._marks[::2], 2 * self._block
            self._add_block()
            blocks = len(self._marks) - 1
            if not self._endless or blocks < FEWEST_BLOCKS or blocks % EVERY:
                continue
            if (found := self._judge()) is not None:
                return self._report(*found)
        complete = self._run.ended and not self._run.deadlock
        # All of it, for there is no steady state.
        return self._report(0, Outcome(saturated=False, steady=False, complete=complete))

    def _report(self, warm_up: int, outcome: Outcome) -> Report:
        series = self._marks if self._series is None else self._series.marks()
        return report_of(self._run, self._marks[warm_up:], series, outcome)

    def _add_block(self) -> None:
        (self._series or self._slices).go_to(self._marks[-1].tick + self._block)
        self._marks.append(Mark.of(self._run, with_details=True))  # the measured part may begin or end here

    def _judge(self) -> tuple[int, Outcome] | None:
        """Return where the measured part begins and how the run ends, None if it goes on."""
        half, held = len(self._marks) // 2, self._is_held()
        if self._grows(GROWTH) and keeps_growing([mark.totals["bits_alive"] for mark in self._marks]):
            start = self._accepted_from()
            if start is not None and self._is_known(start, latency=False):
                return start, Outcome(saturated=True, steady=True)
        elif not self._grows(float(self._precision.accepted)):
            start = self._steady_from()
            if start is not None and self._is_known(start, latency=not held):
                return start, Outcome(saturated=held, steady=True)
        if not self._is_over():
            return None
        grows = self._grows(float(self._precision.accepted), sure=1)  # it might be known better, but no later
        return half, Outcome(saturated=held or grows, steady=False)

    def _is_over(self) -> bool:
        packets = self._marks[-1].totals["packets_created"]
        return (
            packets >= self._precision.most_packets and self._run.now >= self._precision.most_latencies * self._typical
        )

    def _is_held(self) -> bool:
        """Whether nodes waited so much in the last half that they created less than is offered.

        A node that waits creates nothing: the share of their time that nodes wait is missing in what they create.
        """
        late = self._marks[len(self._marks) // 2 :]
        time = (late[-1].tick - late[0].tick) * self._senders
        return sum(changes(late, "ticks_held")) > float(self._precision.accepted) * time

    def _grows(self, least: float, sure: float = SURE) -> bool:
        """Whether the backlog surely grew in the last half, by more than this part of what was created."""
        late = self._marks[len(self._marks) // 2 :]
        created = changes(late, "bits_created")
        growth = estimate(changes(late, "bits_alive"), created)
        if growth.mean is None or growth.relative is None or growth.mean <= least:
            return False
        return growth.relative <= sure

    def _steady_from(self) -> int | None:
        """Return where neither latency nor backlog belong to the warm-up any more."""
        packets = changes(self._marks, "packets_arrived")
        if min(packets) == 0:
            return None
        sums = changes(self._marks, "network_latency")
        series = [total / count for total, count in zip(sums, packets, strict=True)]
        starts = [truncation(series, float(self._precision.latency) * sum(sums) / sum(packets))]
        created = self._marks[-1].totals["bits_created"] / 4  # in the time between the middles of two quarters
        backlog = [float(mark.totals["bits_alive"]) for mark in self._marks[1:]]
        starts.append(truncation(backlog, float(self._precision.accepted) * created))
        found = [start for start in starts if start is not None]
        return max(found) if len(found) == len(starts) else None

    def _accepted_from(self) -> int | None:
        """Return where an overloaded network accepts what it always will: as much flows in as out, at a steady rate."""
        tolerance = float(self._precision.accepted)
        arrived = changes(self._marks[len(self._marks) // 2 :], "packets_arrived")
        inside = [mark.totals["packets_in_network"] for mark in self._marks[1:]]
        if settled_half(inside, STILL * tolerance * sum(arrived) / 2) is None:
            return None  # while buffers fill, the packets with short ways are the first to arrive
        flits = changes(self._marks, "flits_arrived")
        return settled_half(flits, tolerance * sum(flits) / len(flits))

    def _is_known(self, start: int, *, latency: bool) -> bool:
        """Whether the part after a warm-up tells enough of the accepted load, and of the latency if that has a mean."""
        marks = self._marks[start:]
        accepted = accepted_load(self._run, marks).relative if len(marks) > FEWEST else None
        if accepted is None or accepted > self._precision.accepted:
            return False
        if not latency:
            return True
        known = network_latency(marks).relative
        late, created = sum(changes(marks, "bits_alive")), sum(changes(marks, "bits_created"))
        return known is not None and known <= self._precision.latency and late <= self._precision.accepted * created
