"""Forwarding tables after failures: routes that still arrive are kept, the others take shortest paths."""

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..planes.routes import ARRIVED, Routes, hop_class_rule
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
