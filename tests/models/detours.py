"""References for detours: paths followed one by one."""

from .graphs import walk


def first_half(topology, detours, source, region):
    """Return the links (switch, port) of a route to a region, and the switch where it enters it."""
    links, switch = [], source
    while detours.region[switch] != region:
        links.append((switch, int(detours.next_port[switch, region])))
        switch = int(topology.peer[links[-1]])
        assert switch >= 0
        assert len(links) <= topology.switches
    return links, switch


def detours_between(plane, detours, source, target):
    """Return the links of every detour between two switches; of the minimal route, if they are in one region."""
    topology, ends = plane.topology, {int(detours.region[switch]) for switch in (source, target)}
    if len(ends) == 1:
        return [minimal(plane, source, target)]
    found = []
    for region in set(range(detours.regions)) - ends:
        links, entry = first_half(topology, detours, source, region)
        found.append(links + minimal(plane, entry, target))
    return found


def minimal(plane, source, target):
    """Return the links (switch, port) of the minimal route."""
    return [(switch, port) for switch, port, _ in walk(plane.topology, plane.routes, source, target)]


def all_paths(plane, detours):
    """Yield the links of every minimal route and every detour."""
    for source in range(plane.topology.switches):
        for target in range(plane.topology.switches):
            yield minimal(plane, source, target)
            yield from detours_between(plane, detours, source, target)
