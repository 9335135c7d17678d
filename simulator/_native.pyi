"""The flit-level simulator."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

class PathSelection(enum.Enum):
    MINIMAL = 0

    VALIANT = 1

    UGAL = 2

class FlowControl(enum.Enum):
    STORE_AND_FORWARD = 0

    VIRTUAL_CUT_THROUGH = 1

    WORMHOLE = 2

class Policy(enum.Enum):
    NEAREST = 0

    SPRAY = 1

    ADAPTIVE = 2

    SHARES = 3

    SPILL = 4

class Replacement(enum.Enum):
    LRU = 0

    FIFO = 1

    RANDOM = 2

class CacheStart(enum.Enum):
    COLD = 0

    WARM = 1

    EXCHANGE = 2

class Plan:
    """The simulated system: see plan.hpp; times in ticks."""

    def __init__(self) -> None: ...
    @property
    def policy(self) -> Policy: ...
    @policy.setter
    def policy(self, arg: Policy, /) -> None: ...
    @property
    def shares(self) -> list[int]: ...
    @shares.setter
    def shares(self, arg: Sequence[int], /) -> None: ...
    @property
    def direct(self) -> bool: ...
    @direct.setter
    def direct(self, arg: bool, /) -> None: ...
    @property
    def node_cable(self) -> int: ...
    @node_cable.setter
    def node_cable(self, arg: int, /) -> None: ...
    @property
    def switch_delay(self) -> int: ...
    @switch_delay.setter
    def switch_delay(self, arg: int, /) -> None: ...
    @property
    def routing_delay(self) -> int: ...
    @routing_delay.setter
    def routing_delay(self, arg: int, /) -> None: ...
    @property
    def flit_ticks(self) -> int: ...
    @flit_ticks.setter
    def flit_ticks(self, arg: int, /) -> None: ...
    @property
    def channels(self) -> int: ...
    @channels.setter
    def channels(self, arg: int, /) -> None: ...
    @property
    def buffer_flits(self) -> int: ...
    @buffer_flits.setter
    def buffer_flits(self, arg: int, /) -> None: ...
    @property
    def output_flits(self) -> int: ...
    @output_flits.setter
    def output_flits(self, arg: int, /) -> None: ...
    @property
    def flow_control(self) -> FlowControl: ...
    @flow_control.setter
    def flow_control(self, arg: FlowControl, /) -> None: ...
    @property
    def flit_bits(self) -> int: ...
    @flit_bits.setter
    def flit_bits(self, arg: int, /) -> None: ...
    @property
    def header_bits(self) -> int: ...
    @header_bits.setter
    def header_bits(self, arg: int, /) -> None: ...
    @property
    def payload_bits(self) -> int: ...
    @payload_bits.setter
    def payload_bits(self, arg: int, /) -> None: ...
    @property
    def padded(self) -> bool: ...
    @padded.setter
    def padded(self, arg: bool, /) -> None: ...
    @property
    def shorter_queue(self) -> bool: ...
    @shorter_queue.setter
    def shorter_queue(self, arg: bool, /) -> None: ...
    @property
    def spill_flits(self) -> int: ...
    @spill_flits.setter
    def spill_flits(self, arg: int, /) -> None: ...
    @property
    def path_selection(self) -> PathSelection: ...
    @path_selection.setter
    def path_selection(self, arg: PathSelection, /) -> None: ...
    @property
    def ugal_bias(self) -> int: ...
    @ugal_bias.setter
    def ugal_bias(self, arg: int, /) -> None: ...
    @property
    def drop_deadlocked(self) -> bool: ...
    @drop_deadlocked.setter
    def drop_deadlocked(self, arg: bool, /) -> None: ...
    @property
    def deadlock_interval(self) -> int: ...
    @deadlock_interval.setter
    def deadlock_interval(self, arg: int, /) -> None: ...
    def add_plane(
        self,
        peer: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
        peer_port: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
        cable: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
        node_switch: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
    ) -> None:
        """
        Add a plane: three arrays int32[switches, ports], and the switch of every node link.
        """

    def set_nodes(
        self,
        start: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        cable: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
        flit_ticks: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
    ) -> None:
        """
        Set the first link of each node, and delays and flit times of node links, in the last plane; each may be empty.
        """

    def set_timing(
        self,
        flit_ticks: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
        switch_delay: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
    ) -> None:
        """
        Set flit times of links and delays of switches in the last plane; each may be empty.
        """

    def set_routes(
        self,
        group: str,
        shape: Sequence[int],
        row: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
        column: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        hops: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
        next_port: Annotated[NDArray[numpy.uint16], dict(order="C", device="cpu", writable=False)],
        path_starts: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        path_ports: Annotated[NDArray[numpy.uint16], dict(order="C", device="cpu", writable=False)],
    ) -> None:
        """
        Set the routes of the last plane; either next_port or both path arrays are empty; column and hops may be.
        """

    def set_channel_rule(
        self,
        dimension: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
        dateline: Annotated[NDArray[numpy.uint8], dict(order="C", device="cpu", writable=False)],
        classes: int,
        start: int,
        ordered: bool,
    ) -> None:
        """Set the rule for virtual channels of the last plane."""

    def set_look_ups(self, miss_delay: int, table_interval: int) -> None:
        """
        Set what a miss adds to the switch delay, and the least time between two look-ups in a table.
        """

    def set_caches(
        self,
        sets: int,
        ways: int,
        replacement: Replacement,
        seed: int,
        set_of: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        start: CacheStart,
    ) -> None:
        """
        Set the caches of input ports: the set of every node, and what they hold at the start.
        """

    def set_detours(
        self,
        region: Annotated[NDArray[numpy.uint16], dict(order="C", device="cpu", writable=False)],
        next_port: Annotated[NDArray[numpy.uint16], dict(order="C", device="cpu", writable=False)],
        entry: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        hops: Annotated[NDArray[numpy.uint16], dict(order="C", device="cpu", writable=False)],
    ) -> None:
        """
        Set the routes to regions in the last plane: the region of every switch, then by switch and region the next port, the first switch of the region, and the links to it.
        """

class Pattern(enum.Enum):
    UNIFORM = 0

    TABLE = 1

    HOT_SPOT = 2

    ALL_TO_ALL = 3

    GROUP_SHIFT = 4

    LIST = 5

class TrafficPlan:
    """The traffic: see traffic.hpp; times in ticks."""

    def __init__(self) -> None: ...
    @property
    def pattern(self) -> Pattern: ...
    @pattern.setter
    def pattern(self, arg: Pattern, /) -> None: ...
    @property
    def hot_chance(self) -> int: ...
    @hot_chance.setter
    def hot_chance(self, arg: int, /) -> None: ...
    @property
    def group_nodes(self) -> int: ...
    @group_nodes.setter
    def group_nodes(self, arg: int, /) -> None: ...
    @property
    def group_shift(self) -> int: ...
    @group_shift.setter
    def group_shift(self, arg: int, /) -> None: ...
    @property
    def chance(self) -> int: ...
    @chance.setter
    def chance(self, arg: int, /) -> None: ...
    @property
    def certain(self) -> bool: ...
    @certain.setter
    def certain(self, arg: bool, /) -> None: ...
    @property
    def period(self) -> int: ...
    @period.setter
    def period(self, arg: int, /) -> None: ...
    @property
    def period_parts(self) -> int: ...
    @period_parts.setter
    def period_parts(self, arg: int, /) -> None: ...
    @property
    def shortest_bits(self) -> int: ...
    @shortest_bits.setter
    def shortest_bits(self, arg: int, /) -> None: ...
    @property
    def longest_bits(self) -> int: ...
    @longest_bits.setter
    def longest_bits(self, arg: int, /) -> None: ...
    @property
    def max_created(self) -> int: ...
    @max_created.setter
    def max_created(self, arg: int, /) -> None: ...
    @property
    def max_in_flight(self) -> int: ...
    @max_in_flight.setter
    def max_in_flight(self, arg: int, /) -> None: ...
    def set_table(self, nodes: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)]) -> None:
        """Set the destination of every node (2^32 - 1: none), or the hot nodes."""

    def set_list(
        self,
        source: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        destination: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        bits: Annotated[NDArray[numpy.uint64], dict(order="C", device="cpu", writable=False)],
        delay: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
        predecessors: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        successor_starts: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        successors: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
    ) -> None:
        """Set the list of messages."""

class Engine:
    """A simulation; sums of latencies in ticks."""

    def __init__(
        self, plan: Plan, traffic: TrafficPlan, seed: int, tracked_pairs: Sequence[tuple[int, int]]
    ) -> None: ...
    def run(self, until: int) -> None:
        """
        Advance to this tick, or until all messages have arrived or a deadlock ends the run.
        """

    @property
    def now(self) -> int: ...
    @property
    def ended(self) -> bool: ...
    def audit(self) -> str | None:
        """The first violated law of conservation, or None."""

    def totals(self) -> dict[str, int]:
        """All scalar counters."""

    def deadlock(self) -> list[tuple[int, int, int, int]]:
        """
        The cycle that ended the run: plane, switch, port and channel of each waiting channel.
        """

    def by_distance(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None))]:
        """
        By hops: number of packets, sums of their latencies in the network and from creation; number of messages, sum of their latencies; longest latency of a packet in the network, and of a message.
        """

    def by_pair(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None))]:
        """The columns of by_distance by tracked pair."""

    def histogram(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """Number of packets by class of latency in the network."""

    def sent(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """Number of messages by source."""

    def received(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """Number of messages by destination."""

    def collisions_at(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """Collisions by element: switches of plane 0, of plane 1, ..., nodes."""

    def link_busy(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """Number of ticks in which each link carried a flit."""

    def input_ports(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None))]:
        """
        Input ports of switches: element, port, and the element at the other end, or the own one for the node of a direct network; empty if look-ups only take a constant time.
        """

    def look_ups(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None))]:
        """
        By input port: hits, extra hits, cold, conflict and capacity misses of its cache, look-ups in the table, and ticks that these waited for it.
        """

    def links(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None))]:
        """Source element, destination element and port of every link."""

    def listed_created(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Creation time by listed message; -1: not yet."""

    def listed_arrived(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Arrival time by listed message; -1: not yet."""

class TransferPlan:
    """Links and transfers over them: see packets.hpp; times in ticks."""

    def __init__(self) -> None: ...
    @property
    def packet_bytes(self) -> int: ...
    @packet_bytes.setter
    def packet_bytes(self, arg: int, /) -> None: ...
    @property
    def window(self) -> int: ...
    @window.setter
    def window(self, arg: int, /) -> None: ...
    def set_links(
        self,
        byte_ticks: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
        delay: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
        credit_delay: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    ) -> None:
        """Set the links."""

    def set_transfers(
        self,
        bytes: Annotated[NDArray[numpy.uint64], dict(order="C", device="cpu", writable=False)],
        begin_delay: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
        path_start: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        path: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        waits: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        next_start: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
        next: Annotated[NDArray[numpy.uint32], dict(order="C", device="cpu", writable=False)],
    ) -> None:
        """Set the transfers."""

class PacketNetwork:
    """Event-driven simulation of the packets of transfers."""

    def __init__(self, plan: TransferPlan) -> None: ...
    def run(self, events: int) -> bool:
        """
        Process at least `events` events, or all; return whether none are left.
        """

    def audit(self) -> str | None:
        """The first violated law of conservation, or None."""

    def arrived(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Arrival time by transfer; -1: not yet."""

    def link_bytes(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """Number of bytes carried by each link."""

def least_of_class(index: int) -> int:
    """The lower end of a class of the histogram."""
