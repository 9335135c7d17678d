"""Minimal routing in Megaflies: up, over a global cable, down."""

from functools import lru_cache

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.errors import InputError
from isoplane.models.planes.routes import MAX_TABLE_SWITCHES, NO_ROUTE, Routes
from isoplane.models.topologies.dragonfly import GlobalCables


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
    for group in range(groups):
        is_inside = target_group == group
        exit_spine, exit_port = np.divmod(leaving[group, target_group, within % cables.per_pair], cables.global_ports)
        table[group] = np.where(is_inside, within % spines, exit_spine)
        over = np.where(exit_spine == np.arange(spines)[:, None], leaves + exit_port, NO_ROUTE)
        first = groups + group * spines
        table[first : first + spines] = np.where(is_inside, within // nodes_per_leaf, over)
    # The leaves of a group differ only at their own nodes, where entries are ignored: they share a row.
    row = np.concatenate([np.repeat(np.arange(groups), leaves), np.arange(groups, rows)]).astype(np.int32)
    return Routes(
        "table",
        row,
        next_port=table,
        column=node.astype(np.int32),
        target_switch=(node // nodes_per_leaf).astype(np.int32),
    )


def megafly_heaviest_load(leaves: int, cables: GlobalCables, nodes_per_leaf: int) -> int:
    """Return the load of the busiest link if every node sends a packet to every node by `megafly_minimal`.

    It is counted for each kind of links, from the cables between groups alone.

    Parameters
    ----------
    leaves, cables, nodes_per_leaf
        As in `megafly_minimal`.

    Examples
    --------
    >>> megafly_heaviest_load(1, GlobalCables(1, 1, 2, "relative"), 3)  # 3 nodes in each of two groups
    9
    """
    spines, inside = cables.switches_per_group, leaves * nodes_per_leaf
    leaving, (number, _, back) = _cables_to_groups(cables), cables.ends()
    arriving = np.empty_like(back)
    np.put_along_axis(arriving, number, back, axis=1)
    group, target, index = np.nonzero(leaving >= 0)
    cable = leaving[group, target, index]
    nodes_of_cable = np.bincount(np.arange(inside) % cables.per_pair, minlength=cables.per_pair)
    leaving_by = np.zeros((cables.groups, spines), dtype=np.int64)
    np.add.at(leaving_by, (group, cable // cables.global_ports), nodes_of_cable[index])
    arriving_by = np.zeros((cables.groups, spines, cables.per_pair), dtype=np.int64)
    np.add.at(arriving_by, (target, arriving[group, cable] // cables.global_ports, index), 1)
    of_cable, of_spine = (
        np.stack([np.bincount(row, minlength=count) for row in np.reshape(np.arange(inside) % count, (leaves, -1))])
        for count in (cables.per_pair, spines)
    )
    # Packets between nodes of one leaf do not go up.
    up = nodes_per_leaf * (leaving_by[:, None] + of_spine.sum(axis=0) - of_spine)
    down = inside * np.einsum("gsc,lc->gls", arriving_by, of_cable) + (inside - nodes_per_leaf) * of_spine
    return max(int(up.max()), int(down.max()), inside * int(nodes_of_cable.max()))


@lru_cache(maxsize=16)  # the same cables suit many numbers of leaves and nodes
def _cables_to_groups(cables: GlobalCables) -> Ints:
    """Return the cables between every two groups as int64[groups, groups, cables]; -1 within a group.

    Successive ones belong to different spines if possible, so that those of the nodes of one leaf do.
    """
    number, there, _ = cables.ends()
    order = np.lexsort((number, there), axis=-1)
    leaving = np.take_along_axis(number, order, axis=1).reshape(cables.groups, cables.groups - 1, cables.per_pair)
    spine, index = leaving // cables.global_ports, np.arange(cables.per_pair)
    begins = np.diff(spine, axis=-1, prepend=-1) != 0
    # The first cable of every spine has rank 0, the second rank 1: in the order of ranks, spines alternate.
    rank = index - np.maximum.accumulate(np.where(begins, index, 0), axis=-1)
    alternating = np.take_along_axis(leaving, np.lexsort((spine, rank), axis=-1), axis=-1)
    by_groups = np.full((cables.groups, cables.groups, cables.per_pair), -1, dtype=np.int64)
    by_groups[~np.eye(cables.groups, dtype=np.bool_)] = alternating.reshape(-1, cables.per_pair)
    return by_groups
