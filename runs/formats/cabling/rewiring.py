"""The difference between two designs of the same devices: which cables are moved, and in which order."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from isoplane.models import InputError, Network

from ..exporter import Exported
from .cables import PlacedCables, part_name, placed_cables
from .fabric import Cable
from .move_walk import Action, Wirings
from .moves import Moves, plan_moves
from .schedule import Row
from .text import dollars

HEADER = (
    "step",
    "plane",
    "action",
    "label",
    "a_rack",
    "a_unit",
    "a_device",
    "a_port",
    "b_rack",
    "b_unit",
    "b_device",
    "b_port",
    "part",
    "cable",
    "plane_parts",
    "nodes_off",
)
SUMMARY = ("plane", "kept", "unplugged", "plugged", "temporary", "plane_connected", "most_parts", "most_nodes_off")
PARTS = ("part", "bought", "price_usd", "left_over")
PLUG, UNPLUG, NEW = "plug", "unplug", "new"


@dataclass(frozen=True, eq=False)
class Rewiring:
    """The moves of each plane.

    Attributes
    ----------
    old, new
        The cables of both designs.
    kept
        The number of cables of each plane that stay.
    moves
        The moves of each plane.
    """

    old: PlacedCables
    new: PlacedCables
    kept: tuple[int, ...]
    moves: tuple[Moves, ...]


def rewiring_of(exported: Exported, new: PlacedCables, format_name: str) -> Rewiring | None:
    """Return the moves from the built design to the exported one, plane by plane; None if none is given.

    Raises
    ------
    InputError
        If the built design has other devices, or they are at other places.
    """
    if exported.options.rewired_from is None:
        return None
    built = Exported(exported.options.rewired_from, exported.content)
    if built.racks is None:
        raise InputError(f"rewired_from: {built.network.title} has no layout; expected a design with racks")
    old = placed_cables(built, format_name)
    _check_devices(old, new, built.network, exported.network)
    kept, moves = [], []
    spare = _spare_ports(old, new)
    for plane in range(len(built.network.unrouted_planes)):
        before, after = (frozenset(_cables(placed, plane)) for placed in (old, new))
        moves.append(plan_moves(Wirings(before, after, _other_links(new, plane), spare)))
        kept.append(len(before & after))
    return Rewiring(old, new, tuple(kept), tuple(moves))


def _check_devices(old: PlacedCables, new: PlacedCables, built: Network, network: Network) -> None:
    expected = "expected a design of the same switches and nodes"
    if old.places.names != new.places.names:
        raise InputError(f"rewired_from: {built.title} has other devices than {network.title}; {expected}")
    here, there = (
        np.stack([places.row[places.rack], places.place[places.rack], places.unit])
        for places in (new.places, old.places)
    )
    moved = np.flatnonzero((here != there).any(axis=0))
    if len(moved):
        racks = (placed.places.rack_names[placed.places.rack[moved[0]]] for placed in (old, new))
        raise InputError(
            f"rewired_from: {new.places.names[moved[0]]} would move from rack {next(racks)} to {next(racks)}; "
            f"{expected} in the same places, such as with layout.assignment=in_order"
        )
    links = ([np.diff(plane.starts).tolist() for plane in each.unrouted_planes] for each in (built, network))
    if next(links) != next(links):
        raise InputError(f"rewired_from: nodes of {built.title} have another number of links in a plane; {expected}")


def _cables(placed: PlacedCables, plane: int) -> Iterator[Cable]:
    at = np.flatnonzero(placed.cables.plane == plane)
    columns = (placed.ends[at], placed.ports[at], ~placed.cables.to_node[at], placed.part_mm[at])
    for ends, ports, between, part in zip(*(column.tolist() for column in columns), strict=True):
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
    switches = range(old.places.nodes_from)
    sizes = {number: old.prices.switch_for(number)[0] for number in {count[switch] for switch in switches} if number}
    spare = {
        switch: [port for port in range(sizes[count[switch]], 0, -1) if port not in used[switch]]
        for switch in switches
        if count[switch]
    }
    return {switch: ports for switch, ports in spare.items() if ports}


class Stock:
    """Cables that have been unplugged, by part."""

    def __init__(self) -> None:
        self._by_part: defaultdict[int, dict[str, None]] = defaultdict(dict)
        self._between: defaultdict[tuple[int, tuple[int, ...]], list[str]] = defaultdict(list)
        self.bought: Counter[int] = Counter()

    def put(self, cable: Cable, label: str) -> None:
        """Add a cable."""
        self._by_part[cable.part_mm][label] = None
        self._between[_kind(cable)].append(label)

    def take(self, cable: Cable) -> str:
        """Return the label of a cable of the same part, if possible one between the same devices, or buy a new one."""
        stock = self._by_part[cable.part_mm]
        label = next((each for each in self._between[_kind(cable)] if each in stock), None) or next(iter(stock), None)
        if label is None:
            self.bought[cable.part_mm] += 1
            return NEW
        del stock[label]
        return label

    @property
    def left_over(self) -> dict[int, int]:
        """The number of cables left, by part."""
        return {part: len(labels) for part, labels in self._by_part.items() if labels}


def _kind(cable: Cable) -> tuple[int, tuple[int, ...]]:
    return cable.part_mm, tuple(sorted(device for device, _ in cable.ends))


def move_rows(rewiring: Rewiring, stock: Stock) -> Iterator[Row]:
    """Yield a row for each cable that is plugged or unplugged, and take the cables from a stock."""
    step = 0
    for plane, moves in enumerate(rewiring.moves):
        for action in moves.actions:
            step += 1
            label = _label(rewiring.new, plane, action.cable)
            source = ""
            if action.plug:
                source = stock.take(action.cable)
            else:
                stock.put(action.cable, label)
            yield (
                step,
                plane,
                _verb(action),
                label,
                *_ends(rewiring.new, action.cable),
                part_name(rewiring.new.prices, action.cable.part_mm),
                source,
                action.parts,
                action.nodes_off,
            )


def _verb(action: Action) -> str:
    return f"{PLUG if action.plug else UNPLUG}{' temporary' if action.temporary else ''}"


def _label(placed: PlacedCables, plane: int, cable: Cable) -> str:
    places = placed.places
    (a, port), (b, other_port) = cable.ends
    far = places.names[b].removeprefix(f"P{plane}-")
    return f"{places.names[a]}:{port}-{far}:{other_port}"


def _ends(placed: PlacedCables, cable: Cable) -> Iterator[str | int]:
    places = placed.places
    for device, port in cable.ends:
        yield from (places.rack_names[places.rack[device]], int(places.unit[device]), places.names[device], port)


def summary_rows(rewiring: Rewiring) -> Iterator[Row]:
    """Yield the number of moves of each plane, and whether it stays connected."""
    for plane, (kept, moves) in enumerate(zip(rewiring.kept, rewiring.moves, strict=True)):
        lasting = [action for action in moves.actions if not action.temporary]
        plugged = sum(action.plug for action in lasting)
        temporary = (len(moves.actions) - len(lasting)) // 2
        parts = max((action.parts for action in moves.actions), default=1)
        nodes_off = max((action.nodes_off for action in moves.actions), default=0)
        yield plane, kept, len(lasting) - plugged, plugged, temporary, moves.connected, parts, nodes_off


def part_rows(rewiring: Rewiring, stock: Stock) -> Iterator[Row]:
    """Yield the parts of moved cables: how many are bought and left over when all moves are done."""
    left_over, prices = stock.left_over, rewiring.new.prices
    for part in sorted({*left_over, *stock.bought}):
        price = stock.bought[part] * prices.cable_for_mm(part)[1]
        yield part_name(prices, part), stock.bought[part], dollars(price), left_over.get(part, 0)
