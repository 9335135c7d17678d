"""Synthetic traffic: patterns, rates and message sizes."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.checks import check_int, exact_number, fraction_of

from .._native import Pattern, TrafficPlan
from ..hardware import Hardware
from .permutations import PERMUTATIONS, Nodes, permutation

PATTERNS = ("uniform", *PERMUTATIONS, "table", "hot_spot", "all_to_all", "group_shift", "pair")
INJECTIONS = ("bernoulli", "periodic")
CERTAIN = 1 << 64  # chances are integers in units of 2^-64
MAX_PERIOD = 1 << 40  # maximum mean number of ticks between two messages of a node
MAX_PERIOD_NUMERATOR = 1 << 62  # maximum numerator of a fractional period
MAX_MESSAGE_BYTES, MAX_RANGE = 1 << 30, 1 << 20


@dataclass(frozen=True)
class Traffic:
    """Messages that every node creates at random or periodically.

    Parameters
    ----------
    pattern
        ``uniform``: each message to any other node; a permutation (``complement``, ``reverse``, ``transpose``,
        ``shuffle``, ``tornado``, ``neighbour``) or any ``table``, in which a node mapped to itself is silent;
        ``hot_spot``: a share of the messages to the hot nodes, the rest uniform; ``all_to_all``: to all other nodes in
        turn, starting with the next one; ``group_shift``: to random nodes of the group `offset` further; ``pair``: one
        node to one other, while the rest is silent.
    load
        Offered load of every node, in units of the rate of one link (flits per flit time); it can reach the number of
        planes. Exactly one of `load` and `interval_ns` is given.
    interval_ns
        Mean time between two messages of a node.
    injection
        ``bernoulli``: a trial in every tick; ``periodic``: at equal intervals, from a random start. A period need not
        be a whole number of ticks: messages are created in the ticks that contain its multiples.
    message_bytes
        Minimum and maximum size of a message; sizes in whole bytes are uniformly distributed between them. By default
        one packet.
    hot_nodes, hot_share
        The hot nodes of ``hot_spot``, and their share of the messages.
    table
        The destination of every node, for ``table``.
    group_nodes, offset
        For ``group_shift``: nodes of a group, which is a range of consecutive nodes, and the number of groups from
        source to destination, from 1 to their number - 1; after the last group comes the first.
    pair
        For ``pair``: source and destination; None for the first and the last node.
    max_created, max_in_flight
        Maximum number of messages in total, and in the network at a time; None for no limit. A node whose message would
        exceed the latter waits, and creates nothing in the meantime; waiting nodes send in order of arrival.

    Examples
    --------
    >>> Traffic(load=0.5).messages_per_tick(Hardware())
    Fraction(1, 32)
    """

    pattern: str = "uniform"
    load: float | Fraction | None = None
    interval_ns: float | Fraction | None = None
    injection: str = "bernoulli"
    message_bytes: tuple[int, int] | None = None
    hot_nodes: tuple[int, ...] = ()
    hot_share: float | Fraction = 0.1
    max_created: int | None = None
    max_in_flight: int | None = None
    table: tuple[int, ...] = ()
    group_nodes: int | None = None
    offset: int = 1
    pair: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        for name, value, allowed in (("pattern", self.pattern, PATTERNS), ("injection", self.injection, INJECTIONS)):
            if value not in allowed:
                raise InputError(f"traffic.{name}={value}: expected {', '.join(allowed)}")
        if (self.load is None) == (self.interval_ns is None):
            raise InputError("traffic: expected exactly one of load and interval_ns")
        if self.load is not None:
            exact_number("traffic.load", self.load, high=64, above=True)
        else:
            exact_number("traffic.interval_ns", self.interval_ns, above=True)
        self._check_lists()
        for name, pattern, is_set in (
            ("group_nodes", "group_shift", self.group_nodes is not None),
            ("offset", "group_shift", self.offset != 1),
            ("pair", "pair", self.pair is not None),
        ):
            if is_set and self.pattern != pattern:
                value = getattr(self, name)
                shown = list(value) if isinstance(value, tuple) else value
                raise InputError(
                    f"traffic.{name}={shown}: has no effect with pattern={self.pattern}; allowed with traffic={pattern}"
                )
        if self.pattern == "hot_spot":
            exact_number("traffic.hot_share", self.hot_share, high=1)
        for name, limit in (("max_created", self.max_created), ("max_in_flight", self.max_in_flight)):
            if limit is not None:
                check_int(f"traffic.{name}", limit, 1)

    def _check_lists(self) -> None:
        lists = {"message_bytes": self.message_bytes, "hot_nodes": self.hot_nodes, "pair": self.pair}
        for name, value in lists.items():
            if value is not None and not isinstance(value, (tuple, list)):
                raise InputError(f"traffic.{name}={value!r}: expected a list of integers")
        if self.message_bytes is None:
            return
        if len(self.message_bytes) != 2:
            raise InputError(f"traffic.message_bytes={list(self.message_bytes)}: expected [shortest, longest]")
        low, high = self.message_bytes
        check_int("traffic.message_bytes", low, 1, MAX_MESSAGE_BYTES)
        check_int("traffic.message_bytes", high, low, min(low + MAX_RANGE, MAX_MESSAGE_BYTES))

    def mean_flits(self, hardware: Hardware) -> Fraction:
        """Return the mean number of flits of a message."""
        if self.message_bytes is None:
            return Fraction(hardware.packet_flits)
        low, high = self.message_bytes
        bits = 8 * np.arange(low, high + 1, dtype=np.int64)
        full_packets, rest = bits // hardware.payload_bits, bits % hardware.payload_bits
        carried = hardware.header_bits + (np.full_like(rest, hardware.payload_bits) if hardware.padded else rest)
        last = np.where(rest > 0, -(-carried // hardware.flit_bits), 0)
        return Fraction(int((full_packets * hardware.packet_flits + last).sum()), high - low + 1)

    def messages_per_tick(self, hardware: Hardware) -> Fraction:
        """Return the mean number of messages per node and tick."""
        if self.interval_ns is not None:
            return hardware.tick_ns / fraction_of(self.interval_ns)
        return fraction_of(self.load) / self.max_offered(hardware)

    def max_offered(self, hardware: Hardware) -> Fraction:
        """Return the offered load of one message per tick, the most that a node can create."""
        return hardware.speedup * self.mean_flits(hardware)

    def offered_load(self, hardware: Hardware) -> Fraction:
        """Return the offered load of a node that is not silent, in units of the rate of one link."""
        return self.messages_per_tick(hardware) * self.max_offered(hardware)

    def senders(self, network: Network) -> int:
        """Return the number of nodes that send."""
        destinations, nodes = self.destinations(network), network.nodes
        return nodes if destinations is None else int(np.count_nonzero(destinations != np.arange(nodes)))

    def destinations(self, network: Network) -> Nodes | None:
        """Return the destination of each node, or None if nodes have several destinations.

        Raises
        ------
        InputError
            If the pattern does not fit the network.
        """
        if self.pattern in PERMUTATIONS:
            return permutation(self.pattern, network)
        nodes = network.nodes
        if self.pattern == "pair":
            source, destination = self._ends(nodes)
            return np.where(np.arange(nodes) == source, destination, np.arange(nodes))
        if self.pattern != "table":
            return None
        if len(self.table) != nodes or not all(0 <= node < nodes for node in self.table):
            raise InputError(
                f"traffic.table: {len(self.table)} destinations; expected {nodes}, each from 0 to {nodes - 1}"
            )
        return np.array(self.table, dtype=np.int64)

    def _ends(self, nodes: int) -> tuple[int, int]:
        """Return the two nodes of a pair."""
        if self.pair is None:
            return 0, nodes - 1
        if len(self.pair) != 2 or self.pair[0] == self.pair[1]:
            raise InputError(f"traffic.pair={list(self.pair)}: expected two different nodes, [source, destination]")
        for node in self.pair:
            check_int("traffic.pair", node, 0, nodes - 1)
        return self.pair

    def groups(self, nodes: int) -> tuple[int, int]:
        """Return the nodes of a group and the offset of ``group_shift``.

        Raises
        ------
        InputError
            If the groups do not fit the nodes, or the offset is out of range.
        """
        if self.group_nodes is None:
            raise InputError("traffic.group_nodes=null: expected the nodes of a group, with pattern group_shift")
        size = check_int("traffic.group_nodes", self.group_nodes, 1, nodes // 2)
        if nodes % size:
            raise InputError(f"traffic.group_nodes={size}: expected a divisor of {nodes}, the number of nodes")
        return size, check_int("traffic.offset", self.offset, 1, nodes // size - 1)

    def plan(self, network: Network, hardware: Hardware) -> TrafficPlan:
        """Return the traffic plan of the native engine.

        Raises
        ------
        InputError
            If the pattern does not fit the network, or the rate of a node is above one message per tick or below one
            per 2^40 ticks.
        """
        plan = TrafficPlan()
        self._set_rate(plan, hardware)
        low, high = self.message_bytes or (0, 0)
        plan.shortest_bits, plan.longest_bits = (8 * low, 8 * high) if low else (hardware.payload_bits,) * 2
        plan.max_created, plan.max_in_flight = self.max_created or 0, self.max_in_flight or 0
        self._set_pattern(plan, network)
        return plan

    def _set_rate(self, plan: TrafficPlan, hardware: Hardware) -> None:
        rate = self.messages_per_tick(hardware)
        if not Fraction(1, MAX_PERIOD) <= rate <= 1:
            name, value = ("interval_ns", self.interval_ns) if self.load is None else ("load", self.load)
            raise InputError(
                f"traffic.{name}={value}: {float(rate):g} messages per node and tick; expected at most 1 and at least "
                f"2^-40"
            )
        if self.injection == "periodic":
            # The numerator, the period times the denominator, must stay below 2^62 in the engine.
            period = (1 / rate).limit_denominator(MAX_PERIOD_NUMERATOR // ceil(1 / rate))
            plan.period, plan.period_parts = period.numerator, period.denominator
        else:
            # A chance of 1 would be 2^64, which no word of 64 bits holds.
            plan.certain = rate == 1
            plan.chance = 0 if plan.certain else int(rate * CERTAIN)

    def _set_pattern(self, plan: TrafficPlan, network: Network) -> None:
        nodes = network.nodes
        if nodes < 2:
            raise InputError(f"traffic: {nodes} node; expected at least 2")
        destinations = self.destinations(network)
        if destinations is not None:
            plan.pattern = Pattern.TABLE
            plan.set_table(destinations.astype(np.uint32))
        elif self.pattern == "hot_spot":
            if not self.hot_nodes:
                raise InputError("traffic.hot_nodes=[]: expected a list of nodes such as [0]")
            for node in self.hot_nodes:
                check_int("traffic.hot_nodes", node, 0, nodes - 1)
            plan.pattern = Pattern.HOT_SPOT
            plan.hot_chance = min(int(fraction_of(self.hot_share) * CERTAIN), CERTAIN - 1)
            plan.set_table(np.array(self.hot_nodes, dtype=np.uint32))
        elif self.pattern == "group_shift":
            plan.pattern = Pattern.GROUP_SHIFT
            plan.group_nodes, plan.group_shift = self.groups(nodes)
        else:
            plan.pattern = Pattern.ALL_TO_ALL if self.pattern == "all_to_all" else Pattern.UNIFORM
