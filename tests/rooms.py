"""The rooms of the project for docs/architecture.md, drawn and listed: ``python -m tests.rooms`` rewrites both."""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import pairwise
from pathlib import Path

from tests.import_graph import ImportGraph

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
# Packages from top to bottom, those of a row side by side: where each is drawn. Which imports which is read.
ROWS = (("face",), ("runs",), ("search", "simulator"), ("fleet", "objectives"), ("models",))
LANES = (0, 0, 0, 40, 0)  # space right of a row for arrows that pass it
WIDTH, MARGIN, GAP = 960, 10, 44
BOX, BOX_HEIGHT, LAYER, TITLE = 104, 26, 62, 34
Edge = tuple[str, str]
Point = tuple[float, float]

STYLE = """\
<style>
text { font: 13px sans-serif; fill: #1d2733; text-anchor: middle }
.package { font-weight: bold; font-size: 15px; text-anchor: start }
.panel { fill: #f5f7fa; stroke: #c4ccd6 } .room { fill: #ffffff; stroke: #5b6b7d }
.arrow { fill: none; stroke: #7a8896; marker-end: url(#head) }
.wide { fill: none; stroke: #2f6fdd; stroke-width: 2.5; marker-end: url(#wide) }
</style>
<defs>
<marker id="head" markerWidth="7" markerHeight="7" refX="6" refY="3" orient="auto">
<path d="M0,0 L7,3 L0,6 z" fill="#7a8896"/></marker>
<marker id="wide" markerWidth="5" markerHeight="5" refX="4" refY="2" orient="auto">
<path d="M0,0 L5,2 L0,4 z" fill="#2f6fdd"/></marker>
</defs>
"""


def reduced(edges: set[Edge]) -> set[Edge]:
    """Return the arrows of a graph without circles that do not follow from others."""
    following = defaultdict(set)
    for source, target in edges:
        following[source].add(target)

    def reach(node: str) -> set[str]:
        return following[node].union(*map(reach, following[node])) if following[node] else set()

    return {
        (source, target)
        for source, target in edges
        if not any(target in reach(other) for other in following[source] - {target})
    }


@dataclass(frozen=True)
class Package:
    """The rooms of a package, and which of them import which."""

    name: str
    graph: ImportGraph

    @cached_property
    def rooms(self) -> list[str]:
        """The names of the rooms."""
        return sorted({name[1] for name in self.graph.files if name[0] == self.name and len(name) > 2})

    @cached_property
    def edges(self) -> set[Edge]:
        """Pairs of a room and one that it imports, without those that follow from others."""
        pairs = self.graph.arrows((self.name,))
        return reduced({pair for pair in pairs if set(pair) <= set(self.rooms)})

    @cached_property
    def layers(self) -> list[list[Edge]]:
        """Rooms from top to bottom, and where long arrows pass a layer; a room is written as a pair of itself."""
        above: dict[str, int] = {}

        def depth(room: str) -> int:
            if room not in above:
                above[room] = max((1 + depth(source) for source, target in self.edges if target == room), default=0)
            return above[room]

        layers: list[list[Edge]] = [[] for _ in range(max(map(depth, self.rooms), default=-1) + 1)]
        for room in self.rooms:
            layers[depth(room)].append((room, room))
        for source, target in sorted(self.edges):
            for layer in layers[depth(source) + 1 : depth(target)]:
                layer.append((source, target))
        for _ in range(8):  # the barycentre heuristic of Sugiyama, Tagawa and Toda (1981)
            for upper, lower in [*pairwise(layers), *pairwise(layers[::-1])]:
                place = {item: index / len(upper) for index, item in enumerate(upper)}
                lower.sort(key=lambda item: self._barycentre(item, place))
        return layers

    def _barycentre(self, item: Edge, place: dict[Edge, float]) -> float:
        """Return the mean place of the neighbours of an item in the layer beside its own."""
        ends = {edge for edge in self.edges if edge == item or (item[0] == item[1] and item[0] in edge)}
        rooms = {(room, room) for edge in ends for room in edge}
        places = [place[neighbour] for neighbour in sorted((ends | rooms) - {item}) if neighbour in place]
        return sum(places) / len(places) if places else 0.5

    @property
    def height(self) -> int:
        """Height of the panel of the package."""
        return TITLE + (len(self.layers) * LAYER - (LAYER - BOX_HEIGHT) + 12 if self.layers else 0)

    def panel(self, left: float, top: float, width: float) -> list[str]:
        """Return the drawing of the package."""
        places: dict[tuple[int, Edge], Point] = {}
        for depth, layer in enumerate(self.layers):
            for index, item in enumerate(layer):
                x = left + width * (index + 0.5) / len(layer)
                places[depth, item] = (x, top + TITLE + depth * LAYER)
        lines = [
            f'<rect class="panel" x="{left:g}" y="{top:g}" width="{width:g}" height="{self.height}" rx="8"/>',
            f'<text class="package" x="{left + 12:g}" y="{top + 22:g}">{self.name}/</text>',
        ]
        lines += [self._arrow(edge, places) for edge in sorted(self.edges)]
        for (_, (room, other)), (x, y) in places.items():
            if room == other:
                corner = f'x="{x - BOX / 2:.1f}" y="{y:g}"'
                lines.append(f'<rect class="room" {corner} width="{BOX}" height="{BOX_HEIGHT}" rx="4"/>')
                lines.append(f'<text x="{x:.1f}" y="{y + 18:g}">{escape(room)}</text>')
        return lines

    def _arrow(self, edge: Edge, places: dict[tuple[int, Edge], Point]) -> str:
        """Return an arrow as a curve from the lower side of a room to the upper side of another one."""
        source, target = ((room, room) for room in edge)
        stops = sorted((depth, point) for (depth, item), point in places.items() if item in (source, edge, target))
        (x, y), *rest = [point for _, point in stops]
        y += BOX_HEIGHT
        path = f"M{x:.1f},{y:g}"
        for x_next, y_next in rest:
            middle = (y + y_next) / 2
            path += f" C{x:.1f},{middle:g} {x_next:.1f},{middle:g} {x_next:.1f},{y_next:g}"
            x, y = x_next, y_next
        return f'<path class="arrow" d="{path}"><title>{escape(" imports ".join(edge))}</title></path>'


