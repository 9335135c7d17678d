"""Fig. 7: servers, and servers per switch, of the largest networks of given switches, beside the paper's numbers.

References
----------
Shimizu and Nakajima, on switch-saving topologies, sections 2 and 3.3, and Fig. 7.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from isoplane.models import Family, Network
from isoplane.models.steps import step
from isoplane.objectives.scale.largest import LARGEST, LATIN_SQUARE, exists
from isoplane.runs.drawing.panels import panels
from isoplane.runs.figures.checked import AGREES, DIFFERS, Checked
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.published import PublishedCount, shimizu_counts
from isoplane.runs.terminal.table import Table

DEGREES = (2, 36)  # the smallest and the largest d, half the number of ports of a switch
STYLES = {  # colour, marker and line, size of markers: they differ because three networks have equal ratios
    "2-level fat-tree": ("#0072B2", "s-", 6),
    "3-level fat-tree": ("#D55E00", "^-", 4),
    "multi-layer full mesh": ("#009E73", "o-", 4),
    LATIN_SQUARE: ("#555555", "D:", 2),
}
SERVERS, PER_SWITCH = "servers", "servers per switch"
BUILT_UP_TO = 8  # d up to which networks are also built and counted: 1024 servers


@dataclass(frozen=True)
class Size:
    """The size of the largest network of a kind for a given d.

    Attributes
    ----------
    network
        One of `LARGEST`.
    degree
        Half the number of ports of a switch, d.
    source
        ``formula``: formulas of the family; ``built``: counted in the network.
    servers, switches, cables
        Numbers of servers and switches, and of cables between switches.
    ports
        Ports that the switch with the most of them uses.
    """

    network: str
    degree: int
    source: str
    servers: int
    switches: int
    cables: int
    ports: int

    @property
    def servers_per_switch(self) -> Fraction:
        """Servers per switch, the paper's measure of cost."""
        return Fraction(self.servers, self.switches)


def largest_sizes(degrees: Sequence[int]) -> Iterator[Size]:
    """Yield the sizes of all networks that exist for the given values of d; up to `BUILT_UP_TO` they are counted too.

    Examples
    --------
    >>> [(size.network, size.servers, size.switches) for size in largest_sizes([10]) if size.source == "formula"][2:]
    [('multi-layer full mesh', 1100, 165), ('Latin-square fat-tree', 1820, 273)]
    """
    for network, family_for in LARGEST.items():
        for d in degrees:
            if not exists(network, d):
                continue
            family = family_for(d)
            yield Size(network, d, "formula", family.nodes, family.switches, family.cables, family.ports)
            if d <= BUILT_UP_TO:
                yield _counted(network, d, family)


def nearest(degree: int) -> list[int]:
    """Return the nearest values below and above d with a Latin-square fat-tree; one if there is none below.

    Examples
    --------
    >>> nearest(2), nearest(7), nearest(16)
    ([3], [6, 8], [14, 17])
    """
    below = next((d for d in range(degree - 1, 2, -1) if exists(LATIN_SQUARE, d)), None)
    above = next(d for d in range(degree + 1, 2 * degree + 1) if exists(LATIN_SQUARE, d))  # a power of 2 plus 1
    return [above] if below is None else [below, above]


def _counted(network: str, degree: int, family: Family) -> Size:
    with step(f"cables of {family.title}"):
        (plane,) = Network(family).planes
    ends = np.count_nonzero(plane.topology.peer >= 0, axis=1)
    return Size(
        network,
        degree,
        "built",
        len(plane.node_switch),
        int(np.count_nonzero(ends)),
        int(ends.sum()) // 2,
        int(plane.ports_used.max()),
    )


CheckedCount = Checked[PublishedCount, Size]  # with our network at a value of d


def our_number(point: PublishedCount, size: Size) -> Fraction:
    """Return our number of what a paper states."""
    values = {SERVERS: Fraction(size.servers), "switches": Fraction(size.switches), PER_SWITCH: size.servers_per_switch}
    return values[point.metric]


SIZE_COLUMNS: Mapping[str, Callable[[Size], object]] = {
    "network": lambda size: size.network,
    "d": lambda size: size.degree,
    "source": lambda size: size.source,
    "servers": lambda size: size.servers,
    "switches": lambda size: size.switches,
    "cables": lambda size: size.cables,
    "ports": lambda size: size.ports,
    "servers_per_switch": lambda size: f"{float(size.servers_per_switch):.6f}",
}
NUMBER_COLUMNS = ("section", "network", "metric", "formula", "d", "source", "published", "ours", "verdict")


def check(data: Mapping[str, Any]) -> Compute:
    """Require values of d in range."""
    degrees = ascending(data["sizes"], *DEGREES, "value of d, half the number of ports of a switch")
    return lambda _: figure_of(list(largest_sizes(degrees)))


