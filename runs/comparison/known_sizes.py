"""Which size of a family the planes of an existing fabric are, by an exact test."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice, product, takewhile
from itertools import count as count_from

import numpy as np

from isoplane.models import Family, Network
from isoplane.models.arrays import rows_of
from isoplane.models.cabling.cable_list import cable_list
from isoplane.models.device_names import switch_name
from isoplane.models.families.fabric import Fabric
from isoplane.models.family_kinds.cube import first_plane
from isoplane.models.files.exact_text import counted
from isoplane.models.network import NO_SITE
from isoplane.objectives.structure import bound_by_distances
from isoplane.runs.inputs.named_families import sized_families

from .known_trees import named, resemblance, size_numbers, trees_of, with_places
from .same_networks import MAX_SWITCHES, network_form
from .sizes.plane_counts import sized

MAX_LISTED = 2048  # sizes of a family for one throughput
MAX_MISSING = 10  # of as many cables, one: sizes with more or fewer are not near
MAX_COMPARED = 64  # sizes with the numbers of a plane: symmetric graphs can take long
Sizes = Callable[[Fabric], Iterator[Family]]
Near = tuple[Family, Fabric]  # a size, and the plane with its places of nodes
Ends = dict[int, tuple[int, int] | None]  # by port of a switch: the other switch and its port; None for a node
# Of the bound by distances, which routes of a family may miss by far where its cables are loaded unevenly.
THROUGHPUTS = tuple(Fraction(part, 8) for part in (7, 5, 3, 1))


def known_size_lines(fabric: Fabric, unnumbered: Collection[int] = ()) -> list[str]:
    """Return in words which size of a family each plane is, also one with free places of nodes, or which is nearest.

    Tried are the minimal sizes for as many nodes and ports, and those of the fewest cables for several throughputs. Not
    compared are planes of more than `MAX_SWITCHES` switches, those in which a node has several links or none, and those
    with all nodes at one switch. Of a nearest size with one cable more, the missing one is named if there is one.

    Parameters
    ----------
    fabric
        The fabric.
    unnumbered
        Planes whose ports have no numbers of their own: of the sizes that such a plane is, the most special is named.
    """
    alone = {
        number: (replace(fabric, planes=(plane,), routing="up_down", names=None), number not in unnumbered)
        for number, plane in enumerate(fabric.planes)
        if plane.switches <= MAX_SWITCHES
        and len(plane.nodes) == fabric.nodes == len(np.unique(plane.node))
        and len(np.unique(plane.node_switch)) > 1
    }
    known = {plane: _known(*plane) for plane in dict.fromkeys(alone.values())}  # planes are often cabled alike
    return [f"plane {n}: {_text(*plane, known[plane], _names(fabric, n))}" for n, plane in alone.items()]


def _names(fabric: Fabric, number: int) -> Sequence[str]:
    """Return the names of the switches of a plane at the site, or those of exports."""
    if fabric.names is not None:
        return fabric.names.switches[number]
    return [switch_name(number, switch) for switch in range(fabric.planes[number].switches)]


def _known(plane: Fabric, has_ports: bool) -> tuple[str, Sequence[Near], bool]:
    """Return in words which size a plane is; or an empty text, the sizes near to it, and whether it has those of trees.

    Of several that it is, it is one with its numbers of ports, if it has any. A near size is beside the plane with the
    places that it has for nodes.
    """
    trees = trees_of(plane)
    for places, member in trees:
        if member.cables == plane.cables and network_form(places) == network_form(member):
            return _is_text(plane, places, member), (), True
    near = [(member, places) for places, member in trees if _is_near(member, places)]
    for places, choices in _with_free_places(plane):
        form = network_form(places)
        for sizes in choices:
            members = dict.fromkeys(member for member in sizes(places) if _is_near(member, places))
            alike = islice((member for member in members if member.cables == plane.cables), MAX_COMPARED)
            same = sorted((member for member in alike if network_form(member) == form), key=size_numbers)
            if same:
                best = _at_ports(plane, places, same) if has_ports else same[0]
                # Of each family the first: grids have each order of their sides, dragonflies each arrangement.
                first = {member.name: member for member in reversed(same) if member.name != best.name}
                others = ", ".join(map(named, sorted(first.values(), key=size_numbers)))
                also = f"; also {others}" if others else ""
                return _is_text(plane, places, best) + also, (), bool(trees)
            near += ((member, places) for member in members if not trees and _has_leaves(member, places))
    return "", near, bool(trees)


def _text(plane: Fabric, has_ports: bool, known: tuple[str, Sequence[Near], bool], names: Sequence[str]) -> str:
    """Return in words which size a plane is, or which one is near to it, with the names of its switches."""
    is_text, near, is_tree = known
    if is_text:
        return is_text
    if not near:
        none = f"no size tried of {len(sized_families())} families is near to it"
        return resemblance(plane, names) or none
    return _near_text(plane, _nearest(plane, near, has_ports), names, is_tree=is_tree)


def _is_text(plane: Fabric, places: Fabric, member: Family) -> str:
    free = places.nodes - plane.nodes
    left = f" with {free} of {counted(places.nodes, 'place')} free" if free else ""
    return f"this is {named(member)}{left}"


def _has_leaves(member: Family, places: Fabric) -> bool:
    """Whether a member has nodes at as many switches as a plane: else one is a tree, and the other is not."""
    (cabling,) = Network(member, NO_SITE).cabling
    return len(np.unique(cabling.node_switch)) == len(np.unique(places.planes[0].node_switch))


def _nearest(plane: Fabric, near: Sequence[Near], has_ports: bool) -> Near:
    """Return the size with the most similar numbers of parts; of several, that with the most cables at equal ports."""

    def distance(entry: Near) -> tuple[int, int]:
        return abs(entry[0].cables - plane.cables), entry[0].nodes - plane.nodes

    least = min(map(distance, near))
    nearest = sorted((entry for entry in near if distance(entry) == least), key=lambda entry: size_numbers(entry[0]))
    if not has_ports or len(nearest) == 1:
        return nearest[0]
    ends = _ends_by_port(plane)
    return max(nearest[:MAX_COMPARED], key=lambda entry: _ends_alike(_ends_by_port(entry[0]), ends))


def _near_text(plane: Fabric, near: Near, names: Sequence[str], *, is_tree: bool) -> str:
    nearest, places = near
    free = nearest.nodes - plane.nodes
    nodes = f"places, {free} of them free," if free else "nodes"
    if nearest.cables == plane.cables:
        return f"as many switches, cables and {nodes} as {named(nearest)}, but cabled otherwise"
    ends = _missing_cable(places, nearest)
    like = resemblance(plane, names) if ends is None and is_tree else None
    if like is not None:
        return like
    lacks = "" if ends is None else f": this plane lacks one between {names[ends[0]]} and {names[ends[1]]}"
    return f"as many switches and {nodes} as {named(nearest)}, which has {counted(nearest.cables, 'cable')}{lacks}"


def _at_ports(plane: Fabric, places: Fabric, same: Sequence[Family]) -> Family:
    """Return of the members that a plane is, or other sizes of their families, the one that agrees most in numbers."""
    ends = _ends_by_port(plane)
    best = max(same, key=lambda member: _agreement(member, ends))
    if _agreement(best, ends):  # other sizes take longer to find than all else
        return best
    families = list(dict.fromkeys(member.name for member in same))
    sizes = (size for size in _larger_sizes(places, families) if _is_near(size, places))
    alike = islice(dict.fromkeys(size for size in sizes if size.cables == plane.cables), MAX_COMPARED)
    return next((size for size in alike if _agreement(size, ends)), best)


def _ends_by_port(family: Family) -> list[Ends]:
    """Return what is at each port in use of each switch of a plane."""
    (plane,) = Network(family, NO_SITE).cabling
    ends: list[Ends] = [{} for _ in range(plane.topology.switches)]
    cables = cable_list((plane,))
    for switch, port, to_node, other, other_port in rows_of(
        cables.switch, cables.switch_port, cables.to_node, cables.other, cables.other_port
    ):
        ends[switch][port] = None if to_node else (other, other_port)
        if not to_node:
            ends[other][other_port] = switch, port
    return ends


def _ends_alike(designed: Sequence[Ends], ends: Sequence[Ends]) -> int:
    """Return how many ports of switches have the same at their cable as those of the same numbers in a design."""
    pairs = zip(designed, ends, strict=True)
    return sum(there.get(port, ()) == end for there, here in pairs for port, end in here.items())


def _agreement(member: Family, ends: Sequence[Ends]) -> int:
    """Return 2 if a member has the cables and nodes of a plane at the same ports of switches of the same numbers.

    It is 1 if only the ports have the same numbers, which the switches of a connected plane decide, and 0 if not.
    """
    designed = _ends_by_port(member)
    if _ends_alike(designed, ends) == sum(map(len, ends)):
        return 2
    return int(any(_is_at(designed, ends, image) for image in range(len(designed))))


def _is_at(designed: Sequence[Ends], ends: Sequence[Ends], image: int) -> bool:
    """Whether a plane is a design if its first switch is the given one there, from which the others follow."""
    images, reached = {0: image}, [0]
    for switch in reached:
        there = designed[images[switch]]
        for port, end in ends[switch].items():
            wanted = there.get(port, ())
            if end is None or not wanted:  # a node, or nothing
                if end != wanted:
                    return False
            elif end[1] != wanted[1] or images.get(end[0], wanted[0]) != wanted[0]:
                return False
            elif end[0] not in images:
                images[end[0]] = wanted[0]
                reached.append(end[0])
    return len(set(images.values())) == len(ends)


def _missing_cable(plane: Fabric, member: Family) -> tuple[int, int] | None:
    """Return the switches between which a cable makes a plane a member with one more, the first of several; or None."""
    if (member.cables, member.nodes) != (plane.cables + 1, plane.nodes):
        return None
    (only,) = plane.planes
    ends = np.array(only.cables, dtype=np.int64).reshape(-1, 4)[:, [0, 2]]
    (designed,) = Network(member, NO_SITE).cabling
    wanted = Counter((designed.topology.peer >= 0).sum(axis=1).tolist())
    degree = np.bincount(ends.ravel(), minlength=only.switches).tolist()
    # Degrees of both switches with which a further cable leads to the degrees of the member.
    fitting = {
        (a, b)
        for a, b in product(set(degree), repeat=2)
        if Counter(degree) - Counter((a, b)) + Counter((a + 1, b + 1)) == wanted
    }
    pairs = ((a, b) for a, b in combinations(range(only.switches), 2) if (degree[a], degree[b]) in fitting)
    form = network_form(member)
    alike = (
        pair
        for pair in islice(pairs, MAX_COMPARED)
        if network_form(with_places(plane, only.node_switch, np.vstack([ends, pair]))) == form
    )
    return next(alike, None)


def _with_free_places(plane: Fabric) -> Iterator[tuple[Fabric, Sequence[Sizes]]]:
    """Yield a plane, and it with as many nodes at each switch as at the one with most, or more, with the sizes to try.

    Switches without nodes have such places too if all switches have as many cables: else they are spines. If the
    numbers of nodes differ by at most one, as `spread_places` leaves them, each switch may have more places than any of
    them has nodes: of these only the minimal sizes are tried, as others take ten times as long. A plane of which half
    of the places would be free is not one with free places.
    """
    every = _minimal_sizes, _larger_sizes
    yield plane, every
    (only,) = plane.planes
    ends = np.array(only.cables, dtype=np.int64).reshape(-1, 4)[:, [0, 2]]
    cables, nodes = (np.bincount(at, minlength=only.switches) for at in (ends.ravel(), only.node_switch))
    has_places = (nodes > 0) | (cables == cables[0]).all()
    places, most = np.flatnonzero(has_places), int(nodes.max())
    is_spread = most - nodes[places].min() <= 1
    for count in count_from(most) if is_spread else (most,):
        if len(places) * count >= 2 * plane.nodes:  # most are free
            return
        if len(places) * count > plane.nodes:
            yield with_places(plane, np.repeat(places, count)), every if count == most else every[:1]


def _is_near(member: Family, plane: Fabric) -> bool:
    """Whether a member has the switches and nodes of a plane, and about as many cables: some may be missing."""
    is_alike = (member.switches, member.nodes) == (plane.switches, plane.nodes)
    return is_alike and MAX_MISSING * abs(member.cables - plane.cables) <= plane.cables


def _minimal_sizes(plane: Fabric) -> Iterator[Family]:
    """Yield the minimal sizes of all families for the nodes and ports of a plane, each with one plane."""
    for name in sized_families():
        for member in sized(name).fitting(plane.nodes, _ports(plane)) or ():
            yield first_plane(member)


def _larger_sizes(plane: Fabric, names: Sequence[str] | None = None) -> Iterator[Family]:
    """Yield the sizes of families with about as many cables or fewer, in ascending order, for some throughputs.

    These are all families, or those with some names.
    """
    highest, most = bound_by_distances(Network(plane, NO_SITE)), plane.cables + plane.cables // MAX_MISSING
    for name, share in product(names or sized_families(), THROUGHPUTS if highest else ()):
        listed = sized(name).candidates(plane.nodes, _ports(plane), share * highest, 1)
        yield from takewhile(lambda member: member.cables <= most, islice(listed or (), MAX_LISTED))


def _ports(plane: Fabric) -> int:
    """Return the most ports that a switch uses, whatever their numbers."""
    return int(Network(plane, NO_SITE).cabling[0].ports_used.max())
