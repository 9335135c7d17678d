"""From the devices in files to the planes of a fabric: parts without a cable between them are planes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from isoplane.models import InputError
from isoplane.models.device_names import node_name
from isoplane.models.errors import first_of
from isoplane.models.files.exact_text import counted, shortened
from isoplane.models.mathematics.components import components

from .importer import CableEntry, Listing, NodeEnd, Source


@dataclass(frozen=True)
class ListedPlane:
    """The switches of a plane, with their links and those of its nodes.

    Parameters
    ----------
    source, kind
        The file, and the name of its format.
    switches
        Names of switches, by id.
    cables, attached
        Links between switches; links of nodes, with the switch first.
    guids, aliases, shared, switch_ports
        As in `Listing`.
    """

    source: Source
    kind: str
    switches: tuple[str, ...]
    cables: tuple[CableEntry, ...]
    attached: tuple[CableEntry, ...]
    guids: Mapping[int, NodeEnd]
    aliases: Mapping[str, tuple[str, str]]
    shared: Collection[str]
    switch_ports: int

    def name_of(self, guid: int, name: str) -> str:
        """Return the name of a device by its GUID, or else by a name or description; that if nothing is known."""
        return self.guids.get(guid, self.aliases.get(name, (name,)))[0]


def parts_of(source: Source, kind: str, listing: Listing, nodes_per_switch: int) -> list[ListedPlane]:
    """Return the planes in a file, without cables between two ports of one device.

    Parameters
    ----------
    source, kind, listing
        The file, the name of its format, and its devices and links.
    nodes_per_switch
        Nodes at every switch, if the file has no nodes.

    Raises
    ------
    InputError
        If a link is not one of a switch, or there are no switches.
    """
    is_node = set(listing.nodes)
    cables, attached = [], []
    for link in (link for link in listing.links if not link.is_loop):
        ends = [end in is_node for end in link.ends]
        if all(ends):
            shown = f"{link.ends[0]} and {link.ends[1]}"
            expected = "a switch and another switch or a node"
            if listing.switch_ports:  # a listing of ports, which a check compares with a design
                expected += "; check-cables names miswired cables"
            raise source.wrong(link.line, f"a cable between {shown}", expected)
        if any(ends):
            attached.append(_reversed(link) if ends[0] else link)
        else:
            cables.append(link)
    attached += _unnamed_nodes(listing, nodes_per_switch)
    part_of = _part_numbers(listing.switches, cables)
    parts = [
        ListedPlane(
            source,
            kind,
            tuple(name for name in listing.switches if part_of[name] == number),
            tuple(link for link in cables if part_of[link.ends[0]] == number),
            tuple(link for link in attached if part_of[link.ends[0]] == number),
            listing.guids,
            listing.aliases,
            listing.shared,
            listing.switch_ports,
        )
        for number in range(max(part_of.values(), default=-1) + 1)
    ]
    if not parts:
        raise InputError(f"file={source.path}: no switches; expected at least one")
    return parts


def without_loops(listing: Listing) -> Listing:
    """Return a listing without cables between two ports of one device, and without devices that have no others.

    Packets never need them, and no plane has them; a note names their lines.
    """
    loops = [link for link in listing.links if link.is_loop]
    if not loops:
        return listing
    links = tuple(link for link in listing.links if not link.is_loop)
    alone = {end for link in loops for end in link.ends}.difference(end for link in links for end in link.ends)
    kinds = listing.switches, listing.nodes
    switches, nodes = (tuple(name for name in of_kind if name not in alone) for of_kind in kinds)
    shown = shortened([f"{link.ends[0]} (line {link.line})" for link in loops])
    loops_of = f"{counted(len(loops), 'cable')} between two ports of one device"
    note = f"{loops_of} left out: {shown}; these ports count as free"
    return replace(listing, switches=switches, nodes=nodes, links=links, notes=(*listing.notes, note))


def _reversed(link: CableEntry) -> CableEntry:
    return replace(link, ends=link.ends[::-1], ports=link.ports[::-1])


def _identities(part: ListedPlane) -> set[tuple[int, str]]:
    """Return the GUIDs and names of the switches of a part; planes of a simulator may number their devices alike."""
    own = set(part.switches)
    return {(guid, name) for guid, (name, _, _) in part.guids.items() if name in own}


def _unnamed_nodes(listing: Listing, nodes_per_switch: int) -> Iterator[CableEntry]:
    """Yield links of nodes without names, which are numbered in the order of switches."""
    if listing.nodes:
        return
    number = 0
    for switch in listing.switches:
        for _ in range(listing.nodes_at.get(switch, 0) if listing.nodes_at else nodes_per_switch):
            yield CableEntry((switch, node_name(number)), 0)
            number += 1


def _part_numbers(switches: Sequence[str], cables: Sequence[CableEntry]) -> dict[str, int]:
    """Return the number of the part of each switch; parts are in the order of their first switches."""
    ids = {name: number for number, name in enumerate(switches)}
    ends = np.array([(ids[a], ids[b]) for a, b in (link.ends for link in cables)], dtype=np.int64).reshape(-1, 2)
    _, numbers = np.unique(components(len(switches), *ends.T), return_inverse=True)
    return dict(zip(switches, numbers.tolist(), strict=True))


def require_planes(parts: Sequence[ListedPlane]) -> None:
    """Require that each part shares a node with those before it, and has other switches: all are planes of one fabric.

    Raises
    ------
    InputError
        If a part does not; the message names the smallest such part.
    """
    known = {link.ends[1] for link in parts[0].attached}
    apart = []
    for part in parts[1:]:
        nodes = {link.ends[1] for link in part.attached}
        if nodes & known:
            known |= nodes
        else:
            apart.append(part)
    if apart:
        smallest = min([parts[0], *apart], key=lambda part: len(part.switches))
        other = parts[0] if smallest is not parts[0] else apart[0]
        raise InputError(
            f"file={smallest.source.path}: {len(apart) + 1} components, of which the smallest is "
            f"{first_of(smallest.switches, 'switch')}; expected connected switches, as with a cable from "
            f"{smallest.switches[0]} to {other.switches[0]}, or planes over the same nodes"
        )
    identities = [_identities(part) for part in parts]
    for (part, own), (other, others) in combinations(zip(parts, identities, strict=True), 2):
        if own and others and (own <= others or others <= own):
            raise InputError(
                f"file={other.source.path}: lists switch {other.switches[0]} and all others of {part.source.path}; "
                "expected each plane in one file"
            )
