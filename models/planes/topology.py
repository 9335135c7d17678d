"""Topologies: the cables between the ports of switches."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, first_of
from ..mathematics.components import components


@dataclass(frozen=True, eq=False)
class Topology:
    """The cables between the switches of a plane, listed by port.

    Parameters
    ----------
    peer : int32[switches, ports]
        The switch at the far end of the cable of each port; -1 for a port without a cable.
    peer_port : int32[switches, ports]
        The port at the far end; -1 for a port without a cable.

    Raises
    ------
    InputError
        If the arrays are inconsistent: both ends of a cable must refer to each other.

    Examples
    --------
    >>> Topology(np.array([[1], [0]]), np.array([[0], [0]])).switches
    2
    """

    peer: NDArray[np.int32]
    peer_port: NDArray[np.int32]

    def __post_init__(self) -> None:
        peer, peer_port = (np.ascontiguousarray(array, dtype=np.int32) for array in (self.peer, self.peer_port))
        if peer.ndim != 2 or peer.shape != peer_port.shape or not peer.shape[0]:
            raise InputError(
                f"topology: arrays of shapes {peer.shape} and {peer_port.shape}; expected two of the same shape"
            )
        object.__setattr__(self, "peer", peer)
        object.__setattr__(self, "peer_port", peer_port)
        self._check_both_ends()

    def _check_both_ends(self) -> None:
        is_cable, ports = self.peer != -1, np.arange(self.peer.size).reshape(self.peer.shape)
        end = np.where(is_cable, self.peer.astype(np.int64) * self.ports + self.peer_port, ports)
        in_range = ~is_cable | (
            (self.peer >= 0) & (self.peer < self.switches) & (self.peer_port >= 0) & (self.peer_port < self.ports)
        )
        # The other end of the other end is the port itself; a free port counts as its own.
        if in_range.all() and np.array_equal(end.ravel()[end], ports):
            return
        switch, port = np.nonzero(is_cable)
        other, other_port = self.peer[switch, port], self.peer_port[switch, port]
        if not in_range.all():
            first = int(np.argmin(in_range[switch, port]))
            raise InputError(
                f"topology: switch {switch[first]} port {port[first]} has no valid other end; expected a port of a "
                "switch"
            )
        matches = (self.peer[other, other_port] == switch) & (self.peer_port[other, other_port] == port)
        if not matches.all():
            first = int(np.argmin(matches))
            raise InputError(f"topology: switch {switch[first]} port {port[first]} does not match its other end")

    @property
    def switches(self) -> int:
        """Number of switches."""
        return int(self.peer.shape[0])

    @property
    def ports(self) -> int:
        """Number of ports per switch for cables to other switches, whether in use or not."""
        return int(self.peer.shape[1])

    def cable_ends(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the switch and the port of the lower end of each cable, ascending, both as int64[cables].

        Examples
        --------
        >>> path = Topology(np.array([[1, -1], [0, 2], [1, -1]]), np.array([[0, -1], [0, 0], [1, -1]]))
        >>> tuple(ends.tolist() for ends in path.cable_ends())
        ([0, 1], [0, 1])
        """
        switch, port = np.nonzero(self.peer >= 0)
        peer, peer_port = self.peer[switch, port], self.peer_port[switch, port]
        is_lower = (switch < peer) | ((switch == peer) & (port < peer_port))
        return switch[is_lower], port[is_lower]

    @property
    def parallel_pairs(self) -> int:
        """Number of pairs of switches that more than one cable joins.

        Examples
        --------
        >>> Topology(np.array([[1, 1], [0, 0]]), np.array([[0, 1], [0, 1]])).parallel_pairs
        1
        """
        switch = np.arange(self.switches, dtype=np.int64)[:, None]
        pairs = (switch * self.switches + self.peer)[self.peer > switch]
        return int(np.count_nonzero(np.unique(pairs, return_counts=True)[1] > 1))

    def levels(self, root: int | NDArray[np.integer]) -> NDArray[np.int32]:
        """Return the distance of each switch from a root, or the nearest of several, in hops; -1 if it is unreachable.

        Examples
        --------
        >>> Topology(np.array([[1], [0], [-1]]), np.array([[0], [0], [-1]])).levels(0).tolist()
        [0, 1, -1]
        """
        level, last = np.full(self.switches, -1, dtype=np.int32), np.empty(self.switches, dtype=np.int64)
        frontier = np.atleast_1d(np.asarray(root, dtype=np.int64))
        level[frontier] = hops = 0
        while len(frontier):
            hops += 1
            peers = self.peer[frontier].ravel()
            peers = peers[(peers >= 0) & (level[peers] < 0)]
            level[peers] = hops
            last[peers] = index = np.arange(len(peers))
            frontier = peers[last[peers] == index]  # each once
        return level

    @cached_property
    def _is_connected(self) -> bool:
        """Whether cables lead to all switches, found once for all planes that have these cables with other lengths."""
        return bool((self.levels(0) >= 0).all())

    def require_connected(self) -> None:
        """Raise an `InputError` that names the switches of the smallest component, if there are several."""
        if self._is_connected:
            return
        cabled = self.peer >= 0
        of_switch = components(self.switches, np.nonzero(cabled)[0], self.peer[cabled])
        number, counts = np.unique(of_switch, return_counts=True)
        least = of_switch == number[counts.argmin()]
        switches = np.flatnonzero(least).tolist()
        raise InputError(
            f"topology: {len(number)} components, of which the smallest is {first_of(switches, 'switch')}; expected "
            f"connected switches, as with a cable from switch {switches[0]} to switch {np.argmin(least)}"
        )
