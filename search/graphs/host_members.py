"""Members of families as graphs of nodes and ports, where searches for such graphs begin."""

from collections.abc import Iterator, Sequence
from heapq import nsmallest
from typing import Any

import numpy as np
from numpy.random import PCG64

from isoplane.models import Family, family_named, family_names
from isoplane.models.arrays import Ints
from isoplane.models.family_kinds.sized import Sized
from isoplane.models.network import NO_SITE
from isoplane.models.planes.plane import Cabling
from isoplane.models.planes.topology import Topology

from .. import _native
from ..core.space import Candidate
from .host_space import HostGraphs

MOST_MEMBERS = 16  # of a family
MOST_ADDED = 16  # switches to the best member
MOST_PAIRS = 1 << 25  # of switches, of all members, and of all graphs with switches added: takes some seconds
WALK: dict[str, Any] = {"hottest": 1.0, "coolest": 1.0, "first_leg": 64, "growth": 1.0}  # that makes no moves


def best_member(space: HostGraphs, seed: int) -> Candidate | None:
    """Return the member with the shortest paths once its free ports have cables, perhaps with some switches added.

    Parameters
    ----------
    space
        The space.
    seed
        Of the cables at free ports; None is returned if there are no members.
    """
    walk = _native.HostWalk(host_task(space, space.sizes), seed, 0, [], **WALK)
    best, member = list[int](), None
    for candidate in member_graphs(space):
        walk.offer(candidate)
        if walk.designs()[0] != best:
            best, member = walk.designs()[0], candidate
    if member is None:
        return None
    most_added = min(MOST_ADDED, MOST_PAIRS // member[0] ** 2)
    for switches in [size for size in space.sizes if 0 < size - member[0] <= most_added]:
        grown = _native.HostWalk(host_task(space, (switches,)), seed, 0, member, **WALK)
        walk.offer(grown.designs()[0])
    return tuple(walk.designs()[0])


def host_task(space: HostGraphs, sizes: Sequence[int]) -> _native.HostTask:
    """Return the task of walks over graphs of some sizes, whose switches may use all their ports."""
    family = space.family
    return _native.HostTask(family.nodes, family.ports, family.planes, sizes[-1] * family.ports // 2, True, list(sizes))


def member_graphs(space: HostGraphs) -> Iterator[Candidate]:
    """Yield the smallest members of families that have the nodes and ports of a space.

    Of each family these are the members whose numbers of switches are nearest to `HostGraphs.likely_switches`. Nodes
    beyond those of the space are left out at the switches with the most of them. All planes are the same network, whose
    switches change places at random from plane to plane, among those with as many nodes: then nodes that are far apart
    in one plane are near in another.

    Parameters
    ----------
    space
        The space, whose largest size no member exceeds; a member may have fewer switches than the smallest.

    Examples
    --------
    >>> from isoplane.models.families.host_graph import HostGraph
    >>> (2, 4, 4, 1, 0, 1) in member_graphs(HostGraphs(HostGraph(nodes=8, ports=6)))  # nodes, and a cable
    True
    """
    members, pairs = list[Family](), 0

    def distance(member: Family) -> int:
        return abs(member.switches - space.likely_switches)

    for kind in map(family_named, family_names()):
        if not issubclass(kind, Sized) or kind.kind == "cubes":  # which are grids of sides of 2, too
            continue
        sizes = kind.fitting(space.family.nodes, space.family.ports) or ()
        members += nsmallest(
            MOST_MEMBERS, (member for member in sizes if 1 < member.switches <= space.sizes[-1]), distance
        )
    for member in sorted(members, key=distance):
        pairs += member.switches**2
        if pairs > MOST_PAIRS:
            return
        plane = member.build(NO_SITE)[0]
        if plane.ports_used.max() <= space.family.ports and len(plane.node_switch) >= space.family.nodes:
            yield _candidate(plane, space)


def cabled_pairs(topology: Topology) -> Ints:
    """Return the pairs of switches with cables, as ``int64[pairs, 2]``: parallel cables once."""
    lower, port = topology.cable_ends()
    pairs: Ints = np.unique(np.stack([lower, topology.peer[lower, port]], axis=1), axis=0)
    return pairs


def _candidate(plane: Cabling, space: HostGraphs) -> Candidate:
    topology, pairs = plane.topology, cabled_pairs(plane.topology)
    hosts = _limited(np.bincount(plane.node_switch, minlength=topology.switches), space.family.nodes)
    by_hosts = np.argsort(hosts, kind="stable")
    words = [topology.switches, *hosts.tolist()]
    for number in range(space.family.planes):
        place = np.arange(topology.switches)
        if number > 0:
            place[by_hosts] = np.lexsort((PCG64(number).random_raw(topology.switches), hosts))
        words += [len(pairs), *place[pairs].ravel().tolist()]
    return tuple(words)


def _limited(hosts: Ints, nodes: int) -> Ints:
    """Return numbers of nodes at switches without those beyond a sum, as even as can be.

    Examples
    --------
    >>> _limited(np.array([4, 0, 4, 4]), 10).tolist()
    [3, 0, 3, 4]
    """
    most = int(hosts.max())
    while np.minimum(hosts, most - 1).sum() >= nodes:
        most -= 1
    limited: Ints = np.minimum(hosts, most)
    limited[np.flatnonzero(limited == most)[: int(limited.sum()) - nodes]] -= 1
    return limited