def figure_of(sizes: Sequence[Size]) -> Figure:
    """Return the figure of some sizes: ``fig7.csv`` with all of them, and ``fig7-published.csv`` with the numbers."""
    compared = comparisons(sizes)
    tables = {
        "": Table.of(sizes, SIZE_COLUMNS),
        "-published": Table(NUMBER_COLUMNS, list(map(_number_row, compared))),
    }
    text = ("servers / switches = servers per switch", size_table(sizes), "", number_table(compared))
    return Figure(tables, lambda: draw(sizes), text)


def _number_row(checked: CheckedCount) -> list[str]:
    """Return the cells of `NUMBER_COLUMNS`, with values as exact fractions."""
    point, size = checked.stated, checked.ours
    numbers = f"{point.at(size.degree)}", f"{our_number(point, size)}"
    place = point.section, point.network, point.metric, point.value, str(size.degree), size.source
    return [*place, *numbers, checked.verdict]


def comparisons(sizes: Sequence[Size]) -> list[CheckedCount]:
    """Compare every published number with ours, at every value of d for which it is stated.

    They agree if ours is the published one, and no switch has more than 2d ports.
    """
    checked = []
    for point, size in product(shimizu_counts(), sizes):
        if size.network == point.network and point.degree in (None, size.degree):
            agrees = our_number(point, size) == point.at(size.degree) and size.ports <= 2 * size.degree
            checked.append(Checked(point, size, AGREES if agrees else DIFFERS))
    return checked


def size_table(sizes: Sequence[Size]) -> Table:
    """Return a table of servers and switches, one row per d; for missing networks, the nearest d that has one.

    Examples
    --------
    >>> str(size_table(list(largest_sizes([7])))).splitlines()[1][-25:]
    'none; nearest d = 6 and 8'
    """
    by_formula = {(size.network, size.degree): size for size in sizes if size.source == "formula"}
    rows = [
        [str(d), str(2 * d), *(_size_text(by_formula.get((network, d)), d) for network in LARGEST)]
        for d in dict.fromkeys(size.degree for size in sizes)
    ]
    columns = ["d", "ports", *LARGEST]
    return Table(columns, rows, range(len(columns)))


def _size_text(size: Size | None, degree: int) -> str:
    if size is None:
        return f"none; nearest d = {' and '.join(map(str, nearest(degree)))}"
    return f"{size.servers} / {size.switches} = {float(size.servers_per_switch):.2f}"


def number_table(compared: Sequence[CheckedCount]) -> Table | str:
    """Return a table, one row per published number, with the values of d at which ours agree and differ.

    Examples
    --------
    >>> number_table([])
    'the paper states no number at these sizes'
    """
    if not compared:
        return "the paper states no number at these sizes"
    rows = []
    for point in dict.fromkeys(each.stated for each in compared):
        of_point = [each for each in compared if each.stated == point]
        by_source = ([each for each in of_point if each.ours.source == source] for source in ("formula", "built"))
        published = f"{point.value} at d = {point.degree}" if point.degree else point.value
        ours = f"{float(our_number(point, of_point[0].ours)):.6g}" if point.degree else ""
        tallies = list(map(_tally, by_source))
        rows.append([point.section, point.network, point.metric, published, ours, *tallies])
    return Table(["section", "network", "metric", "published", "ours", "by formula", "built and counted"], rows)


def _tally(compared: Sequence[CheckedCount]) -> str:
    """Return how many values of d agree, and which differ."""
    differing = [str(each.ours.degree) for each in compared if each.verdict == DIFFERS]
    if not compared:
        return "none"
    agreeing = f"{len(compared) - len(differing)} of {len(compared)} agree"
    return f"{agreeing}; d = {', '.join(differing)} differ" if differing else agreeing


def draw(sizes: Sequence[Size]) -> Drawing:
    """Draw servers on the left, servers per switch on the right, with the published numbers."""
    drawing, axes = panels(2)
    _panel(axes[0], sizes, SERVERS, lambda size: size.servers)
    axes[0].set_yscale("log")
    axes[0].set_ylabel("servers")
    _panel(axes[1], sizes, PER_SWITCH, lambda size: float(size.servers_per_switch))
    axes[1].set_ylabel("servers per switch")
    axes[0].legend(fontsize=8)
    return drawing


def _panel(panel: Axes, sizes: Sequence[Size], metric: str, height: Callable[[Size], float]) -> None:
    """Draw a line per network, and hollow markers for the published numbers."""
    computed = [size for size in sizes if size.source == "formula"]
    for network, (colour, style, marker_size) in STYLES.items():
        line = [size for size in computed if size.network == network]
        panel.plot(
            [size.degree for size in line],
            [height(size) for size in line],
            style,
            color=colour,
            markersize=marker_size,
            linewidth=0.9,
            label=network,
        )
    checked = [(each.stated, each.ours.degree) for each in comparisons(computed) if each.stated.metric == metric]
    stated = [(degree, point.at(degree)) for point, degree in checked]
    panel.plot(
        [degree for degree, _ in stated],
        [float(number) for _, number in stated],
        "o",
        color="black",
        markerfacecolor="none",
        markersize=8,
        linewidth=0,
        label="published",
    )
    panel.set_xlabel("d (switches have 2d ports)")
