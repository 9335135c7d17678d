"""Minimal routing in Megaflies: up, over a global cable, down."""

import numpy as np

from ..errors import InputError
from ..topologies.dragonfly import GlobalCables
from .offsets import Ints
from .routes import NO_ROUTE, Routes
from .table import MAX_TABLE_SWITCHES


def megafly_minimal(leaves: int, cables: GlobalCables, nodes_per_leaf: int) -> Routes:
    """Return the routes of a Megafly: up to a spine, over a global cable if the groups differ, and down.

    To node r of another group, a packet takes number r mod c of the c cables between the groups, which alternate among
    the spines; to node r of its own group, spine r mod s of s (D-mod-k). No packet goes up after it has gone over a
    global cable or down, so one class of virtual channels is enough.

    No packet begins at a spine, so a spine has no route to other groups but over its own cables.

    Parameters
    ----------
    leaves
        Leaves of a group.
    cables
        The global cables; the switches of a group are its spines.
    nodes_per_leaf
        Nodes at every leaf; those of a group are numbered in the order of its leaves.

    Raises
    ------
    InputError
        If the table would be too large.

    References
    ----------
    Flajslik, Borch and Parker, Megafly: A Topology for Exascale Systems, 2018. Shpiner et al., Dragonfly+: Low Cost
    Topology for Scaling Datacenters, 2017.

    Examples
    --------
    >>> megafly_minimal(1, GlobalCables(1, 1, 2, "relative"), 1).next_port.tolist()
    [[0, 0], [0, 0], [0, 1], [1, 0]]
    """
    spines, groups = cables.switches_per_group, cables.groups
    node = np.arange(groups * leaves * nodes_per_leaf)
    rows = groups * (1 + spines)
    if rows * len(node) > MAX_TABLE_SWITCHES**2:
        raise InputError(f"routes: {rows} x {len(node)} routes to nodes; expected at most {MAX_TABLE_SWITCHES**2}")
    target_group, within = np.divmod(node, leaves * nodes_per_leaf)
    leaving = _cables_to_groups(cables)
    table = np.empty((rows, len(node)), dtype=np.uint16)
    for own in range(groups):
        is_own = target_group == own
        exit_spine, exit_port = np.divmod(leaving[own, target_group, within % cables.per_pair], cables.global_ports)
        table[own] = np.where(is_own, within % spines, exit_spine)
        over = np.where(exit_spine == np.arange(spines)[:, None], leaves + exit_port, NO_ROUTE)
        first = groups + own * spines
        table[first : first + spines] = np.where(is_own, within // nodes_per_leaf, over)
    row = np.concatenate([np.repeat(np.arange(groups), leaves), np.arange(groups, rows)]).astype(np.int32)
    return Routes(
        "table",
        row,
        next_port=table,
        column=node.astype(np.int32),
        target_switch=(node // nodes_per_leaf).astype(np.int32),
    )


def _cables_to_groups(cables: GlobalCables) -> Ints:
    """Return the cables between every two groups as int64[groups, groups, cables]; -1 within a group.

    Successive ones belong to different spines if possible, so that those of the nodes of one leaf do.
    """
    number, there, _ = cables.ends()
    order = np.lexsort((number, there), axis=-1)
    leaving = np.take_along_axis(number, order, axis=1).reshape(cables.groups, cables.groups - 1, cables.per_pair)
    spine, index = leaving // cables.global_ports, np.arange(cables.per_pair)
    begins = np.diff(spine, axis=-1, prepend=-1) != 0
    rank = index - np.maximum.accumulate(np.where(begins, index, 0), axis=-1)
    alternating = np.take_along_axis(leaving, np.lexsort((spine, rank), axis=-1), axis=-1)
    found = np.full((cables.groups, cables.groups, cables.per_pair), -1, dtype=np.int64)
    found[~np.eye(cables.groups, dtype=np.bool_)] = alternating.reshape(-1, cables.per_pair)
    return found
