"""The difference between a built design and another one of its devices: which cables are moved, in which order."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from isoplane.models import Design, InputError, Network
from isoplane.models.arrays import rows_of

from ..built_design import device_names, racks_of
from ..exporter import Exported
from .cables import PlacedCables, placed_cables
from .move_walk import Action
from .moves import Outcome, plan_moves
from .plugged_plane import Cable

# How the wiring of a plane becomes another one: the number of cables that stay, all actions, and when it is connected.
Moves = tuple[int, Sequence[Action], Outcome]


def moves_from(built: Design, exported: Exported, new: PlacedCables, format_name: str) -> list[Moves]:
    """Return the moves from a built design to the exported one, plane by plane.

    A cable whose ends stay is kept, also if the designs have different lengths for it, such as the assumed one of an
    imported fabric: its devices stay where they are, so it reaches.
    """
    nodes = min(exported.bought_nodes, built.network.nodes)
    # Devices as they are numbered in the exported design, which may have more of them.
    old = replace(placed_cables(Exported(built, exported.content, {"nodes": nodes}), format_name), first=new.first)
    spare = _spare_ports(old, new)
    moves = []
    for plane in range(len(built.network.cabling)):
        built_cables = {cable.ends: cable for cable in _cables(old, plane)}
        wired = frozenset(built_cables.values())
        planned = frozenset(built_cables.get(cable.ends, cable) for cable in _cables(new, plane))
        moves.append((len(wired & planned), *plan_moves(wired, planned, _other_links(old, plane), spare)))
    return moves


def require_racks(built: Network, given: object) -> None:
    """Require that the layout of a built design, which is that of its record, has racks for it."""
    try:
        floor = racks_of(built)
    except InputError as error:
        source = f"={given}" if isinstance(given, str) else ""
        raise InputError(
            f"rewired_from{source}: the layout of this record: {error}; save the record again with such a layout"
        ) from None
    if floor is None:
        raise InputError(f"rewired_from: {built.title} has no layout; expected a design with racks")


def other_racks(built: Network, network: Network) -> str | None:
    """Return which device of a design would be in another rack than in the built one, in words; None if none would.

    A design whose own layout does not fit it has no racks that could differ.
    """
    try:
        placed = [(each, floor) for each in (built, network) if (floor := racks_of(each)) is not None]
    except InputError:
        return None
    racks = [
        dict(
            zip(
                device_names(each),
                [floor.names[rack] for rack in np.concatenate([*floor.of_switches, floor.of_nodes]).tolist()],
                strict=False,  # the nodes of direct networks are their switches
            )
        )
        for each, floor in placed
    ]
    if len(racks) < 2:
        return None
    here, there = racks
    device = next((name for name, rack in here.items() if there.get(name, rack) != rack), None)
    if device is None:
        return None
    rack, other = here[device], there[device]
    return f"racks: devices stay in those of the built design, {device} in {rack}; the design alone has it in {other}"


def _cables(placed: PlacedCables, plane: int) -> Iterator[Cable]:
    at = np.flatnonzero(placed.cables.plane == plane)
    rows = rows_of(placed.ends[at], placed.ports[at], ~placed.cables.to_node[at], placed.part_mm[at])
    for ends, ports, between, part in rows:
        yield Cable(((ends[0], ports[0]), (ends[1], ports[1])), between, part)


def _other_links(placed: PlacedCables, plane: int) -> Counter[int]:
    others = placed.cables.to_node & (placed.cables.plane != plane)
    return Counter(placed.ends[others, 1].tolist())


def _spare_ports(old: PlacedCables, new: PlacedCables) -> dict[int, list[int]]:
    """Return the ports of each switch, as bought for the old design, that neither design uses; switches with some."""
    used: defaultdict[int, set[int]] = defaultdict(set)
    count: Counter[int] = Counter()
    for placed in (old, new):
        for ends, ports in ((placed.ends[:, side].tolist(), placed.ports[:, side].tolist()) for side in (0, 1)):
            for device, port in zip(ends, ports, strict=True):
                used[device].add(port)
            if placed is old:
                count.update(ends)
    switches = range(old.nodes_from)
    sizes = {number: old.prices.switch_for(number)[0] for number in {count[switch] for switch in switches} if number}
    spare = {
        switch: [port for port in range(sizes[count[switch]], 0, -1) if port not in used[switch]]
        for switch in switches
        if count[switch]
    }
    return {switch: ports for switch, ports in spare.items() if ports}
