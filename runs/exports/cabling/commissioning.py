"""The steps of building a network rack by rack, each with a check."""

from collections.abc import Iterator

import numpy as np

from isoplane.models.arrays import Bools, Ints
from isoplane.models.files.exact_text import counted
from isoplane.models.mathematics.occurrences import members

from .cables import PlacedCables

HEADER = ("step", "rack", "work", "devices", "cables", "links_up", "check")


def commissioning_rows(placed: PlacedCables) -> Iterator[tuple[str | int, ...]]:
    """Yield three steps for each rack, in the order of racks: devices, cables inside, cables to racks built before.

    The last two are left out where there are no such cables. ``links_up`` is the number of cables with a link at the
    end of the step; the check also gives the connected parts of the switches of each plane so far.
    """
    planes, racks = len(placed.first) - 1, len(placed.floor.names)
    is_inside = placed.end_racks[:, 0] == placed.end_racks[:, 1]
    later = placed.end_racks.max(axis=1)  # the rack with which a cable is connected
    switches = members(placed.rack[: placed.nodes_from], racks)
    nodes = members(placed.rack[placed.nodes_from :], racks)
    work_step = 2 * later + ~is_inside
    cables, joins = members(work_step, 2 * racks), _joins(placed, work_step)
    plane = placed.plane_of(np.arange(placed.nodes_from))
    count, step, up = np.zeros(planes, dtype=np.int64), 0, 0
    for rack, name in enumerate(placed.floor.names):
        mounted = len(switches[rack]), len(nodes[rack])
        count += np.bincount(plane[switches[rack]], minlength=planes)
        work = " and ".join(
            counted(number, noun) for number, noun in zip(mounted, ("switch", "node"), strict=True) if number
        )
        step += 1
        yield step, name, f"mount {work}", sum(mounted), 0, up, f"power at {counted(sum(mounted), 'device')}"
        for title, at in (("inside the rack", cables[2 * rack]), ("to racks built before", cables[2 * rack + 1])):
            if not len(at):
                continue
            # A cable inside a part changes nothing; one that joins two leaves one part less.
            count -= np.bincount(placed.cables.plane[at[joins[at]]], minlength=planes)
            step, up = step + 1, up + len(at)
            checks = [f"{counted(up, 'link')} up in all"]
            checks += [f"switches of plane {each} in {counted(int(count[each]), 'part')}" for each in range(planes)]
            yield step, name, f"connect cables {title}", 0, len(at), up, "; ".join(checks)


def _joins(placed: PlacedCables, step: Ints) -> Bools:
    """Return whether a cable joins two parts of the switches when it is connected, given the order of steps.

    These are the cables of a spanning forest of the earliest steps (Kruskal).
    """
    import igraph  # slow to import: only for this file

    between = np.flatnonzero(~placed.cables.to_node)
    graph = igraph.Graph(placed.nodes_from, placed.ends[between].tolist())
    joins = np.zeros(len(step), dtype=np.bool_)
    joins[between[graph.spanning_tree(step[between].tolist(), return_tree=False)]] = True
    return joins
