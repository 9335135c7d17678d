"""Detours: routes over an intermediate region of switches, for Valiant and adaptive routing."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..errors import InputError
from .route_walk import hops
from .routes import ARRIVED, ChannelRule, Routes, check_table_size, hop_class_rule
from .routing_columns import next_ports_to
from .topology import Topology

MIN_REGIONS = 3  # those of source and destination, and one between them


@dataclass(frozen=True, eq=False)
class Detours:
    """The non-minimal paths of a plane: over an intermediate region of switches.

    The switches are divided into regions: the groups of a dragonfly, or single switches. A detour has two halves: the
    route from the source to the first switch of a region, its entry, and the minimal route from there to the
    destination. Packets between switches of one region have minimal routes only.

    Parameters
    ----------
    region : int32[switches]
        The region of every switch, from 0.
    next_port : uint16[switches, regions]
        The next port of every switch on its route to a region, `ARRIVED` inside the region.
    channels
        The rule for virtual channels of all packets, those on minimal routes too.

    References
    ----------
    Valiant, A Scheme for Fast Parallel Communication, 1982. Kim, Dally, Scott and Abts, Technology-Driven,
    Highly-Scalable Dragonfly Topology, 2008, section 4.1.
    """

    region: NDArray[np.int32]
    next_port: NDArray[np.uint16]
    channels: ChannelRule

    def __post_init__(self) -> None:
        if self.region.ndim != 1 or self.next_port.shape != (len(self.region), self.regions):
            raise InputError(
                f"detours.next_port: an array of shape {self.next_port.shape}; expected one row per switch and one "
                "column per region"
            )
        if self.regions < MIN_REGIONS:
            raise InputError(f"detours.region: {self.regions} regions; expected at least {MIN_REGIONS}")
        counts = np.bincount(self.region, minlength=self.regions) if self.region.min() >= 0 else np.zeros(1)
        if not counts.all():
            raise InputError(f"detours.region: expected every number from 0 to {self.regions - 1}")

    @property
    def regions(self) -> int:
        """Number of regions."""
        return int(self.region.max(initial=-1)) + 1

    def steps(self, topology: Topology) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
        """Yield, hop by hop, the unfinished routes from all switches to all regions.

        Yields
        ------
        int64[...], int64[...], int64[...], int64[...]
            Their first switches, their regions, their present switches, and their ports.
        """
        source, target_region = (index.ravel() for index in np.indices(self.next_port.shape))
        switch = source
        # A route without a loop passes each switch once at most.
        for _ in range(topology.switches):
            outside = self.region[switch] != target_region
            source, target_region, switch = source[outside], target_region[outside], switch[outside]
            if not len(source):
                return
            port = self.next_port[switch, target_region].astype(np.int64)
            cabled = port < topology.ports
            peer = np.where(cabled, topology.peer[switch, np.where(cabled, port, 0)], -1)
            if peer.min() < 0:
                wrong = int(np.argmax(peer < 0))
                raise InputError(
                    f"detours.next_port={port[wrong]} of switch {switch[wrong]} to region {target_region[wrong]}: "
                    "expected a port with a cable"
                )
            yield source, target_region, switch, port
            switch = peer
        raise InputError("detours.next_port: a route does not reach its region; expected routes without loops")

    def ends(self, topology: Topology) -> tuple[Ints, Ints]:
        """Return the entry of each route to a region, and its number of hops; 0 inside the region.

        Returns
        -------
        int64[switches, regions], int64[switches, regions]
        """
        entry, length = np.indices(self.next_port.shape)[0], np.zeros(self.next_port.shape, dtype=np.int64)
        for source, target_region, switch, port in self.steps(topology):
            entry[source, target_region] = topology.peer[switch, port]
            length[source, target_region] += 1
        return entry, length


def detours_by_switch(topology: Topology, routes: Routes) -> Detours:
    """Return the detours over any other switch: both halves are minimal routes, and hop k has channels of class k - 1.

    There are twice as many classes as the longest route has hops.

    Parameters
    ----------
    topology, routes
        The network and its minimal routes, as next ports by switch.

    Raises
    ------
    InputError
        If the routes are paths or depend on the destination node, a route does not arrive, or there are fewer than 3
        switches, or too many for a table of all pairs.

    Examples
    --------
    >>> from ..topologies import hyperx
    >>> from ..routing.grids.hyperx_order import hyperx_order
    >>> detours = detours_by_switch(hyperx((2, 2)), hyperx_order((2, 2)))
    >>> detours.next_port.tolist()[0], detours.channels.classes
    ([65535, 0, 1, 0], 4)
    """
    switches = check_table_size(topology.switches)
    if routes.next_port is None or routes.column is not None:
        raise InputError("routes: given by path or by node; expected next ports by switch, for detours")
    rule = hop_class_rule(topology, 2 * int(hops(topology, routes).max()))
    table = next_ports_to(routes, np.arange(switches)).astype(np.uint16)
    table[np.arange(switches), np.arange(switches)] = ARRIVED
    return Detours(np.arange(switches, dtype=np.int32), table, rule)
