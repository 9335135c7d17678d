"""Dimension-order routing in HyperX networks."""

from collections.abc import Sequence
from math import lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.models.errors import InputError
from isoplane.models.mathematics.grid import check_shape, coordinates
from isoplane.models.planes.routes import ARRIVED, MAX_TABLE_SWITCHES, Routes, check_table_size
from isoplane.models.topologies.hyperx import cables_by_dimension, first_ports


def hyperx_order(shape: Sequence[int], cables: Sequence[int] = (), nodes_per_switch: int = 1) -> Routes:
    """Return the routes of a HyperX network that correct x first, then y, z, ..., in one hop each.

    They need no virtual channels, because a channel depends only on channels of higher dimensions.

    Of K parallel cables of dimension i, packets to node m of switch d take number (m + P e) mod K. P is the number of
    nodes per switch, and e the index of d among the E switches that have its coordinates of dimensions up to i. So K
    cables share the traffic to P E nodes, evenly if K divides P E. Such routes are tables of all pairs, with columns by
    destination node.

    Parameters
    ----------
    shape, cables
        As for `hyperx`.
    nodes_per_switch
        Nodes at every switch; node m of switch d is number d P + m.

    References
    ----------
    Ahn et al., HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks, 2009.

    Examples
    --------
    >>> hyperx_order((3, 2)).next_port.tolist()
    [[65535, 0, 1, 2, 0, 1]]
    >>> hyperx_order((2,), (2,), nodes_per_switch=2).next_port.tolist()
    [[65535, 65535, 0, 1], [0, 1, 65535, 65535]]
    """
    sizes = check_shape(shape)
    parallel = cables_by_dimension(sizes, cables)
    offset, first = coordinates(np.arange(int(np.prod(sizes))), sizes), first_ports(sizes, parallel)
    # Offset 0 has no such dimension and appears as 0; its entry is replaced below.
    dimension = np.argmax(offset > 0, axis=1)
    ahead = np.take_along_axis(offset, dimension[:, None], axis=1)[:, 0]
    port = first[dimension] + (ahead - 1) * np.array(parallel)[dimension]
    port[0] = ARRIVED
    if max(parallel) == 1:
        return Routes("torus", np.zeros(len(offset), np.int32), next_port=port.astype(np.uint16)[None], shape=sizes)
    return _by_node(sizes, parallel, nodes_per_switch, dimension, port)


def _by_node(
    sizes: tuple[int, ...], parallel: tuple[int, ...], nodes_per_switch: int, dimension: Ints, first_cable: Ints
) -> Routes:
    """Return tables by destination node, from the dimension and the port of the first cable by offset of switches.

    Nodes at a switch that agree modulo all numbers of cables share a column.
    """
    place = coordinates(np.arange(len(dimension)), sizes)
    # The cable to a node follows from its number modulo each K, hence from that modulo their common multiple.
    per_switch = min(nodes_per_switch, lcm(*parallel))
    cable = _cables(sizes, parallel, nodes_per_switch, per_switch)
    columns = len(dimension) * per_switch
    if columns * check_table_size(len(dimension)) > MAX_TABLE_SWITCHES**2:
        raise InputError(
            f"shape={list(sizes)}: {len(dimension)} x {columns} routes to nodes over parallel cables; expected at most "
            f"{MAX_TABLE_SWITCHES**2}"
        )
    table = np.empty((len(dimension), columns), dtype=np.uint16)
    target = np.repeat(np.arange(len(dimension)), per_switch)
    steps = np.cumprod([1, *sizes[:-1]])
    for switch in range(len(dimension)):
        offset = ((place - place[switch]) % sizes @ steps)[target]
        ports = first_cable[offset] + cable[dimension[offset], np.arange(columns)]
        table[switch] = np.where(offset == 0, ARRIVED, ports)
    node = np.arange(len(dimension) * nodes_per_switch)
    column = node // nodes_per_switch * per_switch + node % nodes_per_switch % per_switch
    return Routes(
        "table",
        np.arange(len(dimension), dtype=np.int32),
        next_port=table,
        column=column.astype(np.int32),
        target_switch=target.astype(np.int32),
    )


def _cables(
    sizes: tuple[int, ...], parallel: tuple[int, ...], nodes_per_switch: int, per_switch: int
) -> NDArray[np.int64]:
    """Return the cable of each dimension to each column, as int64[dimensions, columns]."""
    switch, node = np.divmod(np.arange(int(np.prod(sizes)) * per_switch), per_switch)
    within = np.cumprod(sizes)  # switches with the same coordinates above dimension i
    return np.stack(
        [(node + nodes_per_switch * (switch // below)) % each for below, each in zip(within, parallel, strict=True)]
    )
