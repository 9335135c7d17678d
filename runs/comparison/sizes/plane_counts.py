"""Families in one or several planes, and their members that reach the requested size."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, cast

from isoplane.models import Cube, Family, family_named
from isoplane.models.cabling.assumed_lengths import with_layout_lengths
from isoplane.models.families.multi_plane import MultiPlane, nodes_at_switch
from isoplane.models.family import require_members, returned
from isoplane.models.family_kinds.cube import MAX_PORTS_PER_NODE, Cubes, cubes_of_record
from isoplane.models.family_kinds.sized import Sized
from isoplane.models.routing import ROUTINGS
from isoplane.runs.records import best_folder, read_record

from ..request import Request
from .price_floor import least_parts, order_floor
from .searched_network import searched_networks

OBJECTIVE = "aspl_and_traffic"


@cache
def best_known_plane(family: str, n: int) -> Cube | None:
    """Return plane 1 of the best known dual-plane cube by ASPL times load; None if there is no record.

    Examples
    --------
    >>> best_known_plane("hypercube", 3).connections.generators
    (3, 5, 7)
    """
    with best_folder() as folder:
        found = sorted(folder.glob(f"{family}-n{n}-{OBJECTIVE}-*.json"))
        return cubes_of_record(read_record(found[0])["network"])[1] if found else None


BALANCED = "balanced"


@dataclass(frozen=True)
class Arrangement:
    """A family in a number of planes, which share the ports of a node evenly.

    Parameters
    ----------
    family
        Name of the family.
    planes
        Number of planes.
    relabelled
        Whether plane 1 is the best known one for `aspl_and_traffic`, instead of the same as plane 0.
    searched
        Whether it is any network that a search finds, instead of a size of the family.
    """

    family: str
    planes: int
    relabelled: bool = False
    searched: bool = False

    @property
    def title(self) -> str:
        """Display name."""
        name = self.family.replace("_", " ")
        planes = "1 plane" if self.planes == 1 else f"{self.planes} planes"
        beside = ", relabelled" if self.relabelled else ", found by search" if self.searched else ""
        return f"{name}, {planes}{beside}"

    @property
    def kind(self) -> int:
        """0 for one plane, 1 for several identical ones, 2 for relabelled ones, 4 for what a search finds."""
        return 4 if self.searched else 2 if self.relabelled else int(self.planes > 1)

    def members(self, request: Request, least: Fraction) -> Iterator[Family]:
        """Yield the members that reach the requested nodes within the ports of a switch, lengths from the layout.

        They are in ascending order of `order_floor`. A node has ``node_ports / planes`` links in each plane, all at one
        switch. Families routed over arbitrary shortest paths are routed over balanced ones; random graphs have the seed
        of the request. Grids of sides of 2 are left out: they are hypercubes.

        Trees have the requested taper. Without one, members are the `Sized.candidates` for the throughput, or the
        minimal sizes of families that have none.
        """
        if self.searched:
            return searched_networks(request, least)
        kind, links = sized(self.family), request.node_ports // self.planes
        members = MEMBERS.get(kind.kind, Arrangement._with_equal_planes)
        return members(self, kind, request, least, links)

    def _with_equal_planes(self, kind: type[Sized], request: Request, least: Fraction, links: int) -> Iterator[Family]:
        for member in self._sizes(kind, request, least, links):
            yield _in_planes(member, request.seed, self.planes, links)

    def _sizes(self, kind: type[Sized], request: Request, least: Fraction, links: int) -> Iterator[Family]:
        """Yield sizes for a throughput, or minimal ones if there are none, whose bounds then give the reason."""
        places, taper, parts = request.nodes * links, request.taper or Fraction(1), least_parts(request)[0]
        chosen = None if request.taper else kind.candidates(places, request.ports, least, links, parts)
        if chosen is not None:
            candidates = _usable(_checked(kind, chosen), links)
            first = next(candidates, None)
            if first is not None:
                yield first
                yield from candidates
                return
        minimal = _tapered(kind, places, request.ports, taper, links)
        others = _with_links(kind, request.nodes, request.ports, links) if links > 1 else ()
        members = dict.fromkeys(_usable((*minimal, *others), links))
        yield from sorted(members, key=lambda member: parts.of(member.switches, member.cables))

    def _of_cubes(self, kind: type[Cubes], request: Request, least: Fraction, links: int) -> Iterator[Family]:
        """Yield cubes: in one plane with all links, or in several, identical or with the best known second plane."""
        found = self._cubes(kind, request, links)
        yield from sorted(found, key=lambda member: order_floor(member, request))

    def _cubes(self, kind: type[Cubes], request: Request, links: int) -> Iterator[Family]:
        for member in kind.fitting(request.nodes, request.ports):
            if links > MAX_PORTS_PER_NODE:
                return
            first, n = member.planes[0], member.n
            cubes = replace(member, planes=(first,) * self.planes, ports_per_node=links)
            if self.relabelled:
                second = best_known_plane(self.family, n)
                if second is None:
                    continue
                cubes = replace(cubes, planes=(first, second))
            if cubes.ports <= request.ports:
                yield cubes


# By kind of design; others have equal planes, of which `MultiPlane` is made. Only these can be relabelled.
MEMBERS: Mapping[str, Callable[..., Iterator[Family]]] = {"cubes": Arrangement._of_cubes}


def arrangements(request: Request) -> list[Arrangement]:
    """Return the arrangements of families to compare."""
    found = []
    for name in request.families:
        for planes in request.planes:
            found.append(Arrangement(name, planes))
            if family_named(name).kind in MEMBERS and planes == request.node_ports == 2:
                found.append(Arrangement(name, planes, relabelled=True))
    return found


def _checked(kind: type[Sized], members: Iterable[Family]) -> Iterator[Sized]:
    """Yield the members of a family, which may be a user's own, as members of it."""
    for member in members:
        require_members(returned(kind, "fitting", member, kind))
        yield cast(Sized, member)


