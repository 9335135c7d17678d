"""What a run has seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ._native import least_of_class
from .batches import Estimate, estimate
from .counter_snapshot import CounterSnapshot, changes
from .latencies import Latencies, latency_table
from .simulation import Simulation
from .traffic import Traffic

PERCENTILES = (50, 95, 99)


@dataclass(frozen=True)
class Moment:
    """A row of the time series: what came since the row before, and what remains.

    Attributes
    ----------
    time_ns
        At the end of the interval.
    injected_messages, injected_bytes, arrived_messages, arrived_bytes, dropped_messages
        In the interval; injected are those that nodes created.
    remaining_messages, remaining_bytes
        At its end, in the queues of the nodes and in the network.
    """

    time_ns: float
    injected_messages: int
    injected_bytes: int
    arrived_messages: int
    arrived_bytes: int
    dropped_messages: int
    remaining_messages: int
    remaining_bytes: int


@dataclass(frozen=True, eq=False)
class Report:
    """What the simulator measured at one load.

    Attributes
    ----------
    offered_load, accepted_load
        Flits that a node creates, and that arrive from it, in the time of a flit on a link: in units of the rate of one
        link, in the mean over the nodes that send. Of listed messages, which come to an end, both are what arrived.
    saturated
        Whether more is offered than is accepted, for ever: the backlog grows, or nodes wait before they may create
        messages. Latencies are only what was seen so far.
    steady
        Whether a steady state was reached and measured with the precision that was asked for; of a saturated run, that
        of the accepted load.
    limited
        Whether the limit of latencies and packets ended the run. Its intervals are as good as others, but wider than
        asked for, or not narrow for long enough to be relied on; where no steady state was found either, its numbers
        are those of the second half.
    complete
        Whether the messages came to an end, and all of them are told of, from the start to the end.
    network_latency_ns, message_latency_ns
        Of packets, from leaving the queue of the source; of messages, from their creation; to the last bit.
    percentiles_ns
        50, 95 and 99 % of the packets had at most this latency in the network, up to 1/32 of it.
    by_distance, by_pair
        By hops between switches, beginning with 0; and by watched pair of nodes.
    series
        Over the whole run, in intervals.
    collisions_per_packet, collided
        A packet collides at each place where it does not get the link that it asks for at once; the share of the
        packets that do so at all.
    sent, received
        Messages of each node in the measured part.
    collisions_at
        Collisions of packets at each element: switches of plane 0, of plane 1, ..., then nodes.
    links, link_load
        For each link the elements at its ends and its port; and its load, 1 where it carried a flit at all times.
    deadlock
        The cycle of channels that ended the run, in one line; None if none did.
    deadlocks, dropped_packets, dropped_messages
        Over the whole run.
    warm_up_ns, measured_ns
        The part that is left out, and the part that all means and counts are about.
    packets
        Packets that arrived in the measured part.
    completed_ns
        When the last message of a list arrived; None of other traffic, and where one has not arrived.
    seed
        That decided the run.
    """

    offered_load: float
    accepted_load: Estimate
    saturated: bool
    steady: bool
    limited: bool
    complete: bool
    network_latency_ns: Estimate
    message_latency_ns: Estimate
    percentiles_ns: tuple[float | None, ...]
    by_distance: tuple[Latencies, ...]
    by_pair: tuple[Latencies, ...]
    pairs: tuple[tuple[int, int], ...]
    series: tuple[Moment, ...]
    collisions_per_packet: float | None
    collided: float | None
    sent: NDArray[np.int64]
    received: NDArray[np.int64]
    collisions_at: NDArray[np.int64]
    links: NDArray[np.int64]
    link_load: NDArray[np.float64]
    deadlock: str | None
    deadlocks: int
    dropped_packets: int
    dropped_messages: int
    warm_up_ns: float
    measured_ns: float
    packets: int
    completed_ns: float | None
    seed: int

    @property
    def stable(self) -> bool:
        """Whether the network carries this load."""
        return not self.saturated and self.deadlock is None


@dataclass(frozen=True)
class Outcome:
    """How a run ended: saturated, steady and measured as precisely as asked, with its messages, or at its limit."""

    saturated: bool
    steady: bool
    complete: bool = False
    limited: bool = False


def report_of(
    simulation: Simulation, marks: list[CounterSnapshot], series: Sequence[CounterSnapshot], outcome: Outcome
) -> Report:
    """Return the report on the part of a run between the first mark and the last, which have details.

    Parameters
    ----------
    simulation
        As it stands at the last mark.
    marks
        Blocks of the measured part.
    series
        Marks at the ends of the intervals, from the start of the run on.
    outcome
        How it ended.
    """
    first, last = marks[0], marks[-1]
    assert first.details is not None
    assert last.details is not None
    tick_ns, traffic, hardware = simulation.hardware.tick_ns, simulation.traffic, simulation.hardware
    accepted = accepted_load(simulation, marks)
    seen, ticks = last.details.since(first.details), last.tick - first.tick
    latencies = _latencies(marks, tick_ns, bounded=not outcome.saturated)
    packets = last.totals["packets_arrived"] - first.totals["packets_arrived"]
    final = last.totals
    return Report(
        offered_load=float(traffic.offered_load(hardware)) if isinstance(traffic, Traffic) else accepted.mean or 0.0,
        accepted_load=accepted,
        saturated=outcome.saturated,
        steady=outcome.steady,
        limited=outcome.limited,
        complete=outcome.complete,
        network_latency_ns=latencies[0],
        message_latency_ns=latencies[1],
        percentiles_ns=tuple(_percentile(seen.histogram, percent, tick_ns) for percent in PERCENTILES),
        by_distance=latency_table(seen.by_distance, tick_ns),
        by_pair=latency_table(seen.by_pair, tick_ns),
        pairs=simulation.watched,
        series=moments(series, tick_ns),
        collisions_per_packet=_ratio(final["collisions"] - first.totals["collisions"], packets),
        collided=_ratio(final["collided_packets"] - first.totals["collided_packets"], packets),
        sent=seen.sent,
        received=seen.received,
        collisions_at=seen.collisions_at,
        links=simulation.links().astype(np.int64),
        link_load=seen.link_busy / max(ticks, 1),
        deadlock=deadlock_line(simulation),
        deadlocks=final["deadlocks"],
        dropped_packets=final["packets_dropped"],
        dropped_messages=final["messages_dropped"],
        warm_up_ns=float(first.tick * tick_ns),
        measured_ns=float(ticks * tick_ns),
        packets=packets,
        completed_ns=_completed_ns(simulation),
        seed=simulation.seed,
    )


def _completed_ns(simulation: Simulation) -> float | None:
    arrived = simulation.listed_arrived()
    return float(int(arrived.max()) * simulation.hardware.tick_ns) if len(arrived) and arrived.min() >= 0 else None


def accepted_load(simulation: Simulation, marks: list[CounterSnapshot]) -> Estimate:
    """Return the flits that arrived in the time of a flit, over the nodes that send."""
    senders = senders_of(simulation)
    flits = [count * simulation.hardware.speedup for count in changes(marks, "flits_arrived")]
    return estimate(flits, [(b.tick - a.tick) * senders for a, b in pairwise(marks)])


def senders_of(simulation: Simulation) -> int:
    """Return how many nodes send; all of them where messages are listed."""
    nodes, traffic = simulation.network.nodes, simulation.traffic
    return traffic.senders(nodes) if isinstance(traffic, Traffic) else nodes


def network_latency(marks: list[CounterSnapshot]) -> Estimate:
    """Return the mean latency of packets in the network, in ticks."""
    return estimate(changes(marks, "network_latency"), changes(marks, "packets_arrived"))


def _latencies(marks: list[CounterSnapshot], tick_ns: Fraction, *, bounded: bool) -> list[Estimate]:
    """Return the latencies of packets and of messages in ns; without half a width if they have no bound."""
    messages = estimate(changes(marks, "message_latency"), changes(marks, "messages_arrived"))
    return [
        Estimate(_times(found.mean, tick_ns), _times(found.half_width, tick_ns) if bounded else None)
        for found in (network_latency(marks), messages)
    ]


def _times(ticks: float | None, tick_ns: Fraction) -> float | None:
    return None if ticks is None else ticks * float(tick_ns)


def _ratio(count: int, of: int) -> float | None:
    return count / of if of else None


def _percentile(histogram: NDArray[np.int64], percent: int, tick_ns: Fraction) -> float | None:
    """Return the largest latency of the class in which the given share of the packets is reached."""
    reached = np.cumsum(histogram)
    if not reached[-1]:
        return None
    index = int(np.searchsorted(100 * reached, percent * int(reached[-1])))
    return float((least_of_class(index + 1) - 1) * tick_ns)


def moments(marks: Sequence[CounterSnapshot], tick_ns: Fraction) -> tuple[Moment, ...]:
    """Return the time series between marks."""
    rows = []
    for before, after in pairwise(marks):
        old, new = before.totals, after.totals
        rows.append(
            Moment(
                float(after.tick * tick_ns),
                new["messages_created"] - old["messages_created"],
                (new["bits_created"] - old["bits_created"]) // 8,
                new["messages_arrived"] - old["messages_arrived"],
                (new["bits_arrived"] - old["bits_arrived"]) // 8,
                new["messages_dropped"] - old["messages_dropped"],
                new["messages_alive"],
                new["bits_alive"] // 8,
            )
        )
    return tuple(rows)


def deadlock_line(simulation: Simulation) -> str | None:
    """Return the cycle of channels that ended a run, in one line."""
    waiting = simulation.deadlock
    if not waiting:
        return None
    names = [f"plane {plane} switch {switch} port {port} channel {channel}" for plane, switch, port, channel in waiting]
    return f"{len(names)} channels wait for each other: {' > '.join([*names, names[0]])}"
