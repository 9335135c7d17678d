"""Minimal routing in Megaflies: up, over a global cable, down."""

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..topologies.dragonfly import GlobalCables
from .offsets import Ints
from .routes import ChannelRule, Routes
from .table import MAX_TABLE_SWITCHES


def megafly_minimal(leaves: int, cables: GlobalCables, nodes_per_leaf: int) -> Routes:
    """Return the routes of a Megafly: up to a spine, over a global cable if the groups differ, and down.

    To node r of another group, a packet takes number r mod c of the c cables between the groups, which alternate among
    the spines; to node r of its own group, spine r mod s of s (D-mod-k). No packet goes up after it has gone over a
    global cable or down, so one class of virtual channels is enough for packets between nodes.

    No packet begins at a spine; but the proof of freedom from deadlock covers routes between all switches. A spine
    without the right cable takes its lowest one to the other group; without any, it goes down to the lowest leaf. If
    that occurs, the class of virtual channels is the number of hops up so far: channels of class 0 depend on channels
    up, and these on channels of class 1 over global cables and down, which lead to no others.

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
    lowest = _lowest_ports(cables)
    table = np.empty((rows, len(node)), dtype=np.uint16)
    for own in range(groups):
        is_own = target_group == own
        exit_spine, exit_port = np.divmod(leaving[own, target_group, within % cables.per_pair], cables.global_ports)
        table[own] = np.where(is_own, within % spines, exit_spine)
        ports = np.where(exit_spine == np.arange(spines)[:, None], exit_port, lowest[own][:, target_group])
        down = np.where(is_own, within // nodes_per_leaf, 0)
        first = groups + own * spines
        table[first : first + spines] = np.where(is_own | (ports < 0), down, leaves + ports)
    row = np.concatenate([np.repeat(np.arange(groups), leaves), np.arange(groups, rows)]).astype(np.int32)
    has_all = np.count_nonzero(lowest >= 0) == groups * spines * (groups - 1)
    return Routes(
        "table",
        row,
        next_port=table,
        channels=None if has_all else _class_by_hops_up(leaves, cables),
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


def _lowest_ports(cables: GlobalCables) -> Ints:
    """Return the lowest global port of every spine to every group, as int64[groups, spines, groups]; -1 if none."""
    number, there, _ = cables.ends()
    found = np.full((cables.groups, cables.switches_per_group, cables.groups), -1, dtype=np.int64)
    order = np.argsort(-number[0], kind="stable")  # the lowest last, so that it remains
    spine, port = np.divmod(number[:, order], cables.global_ports)
    found[np.arange(cables.groups)[:, None], spine, there[:, order]] = port
    return found


def _class_by_hops_up(leaves: int, cables: GlobalCables) -> ChannelRule:
    """Return a rule with two classes, in which hops from leaves to spines increase the class."""
    ports = max(cables.switches_per_group, leaves + cables.global_ports)
    is_up: NDArray[np.bool_] = np.zeros((cables.groups * (leaves + cables.switches_per_group), ports), dtype=np.bool_)
    is_up[: cables.groups * leaves] = True
    return ChannelRule(np.zeros(ports, dtype=np.int32), is_up, classes=2)