def _usable(members: Iterable[Family], links: int) -> Iterator[Family]:
    """Yield the members with room for all links of a node at its switch that are not hypercubes."""
    for member in members:
        if (nodes_at_switch(member) or links) % links == 0 and not _is_hypercube(member):
            yield member


def _is_hypercube(member: Family) -> bool:
    """Whether a member is a grid of sides of 2."""
    return max(getattr(member, "shape", (0,))) == 2


def leaves_out_hypercubes(name: str, ports: int) -> bool:
    """Whether some sizes of a family within the ports of a switch are left out, because they are hypercubes."""
    return any(map(_is_hypercube, sized(name).fitting(2, ports) or ()))


def sized(name: str) -> type[Sized]:
    """Return a family whose size can be chosen."""
    return cast(type[Sized], family_named(name))


@lru_cache(maxsize=64)
def _tapered(kind: type[Sized], places: int, ports: int, taper: Fraction, links: int) -> tuple[Family, ...]:
    """Return the members of a family for a taper whose places at a switch divide among the links of nodes.

    The minimal sizes for all tapers if the family has none. If the places of all of them do not divide, the next larger
    sizes.
    """

    def sizes(nodes: int) -> tuple[Sized, ...]:
        return tuple(_checked(kind, kind.tapered(nodes, ports, taper) or kind.fitting(nodes, ports) or ()))

    if taper != 1 and kind.tapered(places, ports, taper) is None:
        return _tapered(kind, places, ports, Fraction(1), links)
    members, most, first = sizes(places), 0, 0
    while members:
        divisible = tuple(member for member in members if (member.nodes_at_switch or links) % links == 0)
        fewest, before = min(member.nodes for member in members), most
        first, most = first or fewest, max(member.nodes_at_switch or links for member in members)
        if divisible or (most <= min(before, links - 1) and fewest > links * first):  # no room for all links of a node
            return divisible
        if not before and most < links and not _has_room(kind, places, ports, links):
            return ()
        members = sizes(1 + fewest)
    return ()


def _has_places(kind: type[Sized]) -> bool:
    """Whether a member of a family can have any number of places at a switch, each at a port."""
    return any(field.name == "nodes_per_switch" for field in fields(kind))  # type: ignore[arg-type]  # dataclass


def _has_room(kind: type[Sized], places: int, ports: int, links: int) -> bool:
    """Whether some member may have as many places at a switch as a node has links: then one place needs fewer ports."""
    return not _has_places(kind) or any(kind.fitting(-(-places // ports), ports - links + 1) or ())


@lru_cache(maxsize=64)
def _with_links(kind: type[Sized], nodes: int, ports: int, links: int) -> tuple[Family, ...]:
    """Return the members of a family with as many places at every switch as its nodes have links."""
    if not _has_places(kind):
        return ()
    found = []
    for member in kind.fitting(nodes, ports) or ():
        places = links * (member.nodes_at_switch or 0)
        found.append(replace(member, nodes_per_switch=places))  # type: ignore[type-var]  # same
    return tuple(each for each in found if each.ports <= ports)


@lru_cache(maxsize=1 << 14)
def _in_planes(member: Family, seed: int, planes: int, links: int) -> Family:
    """Return a member in equal planes, its lengths from the layout."""
    plane = _balanced(with_layout_lengths(member), seed)
    return plane if planes == links == 1 else MultiPlane(plane=plane, planes=planes, links_per_node=links)


def _balanced(family: Family, seed: int) -> Family:
    """Return a family whose routing is one for any topology with balanced shortest paths; others as they are.

    These routings have no seed: that of such a family is the seed of its graph, and is the given one.
    """
    routing = getattr(family, "routing", None)
    if routing is not None and routing not in getattr(family, "own_routings", dict)() and routing in ROUTINGS:
        seeds = {"seed": seed} if hasattr(family, "seed") else {}
        return replace(family, routing=BALANCED, **seeds)  # type: ignore[type-var]  # a dataclass with a field `routing`
    return family


def routing_note(families: Iterable[Family]) -> str | None:
    """Return which families are routed otherwise than by default, in words; None if none is.

    Examples
    --------
    >>> from isoplane.models.families.slim_fly import SlimFly
    >>> from isoplane.models.families.xpander import Xpander
    >>> routing_note([SlimFly(q=5, routing="balanced"), Xpander()])
    'Routes of slim_fly are balanced shortest paths here; isoplane evaluate has them with network.routing=balanced.'
    >>> routing_note([SlimFly(q=5), Xpander()]) is None
    True
    """
    planes: list[Any] = [getattr(family, "plane", family) for family in families]
    chosen = [plane for plane in planes if getattr(plane, "routing", None) == BALANCED]
    changed = (plane for plane in chosen for key in fields(plane) if key.name == "routing" and key.default != BALANCED)
    names = " and ".join(dict.fromkeys(plane.name for plane in changed))
    if not names:
        return None
    return (
        f"Routes of {names} are balanced shortest paths here; isoplane evaluate has them with network.routing=balanced."
    )
