"""Results of a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from isoplane.models.device_names import shown_port

from .._native import least_of_class
from ..flits.simulation import Simulation
from ..flits.sliced_run import CounterSnapshot, changes
from ..traffic.traffic import Traffic
from .batches import Estimate, estimate
from .latencies import Latencies, latency_table

PERCENTILES = (50, 95, 99)


@dataclass(frozen=True)
class Moment:
    """A row of the time series: the traffic since the previous row, and the remaining backlog.

    Attributes
    ----------
    time_ns
        End of the interval.
    injected_messages, injected_bytes, arrived_messages, arrived_bytes, dropped_messages
        Counts in the interval; a message is injected when its node creates it.
    remaining_messages, remaining_bytes
        Backlog at its end, in the queues of the nodes and in the network.
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
    """Results of a run at one load.

    Attributes
    ----------
    offered_load, accepted_load
        Flits per flit time that a node creates, and that arrive from it: in units of the rate of one link, averaged
        over the sending nodes. For listed messages, whose number is limited, both are the accepted load.
    saturated
        Whether the offered load permanently exceeds the accepted load: the backlog grows, or nodes have to wait to
        create messages. The latencies then cover only the packets that have arrived so far, and grow without limit.
    steady
        Whether a steady state was reached and measured with the requested precision; in a saturated run, that of the
        accepted load.
    limited
        Whether the limits of `Precision` ended the run. Its confidence intervals are valid, but wider than requested,
        or not narrow for long enough to be relied on; without a steady state, its numbers are those of the second half.
    complete
        Whether all messages of a limited number were simulated, and the report covers the whole run.
    network_latency_ns, message_latency_ns
        Latency of packets, from leaving the queue of the source, and of messages, from their creation; to the last bit.
    percentiles_ns
        50th, 95th and 99th percentile of the latency of packets in the network, at most 1/32 too high.
    by_distance, by_pair
        Latencies by number of hops between switches, from 0; and by tracked pair of nodes.
    pairs
        The tracked pairs (source, destination).
    series
        Time series over the whole run.
    collisions_per_packet, collided
        A packet collides at an element if its first request for a link is not granted at once; mean number of
        collisions per packet, and the fraction of packets that collide at all.
    sent, received
        Number of messages sent and received by each node in the measured part.
    collisions_at
        Collisions of packets at each element: switches of plane 0, of plane 1, ..., then nodes.
    input_ports, look_ups, table_wait_ns
        Input ports of switches; their look-ups by kind, and those in the table, as in `Simulation`; and the sum of the
        waiting times of the latter. Empty if look-ups take a constant time.
    links, link_load
        Source element, destination element and port of each link; and its load, which is 1 if it always carried a flit.
    deadlock
        The cycle of channels that ended the run, in one line; None if there was none.
    deadlocks, dropped_packets, dropped_messages
        Counts over the whole run.
    warm_up_ns, measured_ns
        Length of the truncated warm-up, and of the measured part, which all means and counts refer to.
    packets
        Number of packets that arrived in the measured part.
    completed_ns
        Arrival time of the last message of a list; None for other traffic, and if a message has not arrived.
    seed
        Seed of the run.
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
    input_ports: NDArray[np.int64]
    look_ups: NDArray[np.int64]
    table_wait_ns: NDArray[np.float64]
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
        """Whether the network sustains this load."""
        return not self.saturated and self.deadlock is None


def report_of(
    simulation: Simulation,
    snapshots: list[CounterSnapshot],
    series: Sequence[CounterSnapshot],
    *,
    saturated: bool,
    steady: bool,
    complete: bool = False,
    limited: bool = False,
) -> Report:
    """Return the report on the part of a run between the first and the last snapshot, which have details.

    Parameters
    ----------
    simulation
        The simulation at the last snapshot.
    snapshots
        Snapshots at the ends of the blocks of the measured part.
    series
        Snapshots at the ends of the intervals, from the start of the run.
    saturated, steady, complete, limited
        How the run ended: see `Report`.
    """
    first, last = snapshots[0], snapshots[-1]
    tick_ns, traffic, hardware = simulation.hardware.tick_ns, simulation.traffic, simulation.hardware
    accepted = accepted_load(simulation, snapshots)
    measured, ticks = last.since(first), last.tick - first.tick
    latencies = _latencies(snapshots, tick_ns, bounded=not saturated)
    packets = last.totals["packets_arrived"] - first.totals["packets_arrived"]
    final = last.totals
    return Report(
        offered_load=float(traffic.offered_load(hardware)) if isinstance(traffic, Traffic) else accepted.mean or 0.0,
        accepted_load=accepted,
        saturated=saturated,
        steady=steady,
        limited=limited,
        complete=complete,
        network_latency_ns=latencies[0],
        message_latency_ns=latencies[1],
        percentiles_ns=tuple(_percentile(measured["histogram"], percent, tick_ns) for percent in PERCENTILES),
        by_distance=latency_table(measured["by_distance"], tick_ns),
        by_pair=latency_table(measured["by_pair"], tick_ns),
        pairs=simulation.tracked_pairs,
        series=moments(series, tick_ns),
        collisions_per_packet=_ratio(final["collisions"] - first.totals["collisions"], packets),
        collided=_ratio(final["collided_packets"] - first.totals["collided_packets"], packets),
        sent=measured["sent"],
        received=measured["received"],
        collisions_at=measured["collisions_at"],
        input_ports=simulation.input_ports().astype(np.int64),
        look_ups=measured["look_ups"][:, :-1],
        table_wait_ns=(measured["look_ups"][:, -1] * float(tick_ns)).astype(np.float64),
        links=simulation.links().astype(np.int64),
        link_load=measured["link_busy"] / max(ticks, 1),
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


def accepted_load(simulation: Simulation, snapshots: list[CounterSnapshot]) -> Estimate:
    """Return the number of flits that arrived per flit time and sending node."""
    senders = senders_of(simulation)
    flits = [count * simulation.hardware.speedup for count in changes(snapshots, "flits_arrived")]
    return estimate(flits, [(b.tick - a.tick) * senders for a, b in pairwise(snapshots)])


def senders_of(simulation: Simulation) -> int:
    """Return the number of sending nodes; all nodes if messages are listed."""
    network, traffic = simulation.network, simulation.traffic
    return traffic.senders(network) if isinstance(traffic, Traffic) else network.nodes


def network_latency(snapshots: list[CounterSnapshot]) -> Estimate:
    """Return the mean latency of packets in the network, in ticks."""
    return estimate(changes(snapshots, "network_latency"), changes(snapshots, "packets_arrived"))


def _latencies(snapshots: list[CounterSnapshot], tick_ns: Fraction, *, bounded: bool) -> list[Estimate]:
    """Return the latencies of packets and of messages in ns; without a half-width if they are unbounded."""
    messages = estimate(changes(snapshots, "message_latency"), changes(snapshots, "messages_arrived"))
    return [
        Estimate(_in_ns(found.mean, tick_ns), _in_ns(found.half_width, tick_ns) if bounded else None)
        for found in (network_latency(snapshots), messages)
    ]


def _in_ns(ticks: float | None, tick_ns: Fraction) -> float | None:
    return None if ticks is None else ticks * float(tick_ns)


def _ratio(count: int, total: int) -> float | None:
    return count / total if total else None


def _percentile(histogram: NDArray[np.int64], percent: int, tick_ns: Fraction) -> float | None:
    """Return the largest latency of the histogram class that contains a percentile."""
    cumulative = np.cumsum(histogram)
    if not cumulative[-1]:
        return None
    # Products instead of quotients: integers decide the class.
    index = int(np.searchsorted(100 * cumulative, percent * int(cumulative[-1])))
    return float((least_of_class(index + 1) - 1) * tick_ns)


def moments(snapshots: Sequence[CounterSnapshot], tick_ns: Fraction) -> tuple[Moment, ...]:
    """Return the rows of a time series, one per interval between snapshots."""
    rows = []
    for before, after in pairwise(snapshots):
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
    """Return the cycle of channels that ended a run, in one line with ports from 1; None if there is none."""
    waiting = simulation.deadlock
    if not waiting:
        return None
    known = simulation.network.family.names
    names = [f"{shown_port(known, *at)} channel {channel}" for *at, channel in waiting]
    return f"{len(names)} channels wait for each other: {' > '.join([*names, names[0]])}"
