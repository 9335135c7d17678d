"""
Exact kernels for two hypercube planes, the general evaluator, the fluid model of any network, distances over links with lengths, numbers of paths, balanced cuts, and concurrent flows.
"""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

class BadRoute(ValueError):
    pass

class TooManyParts(ValueError):
    pass

class RouteKey(enum.Enum):
    TABLE = 0

    XOR = 1

    TORUS = 2

class RouteArrays:
    """Routes of a plane: next ports or whole paths."""

    def __init__(
        self,
        key: RouteKey,
        shape: Sequence[int],
        row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        columns: int,
        next_port: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order="C", device="cpu", writable=False)]
        | None,
        starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
        path_ports: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None,
        carried: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order="C", device="cpu", writable=False)]
        | None,
    ) -> None: ...

class LinkArrays:
    """
    Links of groups or ends in a plane: list offsets, switches or targets, and end switches.
    """

    def __init__(
        self,
        start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        at: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        target_switch: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None: ...

class PlaneArrays:
    """A plane, and the links of groups of nodes and of ends of routes in it."""

    def __init__(
        self,
        peer: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        routes: RouteArrays,
        label: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        groups: LinkArrays,
        ends: LinkArrays,
    ) -> None: ...

def pairs_beyond(
    planes: Sequence[PlaneArrays],
    group_nodes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    sources: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    far: int,
) -> list[int]:
    """
    Numbers of pairs, of a node in the given groups and any node, that are farther apart than 0, 1, ... hops: `far` if no plane connects them.
    """

def fault_distances(
    planes: Sequence[PlaneArrays],
    group_nodes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    sources: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    of_switches: bool,
    far: int,
    longer: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> int:
    """
    The largest distance, from a node in the given groups to any node, that the loss of a cable or of a switch makes longer, `far` if there is no path. Adds the hops by which each lost cable makes distances longer.
    """

def packet_parts(
    planes: Sequence[PlaneArrays],
    group_nodes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    end_nodes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    first: int,
    count: int,
    weights: Sequence[int],
    parts: int,
) -> int:
    """
    Least multiple of `parts` for which all ways to some ends carry whole parts.
    """

def add_loads(
    planes: Sequence[PlaneArrays],
    group_nodes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    end_nodes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    first: int,
    count: int,
    weights: Sequence[int],
    whole: int,
    loads: Sequence[Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu")]],
    sent: Sequence[Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")]],
    received: Sequence[Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")]],
) -> None:
    """
    Add the loads of all links, by label and port, if every node sends `whole` parts to every node of some ends; and the loads of the links of groups and ends, unless these lists are empty.
    """

class Relay(enum.Enum):
    MESSAGES = 0

    PACKETS = 1

class HybridPlan:
    """A hybrid network and a workload, as plain data."""

    def __init__(self) -> None: ...
    @property
    def groups(self) -> int: ...
    @groups.setter
    def groups(self, arg: int, /) -> None: ...
    @property
    def nodes_per_group(self) -> int: ...
    @nodes_per_group.setter
    def nodes_per_group(self, arg: int, /) -> None: ...
    @property
    def node_rate(self) -> float: ...
    @node_rate.setter
    def node_rate(self, arg: float, /) -> None: ...
    @property
    def up_rate(self) -> float: ...
    @up_rate.setter
    def up_rate(self, arg: float, /) -> None: ...
    @property
    def circuit_rate(self) -> float: ...
    @circuit_rate.setter
    def circuit_rate(self, arg: float, /) -> None: ...
    @property
    def inside_cost(self) -> int: ...
    @inside_cost.setter
    def inside_cost(self, arg: int, /) -> None: ...
    @property
    def circuit_cost(self) -> int: ...
    @circuit_cost.setter
    def circuit_cost(self, arg: int, /) -> None: ...
    def set_units(self, numbers: Sequence[float]) -> None:
        """Sets the units of the fluid model."""

    @property
    def relay(self) -> Relay: ...
    @relay.setter
    def relay(self, arg: Relay, /) -> None: ...
    @property
    def source(self) -> list[int]: ...
    @source.setter
    def source(self, arg: Sequence[int], /) -> None: ...
    @property
    def destination(self) -> list[int]: ...
    @destination.setter
    def destination(self, arg: Sequence[int], /) -> None: ...
    @property
    def bits(self) -> list[float]: ...
    @bits.setter
    def bits(self, arg: Sequence[float], /) -> None: ...
    @property
    def wait_start(self) -> list[int]: ...
    @wait_start.setter
    def wait_start(self, arg: Sequence[int], /) -> None: ...
    @property
    def wait(self) -> list[int]: ...
    @wait.setter
    def wait(self, arg: Sequence[int], /) -> None: ...
    @property
    def begin_delay(self) -> list[float]: ...
    @begin_delay.setter
    def begin_delay(self, arg: Sequence[float], /) -> None: ...
    def set_packet_ways(
        self,
        lists: tuple[
            Sequence[float],
            Sequence[float],
            Sequence[int],
            Sequence[int],
            Sequence[float],
            Sequence[int],
            Sequence[int],
        ],
    ) -> None:
        """
        Sets the ways of a packet network other than the tree: the fields of `PacketWays`.
        """

RUNS: int = 9

class HybridTimes:
    """Times of a workload on a design."""

    @property
    def bottleneck_ns(self) -> float: ...
    @property
    def total_ns(self) -> float: ...
    @property
    def hops(self) -> int: ...

class HybridModel:
    """The fluid model of a hybrid network under a workload."""

    def __init__(self, plan: HybridPlan) -> None: ...
    def loads(self, circuits: Sequence[tuple[int, int]], node_of: Sequence[int]) -> HybridTimes:
        """All times of a design except completion."""

    def synchronised_ns(self) -> float:
        """
        The time of the last design level by level, with its busiest link at full rate in each.
        """

    def run_ns(self, run: int) -> int:
        """Completion time of a run of the last design."""

    def arrivals_ns(self) -> list[float]:
        """Arrival time of each message of the last design."""

    def resource_bits(self) -> list[float]:
        """Bits over every resource of the last design."""

    def capacity(self) -> list[float]:
        """Bits per ns of every resource of the last design."""

    def route_starts(self) -> list[int]:
        """Offset of each message's route in `route_nodes`."""

    def route_nodes(self) -> list[int]:
        """Nodes on the routes of all messages, concatenated."""

class TransferRuns:
    """Messages as transfers over links, by the fluid model."""

    def __init__(
        self,
        capacity: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        bits: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        delay: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        use_start: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        use: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        next_start: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        next: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        message: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        begin_delay: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        ticks_log2: int,
        volume_log2: int,
        weight: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        lead: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        jitter: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None: ...
    def run_ns(self, run: int) -> int:
        """Completion time of a run."""

    def arrivals_ns(self, run: int) -> list[float]:
        """Arrival time of each message in a run."""

    def arrival_ticks(
        self, run: int, ticks: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")]
    ) -> None:
        """Arrival tick of each transfer in a run, written into an array."""

MAX_LENGTH: int = 65535

def weighted_distances(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    length: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    nodes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    group_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    group_switch: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    sources: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    load: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> int:
    """
    Sum over pairs of nodes, the first in one of the sources, which are groups, of the distance over links with lengths; -1 if a group is out of reach. Adds the loads of all links if shortest paths share the traffic evenly, unless this array is empty.
    """

def disjoint_paths(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cables: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    opposite: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    group_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    group_switch: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    source: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    target: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    found: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Fill in, for pairs of groups without a common switch, the number of paths of which no two take the same cable in the same direction.
    """

def shortest_paths(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cables: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    opposite: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    group_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    group_switch: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    source: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    target: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    found: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order="C", device="cpu")],
) -> bool:
    """
    Fill in, for pairs of groups, the number of shortest paths in words of 64 bits, the lowest first; false if some number needs more words.
    """

def move_vertices(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cost: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weight: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    node_cost: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    patience: int,
    side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Improve a cut by one pass of moves of single vertices, the one that lowers the cut most first; the best balanced cut on the way replaces the sides.
    """

def minimum_cut(
    tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    source: int,
    sink: int,
    side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
) -> int:
    """
    Least capacity of links from the side of the source to that of the sink; marks the smallest side of the source with 1.
    """

class FlowArrays:
    """Links with capacities, 0 if unlimited, and what each source sends."""

    def __init__(
        self,
        tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        source: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        demand: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    ) -> None: ...

class FlowIterations:
    """Iterations towards the maximum concurrent flow."""

    def __init__(self, arrays: FlowArrays) -> None: ...
    def run(self, periods: int) -> None:
        """Iterate FLOW_PERIOD times per period."""

    def lengths(self, filled: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")]) -> None:
        """Fill in the lengths of links, of mean 1 by capacity."""

    def feasible_flow(
        self,
        length: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        scale: int,
        flow: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu")],
    ) -> None:
        """
        Fill in exact flows of all sources that deliver `scale` times the demand.
        """

FLOW_PERIOD: int = 50

def demand_distances(
    arrays: FlowArrays,
    length: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    link_class: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    load: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> tuple[int, int] | None:
    """
    Sum of demand times distance over links with lengths, in words of 64 bits, the lower one first; None if a vertex with demand is out of reach. Adds the demand on each class of links, along a tree of each source, unless this array is empty.
    """

def evaluate(
    generators: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    folded: bool,
    sums: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    max_loads: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    loads: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None), order="C", device="cpu")],
    isa: str | None = None,
) -> int:
    """
    Fill sums, max_loads and, unless it is empty, loads; return the first row that is not a basis, or -1.
    """

def diameters(
    generators: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    folded: bool,
    out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """Fill the diameter of each row; -1 if it is not a basis."""

def rack_loss(generators: Sequence[int], folded: bool, rack_switches: int) -> tuple[int, int]:
    """
    The largest distance, and the largest mean in 10^-9 hops, after the loss of any one rack.
    """

def time_kernel(
    generators: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    folded: bool,
    repeats: int,
    isa: str | None = None,
) -> float:
    """Nanoseconds per candidate in the kernel alone: the fastest pass."""

def metric_names() -> list[str]:
    """The exact metrics of cubes, in enum order."""

def chosen_isa() -> str:
    """
    The instruction set in use: the one named by ISOPLANE_ISA, by default the widest available.
    """

def available_isas() -> list[str]:
    """The instruction sets available on this processor."""
