"""Channel dependencies of minimal routes and detours together."""

from collections.abc import Iterator

import numpy as np

from ..arrays import Ints
from ..errors import InputError
from ..mathematics.occurrences import sorted_unique
from ..planes.detours import Detours
from ..planes.route_walk import hops
from ..planes.routes import ARRIVED, Routes
from ..planes.routing_columns import next_ports_to
from ..planes.topology import Topology
from .channel_dependencies import MAX_PAIRS, Steps, channels_of, class_after, first_class, steps_from

# The last links of the first halves of detours: switch, port and class, and the region of the source.
Arrivals = tuple[Ints, ...]


def detour_dependencies(topology: Topology, routes: Routes, detours: Detours) -> Ints:
    """Return the pairs of channels that a minimal route or a detour uses consecutively, as ``int64[dependencies, 2]``.

    The index of a channel is (switch · ports + port) · classes + class, with the rule of the detours. A detour leads
    from any switch over any region to any switch, in three different regions.

    Examples
    --------
    >>> from ..topologies import hyperx
    >>> from ..planes.detours import detours_by_switch
    >>> from ..routing.grids.hyperx_order import hyperx_order
    >>> topology, routes = hyperx((3,)), hyperx_order((3,))
    >>> pairs = detour_dependencies(topology, routes, detours_by_switch(topology, routes))
    >>> pairs.tolist()[:2]  # over ports 0 and 1 of switch 0, then on in class 1 to the third switch
    [[0, 5], [2, 11]]
    """
    if routes.next_port is None:
        raise InputError("routes: given as paths; expected next ports, for detours")
    hops(topology, routes)
    detours.ends(topology)
    rule = detours.channels
    sizes = (topology.switches, topology.ports, rule.classes, topology.ports, rule.classes)
    found, arrivals = _first_halves(topology, detours, sizes)
    at_once = max(1, MAX_PAIRS // topology.switches)
    for start in range(0, routes.columns, at_once):
        targets = np.arange(start, min(start + at_once, routes.columns))
        for steps in _second_halves(topology, routes, detours, arrivals, targets):
            found.append(sorted_unique(np.ravel_multi_index(steps, sizes)))
    return channels_of(topology, rule, *np.unravel_index(sorted_unique(np.concatenate(found)), sizes))


def _first_halves(topology: Topology, detours: Detours, sizes: tuple[int, ...]) -> tuple[list[Ints], Arrivals]:
    """Return the steps of the first halves of all detours, as indices into `sizes`, and where they end, each once."""
    rule, region, table = detours.channels, detours.region.astype(np.int64), detours.next_port.astype(np.int64)
    end_sizes = (*sizes[:3], detours.regions)
    steps, ends = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    at_once = max(1, MAX_PAIRS // topology.switches)
    for start in range(0, detours.regions, at_once):
        target_regions = np.arange(start, min(start + at_once, detours.regions))
        switch, target_region = (
            column.ravel() for column in np.meshgrid(np.arange(topology.switches), target_regions, indexing="ij")
        )
        outside = region[switch] != target_region
        switch, target_region = switch[outside], target_region[outside]
        origin, port = region[switch], table[switch, target_region]
        channel_class = first_class(rule, switch, port)
        while len(switch):
            peer = topology.peer[switch, port].astype(np.int64)
            inside = region[peer] == target_region
            # How a detour goes on depends on its last link and the region of its source alone; many share both.
            last = (column[inside] for column in (switch, port, channel_class, origin))
            ends.append(sorted_unique(np.ravel_multi_index(tuple(last), end_sizes)))
            switch, target_region, origin, port, channel_class, peer = (
                column[~inside] for column in (switch, target_region, origin, port, channel_class, peer)
            )
            next_port = table[peer, target_region]
            next_class = class_after(rule, switch, port, channel_class, peer, next_port)
            steps.append(
                sorted_unique(np.ravel_multi_index((switch, port, channel_class, next_port, next_class), sizes))
            )
            switch, port, channel_class = peer, next_port, next_class
    return steps, np.unravel_index(sorted_unique(np.concatenate(ends)), end_sizes)


def _second_halves(
    topology: Topology, routes: Routes, detours: Detours, arrivals: Arrivals, targets: Ints
) -> Iterator[Steps]:
    """Yield the steps to some targets: of minimal routes, from the first halves of detours, and of the second ones."""
    rule, region = detours.channels, detours.region
    port_table = next_ports_to(routes, targets).astype(np.int64)
    switch, target = np.nonzero(port_table != ARRIVED)
    states = [np.stack([switch, target, first_class(rule, switch, port_table[switch, target])])]
    entry = topology.peer[arrivals[0], arrivals[1]].astype(np.int64)
    end = region[routes.switch_of(targets)]
    arrival, target = np.nonzero((region[entry][:, None] != end) & (arrivals[3][:, None] != end))
    held, port, channel_class = (column[arrival] for column in arrivals[:3])
    next_port = port_table[entry[arrival], target]
    next_class = class_after(rule, held, port, channel_class, entry[arrival], next_port)
    yield held, port, channel_class, next_port, next_class
    states.append(np.stack([entry[arrival], target, next_class]))
    sizes = (*port_table.shape, rule.classes)
    distinct = sorted_unique(np.ravel_multi_index(tuple(np.concatenate(states, axis=1)), sizes))
    ends = routes.switch_of(targets)
    yield from steps_from(topology, rule, port_table, ends, *np.unravel_index(distinct, sizes))
