"""Routes as data: the common representation of all routings."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int
from ..errors import InputError
from .topology import Topology

ARRIVED = 0xFFFF  # in place of a port, at the destination switch
MAX_TABLE_SWITCHES = 1 << 14  # half a gigabyte of ports
NO_ROUTE = 0xFFFE  # in place of a port, at a switch that no packet to the destination passes

Group = Literal["xor", "torus", "table"]


@dataclass(frozen=True, eq=False)
class ChannelRule:
    """The rule that determines which class of virtual channels a packet uses.

    A packet starts in class `start`. When it changes dimension, it falls back to class 0; if the dimensions are
    ordered, it keeps its class instead on the way to a higher one, and its class increases by one on the way to a lower
    one. At a port with a dateline its class increases by one, and the hop over that port already uses the new class.
    The virtual channels of a link are divided evenly among the classes: of v channels and k classes, channel i belongs
    to class i·k // v.

    Parameters
    ----------
    dimension : int32[ports] or int32[switches, ports]
        The dimension of every port, at all switches or at each.
    dateline : bool[switches, ports]
        Whether the link of a port crosses a dateline.
    classes
        Number of classes, at least 1 + `start` + the maximum number of datelines that a route crosses per dimension; if
        the dimensions are ordered, all datelines of a route and its changes to a lower dimension count.
    start
        The class before the first hop: 0, or -1 if all links are in one dimension and have a dateline, so that hop k of
        a route, from 1, uses class k - 1.
    ordered
        Whether the dimensions are ordered. If the links of each dimension contain no cycle, no channels depend on each
        other in a cycle, whatever the routes: the class never decreases along a route, nor does the dimension within a
        class.

    References
    ----------
    Dally and Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, 1987; Skeie, Lysne,
    Flich, López, Robles and Duato, LASH-TOR: A Generic Transition-Oriented Routing Algorithm, 2004, for ordered ones.
    """

    dimension: NDArray[np.int32]
    dateline: NDArray[np.bool_]
    classes: int
    start: int = 0
    ordered: bool = False

    def dimension_of(self, switch: NDArray[np.integer], port: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return the dimensions of ports of switches."""
        dimension: NDArray[np.int32] = (
            self.dimension[port] if self.dimension.ndim == 1 else self.dimension[switch, port]
        )
        return dimension


def hop_class_rule(topology: Topology, longest: int) -> ChannelRule:
    """Return the rule by which hop k of a route has class k - 1, for routes of at most `longest` hops.

    Examples
    --------
    >>> from ..topologies import torus
    >>> hop_class_rule(torus((5,)), 2).classes
    2
    """
    return ChannelRule(
        np.zeros(topology.ports, dtype=np.int32),
        np.ones(topology.peer.shape, dtype=np.bool_),
        classes=max(1, longest),
        start=-1,
    )


