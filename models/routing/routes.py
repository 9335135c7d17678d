"""Routes as data: the form in which simulators, exporters and checkers take every routing."""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..wiring import Wiring

ARRIVED = 0xFFFF  # in place of a port, where the switch is the destination

Group = Literal["xor", "torus", "destination"]


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
    starts : uint32[classes * offsets + 1]
        Where each route begins.
    ports : uint16[...]
        The ports of all routes.
    """

    starts: NDArray[np.uint32]
    ports: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Routes:
    """The routing of a plane: for every switch and every destination the next port, or the whole path.

    The entry for a packet at switch s with destination d is ``switch_class[s] * offsets + offset(s, d)``, where the
    offset is s ⊕ d (``xor``), the coordinates of d minus those of s modulo the shape, as a number with the first
    coordinate fastest (``torus``), or d itself (``destination``). So a network that looks alike from every switch needs
    one class and a table of offsets; a table of all pairs has a class for each switch.

    Parameters
    ----------
    group
        What an offset is.
    switch_class : int32[switches]
        The class of every switch, 0 where all are alike.
    next_port : uint16[classes, offsets]
        The port that leads on, `ARRIVED` at the destination; None where paths are given.
    paths
        Whole paths, for routings that need more than the place and the destination; None where ports are given.
    shape
        Sizes of the coordinates of a torus; switch = x + shape[0]·(y + shape[1]·(z + ...)).
    channels
        The rule for virtual channels; None where a packet may use any.

    Raises
    ------
    InputError
        If not exactly one of `next_port` and `paths` is given, or it has not an entry for each class and offset.
    """

    group: Group
    switch_class: NDArray[np.int32]
    next_port: NDArray[np.uint16] | None = None
    paths: Paths | None = None
    shape: tuple[int, ...] = ()
    channels: ChannelRule | None = field(default=None)

    def __post_init__(self) -> None:
        if (self.next_port is None) == (self.paths is None):
            raise InputError("routes: allowed are either next ports or paths")
        if self.next_port is not None:
            whole = self.next_port.ndim == 2 and self.next_port.shape[1] == self.offsets
        else:
            whole = self.paths is not None and len(self.paths.starts) % self.offsets == 1 % self.offsets
        if not whole:
            raise InputError(f"routes: allowed are {self.offsets} entries for each class, as many as switches")
        if self.group == "torus" and math.prod(self.shape) != self.switches:
            raise InputError(f"routes.shape={list(self.shape)}: allowed is a torus of {self.switches} switches")

    @property
    def switches(self) -> int:
        """Number of switches."""
        return len(self.switch_class)

    @property
    def offsets(self) -> int:
        """Offsets for each class: as many as there are switches."""
        return self.switches

    def require_fit(self, wiring: Wiring) -> None:
        """Raise an `InputError` if these are not routes for as many switches and ports as a wiring has."""
        if self.switches != wiring.switches:
            raise InputError(f"routes: {self.switches} switches; allowed are {wiring.switches}, as in the wiring")
        rule = self.channels
        if rule is not None and (len(rule.dimension) != wiring.ports or rule.dateline.shape != wiring.peer.shape):
            raise InputError(
                f"routes.channels: {len(rule.dimension)} ports; allowed are {wiring.ports}, as in the wiring"
            )
