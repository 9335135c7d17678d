"""The picture of a large plane: racks on the floor, or blocks of switches without racks, and bundles of cables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.arrays import Floats, Ints, rows_of
from isoplane.models.cabling.floor_plan import Floor, rack_name
from isoplane.models.files.exact_text import counted
from isoplane.models.planes.plane import Cabling

from .bundles import blocks_of, bundles_of, largest_of
from .link_heat import LEGEND, Heat, colours_of, heat_ends, legend
from .network_picture import HEAD, HEADING, MARGIN, cable_count, heat_columns, namer, strokes
from .positions import nearest_distance, positions_of
from .svg import HALF, Picture, drawing, element, fixed, group, scaled, title, words

MAX_BUNDLES = 1500  # of all planes: with more, racks are drawn in tiles
MAX_BLOCKS = 48  # of switches, without racks
RACK_DEPTH = 0.6  # as a share of the pitch: the rest is the aisle
RACK_GAP = 0.06  # of a rack, to its neighbours
HIGHEST = 0.8  # of a picture, as a share of its width
BEND = 0.18  # of the curve between two racks, as a share of their distance
WIDEST = (1.2, 4.0)  # of a bundle in points: if there are many, and if there are few
LETTER = 4.0  # width of a letter of a name in points, about
NAMES = "font: 6px var(--font); fill: var(--ink); text-anchor: middle; pointer-events: none"
Number = TypeVar("Number", np.int64, np.float64)


def has_floor(network: Network) -> bool:
    """Whether cables run between racks of the network."""
    return network.family.assumed_cable_m is None and network.floor is not None


def tiles_of(network: Network, most: int = MAX_BUNDLES) -> tuple[Ints, tuple[int, int]]:
    """Return the tile of each rack of a floor, and its size in rows and places: the smallest with few enough bundles.

    Parameters
    ----------
    network
        A network with a floor.
    most
        Number of bundles between tiles in all planes, unless all racks are one tile.
    """
    floor = network.floor
    assert floor is not None
    racks = [bundles_of(plane, of)[0] for plane, of in zip(network.cabling, floor.of_switches, strict=True)]
    row, place, size = floor.row - 1, floor.place - 1, [1, 1]
    while True:
        sides = [1 + int(at.max()) // step for at, step in zip((row, place), size, strict=True)]
        keys = row // size[0] * sides[1] + place // size[1]
        _, tile = np.unique(keys, return_inverse=True)
        if sum(_pairs_between(tile[pairs]) for pairs in racks) <= most:
            return tile, (size[0], size[1])
        size[int(np.argmax(sides))] *= 2


def _pairs_between(ends: Ints) -> int:
    """Return the number of different pairs of different ends."""
    between = np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1)
    return len(np.unique(between[:, 0] * (1 + int(ends.max(initial=0))) + between[:, 1]))


def floor_pictures(network: Network, heat: Heat | None = None, width: float = HALF) -> list[Picture]:
    """Return a picture of the floor for each plane: curves join racks, or tiles of racks, with cables between them."""
    floor, layout = network.floor, network.site.layout
    assert floor is not None
    assert layout is not None
    tile, size = tiles_of(network)
    pitch = np.array([float(layout.pitch_across_m), float(layout.pitch_deep_m)])
    rack = pitch * (1, RACK_DEPTH)
    low, high = (_by_tile(extreme, floor.positions_mm / 1000, tile) for extreme in (np.minimum, np.maximum))
    boxes = np.concatenate([low, high + rack], axis=1) * (1, -1, 1, -1)
    names = _tile_names(floor, tile, size)
    ends, pictures = heat_ends(heat, network.cabling), list[Picture]()
    for number, of_switches in enumerate(floor.of_switches):
        bundles = _Groups(network, number, tile[of_switches], names, heat)
        pictures.append(_picture(bundles, boxes, ends, width, BEND))
    return pictures


def _by_tile(extreme: np.ufunc, positions: NDArray[Number], tile: Ints) -> NDArray[Number]:
    order = np.argsort(tile, kind="stable")
    starts = np.searchsorted(tile[order], np.arange(int(tile.max()) + 1))
    found: NDArray[Number] = extreme.reduceat(positions[order], starts, axis=0)
    return found


def _tile_names(floor: Floor, tile: Ints, size: tuple[int, int]) -> list[str]:
    """Return the name of the rack of each tile, or of its first and last one."""
    if size == (1, 1):
        return floor.names
    at = np.stack([floor.row, floor.place], axis=1)
    corners = [_by_tile(extreme, at, tile).tolist() for extreme in (np.minimum, np.maximum)]
    return [f"{rack_name(*first)} to {rack_name(*last)}" for first, last in zip(*corners, strict=True)]


def block_pictures(network: Network, heat: Heat | None = None, width: float = HALF) -> list[Picture]:
    """Return a picture of each plane: blocks of switches with successive numbers, and their bundles of cables."""
    ends, pictures = heat_ends(heat, network.cabling), list[Picture]()
    for number, plane in enumerate(network.cabling):
        groups, layer = blocks_of(plane, MAX_BLOCKS)
        at = positions_of(layer, bundles_of(plane, groups)[0])[0]
        half = 0.3 * nearest_distance(at)
        name, members = namer(network, number), [np.flatnonzero(groups == block) for block in range(len(layer))]
        names = [name(of[0]) if len(of) == 1 else f"{name(of[0])} to {name(of[-1])}" for of in members]
        boxes = np.concatenate([at - half, at + half], axis=1)
        pictures.append(_picture(_Groups(network, number, groups, names, heat), boxes, ends, width))
    return pictures


@dataclass(frozen=True)
class _Groups:
    """Groups of the switches of a plane, and the bundles of cables between them."""

    network: Network
    number: int
    groups: Ints
    names: Sequence[str]
    heat: Heat | None

    @property
    def plane(self) -> Cabling:
        """The plane."""
        return self.network.cabling[self.number]

    @cached_property
    def bundles(self) -> tuple[Ints, Ints, Ints]:
        """The groups at both ends and the number of cables of each bundle, and the bundle of each cable."""
        return bundles_of(self.plane, self.groups)

    @cached_property
    def metres(self) -> tuple[Floats, Floats]:
        """The length of the shortest and of the longest cable of each bundle."""
        lower, port = self.plane.topology.cable_ends()
        lengths = self.plane.cable_mm[lower, port] / 1000
        longest = float(lengths.max(initial=0))
        return longest - largest_of(self.bundles, longest - lengths), largest_of(self.bundles, lengths)

    @cached_property
    def values(self) -> Floats | None:
        """The largest value of each bundle."""
        if self.heat is None:
            return None
        return largest_of(self.bundles, self.heat.of_cables(self.number, self.plane).max(axis=1))

    def texts(self) -> list[str]:
        """Return what each bundle is, in words."""
        found = []
        values = np.zeros(len(self.bundles[1])) if self.values is None else self.values
        for (one, other), cables, low, high, value in rows_of(self.bundles[0], self.bundles[1], *self.metres, values):
            metres = f", {low:g} m" if low == high else f", {low:g} to {high:g} m"
            found.append(
                f"{self.names[one]} – {self.names[other]}: {counted(cables, 'cable')}{metres if high else ''}"
                f"{f', at most {self.heat.text(value)}' if self.heat else ''}"
            )
        return found

    def inside(self) -> list[str]:
        """Return what each group is, in words."""
        lower, _ = self.plane.topology.cable_ends()
        members = np.bincount(self.groups, minlength=len(self.names))
        within = np.bincount(self.groups[lower[self.bundles[2] < 0]], minlength=len(self.names))
        return [
            f"{name}: {counted(switches, 'switch')}, {counted(cables, 'cable')} inside"
            for name, switches, cables in zip(self.names, members.tolist(), within.tolist(), strict=True)
        ]

    def data(self) -> list[tuple[object, ...]]:
        """Return the names of columns, and a row for each bundle."""
        ends = np.array(self.names, dtype=object)[self.bundles[0]].T
        values = [] if self.values is None else [self.values]
        numbers = np.full(len(self.bundles[1]), self.number)
        columns = heat_columns(self.heat)[: len(values)]
        header = ("plane", "from", "to", "cables", "shortest_m", "longest_m", *columns)
        return [header, *rows_of(numbers, *ends, self.bundles[1], *self.metres, *values)]


def _picture(drawn: _Groups, boxes: Floats, ends: Sequence[float], width: float, bend: float = 0.0) -> Picture:
    """Draw groups as boxes, given by the coordinates of two corners, and bundles as lines as wide as their cables."""
    pairs, texts = drawn.bundles[0], drawn.texts()
    begin, end = ((boxes[:, :2] + boxes[:, 2:])[pairs[:, side]] / 2 for side in (0, 1))
    middle = (begin + end) / 2 + bend / 2 * (end - begin)[:, ::-1] * (-1, 1)  # of curves, half way to where they bend
    at, height, _ = scaled(
        np.concatenate([boxes.reshape(-1, 2), middle]), width, HEAD + MARGIN, MARGIN, HIGHEST * width
    )
    first, second = at[: 2 * len(boxes) : 2], at[1 : 2 * len(boxes) : 2]
    low, size, centres = np.minimum(first, second), np.abs(second - first), (first + second) / 2
    begin, end = centres[pairs[:, 0]], centres[pairs[:, 1]]
    control = 2 * at[2 * len(boxes) :] - (begin + end) / 2
    largest = ""
    if drawn.heat is not None and drawn.values is not None and len(pairs):
        largest = f"; the largest {drawn.heat.title}: {texts[int(drawn.values.argmax())]}"
    label = _heading(drawn) + largest
    elements = [words(_heading(drawn), 0, 10, label, style=HEADING)]
    places = list(zip(low.tolist(), size.tolist(), drawn.inside(), strict=True))
    squares = [
        element("rect", title(text), x=x, y=y, width=fixed(w), height=fixed(h), data_device=str(device))
        for device, ((x, y), (w, h), text) in enumerate(places)
    ]
    style = "fill: var(--rack); stroke: var(--surface)" if bend else "fill: var(--surface); stroke: var(--muted)"
    devices = group(squares, style, "devices")
    lines = _bundles(drawn, texts, centres, control if bend else None, ends)
    elements += [devices, *lines] if bend else [*lines, devices]  # curves end in the middle of racks
    names = [
        words(name, x + w / 2, y + h - 2)
        for name, ((x, y), (w, h), _) in zip(drawn.names, places, strict=True)
        if w > LETTER * len(name)
    ]
    elements.append(group(names, NAMES))
    if drawn.heat is not None and ends:
        elements.append(legend(drawn.heat, ends, height))
        height += LEGEND
    return drawing(elements, width, height, label, "half network"), drawn.data()


def _bundles(
    drawn: _Groups, texts: Sequence[str], centres: Floats, control: Floats | None, ends: Sequence[float]
) -> list[str]:
    """Return the lines of bundles, the widest ones last."""
    pairs, cables, _ = drawn.bundles
    order = np.argsort(cables, kind="stable")
    share = np.sqrt(cables[order] / cables.max(initial=1))
    widest = float(np.clip(24 / max(1, len(order)) ** 0.5, *WIDEST))
    values = np.zeros(len(order)) if drawn.values is None else drawn.values[order]
    lines = strokes(
        centres,
        pairs[order],
        np.maximum(0.5, widest * share),
        [texts[bundle] for bundle in order.tolist()],
        *colours_of(values, ends, drawn.number),
        None if control is None else control[order],
        float(np.clip(40 / max(1, len(order)) ** 0.7, 0.3, 0.85)),
    )
    return list(lines)


def _heading(drawn: _Groups) -> str:
    """Return the number of cables of a plane, those within groups and, if they have lengths, the total length."""
    within, plane = int((drawn.bundles[2] < 0).sum()), drawn.plane
    metres = int(plane.cable_mm.sum()) / 2000
    length = f", {metres:,.0f} m" if metres else ""
    kind = "racks" if has_floor(drawn.network) else "blocks"
    return f"Plane {drawn.number}: {cable_count(plane):,} cables, {within:,} within {kind}{length}"
