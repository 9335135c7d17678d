"""The moves between two designs as rows, with the cables that are used again or bought."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from isoplane.models import PriceList
from isoplane.models.files.exact_text import dollars

from .cables import PlacedCables, part_name
from .move_walk import Action
from .moves import Moves
from .plugged_plane import Cable
from .schedule import Row

NEW = "new"


class Stock:
    """Cables that have been unplugged, by part."""

    def __init__(self) -> None:
        # Dicts serve as sets that keep the order of unplugging.
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
        # The lists by ends still have labels that were taken for other cables; the stock decides.
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


HEADER = (
    *("step", "plane", "action", "label"),
    *(f"{end}_{what}" for end in "ab" for what in ("rack", "unit", "device", "port")),
    *("part", "cable", "plane_parts", "nodes_off"),
)
NAMES = ("a_name", "b_name")  # further columns, if the built design has names
SUMMARY = ("plane", "kept", "unplugged", "plugged", "temporary", "plane_connected", "most_parts", "most_nodes_off")
PARTS = ("part", "bought", "price_usd", "left_over")
PLUG, UNPLUG = "plug", "unplug"


def move_rows(planes: Sequence[Moves], placed: PlacedCables, names: Mapping[str, str]) -> tuple[list[Row], Stock]:
    """Return a row for each cable that is plugged or unplugged, and the stock of cables at the end.

    Parameters
    ----------
    planes, placed
        The moves of each plane, and the new cables.
    names
        The names of the devices of an existing fabric, by device; empty if they have none.
    """
    found, stock = list[Row](), Stock()
    for plane, moves in enumerate(planes):
        for action in moves.actions:
            label = _label(placed, plane, action.cable)
            source = ""
            if action.plug:
                source = stock.take(action.cable)
            else:
                stock.put(action.cable, label)
            part = part_name(placed.prices, action.cable.part_mm)
            row = len(found) + 1, plane, _verb(action), label, *_ends(placed, action.cable)
            at_site = [names[placed.names[device]] for device, _ in action.cable.ends] if names else ()
            found.append((*row, part, source, action.parts, action.nodes_off, *at_site))
    return found, stock


def _verb(action: Action) -> str:
    return f"{PLUG if action.plug else UNPLUG}{' temporary' if action.temporary else ''}"


def _label(placed: PlacedCables, plane: int, cable: Cable) -> str:
    (a, port), (b, other_port) = cable.ends
    far = placed.names[b].removeprefix(f"P{plane}-")
    return f"{placed.names[a]}:{port}-{far}:{other_port}"


def _ends(placed: PlacedCables, cable: Cable) -> Iterator[str | int]:
    for device, port in cable.ends:
        yield from (placed.floor.names[placed.rack[device]], int(placed.unit[device]), placed.names[device], port)


def summary_rows(planes: Sequence[Moves]) -> Iterator[Row]:
    """Yield the number of moves of each plane, and whether it stays connected."""
    for plane, moves in enumerate(planes):
        lasting = [action for action in moves.actions if not action.temporary]
        plugged = sum(action.plug for action in lasting)
        temporary = (len(moves.actions) - len(lasting)) // 2
        parts = max((action.parts for action in moves.actions), default=1)
        nodes_off = max((action.nodes_off for action in moves.actions), default=0)
        yield plane, moves.kept, len(lasting) - plugged, plugged, temporary, moves.connected, parts, nodes_off


def part_rows(prices: PriceList, stock: Stock) -> Iterator[Row]:
    """Yield the parts of moved cables: how many are bought and left over when all moves are done."""
    left_over = stock.left_over
    for part in sorted({*left_over, *stock.bought}):
        price = stock.bought[part] * prices.cable_for_mm(part)[1]
        yield part_name(prices, part), stock.bought[part], dollars(price), left_over.get(part, 0)
