"""Tables with a row for all switches that forward alike, and a column for all nodes to which they do."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .routes import ARRIVED, ChannelRule, Routes

SAMPLE = 64  # columns by which most rows are told apart


def shared_tables(next_port: ArrayLike, goal: ArrayLike, channels: ChannelRule | None = None) -> Routes:
    """Return the routes of a table with a column for each node, of which equal rows and equal columns are kept once.

    The entries of a switch for its own nodes do not count, for packets to them have arrived: rows that differ in
    nothing else are equal, and so are columns. Nodes share a column if they are at one switch and all others forward
    to them by the same ports. Then each switch, in ascending order, takes the first row that no entry of its own
    speaks against, or adds one.

    Parameters
    ----------
    next_port : uint16[switches, nodes]
        The port by which each switch forwards packets to each node.
    goal : int32[nodes]
        The switch of each node.
    channels
        The rule for virtual channels, if there is one.

    Raises
    ------
    InputError
        If these are no such arrays, or a switch does not exist.

    Examples
    --------
    A tree of two leaves with two nodes each, below two switches; a packet goes up by its destination modulo 2.

    >>> routes = shared_tables([[9, 9, 0, 1], [0, 1, 9, 9], [0, 0, 1, 1], [0, 0, 1, 1]], [0, 0, 1, 1])
    >>> routes.row.tolist(), routes.column.tolist(), routes.next_port.tolist()
    ([0, 0, 1, 1], [0, 1, 2, 3], [[0, 1, 0, 1], [0, 0, 1, 1]])
    """
    table, switch = np.asarray(next_port), np.asarray(goal)
    if table.ndim != 2 or not table.size or switch.shape != table.shape[1:]:
        raise InputError(
            f"next_port: an array of shape {table.shape} for {switch.size} nodes; expected a row for each switch, "
            "with a port for each node"
        )
    for name, values, most in (("next_port", table, ARRIVED), ("goal", switch, len(table) - 1)):
        if not np.issubdtype(values.dtype, np.integer) or values.min() < 0 or values.max() > most:
            seen = f"{values.dtype} from {values.min()} to {values.max()}"
            raise InputError(f"{name}: {seen}; expected integers from 0 to {most}")
    ports = table.astype(np.uint16)
    ports[switch, np.arange(len(switch))] = ARRIVED
    first, column = _equal_columns(ports, switch)
    row, rows = _equal_rows(ports[:, first], switch[first])
    return Routes(
        "table",
        row,
        next_port=rows,
        channels=channels,
        column=column,
        goal=switch[first].astype(np.int32),
    )


def _equal_columns(ports: NDArray[np.uint16], goal: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the first node of each column, and the column of every node, numbered in the order of the nodes."""
    seen: dict[bytes, int] = {}
    first: list[int] = []
    column = np.empty(len(goal), dtype=np.int32)
    for node, ways in enumerate(np.ascontiguousarray(ports.T)):
        key = goal[node].tobytes() + ways.tobytes()
        if key not in seen:
            seen[key] = len(first)
            first.append(node)
        column[node] = seen[key]
    return np.array(first, dtype=np.int64), column


def _equal_rows(ports: NDArray[np.uint16], goal: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """Return the row of every switch, and the rows; what a row leaves open, a later switch may fill in."""
    switches, columns = ports.shape
    row, count = np.empty(switches, dtype=np.int32), 0
    rows, is_open = np.empty_like(ports), np.empty(ports.shape, dtype=np.bool_)
    sample = np.unique(np.linspace(0, columns - 1, min(SAMPLE, columns)).astype(np.int64))
    for switch in range(switches):
        ways, own = ports[switch], goal == switch
        likely = (rows[:count, sample] == ways[sample]) | is_open[:count, sample] | own[sample]
        for number in np.flatnonzero(likely.all(axis=1)).tolist():
            if ((rows[number] == ways) | is_open[number] | own).all():
                rows[number] = np.where(is_open[number], ways, rows[number])
                is_open[number] &= own
                break
        else:
            number, count = count, count + 1
            rows[number], is_open[number] = ways, own
        row[switch] = number
    return row, rows[:count].copy()
