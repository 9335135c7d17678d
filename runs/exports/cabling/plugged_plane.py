"""Cables of a plane that are plugged and unplugged, and whether it stays connected."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

End = tuple[int, int]  # device and port


class Cable(NamedTuple):
    """A cable of a plane.

    Attributes
    ----------
    ends
        Device and port of both ends; of a node cable, the switch first.
    between_switches
        Whether both devices are switches.
    part_mm
        The length of the cable of the catalogue.
    """

    ends: tuple[End, End]
    between_switches: bool
    part_mm: int = 0


class PluggedPlane:
    """The switches of a plane with the cables that are plugged, and the number of links of every node.

    Parameters
    ----------
    cables
        The cables, which connect all of their switches.
    other_links
        The number of links of each node in other planes.

    Attributes
    ----------
    parts
        Connected parts of the switches of `cables`, also over those that are plugged later: these count in none.
    nodes_off
        Nodes without any cable, of those that had one.

    Examples
    --------
    >>> first, second = Cable(((0, 1), (1, 1)), True), Cable(((0, 2), (1, 2)), True)
    >>> plane = PluggedPlane([first, second], {})
    >>> plane.is_needed(first)
    False
    >>> plane.remove(first)
    >>> plane.is_needed(second), plane.parts
    (True, 1)
    """

    def __init__(self, cables: Iterable[Cable], other_links: Mapping[int, int]) -> None:
        self._neighbours: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self._links = Counter(other_links)
        self.parts, self.nodes_off = 1, 0
        self._first = set(self._links)  # devices that are not added later
        for cable in cables:
            self._first.update(device for device, _ in cable.ends)
            self._count(cable, 1)

    def is_needed(self, cable: Cable) -> bool:
        """Whether a plugged cable is the only connection of two parts of the switches, or of a node."""
        (a, _), (b, _) = cable.ends
        if not cable.between_switches:
            return self._links[b] == 1 and b in self._first
        if a == b or self._neighbours[a][b] > 1:
            return False
        self._count(cable, -1)
        divided = self._are_parts(a, b)
        self._count(cable, 1)
        return divided

    def remove(self, cable: Cable) -> None:
        """Unplug a cable."""
        if self.is_needed(cable):
            if cable.between_switches:
                self.parts += 1
            else:
                self.nodes_off += 1
        self._count(cable, -1)

    def add(self, cable: Cable) -> None:
        """Plug a cable."""
        (a, _), (b, _) = cable.ends
        if not cable.between_switches:
            self.nodes_off -= not self._links[b] and b in self._first
        elif self.parts > 1 and self._are_parts(a, b):
            self.parts -= 1
        self._count(cable, 1)

    def _count(self, cable: Cable, change: int) -> None:
        (a, _), (b, _) = cable.ends
        if not cable.between_switches:
            self._links[b] += change
            return
        for switch, other in ((a, b), (b, a)):
            neighbours = self._neighbours[switch]
            neighbours[other] += change
            # A counter keeps entries of 0, along which the search for a path would go.
            if not neighbours[other]:
                del neighbours[other]

    def _are_parts(self, a: int, b: int) -> bool:
        """Whether two switches are in different parts."""
        return not self._are_linked(a, b) and self._is_in_part(a) and self._is_in_part(b)

    def _is_in_part(self, switch: int) -> bool:
        """Whether one of the first switches is reached from a switch."""
        seen, left = {switch}, [switch]
        while left:
            reached = left.pop()
            if reached in self._first:
                return True
            left += self._neighbours[reached].keys() - seen
            seen.update(self._neighbours[reached])
        return False

    def _are_linked(self, a: int, b: int) -> bool:
        """Whether there is a path between two switches, by a breadth-first search from both, the smaller side first."""
        if a == b:
            return True
        seen, frontiers = [{a}, {b}], [[a], [b]]
        while frontiers[0] and frontiers[1]:
            side = int(len(frontiers[1]) < len(frontiers[0]))
            reached = {peer for switch in frontiers[side] for peer in self._neighbours[switch]} - seen[side]
            if not reached.isdisjoint(seen[1 - side]):
                return True
            seen[side] |= reached
            frontiers[side] = list(reached)
        return False
