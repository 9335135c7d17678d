"""What remains of one plane after failures: routes that still arrive are kept, the others take shortest paths."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..arrays import Bools, Ints
from ..planes.plane import Plane
from ..planes.routes import ARRIVED, Routes, hop_class_rule
from ..planes.topology import Topology
from ..routing.table import LoadedTable

COLUMNS_PER_BLOCK = 256  # transposed together: their cache lines stay in the cache
ENTRIES_PER_CALL = 1 << 18  # bounds the time of a native call, which blocks interrupts
MAX_SWEEPS = 16  # of moves away from heavy links
MAX_EFFORT = 1 << 22  # after which no sweep begins: entries passed, and those compared, which take longer
EFFORT_OF_COMPARISON = 25
MIN_GAIN_PERCENT = 1  # by which a sweep must lower the highest load for another sweep to follow
HEAVY_PERCENT = 70  # of the highest load: routes move away from links above it


def rerouted(table: LoadedTable, limit: int = 0, column: NDArray[np.int32] | None = None) -> Routes:
    """Return the routes of a table after failures: entries that no longer lead to their target are repaired.

    An entry is kept if the route along the given entries still arrives, or if its port leads nearer to its target. Any
    other entry gets a port that leads nearer: of these, the one with the least load so far, the lowest of equals. Then
    routes over links that carry more than `limit` move to other ports that lead nearer, while that lowers the
    highest load. So a table that needs no repair does not change if no load exceeds the limit, routes have no loops,
    and a table without any valid entry becomes one of shortest paths. Channels have one class per hop (`hop_classes`).

    Parameters
    ----------
    table
        The remaining switches and cables, and the ports before the failures.
    limit
        The load, in packets or parts of them, above which routes move away from a link.
    column : int32[node links]
        Explicit columns, as in `Routes`; None if columns are switches.

    References
    ----------
    Domke, Hoefler and Matsuoka, Fail-in-Place Network Design, 2014: topologies and routings after failures.

    Examples
    --------
    What remains of a ring of three switches, in which port 0 of switches 0 and 2 led to each other:

    >>> from ..topologies import graph
    >>> path, one = graph([(0, 1), (1, 2)]), np.ones(3, dtype=np.int64)
    >>> before = np.array([[9, 0, 9], [0, 9, 1], [9, 0, 9]], dtype=np.uint16)
    >>> rerouted(LoadedTable(path, before, np.arange(3, dtype=np.int32), one, one)).next_port.tolist()
    [[65535, 0, 0], [0, 65535, 1], [0, 0, 65535]]
    """
    next_port = np.array(table.next_port.T, order="C")
    next_port[np.arange(len(next_port)), table.target_switch] = ARRIVED
    rerouter = _repaired(table, next_port)
    for sweep in range(MAX_SWEEPS):
        heaviest = rerouter.heaviest
        if heaviest <= limit or next_port.size * sweep + EFFORT_OF_COMPARISON * rerouter.tried > MAX_EFFORT:
            break
        for first, count in _parts(table):
            rerouter.relieve(first, count, max(limit, heaviest * HEAVY_PERCENT // 100))
        if rerouter.heaviest * 100 > heaviest * (100 - MIN_GAIN_PERCENT):
            break
    return Routes(
        "table",
        np.arange(table.topology.switches, dtype=np.int32),
        next_port=transposed(next_port),
        channels=hop_class_rule(table.topology, rerouter.longest),
        column=column,
        target_switch=None if column is None else table.target_switch,
    )


def transposed(table: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Return the transpose of a table as a contiguous array.

    Examples
    --------
    >>> transposed(np.array([[1, 2], [3, 4]], dtype=np.uint16)).tolist()
    [[1, 3], [2, 4]]
    """
    columns = np.empty(table.shape[::-1], dtype=np.uint16)
    for first in range(0, len(table), COLUMNS_PER_BLOCK):
        block = slice(first, first + COLUMNS_PER_BLOCK)
        columns[:, block] = table[block].T
    return columns


def heaviest_load(table: LoadedTable) -> int:
    """Return the load of the heaviest link, in packets or parts of them, with a table that needs no repair.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from ..routing.table import forwarding_table
    >>> one, ring = np.ones(5, dtype=np.int64), torus((5,))
    >>> next_port = forwarding_table(ring).next_port
    >>> heaviest_load(LoadedTable(ring, next_port, np.arange(5, dtype=np.int32), one, one))  # one hop, and twice two
    3
    """
    return _repaired(table, np.array(table.next_port.T, order="C")).heaviest


def _repaired(table: LoadedTable, next_port: NDArray[np.uint16]) -> _native.TableRerouter:
    """Return the rerouter of a table after the repair of all columns, in place, as uint16[columns, switches]."""
    rerouter = _native.TableRerouter(
        table.topology.peer, table.target_switch, table.senders, table.receivers, table.share, next_port
    )
    for first, count in _parts(table):
        rerouter.run(first, count)
    return rerouter


def _parts(table: LoadedTable) -> list[tuple[int, int]]:
    """Return the first column and the number of columns of each native call."""
    columns, step = len(table.target_switch), max(1, ENTRIES_PER_CALL // table.topology.switches)
    return [(first, min(step, columns - first)) for first in range(0, columns, step)]


def remaining_part(
    plane: Plane, ends: tuple[Ints, Ints], cables: Ints, switches: Ints, node_links: Ints
) -> tuple[Topology, Bools]:
    """Return the remaining cables, with the switches as numbered before, and the switches of the rest of a plane.

    Parameters
    ----------
    plane
        The plane before the failures.
    ends : int64[cables], twice
        As from `Topology.cable_ends`.
    cables, switches, node_links : int64[...]
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
    links_at = np.bincount(np.delete(plane.node_switch, node_links), minlength=topology.switches)
    links_at[switches] = 0  # a failed switch is a component by itself, which must not count as the largest
    return left, _largest_component(left, links_at)


def _largest_component(topology: Topology, node_links: Ints) -> Bools:
    """Return the connected switches with the most node links, those with the lowest switch of equals; maybe none."""
    unseen, best, most = node_links > 0, np.zeros(topology.switches, dtype=np.bool_), 0
    while unseen.any():
        component = topology.levels(int(np.argmax(unseen))) >= 0
        unseen &= ~component
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
