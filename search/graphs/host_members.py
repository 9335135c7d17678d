"""Members of families as graphs of nodes and ports, where searches for such graphs begin."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from heapq import nsmallest
from itertools import islice
from typing import Any

import numpy as np
from numpy.random import PCG64

from isoplane.models import Design, Family, InputError, Network, family_named, family_names
from isoplane.models.arrays import Ints
from isoplane.models.cabling.racks import assign_racks
from isoplane.models.families.host_graph import HostGraph
from isoplane.models.family_kinds.sized import Sized
from isoplane.models.network import NO_SITE
from isoplane.models.paths.nearest_plane import switch_hops
from isoplane.models.planes.plane import Cabling
from isoplane.models.planes.topology import Topology
from isoplane.models.site.part_costs import PartCosts
from isoplane.models.topologies import graph
from isoplane.objectives import Lexicographic

from .. import _native
from ..core.space import Candidate
from .host_space import HostGraphs

MOST_MEMBERS = 16  # of a family
MOST_ADDED = 16  # switches to the best member
MOST_PAIRS = 1 << 25  # of switches, of all members, and of all graphs with switches added: takes some seconds
MOST_LISTED = 32  # members of a family by price, many of which have parallel cables
MOST_PRICED = 4  # of those, without parallel cables
LOADS = range(1, 1 << 60)  # of a link, among which is the most that meets limits
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

    for kind in _sized_kinds():
        sizes = kind.fitting(space.family.nodes, space.family.ports) or ()
        members += nsmallest(
            MOST_MEMBERS, (member for member in sizes if 1 < member.switches <= space.sizes[-1]), distance
        )
    for member in sorted(members, key=distance):
        pairs += member.switches**2
        if pairs > MOST_PAIRS:
            return
        plane = member.build(NO_SITE)[0]
        if _fits(plane, space):
            yield _candidate(plane, space)


def cheap_members(space: HostGraphs, objective: Lexicographic) -> list[Candidate]:
    """Return members of families that may meet the limits of a price, the cheapest first.

    Of each family they are the first of the `Sized.candidates` for the throughput that the limits ask for, or the
    minimal sizes of families that have none. Members with parallel cables are no graphs. Of several planes, all have
    their switches in the same places, or in random ones, as in `member_graphs`.

    Parameters
    ----------
    space
        The space.
    objective
        A price, perhaps with limits. Members are left out that cannot meet them with the distances that they have, even
        if all their links had the same load.
    """
    found = set[tuple[int, Candidate]]()
    for plane in _planes_by_price(space, objective):
        links = 2 * space.family.planes * len(cabled_pairs(plane.topology))
        for is_mixed in (False, True) if space.family.planes > 1 else (False,):
            candidate = _candidate(plane, space, is_mixed=is_mixed)
            hops = _total_hops(space.family_of(candidate))
            if may_meet(objective, hops, -(-hops * space.parts // links)):
                with suppress(InputError):  # such as more nodes at a switch than a rack holds
                    found.add((objective.evaluator.exact(space.design(candidate), ("cost",))["cost"], candidate))
    return [candidate for _, candidate in sorted(found)]


def may_meet(objective: Lexicographic, total_hops: int, peak_load: int) -> bool:
    """Whether lower bounds of the sum of distances and of the busiest link's load leave open that limits are met."""
    low = {"total_hops": total_hops, "peak_load": peak_load}
    return not objective.limits or objective.bounds(low.get)[0] == 0


