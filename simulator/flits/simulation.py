"""One simulation: a network, hardware, traffic and a seed; and the time that messages with dependencies take."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList, Network
from isoplane.models.checks import check_int

from .._native import Engine
from ..hardware import Hardware
from ..traffic.traffic import Traffic
from .message_trace import MessageTrace
from .plan import plan_of

STEP_TICKS = 1 << 20  # of a run to its end, in a native call
Counts = NDArray[np.uint64]
Ticks = NDArray[np.int64]


class Simulation:
    """A run of the native engine; times are ticks (`Hardware.tick_ns`).

    Parameters
    ----------
    network, hardware, traffic
        The system to simulate; a bare list of messages is treated as a `MessageTrace` at the processor speed of its
        recording.
    seed
        Determines all random choices.
    tracked_pairs
        Pairs of nodes (source, destination) whose latencies are recorded separately.
    check_deadlock
        False if the routing is proven deadlock-free.

    Raises
    ------
    InputError
        If the arguments are inconsistent.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> simulation = Simulation(dual_cube(3, (3, 5, 7)), Hardware(), Traffic(load=0.2), seed=1)
    >>> simulation.run(2000)
    >>> simulation.now, simulation.audit()
    (2000, None)
    """

    def __init__(
        self,
        network: Network,
        hardware: Hardware,
        traffic: Traffic | MessageTrace | MessageList,
        seed: int,
        tracked_pairs: Sequence[tuple[int, int]] = (),
        check_deadlock: bool = True,
    ) -> None:
        check_int("seed", seed, 0, (1 << 64) - 1)
        for node in (node for pair in tracked_pairs for node in pair):
            if not 0 <= node < network.nodes:
                raise InputError(f"pairs: node {node} does not exist; expected 0 to {network.nodes - 1}")
        if isinstance(traffic, MessageList):
            traffic = MessageTrace(traffic)
        self.network, self.hardware, self.traffic = network, hardware, traffic
        self.seed, self.tracked_pairs = seed, tuple(tracked_pairs)
        plan = plan_of(network, hardware, check_deadlock)
        self._engine = Engine(plan, traffic.plan(network, hardware), seed, list(tracked_pairs))

    def run(self, until: int) -> None:
        """Advance to this tick, or until all messages have arrived or a deadlock ends the run."""
        self._engine.run(until)

    @property
    def now(self) -> int:
        """The next tick."""
        return self._engine.now

    @property
    def ended(self) -> bool:
        """Whether nothing is left to do."""
        return self._engine.ended

    @property
    def deadlock(self) -> list[tuple[int, int, int, int]]:
        """The cycle that ended the run, if any: plane, switch, port and virtual channel of each waiting channel."""
        return self._engine.deadlock()

    @property
    def max_messages(self) -> int:
        """Total number of messages, 0 if unlimited."""
        traffic = self.traffic
        return traffic.messages.messages if isinstance(traffic, MessageTrace) else traffic.max_created or 0

    def audit(self) -> str | None:
        """Return the first violated law of conservation of flits, credits, packets or messages, None if all hold."""
        return self._engine.audit()

    def totals(self) -> dict[str, int]:
        """Return the current values of all scalar counters; latencies are sums in ticks."""
        return self._engine.totals()

    def by_distance(self) -> Counts:
        """Return the latencies by number of hops.

        Columns: number of packets, sums of their latencies in the network and from creation; number of messages, sum
        of their latencies; longest latency of a packet in the network, and of a message.
        """
        return self._engine.by_distance()

    def by_pair(self) -> Counts:
        """Return the columns of `by_distance` for each tracked pair."""
        return self._engine.by_pair()

    def histogram(self) -> Counts:
        """Return the number of packets in each latency class; `_native.least_of_class` is the lower end of a class."""
        return self._engine.histogram()

    def sent(self) -> Counts:
        """Return the number of messages that each node has created."""
        return self._engine.sent()

    def received(self) -> Counts:
        """Return the number of messages that each node has received."""
        return self._engine.received()

    def listed_created(self) -> Ticks:
        """Return the creation time of each message of a list, -1 if not yet created."""
        return self._engine.listed_created()

    def listed_arrived(self) -> Ticks:
        """Return the arrival time of each message of a list, -1 if not yet arrived."""
        return self._engine.listed_arrived()

    def collisions_at(self) -> Counts:
        """Return the collisions at each element: switches of plane 0, of plane 1, ..., then nodes.

        A packet counts as one collision at an element if its first request for a link is not granted at once.
        """
        return self._engine.collisions_at()

    def link_busy(self) -> Counts:
        """Return the number of ticks in which each link has carried a flit."""
        return self._engine.link_busy()

    def input_ports(self) -> Counts:
        """Return the input ports of switches, in the order of `look_ups`; none if look-ups take a constant time.

        Columns: the switch as an element, the number of the port at it, and the element at the other end of its link;
        for the node inside a switch of a direct network, the switch. By plane, ports of cables are in the order of the
        switches and ports at which the links begin, those of nodes in that of the links of nodes.
        """
        return self._engine.input_ports()

    def look_ups(self) -> Counts:
        """Return the look-ups of heads at each input port.

        Columns: hits in the cache that a fully associative one also has, and other hits; misses that are cold, by
        conflict, and by capacity (see `isoplane.objectives.caches`); look-ups in the table of the switch; and the ticks
        that these waited for the table. A packet that has arrived at its node makes no look-up.
        """
        return self._engine.look_ups()

    def links(self) -> Counts:
        """Return the source element, destination element and port of each link."""
        return self._engine.links()


def workload_time_ns(network: Network, hardware: Hardware, messages: MessageList) -> Fraction:
    """Return the arrival of the last of some messages, each sent as soon as those that it depends on have arrived.

    Parameters
    ----------
    network, hardware
        The network, and its switches, links and packets.
    messages
        The messages, between the nodes of the network.

    Returns
    -------
    Fraction
        In ns, a whole number of ticks.

    Raises
    ------
    InputError
        If the messages are for another number of nodes.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.models.workloads import recursive_doubling
    >>> network = dual_cube(2, (1, 2), nodes_per_switch=1)
    >>> float(workload_time_ns(network, Hardware(), recursive_doubling(4, 256).message_list()))
    450.56
    """
    simulation = Simulation(network, hardware, MessageTrace(messages), seed=0)
    while not simulation.ended:
        simulation.run(simulation.now + STEP_TICKS)
    return int(simulation.listed_arrived().max()) * hardware.tick_ns
