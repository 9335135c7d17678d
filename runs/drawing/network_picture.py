"""The picture of a small plane: switches, nodes and cables, each cable with its ends, length and load on hover."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Floats, Ints, rows_of
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.planes.plane import Cabling

from .drawing import PLANES
from .link_heat import LEGEND, Heat, colours_of, heat_ends, legend
from .positions import Points, inside_ring, nearest_distance, node_positions, node_ring, switch_positions
from .svg import HALF, Picture, drawing, element, fixed, group, path, scaled, title, words

MAX_SWITCHES = 128  # of a plane: more are not told from each other
MAX_CABLES = 2048  # of all planes
MAX_NODES = 512  # of a plane: more are not drawn
HEAD, MARGIN = 20.0, 12.0  # room in points above a picture, and around it
HALF_SIDE = (1.2, 6.0)  # of a switch: the smallest and the largest
NUMBERED = 3.4  # half sides from which a switch has its number
HEADING = "font: bold 9.5px var(--font); fill: var(--ink)"
SMALL = "font: 6px var(--font); fill: var(--ink); text-anchor: middle; pointer-events: none"


def is_small(network: Network) -> bool:
    """Whether every switch and cable of a network can be drawn."""
    planes = network.cabling
    return (
        max(plane.topology.switches for plane in planes) <= MAX_SWITCHES
        and sum(cable_count(plane) for plane in planes) <= MAX_CABLES
    )


def cable_count(plane: Cabling) -> int:
    """Return the number of cables between switches."""
    return int((plane.topology.peer >= 0).sum()) // 2


def plane_pictures(
    network: Network, heat: Heat | None = None, width: float = HALF, planes: Sequence[int] | None = None
) -> list[Picture]:
    """Return a picture of each of some planes, by default all, with values of their links as colours.

    Planes with the same switches at their nodes have the same positions: what differs are their cables.
    """
    numbers, ends = range(len(network.cabling)) if planes is None else planes, heat_ends(heat, network.cabling)
    places: dict[int, tuple[Points, Points]] = {}
    for number in numbers:
        first = next((known for known in places if _is_alike(network.cabling[number], network.cabling[known])), None)
        places[number] = device_positions(network, number) if first is None else places[first]
    return [_plane(network, number, *place, heat, ends, width) for number, place in places.items()]


def _is_alike(plane: Cabling, other: Cabling) -> bool:
    same_switches = plane.topology.switches == other.topology.switches
    return same_switches and np.array_equal(plane.node_switch, other.node_switch)


def device_positions(network: Network, number: int) -> tuple[Points, Points]:
    """Return the positions of the switches of a plane and of the nodes, on a circle around if circuits join these."""
    plane, optical = network.cabling[number], network.family.optical
    if optical is not None:
        nodes = node_ring(np.array(optical.group))
        return inside_ring(plane, nodes), nodes
    switches, in_layers = switch_positions(plane)
    return switches, node_positions(plane, switches, in_layers)


def _plane(
    network: Network,
    number: int,
    switches: Points,
    nodes: Points,
    heat: Heat | None,
    ends: Sequence[float],
    width: float,
) -> Picture:
    plane = network.cabling[number]
    shows_nodes = plane.node_cable_mm is not None and plane.nodes <= MAX_NODES
    every = [switches, nodes] if shows_nodes else [switches]
    at, height, _ = scaled(np.concatenate(every), width, HEAD + MARGIN, MARGIN, width - 2 * MARGIN)
    lower, port = plane.topology.cable_ends()
    pairs = np.stack([lower, plane.topology.peer[lower, port]], axis=1)
    values = np.zeros(len(pairs)) if heat is None else heat.of_cables(number, plane).max(axis=1)
    hover = cable_texts(network, number, heat)
    largest = "" if heat is None or not len(hover) else f"; the largest {heat.title}: {hover[int(values.argmax())]}"
    label = plane_text(plane, number, True) + largest
    drawn = [words(plane_text(plane, number, shows_nodes), 0, 10, label, style=HEADING)]
    drawn += _node_links(plane, at) if shows_nodes else []
    drawn += strokes(at, pairs, np.full(len(pairs), 1.1), hover, *colours_of(values, ends, number))
    drawn += _devices(at, len(switches), namer(network, number), PLANES[number % len(PLANES)])
    if heat is not None and ends:
        drawn.append(legend(heat, ends, height))
        height += LEGEND
    svg = drawing(drawn, width, height, label, "half network")
    return svg, _data(network, number, heat)


def plane_text(plane: Cabling, number: int, shows_nodes: bool) -> str:
    """Return the numbers of switches, nodes and cables of a plane."""
    nodes = "a node in each" if plane.node_cable_mm is None else f"{plane.nodes:,} nodes"
    drawn = "" if shows_nodes or plane.node_cable_mm is None else " (not drawn)"
    return f"Plane {number}: {plane.topology.switches:,} switches, {nodes}{drawn}, {cable_count(plane):,} cables"


def namer(network: Network, number: int) -> Callable[[int], str]:
    """Return the function from a switch of a plane to its name."""
    names = network.family.names
    return lambda switch: names.switch(number, switch) if names else switch_name(number, switch)


def cable_texts(network: Network, number: int, heat: Heat | None) -> list[str]:
    """Return a text for each cable of a plane: its ends, its length if it has one, and its larger value."""
    plane, name = network.cabling[number], namer(network, number)
    lower, port = plane.topology.cable_ends()
    ends = rows_of(lower, plane.topology.peer[lower, port], plane.cable_mm[lower, port])
    lines = [f"{name(switch)} – {name(other)}{f', {mm / 1000:g} m' if mm else ''}" for switch, other, mm in ends]
    if heat is None:
        return lines
    values = heat.of_cables(number, plane).max(axis=1).tolist()
    return [f"{line}, {heat.text(value)}" for line, value in zip(lines, values, strict=True)]


def _data(network: Network, number: int, heat: Heat | None) -> list[tuple[object, ...]]:
    """Return the names of columns, and a row for each cable of a plane."""
    plane, name = network.cabling[number], namer(network, number)
    lower, port = plane.topology.cable_ends()
    names = np.array([name(switch) for switch in range(plane.topology.switches)], dtype=object)
    values = [] if heat is None else list(heat.of_cables(number, plane).T)
    ends = names[lower], names[plane.topology.peer[lower, port]]
    rows = rows_of(np.full(len(lower), number), *ends, plane.cable_mm[lower, port] / 1000, *values)
    return [("plane", "from", "to", "length_m", *heat_columns(heat)), *rows]


def heat_columns(heat: Heat | None) -> list[str]:
    """Return the names of the columns of the values of a cable: from its lower end, and back."""
    if heat is None:
        return []
    name = f"{heat.title} {heat.unit}".replace(" ", "_")
    return [name, f"{name}_back"]


def strokes(
    at: Points,
    pairs: Ints,
    widths: Floats,
    hover: Sequence[str],
    colour: Ints,
    colours: Sequence[str],
    control: Points | None = None,
    opacity: float = 0.85,
) -> Iterator[str]:
    """Yield the lines between pairs of points in groups of one colour, the last colour on top.

    Parameters
    ----------
    at : float64[points, 2]
        The points, and which of them a page marks together with their lines.
    pairs : int64[lines, 2]
        The points at both ends of each line.
    widths : float64[lines]
        Their widths in points.
    hover
        The text shown on hover.
    colour : int64[lines]
        The index of the colour in `colours`.
    control : float64[lines, 2]
        The points towards which they bend; None for straight lines.
    opacity
        Of all lines.
    """
    begin, end = at[pairs[:, 0]], at[pairs[:, 1]]
    points = np.stack([begin, end] if control is None else [begin, control, end], axis=1)
    for index, name in enumerate(colours):
        lines = (
            element(
                "path",
                title(hover[line]),
                d=path(points[line].tolist(), control is not None),
                data_ends="{} {}".format(*pairs[line]),
                stroke_width=f"{widths[line]:.2g}",
            )
            for line in np.flatnonzero(colour == index).tolist()
        )
        yield group(lines, f"fill: none; stroke: var(--{name}); stroke-opacity: {opacity:.2g}", "links")


def _node_links(plane: Cabling, at: Points) -> list[str]:
    """Return the nodes, and the links to their switches, behind the cables."""
    switches = plane.topology.switches
    lines = [path(ends) for ends in np.stack([at[plane.node_switch], at[switches + plane.node]], axis=1).tolist()]
    radius = f"{min(1.6, 0.45 * nearest_distance(at[switches:])):.2g}"
    circles = [
        element("circle", title(node_name(node)), cx=x, cy=y, r=radius)
        for node, (x, y) in enumerate(at[switches:].tolist())
    ]
    return [
        group([element("path", d="".join(lines))], "fill: none; stroke: var(--line); stroke-width: .7"),
        group(circles, "fill: var(--surface); stroke: var(--muted); stroke-width: .7"),
    ]


def _devices(at: Points, switches: int, name: Callable[[int], str], colour: str) -> list[str]:
    """Return the switches as squares, with their numbers where there is room."""
    half = float(np.clip(0.3 * nearest_distance(at[:switches]), *HALF_SIDE))
    side = fixed(2 * half)
    places = list(enumerate(at[:switches].tolist()))
    squares = [
        element("rect", title(name(switch)), x=x - half, y=y - half, width=side, height=side, data_device=str(switch))
        for switch, (x, y) in places
    ]
    if half < NUMBERED:
        return [group(squares, f"fill: var(--{colour})", "devices")]
    numbers = [words(str(switch), x, y + 2) for switch, (x, y) in places]
    style = f"fill: var(--surface); stroke: var(--{colour}); stroke-width: 1.3"
    return [group(squares, style, "devices"), group(numbers, SMALL)]
