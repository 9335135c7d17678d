"""Designs of a comparison that are one network, whatever their families call it, by an exact test."""

from collections import Counter
from collections.abc import Hashable, Iterable

import numpy as np

from isoplane.models import Family, Network
from isoplane.models.family import plane_count
from isoplane.models.mathematics.automorphisms import canonical_graph
from isoplane.models.network import NO_SITE
from isoplane.models.planes.plane import Cabling

PARALLEL = 1 << 24  # above all numbers of nodes at a switch
MAX_SWITCHES = 2048  # of a plane that is compared: symmetric graphs of many vertices can take long


def network_classes(families: Iterable[Family]) -> dict[Family, Hashable]:
    """Return by design what is equal for designs of one network alone; None for one that is not compared.

    Two designs are one network if they have as many identical planes, with an isomorphism between the switches of a
    plane that keeps cables and the numbers of nodes. Their routes can differ. Not compared are designs whose planes
    differ, those of more than `MAX_SWITCHES` in a plane, and those that alone have their numbers of parts.

    Examples
    --------
    >>> from isoplane.models.families.dragonfly import Dragonfly
    >>> from isoplane.models.families.hyperx import HyperX
    >>> from isoplane.models.families.torus import Torus
    >>> grid, torus = HyperX(shape=(3, 3), nodes_per_switch=2), Torus(shape=(3, 3), nodes_per_switch=2, node_cable_m=2)
    >>> groups = Dragonfly(switches_per_group=3, global_ports=2, groups=3, nodes_per_switch=2)
    >>> found = network_classes([grid, torus, groups])
    >>> found[grid] == found[torus] == found[groups]
    True
    """
    numbers = {
        family: (plane_count(family), family.switches, family.cables, family.nodes)
        for family in dict.fromkeys(families)
    }
    times = Counter(numbers.values())
    forms = {family: network_form(family) if times[parts] > 1 else None for family, parts in numbers.items()}
    return {family: None if form is None else (numbers[family], form) for family, form in forms.items()}


def network_form(family: Family) -> Hashable:
    """Return what is equal for designs of one network alone; None if the planes differ, or are not compared."""
    first, *others = Network(family, NO_SITE).cabling
    if first.topology.switches > MAX_SWITCHES or not all(_are_equal(first, plane) for plane in others):
        return None
    starts = first.starts
    if (first.node_switch != np.repeat(first.node_switch[starts[:-1]], np.diff(starts))).any():
        return None  # nodes between switches
    lower, port = first.topology.cable_ends()
    ends = np.sort(np.stack([lower, first.topology.peer[lower, port]], axis=1), axis=1).astype(np.int64)
    pairs, counts = np.unique(ends, axis=0, return_counts=True)
    # Parallel cables, and those of a switch to itself, become a vertex whose colour, above all others, is their number.
    is_plain = (counts == 1) & (pairs[:, 0] != pairs[:, 1])
    between = first.topology.switches + np.arange(np.count_nonzero(~is_plain))
    edges = [pairs[is_plain], *(np.stack([pairs[~is_plain, end], between], axis=1) for end in (0, 1))]
    nodes = np.bincount(first.node_switch, minlength=first.topology.switches)
    colours = np.concatenate([nodes, PARALLEL + counts[~is_plain]])
    return canonical_graph(np.unique(np.concatenate(edges), axis=0), colours.tolist())


def _are_equal(plane: Cabling, other: Cabling) -> bool:
    return plane is other or (
        np.array_equal(plane.topology.peer, other.topology.peer)
        and np.array_equal(plane.node_switch, other.node_switch)
        and np.array_equal(plane.starts, other.starts)
    )
