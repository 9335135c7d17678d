"""The moves between two designs as rows, with the cables that are used again or bought."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from isoplane.models import PriceList
from isoplane.models.files.exact_text import dollars

from .added_devices import AddedDevice
from .cables import PlacedCables, part_name
from .move_walk import Action
from .plugged_plane import Cable
from .rewiring import Moves
from .schedule import Row

NEW = "new"


HEADER = (
    *("step", "plane", "action", "label"),
    *(f"{end}_{what}" for end in "ab" for what in ("rack", "position", "device", "port")),
    *("part", "cable", "plane_parts", "nodes_off"),
)
NAMES = ("a_name", "b_name")  # further columns, if devices have names at the site
SUMMARY = (
    *("plane", "kept", "unplugged", "plugged", "temporary", "plane_connected", "most_parts", "most_nodes_off"),
    "other_ports",
)
PARTS = ("part", "bought", "price_usd", "left_over")
PLUG, UNPLUG, MOUNT = "plug", "unplug", "mount"


def move_rows(
    planes: Sequence[Moves], placed: PlacedCables, added: Sequence[AddedDevice] = ()
) -> tuple[list[Row], Counter[int], Counter[int]]:
    """Return a row for each step, and by part, the cables bought, and left over at the end.

    Steps mount the devices that are added, before the other ones of their plane, and plug or unplug cables.

    Parameters
    ----------
    planes, placed, added
        The moves of each plane, the new cables, and the devices that are added.
    """
    found, wanted, bought = list[Row](), list[tuple[int, int]](), Counter[int]()
    # Cables that have been unplugged, with their steps: dicts also serve as sets that keep the order of unplugging.
    by_part: defaultdict[int, dict[str, int]] = defaultdict(dict)
    by_ends: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
    for plane, action in _steps(planes, added):
        step = len(found) + 1
        if not isinstance(action, Action):
            found.append((step, *_mount_row(placed, action)))
            continue
        cable, source = action.cable, ""
        label, part = _label(placed, plane, cable), cable.part_mm
        stock, between = by_part[part], by_ends[part, *sorted(device for device, _ in cable.ends)]
        if action.plug:
            # Lists by ends still have labels that were taken for other cables; the stock decides.
            source = next((each for each in between if each in stock), next(iter(stock), NEW))
            bought[part] += source == NEW
            # The rows that follow have the part of a temporary cable, which is unplugged again, so it is as short.
            wanted += [(step, part)] if source == NEW and not action.temporary else []
            stock.pop(source, None)
        else:
            stock[label] = step
            between.append(label)
        row = step, plane, _verb(action), label, *_ends(placed, cable), part_name(placed.prices, part), source
        at_site = [placed.at_site[device] for device, _ in cable.ends] if placed.at_site else ()
        found.append((*row, action.parts, action.nodes_off, *at_site))
    for step, part, label in _longer(wanted, by_part):
        bought[part] -= 1
        at = HEADER.index("cable")
        found[step - 1] = *found[step - 1][:at], label, *found[step - 1][at + 1 :]
    return found, +bought, +Counter({part: len(labels) for part, labels in by_part.items()})


def _steps(planes: Sequence[Moves], added: Sequence[AddedDevice]) -> Iterator[tuple[int, Action | AddedDevice]]:
    for plane, (_, actions, _) in enumerate(planes):
        yield from ((plane, each) for each in added if each[0] == plane)
        yield from ((plane, action) for action in actions)


def _mount_row(placed: PlacedCables, added: AddedDevice) -> Row:
    """Return the row of a device that is mounted, without its step: it has no other end, and disturbs nothing."""
    plane, device, part = added
    name = placed.names[device]
    place = placed.floor.names[placed.rack[device]], int(placed.position[device]), name, ""
    at_site = (placed.at_site[device], "") if placed.at_site else ()
    return plane, MOUNT, name, *place, "", "", "", "", part.description, NEW, 1, 0, *at_site


def _longer(wanted: Sequence[tuple[int, int]], left: Mapping[int, dict[str, int]]) -> Iterator[tuple[int, int, str]]:
    """Yield steps and parts that take a longer cable, which is left over otherwise, with its label; take these out.

    Parameters
    ----------
    wanted
        The steps and parts of cables that are bought otherwise.
    left
        By part, the labels of cables that are left over, with the steps that unplug them, in order.
    """
    for step, part in wanted:
        for longer in sorted(other for other in left if other > part and left[other]):
            label, unplugged = next(iter(left[longer].items()))
            if unplugged < step:
                del left[longer][label]
                yield step, part, label
                break


def _verb(action: Action) -> str:
    return f"{PLUG if action.plug else UNPLUG}{' temporary' if action.temporary else ''}"


def _label(placed: PlacedCables, plane: int, cable: Cable) -> str:
    (a, port), (b, other_port) = cable.ends
    far = placed.names[b].removeprefix(f"P{plane}-")
    return f"{placed.names[a]}:{port}-{far}:{other_port}"


def _ends(placed: PlacedCables, cable: Cable) -> Iterator[str | int]:
    for device, port in cable.ends:
        yield from (placed.floor.names[placed.rack[device]], int(placed.position[device]), placed.names[device], port)


def summary_rows(planes: Sequence[Moves]) -> Iterator[Row]:
    """Yield the number of moves of each plane, whether it stays connected, and the moves between the same devices."""
    for plane, (kept, actions, connected) in enumerate(planes):
        lasting = [action for action in actions if not action.temporary]
        plugged = sum(action.plug for action in lasting)
        temporary = (len(actions) - len(lasting)) // 2
        parts = max((action.parts for action in actions), default=1)
        nodes_off = max((action.nodes_off for action in actions), default=0)
        counts = kept, len(lasting) - plugged, plugged, temporary
        yield plane, *counts, connected, parts, nodes_off, moved_between_ports(actions)


def moved_between_ports(actions: Iterable[Action]) -> int:
    """Return how many cables are only moved to other ports: one of the same devices is plugged for one unplugged."""
    plugged, unplugged = Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()
    for action in (each for each in actions if not each.temporary):
        (plugged if action.plug else unplugged)[tuple(device for device, _ in action.cable.ends)] += 1
    return (plugged & unplugged).total()


def part_rows(
    prices: PriceList, bought: Counter[int], left_over: Counter[int], added: Sequence[AddedDevice] = ()
) -> Iterator[Row]:
    """Yield the parts of devices that are added, and of moved cables: how many are bought, and left over at the end."""
    devices = Counter(part for *_, part in added)
    for device, count in sorted(
        devices.items(), key=lambda each: (each[0].part_class, each[0].unit_cents), reverse=True
    ):
        yield device.description, count, dollars(count * device.unit_cents), 0
    for part in sorted({*left_over, *bought}):
        price = bought[part] * prices.cable_for_mm(part)[1]
        yield part_name(prices, part), bought[part], dollars(price), left_over[part]
