"""Compressed forwarding tables: equal rows of switches and equal columns of nodes are stored once."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .routes import ARRIVED, NO_ROUTE, ChannelRule, Routes

SAMPLE_COLUMNS = 64  # compared first, which rejects most rows


def shared_tables(next_port: ArrayLike, target_switch: ArrayLike, channels: ChannelRule | None = None) -> Routes:
    """Return the routes of a table with one column per node, storing equal rows and equal columns once.

    The entries of a switch for its own nodes are ignored, because packets to them have arrived: rows or columns that
    differ only there are equal. Rows are also compatible where one has `NO_ROUTE` and the other any port. Nodes share a
    column if they are at the same switch and all others forward to them by the same ports. Each switch, in ascending
    order, then shares the first compatible row, or adds a new one.

    Parameters
    ----------
    next_port : uint16[switches, nodes]
        The port by which each switch forwards packets to each node; `NO_ROUTE` at switches that they never pass.
    target_switch : int32[nodes]
        The switch of each node.
    channels
        The rule for virtual channels, if any.

    Examples
    --------
    Two leaf switches with two nodes each, below two upper switches. Packets to node d go up through port d mod 2.

    >>> routes = shared_tables([[9, 9, 0, 1], [0, 1, 9, 9], [0, 0, 1, 1], [0, 0, 1, 1]], [0, 0, 1, 1])
    >>> routes.row.tolist(), routes.column.tolist(), routes.next_port.tolist()
    ([0, 0, 1, 1], [0, 1, 2, 3], [[0, 1, 0, 1], [0, 0, 1, 1]])
    """
    table, switch = np.asarray(next_port), np.asarray(target_switch)
    if table.ndim != 2 or not table.size or switch.shape != table.shape[1:]:
        raise InputError(
            f"next_port: an array of shape {table.shape} for {switch.size} nodes; expected a row per switch, "
            "with one port per node"
        )
    for name, values, highest in (("next_port", table, ARRIVED), ("target_switch", switch, len(table) - 1)):
        if not np.issubdtype(values.dtype, np.integer) or values.min() < 0 or values.max() > highest:
            given = f"{values.dtype} from {values.min()} to {values.max()}"
            raise InputError(f"{name}: {given}; expected integers from 0 to {highest}")
    ports = table.astype(np.uint16)
    ports[switch, np.arange(len(switch))] = ARRIVED
    first, column = _merge_columns(ports, switch)
    row, rows = _merge_rows(ports[:, first], switch[first])
    return Routes(
        "table",
        row,
        next_port=rows,
        channels=channels,
        column=column,
        target_switch=switch[first].astype(np.int32),
    )


def _merge_columns(
    ports: NDArray[np.uint16], target_switch: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the first node of each distinct column, and the column of every node; columns are in node order."""
    seen: dict[bytes, int] = {}
    first: list[int] = []
    column = np.empty(len(target_switch), dtype=np.int32)
    for node, node_ports in enumerate(np.ascontiguousarray(ports.T)):
        # With the switch: nodes at different switches never share a column, even if all ports agree.
        key = target_switch[node].tobytes() + node_ports.tobytes()
        if key not in seen:
            seen[key] = len(first)
            first.append(node)
        column[node] = seen[key]
    return np.array(first, dtype=np.int64), column


def _merge_rows(
    ports: NDArray[np.uint16], target_switch: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """Return the row of every switch, and the distinct rows; a later switch may fill in open entries of a row.

    Entries are open at the switch of a node itself and where there is no route.
    """
    switches = len(ports)
    row, count = np.empty(switches, dtype=np.int32), 0
    rows, is_open = np.empty_like(ports), np.empty(ports.shape, dtype=np.bool_)
    for switch in range(switches):
        entries = ports[switch]
        ignored = (target_switch == switch) | (entries == NO_ROUTE)
        used = np.flatnonzero(~ignored)
        sample = used[np.linspace(0, len(used) - 1, min(SAMPLE_COLUMNS, len(used))).astype(np.int64)]
        matches = (rows[:count, sample] == entries[sample]) | is_open[:count, sample]
        for number in np.flatnonzero(matches.all(axis=1)).tolist():
            if ((rows[number, used] == entries[used]) | is_open[number, used]).all():
                # A route that packets cannot take stays recognisable: `NO_ROUTE` takes precedence over `ARRIVED`.
                rows[number] = np.where(is_open[number] & (entries != ARRIVED), entries, rows[number])
                is_open[number] &= ignored
                break
        else:
            number, count = count, count + 1
            rows[number], is_open[number] = entries, ignored
        row[switch] = number
    return row, rows[:count].copy()