@dataclass(frozen=True, eq=False)
class Paths:
    """Source routes: whole paths, which the source writes into the packet.

    The ports of the route with index i are ``ports[starts[i]:starts[i + 1]]``, in route order.

    Parameters
    ----------
    starts : uint32[rows * columns + 1]
        Index of the first port of each route.
    ports : uint16[...]
        The ports of all routes.
    """

    starts: NDArray[np.uint32]
    ports: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Routes:
    """The routing of a plane: the next port, or the whole path, for every switch and destination.

    An entry is addressed by the row of the switch and a column. The column for a packet at switch s with destination
    switch d is s ⊕ d (``xor``), the coordinates of d minus those of s modulo the shape, as an index with the first
    coordinate fastest (``torus``), or d itself (``table``). So a translation-invariant routing needs a single row of
    offsets; a table of all pairs has a row per switch, or per class of switches with equal rows.

    A table may have explicit columns, for routes that depend on the destination node and not only on its switch: in
    that case the entry for a packet to node d is ``next_port[row[s], column[d]]``. Nodes with equal columns share one.

    Entries at the switch of the destination are ignored, because the packet has arrived. So switches whose rows differ
    only there can share one.

    Packets begin at the switches with nodes (`sources`), so a switch without nodes needs routes only to destinations
    whose packets pass it; its other entries are `NO_ROUTE`, or any port, if it shares the row of another switch.

    Parameters
    ----------
    group
        The definition of the column.
    row : int32[switches]
        The row of every switch; 0 if the routing is translation-invariant.
    next_port : uint16[rows, columns]
        The next port, `ARRIVED` at the destination, `NO_ROUTE` where no packet passes; None if paths are given.
    paths
        Source routes, for routings that depend on more than switch and destination; None if next ports are given.
    shape
        Sizes of the coordinates of a torus; switch = x + shape[0]·(y + shape[1]·(z + ...)).
    channels
        The rule for virtual channels; None if a packet may use any.
    column : int32[node links]
        For a table of next ports: the explicit column of every node link (`Plane.node_switch`). None if columns are
        switches or offsets.
    target_switch : int32[columns]
        The destination switch of each column; None without explicit columns.
    carried : bool[switches, columns]
        The pairs of a source switch and a column of a table whose packets may take this plane, if planes share the
        pairs; the routes of the others are only the remainders of those. None if all may.

    Raises
    ------
    InputError
        If not exactly one of `next_port` and `paths` is given, entries are missing, explicit columns are given without
        their switches, for routes of another kind, or out of range, or carried pairs are given in another shape.
    """

    group: Group
    row: NDArray[np.int32]
    next_port: NDArray[np.uint16] | None = None
    paths: Paths | None = None
    shape: tuple[int, ...] = ()
    channels: ChannelRule | None = field(default=None)
    column: NDArray[np.int32] | None = None
    target_switch: NDArray[np.int32] | None = None
    carried: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        if (self.next_port is None) == (self.paths is None):
            raise InputError("routes: expected either next ports or paths")
        if (self.column is None) != (self.target_switch is None):
            raise InputError(
                "routes.column: expected one column per node, with routes.target_switch, or neither of them"
            )
        if self.column is not None and (self.group != "table" or self.next_port is None):
            raise InputError(f"routes.column: given with group={self.group}; expected tables of next ports")
        if self.next_port is not None:
            complete = self.next_port.ndim == 2 and self.next_port.shape[1] == self.columns
        else:
            # One start for each entry, and the end of the last; 1 % 1 is 0, in a plane of one switch.
            complete = self.paths is not None and len(self.paths.starts) % self.columns == 1 % self.columns
        if not complete:
            reference = "switches" if self.target_switch is None else "routes.target_switch has"
            raise InputError(f"routes: expected {self.columns} entries per row, as many as {reference}")
        if self.group == "torus" and math.prod(self.shape) != self.switches:
            raise InputError(f"routes.shape={list(self.shape)}: expected a torus of {self.switches} switches")
        if self.carried is not None and (self.group, self.carried.shape) != ("table", (self.switches, self.columns)):
            raise InputError("routes.carried: expected a value for each switch and column of a table")
        if self.column is not None and self.target_switch is not None:
            _require_within("routes.column", self.column, self.columns)
            _require_within("routes.target_switch", self.target_switch, self.switches)

    @property
    def switches(self) -> int:
        """Number of switches."""
        return len(self.row)

    @property
    def columns(self) -> int:
        """Number of columns: one per switch, unless there are explicit columns of nodes."""
        return self.switches if self.target_switch is None else len(self.target_switch)

    @cached_property
    def sources(self) -> NDArray[np.int64]:
        """The switches where packets begin, ascending: with explicit columns those of the nodes, else all."""
        if self.column is None or self.target_switch is None:
            return np.arange(self.switches)
        return np.unique(self.target_switch[self.column]).astype(np.int64)

    def targets(self, node_switch: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the target of every node link, which addresses routes to it: its explicit column, or its switch.

        Parameters
        ----------
        node_switch : int[node links]
            The switch of every node link.
        """
        return np.asarray(node_switch if self.column is None else self.column, dtype=np.int64)

    def switch_of(self, target: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the destination switches of targets."""
        return np.asarray(target if self.target_switch is None else self.target_switch[target], dtype=np.int64)

    def require_fit(self, topology: Topology, node_switch: NDArray[np.integer] | None = None) -> None:
        """Raise an `InputError` if these routes do not match the switches and ports of a topology, or its nodes.

        With nodes, a table must have a route from every switch of `sources` to every destination: no `NO_ROUTE`.

        Parameters
        ----------
        topology
            The switches and their cables.
        node_switch : int[node links]
            The switch of every node link; None to skip the check of nodes.
        """
        if self.switches != topology.switches:
            raise InputError(f"routes: {self.switches} switches; expected {topology.switches}, as in the topology")
        rule = self.channels
        if rule is not None and (
            rule.dateline.shape != topology.peer.shape
            or rule.dimension.shape not in (topology.peer.shape, topology.peer.shape[1:])
        ):
            raise InputError(
                f"routes.channels: {rule.dimension.shape[-1]} ports; expected {topology.ports}, as in the topology"
            )
        if node_switch is None:
            return
        if self.column is not None and self.target_switch is not None:
            self._require_columns(self.column, self.target_switch, node_switch)
        if self.next_port is not None and self.group == "table":
            self._require_entries(self.next_port)

    def _require_columns(
        self, column: NDArray[np.int32], target_switch: NDArray[np.int32], node_switch: NDArray[np.integer]
    ) -> None:
        """Raise an `InputError` unless the column of every node leads to its switch."""
        if len(column) != len(node_switch):
            raise InputError(f"routes.column: {len(column)} nodes; expected {len(node_switch)}, as in the plane")
        wrong = np.flatnonzero(target_switch[column] != node_switch)
        if len(wrong):
            node = int(wrong[0])
            raise InputError(
                f"routes.column={column[node]} of node {node}: leads to switch {target_switch[column[node]]}; "
                f"expected columns to its switch {node_switch[node]}"
            )

    def _require_entries(self, next_port: NDArray[np.uint16]) -> None:
        """Raise an `InputError` if a table has no route from a switch of `sources` to a destination elsewhere."""
        # One pass over the table: only switches whose row has a gap are examined one by one.
        is_open = (next_port == NO_ROUTE).any(axis=1)
        target_switch = self.switch_of(np.arange(self.columns))
        for switch in self.sources[is_open[self.row[self.sources]]].tolist():
            wrong = np.flatnonzero((next_port[self.row[switch]] == NO_ROUTE) & (target_switch != switch))
            if len(wrong):
                raise InputError(
                    f"routes: no route from switch {switch} to switch {target_switch[wrong[0]]}; expected one to every "
                    "destination from each switch where packets begin"
                )


def _require_within(name: str, values: NDArray[np.int32], size: int) -> None:
    """Raise an `InputError` unless all values are from 0 to size - 1."""
    wrong = np.flatnonzero((values < 0) | (values >= size))
    if values.ndim != 1 or len(wrong):
        shown = f"an array of shape {values.shape}" if values.ndim != 1 else f"{values[wrong[0]]} at {wrong[0]}"
        raise InputError(f"{name}: {shown}; expected integers from 0 to {size - 1} in a one-dimensional array")


def check_table_size(switches: int) -> int:
    """Return the number of switches, unless a table of all pairs would be too large."""
    return check_int("switches", switches, 1, MAX_TABLE_SWITCHES)