def _planes_by_price(space: HostGraphs, objective: Lexicographic) -> Iterator[Cabling]:
    """Yield those members of each family without parallel cables that are the cheapest by their numbers of parts."""
    nodes, ports, planes = space.family.nodes, space.family.ports, space.family.planes
    prices, least = space.site.prices, _least_throughput(space, objective)
    switch = 0 if prices.switch_ports is None else prices.switch_for(prices.switch_ports)[1]
    costs = PartCosts(switch, max(1, int(prices.cable_cents.min())))
    for kind in _sized_kinds():
        members = kind.candidates(nodes, ports, least / planes, 1, costs) if least else None
        if members is None:
            sizes = kind.fitting(nodes, ports) or ()
            members = iter(sorted(sizes, key=lambda member: costs.of(member.switches, member.cables)))
        graphs = (plane for member in islice(members, MOST_LISTED) for plane in _graph(member, space))
        yield from islice(graphs, MOST_PRICED)


def _graph(member: Family, space: HostGraphs) -> Iterator[Cabling]:
    """Yield the plane of a member that is in a space: with its ports and switches, and without parallel cables."""
    least, most = space.switch_range
    if not max(2, least) <= member.switches <= most or member.switches**2 > MOST_PAIRS:
        return
    plane = member.build(NO_SITE)[0]
    if _fits(plane, space) and len(cabled_pairs(plane.topology)) == member.cables:
        yield plane


def _least_throughput(space: HostGraphs, objective: Lexicographic) -> Fraction:
    """Return a throughput of a node, in link capacities, below which limits on loads are not met; 0 without such."""
    place = bisect_left(LOADS, True, key=lambda load: not may_meet(objective, 0, load))
    return Fraction(space.parts * space.family.nodes, LOADS[place]) if place < len(LOADS) else Fraction(0)


def _total_hops(family: HostGraph) -> int:
    """Return the sum of distances of nodes over the nearest plane, without the routes of the general evaluator."""
    hosts = family.host_counts
    nearest = np.minimum.reduce([switch_hops(graph(pairs, len(hosts))) for pairs in family.pairs])
    return int(hosts @ nearest.astype(np.int64) @ hosts)


def _sized_kinds() -> Iterator[type[Sized]]:
    """Yield the families with members for a machine, without cubes, which are grids of sides of 2, too."""
    for kind in map(family_named, family_names()):
        if issubclass(kind, Sized) and kind.kind != "cubes":
            yield kind


def _fits(plane: Cabling, space: HostGraphs) -> bool:
    return bool(plane.ports_used.max() <= space.family.ports and len(plane.node_switch) >= space.family.nodes)


def cabled_pairs(topology: Topology) -> Ints:
    """Return the pairs of switches with cables, as ``int64[pairs, 2]``: parallel cables once."""
    lower, port = topology.cable_ends()
    pairs: Ints = np.unique(np.stack([lower, topology.peer[lower, port]], axis=1), axis=0)
    return pairs


def _candidate(plane: Cabling, space: HostGraphs, *, is_mixed: bool = True) -> Candidate:
    topology, pairs = plane.topology, cabled_pairs(plane.topology)
    hosts = _limited(np.bincount(plane.node_switch, minlength=topology.switches), space.family.nodes)
    by_hosts = np.argsort(hosts, kind="stable")
    words = [topology.switches, *hosts.tolist()]
    for number in range(space.family.planes):
        place = np.arange(topology.switches)
        if is_mixed and number > 0:
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


def in_order_of_racks(space: HostGraphs, candidate: Candidate) -> Candidate:
    """Return a candidate whose switches are numbered such that racks that are filled in order have short cables.

    If cables have no lengths from a layout, this is the candidate as it is.
    """
    family, layout = space.family_of(candidate), space.site.layout
    if layout is None or family.assumed_cable_m is not None:
        return candidate
    topology = graph(np.concatenate(family.pairs), len(family.host_counts))
    racks = assign_racks(topology, family.host_counts, replace(layout, assignment="search"))
    order = np.argsort(racks.rack, kind="stable")
    number = np.argsort(order)
    edges = tuple(tuple(map(tuple, number[pairs].tolist())) for pairs in family.pairs)
    moved = replace(family, hosts=tuple(family.host_counts[order].tolist()), edges=edges)
    return space.candidate(Design(Network(moved, space.site)))
