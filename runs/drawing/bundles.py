"""Bundles: the cables between groups of switches, such as racks, together; and the shape of a plane of any size."""

import numpy as np

from isoplane.models.arrays import Floats, Ints
from isoplane.models.planes.plane import Cabling

from .positions import layers, nearest_distance, positions_of
from .svg import drawing, element, fixed, group, path, scaled

SHAPE = (120.0, 80.0)  # points of a picture of a shape
SHAPE_BLOCKS = 32  # switches, or blocks of them, in it
SHAPE_MARGIN = 6.0


Bundles = tuple[Ints, Ints, Ints]  # as of `bundles_of`


def bundles_of(plane: Cabling, groups: Ints) -> Bundles:
    """Return the bundles of cables of a plane, given the group of each switch.

    Returns
    -------
    int64[bundles, 2]
        The groups at both ends, the lower one first.
    int64[bundles]
        The number of cables.
    int64[cables]
        The bundle of each cable of the plane in the order of `Topology.cable_ends`; -1 inside a group.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models import Network
    >>> (ring,) = Network(Torus(shape=(6,))).cabling
    >>> [found.tolist() for found in bundles_of(ring, np.array([0, 0, 0, 1, 1, 2]))]
    [[[0, 1], [0, 2], [1, 2]], [1, 1, 1], [-1, 1, -1, 0, -1, 2]]
    """
    lower, port = plane.topology.cable_ends()
    ends = np.sort(groups[np.stack([lower, plane.topology.peer[lower, port]], axis=1)], axis=1)
    between, count = ends[:, 0] != ends[:, 1], int(groups.max()) + 1
    keys, place, cables = np.unique(
        ends[between, 0] * count + ends[between, 1], return_inverse=True, return_counts=True
    )
    of_cables = np.full(len(ends), -1, dtype=np.int64)
    of_cables[between] = place
    return np.stack([keys // count, keys % count], axis=1), cables.astype(np.int64), of_cables


def largest_of(bundles: Bundles, values: Floats) -> Floats:
    """Return the largest value of the cables of each bundle, from a value of at least 0 for each cable of the plane."""
    _, cables, of_cables = bundles
    found, between = np.zeros(len(cables)), of_cables >= 0
    np.maximum.at(found, of_cables[between], values[between])
    return found


def blocks_of(plane: Cabling, most: int) -> tuple[Ints, Ints]:
    """Return about `most` blocks of switches with successive numbers: the block of each switch, and its layer.

    The switches of a block have the same distance from the nearest nodes. If there are few switches, each is a block.

    Examples
    --------
    >>> from isoplane.models.families.fat_tree import FatTree
    >>> from isoplane.models import Network
    >>> (tree,) = Network(FatTree(switch_ports=4)).cabling
    >>> [found.tolist() for found in blocks_of(tree, 5)]
    [[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4], [0, 0, 1, 1, 2]]
    """
    layer, size = layers(plane), -(-plane.topology.switches // most)
    block, layer_of = np.empty(len(layer), dtype=np.int64), list[int]()
    for height in range(int(layer.max()) + 1):
        members = np.flatnonzero(layer == height)
        blocks = -(-len(members) // size)
        block[members] = len(layer_of) + np.arange(len(members)) * blocks // len(members)
        layer_of += [height] * blocks
    return block, np.array(layer_of)


def shape(plane: Cabling, name: str) -> str:
    """Return a small picture of the shape of a plane as SVG of a page: switches or blocks of them, and their cables.

    Parameters
    ----------
    plane
        The plane, of any size.
    name
        Its name, in the text alternative.
    """
    block, layer = blocks_of(plane, SHAPE_BLOCKS)
    (pairs, _, _), (width, height) = bundles_of(plane, block), SHAPE
    margins = SHAPE_MARGIN, SHAPE_MARGIN, height - 2 * SHAPE_MARGIN
    at, used, _ = scaled(positions_of(layer, pairs)[0], width, *margins)
    at += (0, (height - used) / 2)
    radius = float(np.clip(0.3 * nearest_distance(at), 1, 3.5))
    lines = "".join(path(ends) for ends in at[pairs].tolist())
    opacity = f"{np.clip(8 / max(1, len(pairs)) ** 0.5, 0.3, 0.9):.2f}"
    side = fixed(2 * radius)
    dots = [element("rect", x=x - radius, y=y - radius, width=side, height=side) for x, y in at.tolist()]
    switches, layer_count = plane.topology.switches, int(layer.max()) + 1
    text = f"{name}: a plane of {switches:,} switches" + (f" in {layer_count} layers" if layer_count > 1 else "")
    style = f"fill: none; stroke: var(--plane0); stroke-width: .8; opacity: {opacity}"
    drawn = [group([element("path", d=lines)], style), group(dots, "fill: var(--plane0)")]
    return drawing(drawn, width, height, text, "shape")
