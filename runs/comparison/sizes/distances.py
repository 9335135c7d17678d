"""Distances in a member, which take much less time than its routes."""

from fractions import Fraction
from functools import lru_cache, singledispatch

import numpy as np

from isoplane.models import Cubes, Family, Network
from isoplane.models.families.multi_plane import nodes_at_switch, one_plane
from isoplane.models.network import NO_SITE
from isoplane.models.paths.nearest_plane import switch_hops
from isoplane.objectives.general import GeneralExact
from isoplane.objectives.structure import bound_by_distances

MAX_MEASURED_SWITCHES = 4096  # of a plane, between all of which distances are held


@lru_cache(maxsize=1 << 14)
def diameter(family: Family) -> int:
    """Return the largest distance between two nodes in hops, in the plane nearest to both: the metric ``diameter``.

    Parameters
    ----------
    family
        A member, whose nodes have all links to a plane at one switch.

    Raises
    ------
    InputError
        If it is too large for a table of routes.

    Examples
    --------
    >>> from isoplane.models.families.leaf_spine import LeafSpine
    >>> diameter(LeafSpine(leaf_switches=8, spine_switches=4, nodes_per_leaf=4))
    2
    """
    network = Network(one_plane(family)[0], NO_SITE)
    if max(plane.topology.switches for plane in network.cabling) > MAX_MEASURED_SWITCHES:
        return GeneralExact(network).diameter
    switches = np.stack([plane.node_switch[plane.starts[:-1]] for plane in network.cabling])
    places = np.unique(switches, axis=1)  # of nodes at the same switches, one
    hops = [
        switch_hops(plane.topology)[np.ix_(of_plane, of_plane)]
        for plane, of_plane in zip(network.cabling, places, strict=True)
    ]
    return int(np.min(hops, axis=0).max())


@singledispatch
@lru_cache(maxsize=1 << 14)
def distance_bound(family: Family) -> Fraction | None:
    """Return an upper bound on the throughput per node from the distances in one of identical planes; None if unknown.

    It takes much less time than routes do. Not for cubes, whose routes are found as fast, and large planes.
    """
    one, planes = one_plane(family)
    if nodes_at_switch(family) is None or one.switches > MAX_MEASURED_SWITCHES:
        return None
    return bound_by_distances(Network(one, NO_SITE)) * planes


@distance_bound.register
def _(cubes: Cubes) -> None:
    return None
