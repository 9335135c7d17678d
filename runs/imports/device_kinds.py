"""Which devices are nodes, in files that do not say it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from isoplane.models import InputError
from isoplane.models.device_names import SWITCH
from isoplane.models.files.exact_text import counted

from .importer import Listing, Source

MISNAMED = re.compile(r"(?:node|host|server|compute|hca)[-_]?[0-9]+", re.IGNORECASE)
NUMBER = re.compile(r"[0-9]+")
KEY = "node_names"


def with_kinds(source: Source, listing: Listing, node_names: Sequence[str], *, only_switches: bool) -> Listing:
    """Return a listing with its nodes, if the file does not say of what kind devices are.

    Nodes are the devices with given names; without these, those named ``N0``, ``N1``, ...; without these, the devices
    with one neighbour, which has others, unless names are numbers or ``P0-S0``, as those of switches in exports.

    Parameters
    ----------
    source, listing
        The file, and its devices.
    node_names
        Patterns of the names of nodes, such as ``host*``; none for the other rules.
    only_switches
        Whether the devices with one neighbour are switches, to which nodes are added.

    Raises
    ------
    InputError
        If a pattern matches no device, or all devices are nodes.
    """
    if listing.has_kinds:
        return listing
    names = [*listing.switches, *listing.nodes]
    if node_names:
        return _divided(listing, _matching(source, names, node_names), [])
    ends = set() if listing.nodes or only_switches else _ends(listing)
    if not ends:
        return replace(listing, notes=(*listing.notes, *_misnamed(listing.switches)))
    example = next(name for name in names if name in ends)
    note = (
        f"{counted(len(ends), 'device')} with one neighbour, such as {example}, taken as nodes; {KEY}= names others, "
        "nodes_per_switch= makes all switches"
    )
    return _divided(listing, ends, [note])


def _matching(source: Source, names: Sequence[str], patterns: Sequence[str]) -> set[str]:
    """Return the names that patterns match: each matches one, and together they leave one for a switch."""
    found = set[str]()
    for pattern in patterns:
        matching = {name for name in names if fnmatchcase(name, pattern)}
        if not matching:
            raise InputError(f"{KEY}={pattern}: matches no device of {source.path}, such as {names[0]}")
        found |= matching
    if len(found) == len(set(names)):
        raise InputError(f"{KEY}={','.join(patterns)}: all devices of {source.path} are nodes; expected switches, too")
    return found


def _divided(listing: Listing, nodes: set[str], notes: Sequence[str]) -> Listing:
    """Return a listing with these nodes."""
    names = (*listing.switches, *listing.nodes)
    switches = tuple(name for name in names if name not in nodes)
    notes = (*listing.notes, *notes, *_misnamed(switches))
    return replace(listing, switches=switches, nodes=tuple(name for name in names if name in nodes), notes=notes)


def _ends(listing: Listing) -> set[str]:
    """Return the devices with one neighbour, which has others; none if names are those of switches in exports."""
    if all(NUMBER.fullmatch(name) or SWITCH.fullmatch(name) for name in listing.switches):
        return set()
    neighbours: defaultdict[str, set[str]] = defaultdict(set)
    for a, b in (link.ends for link in listing.links if not link.is_loop):
        neighbours[a].add(b)
        neighbours[b].add(a)
    return {name for name, (near, *others) in neighbours.items() if not others and len(neighbours[near]) > 1}


def _misnamed(switches: Sequence[str]) -> Iterator[str]:
    """Yield a warning if switches have names of nodes."""
    misnamed = [name for name in switches if MISNAMED.fullmatch(name)]
    if misnamed:
        yield (
            f"warning: {counted(len(misnamed), 'device')} such as {misnamed[0]} taken as switches; "
            f"nodes are named N0, N1, ..., or by {KEY}="
        )
