"""What remains of one plane after failures, with repaired routes."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Ints
from ..planes.plane import Plane
from ..planes.topology import Topology
from ..routing.table import LoadedTable
from .rerouted import rerouted


def remaining_part(plane: Plane, ends: tuple[Ints, Ints], cables: Ints, switches: Ints) -> tuple[Topology, Bools]:
    """Return the remaining cables, with the switches as numbered before, and the switches of the rest of a plane.

    Parameters
    ----------
    plane
        The plane before the failures.
    ends : int64[cables], twice
        As from `Topology.cable_ends`.
    cables, switches : int64[...]
        The failed ones.

    Returns
    -------
    Topology, bool[switches]
        The switches with the most node links that are still connected; none if no switch with nodes remains.
    """
    topology = plane.topology
    is_cut = np.zeros(topology.peer.shape, dtype=np.bool_)
    is_cut[ends[0][cables], ends[1][cables]] = True
    is_cut[switches] = True
    # What is cut at one end is cut at the other.
    cut_switch, cut_port = np.nonzero(is_cut & (topology.peer >= 0))
    is_cut[topology.peer[cut_switch, cut_port], topology.peer_port[cut_switch, cut_port]] = True
    left = Topology(np.where(is_cut, -1, topology.peer), np.where(is_cut, -1, topology.peer_port))
    node_links = np.bincount(plane.node_switch, minlength=topology.switches)
    node_links[switches] = 0  # a failed switch is a component by itself, which must not count as the largest
    return left, _largest_component(left, node_links)


def _largest_component(topology: Topology, node_links: Ints) -> Bools:
    """Return the connected switches with the most node links, those with the lowest switch of equals; maybe none."""
    unseen, best, most = node_links > 0, np.zeros(topology.switches, dtype=np.bool_), 0
    while unseen.any():
        component = topology.levels(int(np.argmax(unseen))) >= 0
        unseen &= ~component
        # Strictly: of equals, the component with the lowest switch stays.
        if (links := int(node_links[component].sum())) > most:
            best, most = component, links
    return best


def loaded_table(plane: Plane, table: NDArray[np.uint16], share: NDArray[np.uint16] | None) -> LoadedTable:
    """Return a table of a plane, as uint16[switches, columns], with its traffic, shared as by `nearest_shares`."""
    routes, switches = plane.routes, plane.topology.switches
    target = routes.switch_of(np.arange(routes.columns)).astype(np.int32)
    return LoadedTable(
        plane.topology,
        table,
        target,
        np.bincount(plane.node_switch, minlength=switches),
        np.bincount(routes.targets(plane.node_switch), minlength=routes.columns),
        None if share is None else share[target],
    )


def repaired_plane(plane: Plane, before: LoadedTable, left: Topology, kept: Bools, limit: int) -> Plane:
    """Return a plane of the kept switches, renumbered, with the cables between them and repaired routes.

    Parameters
    ----------
    plane
        The plane before the failures, with the remaining node links.
    before
        Its table, with the traffic after the failures.
    left, kept
        As from `remaining_part`.
    limit
        As in `rerouted`.
    """
    # Lost switches get numbers as well, but no remaining cable or node leads to one.
    number, timing = np.cumsum(kept) - 1, plane.timing
    is_cabled = left.peer[kept] >= 0
    topology = Topology(np.where(is_cabled, number[left.peer[kept]], -1), left.peer_port[kept])
    is_reached, by_column, share = kept[before.target_switch], before.next_port.T, before.share
    if not kept.all():
        by_column = by_column[is_reached][:, kept]
        share = None if share is None else share[is_reached][:, kept]
    after = LoadedTable(
        topology,
        by_column.T,
        number[before.target_switch[is_reached]].astype(np.int32),
        before.senders[kept],
        before.receivers[is_reached],
        share,
    )
    column = plane.routes.column
    new_column = None if column is None else (np.cumsum(is_reached) - 1)[column].astype(np.int32)

    def at_cables(values: Ints | None) -> Ints | None:
        return None if values is None else np.where(is_cabled, values[kept], 0)

    return replace(
        plane,
        topology=topology,
        routes=rerouted(after, limit, new_column),
        cable_mm=np.where(is_cabled, plane.cable_mm[kept], 0),
        node_switch=number[plane.node_switch],
        timing=replace(
            timing,
            rate_mbps=at_cables(timing.rate_mbps),
            delay_ps=at_cables(timing.delay_ps),
            switch_delay_ps=None if timing.switch_delay_ps is None else timing.switch_delay_ps[kept],
        ),
    )
