"""The steps of building a network rack by rack, each with a check."""

from collections.abc import Iterator

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.files.exact_text import counted

from .cables import PlacedCables

HEADER = ("step", "rack", "work", "devices", "cables", "links_up", "check")


def commissioning_rows(placed: PlacedCables) -> Iterator[tuple[str | int, ...]]:
    """Yield three steps for each rack, in the order of racks: devices, cables inside, cables to racks built before.

    The last two are left out where there are no such cables. ``links_up`` is the number of cables with a link at the
    end of the step; the check also gives the connected parts of the switches of each plane so far.
    """
    places, ends = placed.places, placed.ends
    planes = len(places.first) - 1
    later = placed.racks.max(axis=1)  # the rack with which a cable is connected
    is_inside = placed.racks[:, 0] == placed.racks[:, 1]
    racks = len(places.floor.names)
    switches = _by_rack(places.rack[: places.nodes_from], racks)
    nodes = _by_rack(places.rack[places.nodes_from :], racks)
    inside, outside = (_by_rack(later, racks, chosen) for chosen in (is_inside, ~is_inside))
    parts = Parts(len(places.rack))
    plane = places.plane_of(np.arange(len(places.rack)))
    count, step, up = np.zeros(planes + 1, dtype=np.int64), 0, 0
    for rack, name in enumerate(places.floor.names):
        mounted = len(switches[rack]), len(nodes[rack])
        count[:planes] += np.bincount(plane[switches[rack]], minlength=planes)[:planes]
        work = " and ".join(
            counted(number, noun) for number, noun in zip(mounted, ("switch", "node"), strict=True) if number
        )
        step += 1
        yield step, name, f"mount {work}", sum(mounted), 0, up, f"power at {counted(sum(mounted), 'device')}"
        for title, at in (("inside the rack", inside[rack]), ("to racks built before", outside[rack])):
            if not len(at):
                continue
            between = at[~placed.cables.to_node[at]]
            for (a, b), number in zip(ends[between].tolist(), placed.cables.plane[between].tolist(), strict=True):
                # A cable inside a part changes nothing; one that joins two leaves one part less.
                count[number] -= parts.join(a, b)
            step, up = step + 1, up + len(at)
            checks = [f"{counted(up, 'link')} up in all"]
            checks += [f"switches of plane {each} in {counted(int(count[each]), 'part')}" for each in range(planes)]
            yield step, name, f"connect cables {title}", 0, len(at), up, "; ".join(checks)


def _by_rack(rack: Ints, racks: int, chosen: "np.ndarray[tuple[int], np.dtype[np.bool_]] | None" = None) -> list[Ints]:
    """Return the indices of each rack, some or all."""
    at = np.arange(len(rack)) if chosen is None else np.flatnonzero(chosen)
    at = at[np.argsort(rack[at], kind="stable")]
    return np.split(at, np.searchsorted(rack[at], np.arange(1, racks)))


class Parts:
    """Connected parts of vertices, joined edge by edge (union-find with path halving).

    Examples
    --------
    >>> parts = Parts(3)
    >>> parts.join(0, 2), parts.join(2, 0)
    (True, False)
    """

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def join(self, a: int, b: int) -> bool:
        """Join the parts of two vertices; return whether they were different."""
        a, b = self._root(a), self._root(b)
        self._parent[a] = b
        return a != b

    def _root(self, vertex: int) -> int:
        parent = self._parent
        while parent[vertex] != vertex:
            parent[vertex] = parent[parent[vertex]]
            vertex = parent[vertex]
        return vertex
