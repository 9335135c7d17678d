"""Routes as data: the form in which simulators, exporters and checkers take every routing."""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..topology import Topology

ARRIVED = 0xFFFF  # in place of a port, where the switch is the destination

Group = Literal["xor", "torus", "table"]


@dataclass(frozen=True, eq=False)
class ChannelRule:
    """Which class of virtual channels a packet may use.

    A packet begins in class `start`. Before it takes a port of another dimension than its last one, it falls back to
    class 0; a port with a dateline lifts it by one class, and the hop over that port already uses the new class. The
    virtual channels of a link are shared out evenly: with v of them and k classes, channel i belongs to class i·k // v.

    Parameters
    ----------
    dimension : int32[ports]
        The dimension of every port.
    dateline : bool[switches, ports]
        Where a link crosses a dateline.
    classes
        How many classes there are, at least 1 + `start` + the most datelines that a route crosses within a dimension.
    start
        The class before the first hop: 0, or -1 where all links are of one dimension and have a dateline, so that hop k
        of a route, from 1, uses class k - 1.

    References
    ----------
    Dally and Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, 1987.
    """

    dimension: NDArray[np.int32]
    dateline: NDArray[np.bool_]
    classes: int
    start: int = 0


@dataclass(frozen=True, eq=False)
class Paths:
    """Whole routes, which the sender writes into the packet.

    The ports of the route with index i are ``ports[starts[i]:starts[i + 1]]``, in the order in which they are taken.

    Parameters
    ----------
    starts : uint32[rows * columns + 1]
        Where each route begins.
    ports : uint16[...]
        The ports of all routes.
    """

    starts: NDArray[np.uint32]
    ports: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Routes:
    """The routing of a plane: for every switch and every destination the next port, or the whole path.

    A switch looks up its row, and of it a column. The column for a packet at switch s with destination switch d is
    s ⊕ d (``xor``), the coordinates of d minus those of s modulo the shape, as a number with the first coordinate
    fastest (``torus``), or d itself (``table``). So a network that looks alike from every switch needs one row of
    offsets; a table of all pairs has a row for each switch, or one for all switches that forward alike.

    A table may have columns of its own, for routes that depend on the destination node and not on its switch alone:
    then the entry for a packet to node d is ``next_port[row[s], column[d]]``. Nodes to which every switch forwards
    alike share a column.

    A packet has arrived at the switch of its destination, whatever is entered there: that entry is ignored. So
    switches share a row although a packet has arrived at one of them and not at the others.

    Parameters
    ----------
    group
        Which column is looked up.
    row : int32[switches]
        The row of every switch, 0 where all are alike.
    next_port : uint16[rows, columns]
        The port that leads on, `ARRIVED` at the destination; None where paths are given.
    paths
        Whole paths, for routings that need more than the place and the destination; None where ports are given.
    shape
        Sizes of the coordinates of a torus; switch = x + shape[0]·(y + shape[1]·(z + ...)).
    channels
        The rule for virtual channels; None where a packet may use any.
    column : int32[node links]
        Of a table of next ports: the column of every node link (`Plane.node_switch`), one for each node in most planes.
        None where there is a column for each switch or offset.
    goal : int32[columns]
        The switch to which each column leads; None where there are no columns of nodes.

    Raises
    ------
    InputError
        If not exactly one of `next_port` and `paths` is given, it has not an entry for each row and column, or columns
        of nodes are given without their switches, for routes of another kind, or out of range.
    """

    group: Group
    row: NDArray[np.int32]
    next_port: NDArray[np.uint16] | None = None
    paths: Paths | None = None
    shape: tuple[int, ...] = ()
    channels: ChannelRule | None = field(default=None)
    column: NDArray[np.int32] | None = None
    goal: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        if (self.next_port is None) == (self.paths is None):
            raise InputError("routes: expected either next ports or paths")
        if (self.column is None) != (self.goal is None):
            raise InputError("routes.column: expected a column for each node, with routes.goal, or neither of them")
        if self.column is not None and (self.group != "table" or self.next_port is None):
            raise InputError(f"routes.column: given with group={self.group}; expected tables of next ports")
        if self.next_port is not None:
            whole = self.next_port.ndim == 2 and self.next_port.shape[1] == self.columns
        else:
            whole = self.paths is not None and len(self.paths.starts) % self.columns == 1 % self.columns
        if not whole:
            of_whom = "switches" if self.goal is None else "routes.goal has"
            raise InputError(f"routes: expected {self.columns} entries for each row, as many as {of_whom}")
        if self.group == "torus" and math.prod(self.shape) != self.switches:
            raise InputError(f"routes.shape={list(self.shape)}: expected a torus of {self.switches} switches")
        if self.column is not None and self.goal is not None:
            _require_within("routes.column", self.column, self.columns)
            _require_within("routes.goal", self.goal, self.switches)

    @property
    def switches(self) -> int:
        """Number of switches."""
        return len(self.row)

    @property
    def columns(self) -> int:
        """Columns of each row: as many as there are switches, unless nodes have columns of their own."""
        return self.switches if self.goal is None else len(self.goal)

    def targets(self, node_switch: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return what a route is asked for by, for every node link: its column, or its switch if there are no columns.

        Parameters
        ----------
        node_switch : int[node links]
            The switch of every node link.
        """
        return np.asarray(node_switch if self.column is None else self.column, dtype=np.int64)

    def switch_of(self, target: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the switches to which targets lead."""
        return np.asarray(target if self.goal is None else self.goal[target], dtype=np.int64)

    def require_fit(self, topology: Topology, node_switch: NDArray[np.integer] | None = None) -> None:
        """Raise an `InputError` if these are not routes for the switches and ports of a topology, or for its nodes.

        Parameters
        ----------
        topology
            What the ports lead to.
        node_switch : int[node links]
            The switch of every node link; None where that does not matter.
        """
        if self.switches != topology.switches:
            raise InputError(f"routes: {self.switches} switches; expected {topology.switches}, as in the topology")
        rule = self.channels
        if rule is not None and (len(rule.dimension) != topology.ports or rule.dateline.shape != topology.peer.shape):
            raise InputError(
                f"routes.channels: {len(rule.dimension)} ports; expected {topology.ports}, as in the topology"
            )
        if node_switch is None or self.column is None or self.goal is None:
            return
        if len(self.column) != len(node_switch):
            raise InputError(f"routes.column: {len(self.column)} nodes; expected {len(node_switch)}, as in the plane")
        wrong = np.flatnonzero(self.goal[self.column] != node_switch)
        if len(wrong):
            node = int(wrong[0])
            raise InputError(
                f"routes.column={self.column[node]} of node {node}: leads to switch {self.goal[self.column[node]]}; "
                f"expected columns to its switch {node_switch[node]}"
            )


def _require_within(name: str, values: NDArray[np.int32], size: int) -> None:
    """Raise an `InputError` unless all values are from 0 to before a size."""
    wrong = np.flatnonzero((values < 0) | (values >= size))
    if values.ndim != 1 or len(wrong):
        shown = f"an array of shape {values.shape}" if values.ndim != 1 else f"{values[wrong[0]]} at {wrong[0]}"
        raise InputError(f"{name}: {shown}; expected integers from 0 to {size - 1} on one axis")