@dataclass(frozen=True)
class Rooms:
    """The packages of the project, as a picture and as a list."""

    graph: ImportGraph

    @cached_property
    def packages(self) -> dict[str, Package]:
        """The packages by name."""
        return {name: Package(name, self.graph) for row in ROWS for name in row}

    @cached_property
    def edges(self) -> set[Edge]:
        """Pairs of a package and one that it imports, without those that follow from others."""
        return reduced({(one[0], other[0]) for one, other in self.graph.edges if one[0] != other[0]})

    def picture(self) -> str:
        """Return the drawing of all packages as SVG."""
        lines, frames, top = [], {}, float(MARGIN)
        for row, lane in zip(ROWS, LANES, strict=True):
            packages = [self.packages[name] for name in row]
            shares = [1 + max(map(len, package.layers), default=0) for package in packages]
            left, room = float(MARGIN), WIDTH - 2 * MARGIN - lane - GAP / 2 * (len(row) - 1)
            for package, share in zip(packages, shares, strict=True):
                width = round(room * share / sum(shares))
                lines += package.panel(left, top, width)
                frames[package.name] = (left, top, width, package.height)
                left += width + GAP / 2
            top += max(package.height for package in packages) + GAP
        height = top - GAP + MARGIN
        wide = [self._wide(edge, frames) for edge in sorted(self.edges)]
        start = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img">\n'
        title = "<title>Packages and rooms, and which import which</title>\n"
        return start + title + STYLE + "\n".join([*wide, *lines]) + "\n</svg>\n"

    def _wide(self, edge: Edge, frames: dict[str, tuple[float, float, float, int]]) -> str:
        """Return an arrow between two packages: straight down, in the lane if there is a row between them."""
        (left, top, width, height), (left_below, top_below, width_below, _) = (frames[name] for name in edge)
        x = (max(left, left_below) + min(left + width, left_below + width_below)) / 2
        row, row_below = (next(index for index, names in enumerate(ROWS) if name in names) for name in edge)
        if row_below > row + 1:
            x = WIDTH - MARGIN - max(LANES) / 2
        label = escape(" imports ".join(edge))
        return f'<path class="wide" d="M{x:.1f},{top + height:g} L{x:.1f},{top_below:g}"><title>{label}</title></path>'

    def text(self) -> str:
        """Return the list of packages and rooms, each with the first line of its docstring."""
        lines = []
        for row in ROWS:
            for name in row:
                lines += [f"- **`{name}/`**: {self._sentence(name)}"]
                lines += [f"    - `{room}/`: {self._sentence(name, room)}" for room in self.packages[name].rooms]
        return "\n".join(lines) + "\n"

    def _sentence(self, *room: str) -> str:
        """Return the first line of the docstring of a room, in lower case and without its stop."""
        docstring = (ROOT / Path(*room) / "__init__.py").read_text(encoding="utf-8")
        line = re.match(r'"""(.*?)\.?(?:"""|\n)', docstring)[1].replace("``", "`")
        words = line if line[1:2].isupper() else line[0].lower() + line[1:]
        return words.removeprefix(f"{room[-1]}: ")


def page_with(text: str, rooms: str) -> str:
    """Return the page with a list of rooms between its markers."""
    return re.sub(
        r"(<!-- rooms:begin -->\n\n).*(<!-- rooms:end -->)", lambda m: f"{m[1]}{rooms}{m[2]}", text, flags=re.S
    )


def rooms_of_project() -> Rooms:
    """Return the rooms as they are."""
    return Rooms(ImportGraph(ROOT, tuple(name for row in ROWS for name in row)))


if __name__ == "__main__":
    current = rooms_of_project()
    PICTURE.write_text(current.picture(), encoding="utf-8")
    PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), current.text()), encoding="utf-8")
