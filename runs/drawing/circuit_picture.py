"""The picture of the circuits of an optical switch, between nodes on a circle."""

from collections.abc import Iterator

import numpy as np

from isoplane.models import Circuits, Network
from isoplane.models.arrays import Ints
from isoplane.models.device_names import node_name

from .link_heat import LEGEND, Heat, colours_of, heat_ends, legend
from .network_picture import HEAD, HEADING, MARGIN, heat_columns, strokes
from .positions import Points, node_ring, ring
from .svg import HALF, Picture, drawing, element, group, path, scaled, title, words

MAX_CIRCUITS = 1024  # those with the largest values
MAX_DOTS = 512  # with more nodes, only those that own a circuit
MAX_NAMES = 32  # of groups: of more only some have their numbers
WIDE_LINES = 128  # with more circuits, lines are thinner
ARC = 24  # points of the arc of a group
STRAIGHT = 0.25  # of curves: 1 for lines between their ends, 0 for a way through the centre
NAMES = "font: 7px var(--font); fill: var(--muted); text-anchor: middle"


def circuit_picture(network: Network, circuits: Circuits, heat: Heat | None = None, width: float = HALF) -> Picture:
    """Return a picture of circuits: nodes on a circle, group by group, dark if they own a circuit.

    Parameters
    ----------
    network
        A network with an optical switch.
    circuits, heat
        The circuits, and their values, if any.
    """
    optical, pairs = network.family.optical, np.array(circuits.pairs, dtype=np.int64).reshape(-1, 2)
    assert optical is not None
    groups = np.array(optical.group)
    count = 1 + int(groups.max())
    names = 1.14 * ring(np.arange(count), np.full(count, 0.5), count)
    at, height, factor = scaled(
        np.concatenate([node_ring(groups), names, [(0, 0)]]), width, HEAD + MARGIN, MARGIN, width - 2 * MARGIN
    )
    nodes, names, centre = at[: len(groups)], at[len(groups) : -1], at[-1]
    values = np.zeros(len(pairs)) if heat is None else heat.circuits.max(axis=1)
    ends = heat_ends(heat, network.cabling)
    hover = [
        f"{node_name(one)} – {node_name(other)}" + (f", {heat.text(value)}" if heat else "")
        for (one, other), value in zip(pairs.tolist(), values.tolist(), strict=True)
    ]
    shown = np.argsort(values, kind="stable")[-MAX_CIRCUITS:]
    control = centre + STRAIGHT * (nodes[pairs[shown]].mean(axis=1) - centre)
    widths = np.full(len(shown), 1.2 * min(1.0, (WIDE_LINES / max(1, len(shown))) ** 0.5))
    heading = f"Optical switch: {len(groups):,} nodes in {count:,} groups, {len(pairs):,} circuits"
    largest = f"; the largest {heat.title}: {hover[int(values.argmax())]}" if heat is not None and hover else ""
    drawn = [words(heading, 0, 10, heading + largest, style=HEADING), _groups(names, centre, factor)]
    drawn += strokes(
        nodes, pairs[shown], widths, [hover[line] for line in shown], *colours_of(values[shown], ends, 2), control, 0.8
    )
    drawn += _dots(nodes, pairs)
    if heat is not None and ends:
        drawn.append(legend(heat, ends, height))
        height += LEGEND
    return drawing(drawn, width, height, heading + largest, "half network"), _data(pairs, heat)


def _data(pairs: Ints, heat: Heat | None) -> list[tuple[object, ...]]:
    """Return the names of columns, those of cables, and a row for each circuit."""
    values = [()] * len(pairs) if heat is None else heat.circuits.tolist()
    ends = zip(pairs.tolist(), values, strict=True)
    rows = [("circuit", node_name(one), node_name(other), "", *both) for (one, other), both in ends]
    return [("plane", "from", "to", "length_m", *heat_columns(heat)), *rows]


def _dots(nodes: Points, pairs: Ints) -> Iterator[str]:
    """Yield the nodes: faint dots, and dark ones of those that own a circuit."""
    radius, owners = min(2.0, 160 / len(nodes)), set(pairs.ravel().tolist())
    for colour, is_owner in (("baseline", False), ("ink", True)):
        chosen = [node for node in range(len(nodes)) if (node in owners) is is_owner]
        if not is_owner and len(nodes) > MAX_DOTS:
            continue
        dots = [
            element("circle", title(node_name(node)), cx=x, cy=y, r=f"{radius:.2g}", data_device=str(node))
            for node, (x, y) in zip(chosen, nodes[chosen].tolist(), strict=True)
        ]
        yield group(dots, f"fill: var(--{colour})", "devices")


def _groups(names: Points, centre: Points, factor: float) -> str:
    """Return the arc of every group, and the numbers of groups where they fit."""
    count, within = len(names), np.linspace(0, 1, ARC)
    arcs = [1.06 * ring(np.full(ARC, group), within, count) * (1, -1) for group in range(count)]
    line = "".join(path((centre + factor * arc).tolist()) for arc in arcs)
    step = -(-count // MAX_NAMES)
    texts = [words(str(number), x, y + 2.5) for number, (x, y) in list(enumerate(names.tolist()))[::step]]
    return element("path", d=line, style="fill: none; stroke: var(--muted); stroke-width: 1.5") + group(texts, NAMES)
