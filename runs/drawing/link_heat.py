"""Values of the links of a network as colours of cables, with their legend."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from isoplane.models.arrays import Floats, Ints
from isoplane.models.planes.plane import Cabling

from .drawing import PLANES
from .heat import level_ends, level_of
from .quantities import format_significant
from .svg import element, group, words

COLOURS = ("heat0", "heat1", "heat2", "heat3", "heat4")  # the last for the largest values
LEGEND = 24.0  # height in points
NO_VALUES = np.zeros((0, 2))
ENTRY = 8.0  # and the width of the line of an entry
LETTER = 4.3  # width of a letter, about


class Heat(NamedTuple):
    """Values of all links, as colours of cables and circuits.

    Attributes
    ----------
    links : float64[switches, ports] per plane
        The value of the link at each port.
    title, unit
        What it is.
    circuits : float64[circuits, 2]
        The values of each circuit of an optical switch, from its first node and back.
    """

    links: Sequence[Floats]
    title: str
    unit: str
    circuits: Floats = NO_VALUES

    def of_cables(self, number: int, plane: Cabling) -> Floats:
        """Return the values of each cable of a plane from its lower end and back, as float64[cables, 2]."""
        switch, port = plane.topology.cable_ends()
        far = plane.topology.peer[switch, port], plane.topology.peer_port[switch, port]
        return np.stack([self.links[number][switch, port], self.links[number][far]], axis=1)

    def text(self, value: float) -> str:
        """Return a value with its unit."""
        return f"{format_significant(value, 4)} {self.unit}"


def heat_ends(heat: Heat | None, cabling: Sequence[Cabling]) -> list[float]:
    """Return the upper ends of the levels of the values of all cables and circuits.

    The first is 0 if a value is; there are none if all have the same value.
    """
    if heat is None:
        return []
    cables = [heat.of_cables(*plane) for plane in enumerate(cabling)]
    values = np.concatenate([*cables, heat.circuits]).max(axis=1)
    ends = [0.0] * bool((values == 0).any()) + level_ends(values[values > 0])
    return ends if len(ends) > 1 else []


def colours_of(values: Floats, ends: Sequence[float], number: int) -> tuple[Ints, list[str]]:
    """Return the index of the colour of each cable of a plane and the names of the colours, the hottest last."""
    if not ends:
        return np.zeros(len(values), dtype=np.int64), [PLANES[number % len(PLANES)]]
    return level_of(values, ends), _colours(ends)


def legend(heat: Heat, ends: Sequence[float], top: float) -> str:
    """Return the colours of the levels below a picture, with their largest values."""
    begin, drawn = 0.0, []
    name = f"{heat.title} ({heat.unit}), up to:"
    texts = [name, *(format_significant(end, 3) for end in ends)]
    for colour, text in zip(["", *_colours(ends)], texts, strict=True):
        if colour:
            stroke = f"stroke: var(--{colour}); stroke-width: 3"
            drawn.append(element("path", d=f"M{begin:.0f} {top + 8:.0f}h{ENTRY:.0f}", style=stroke))
            begin += ENTRY + 3
        drawn.append(words(text, begin, top + 10.5))
        begin += LETTER * len(text) + 9
    return group(drawn, "font: 8px var(--font); fill: var(--muted)")


def _colours(ends: Sequence[float]) -> list[str]:
    """Return the colour of each level; of links without load one of its own."""
    idle = ["baseline"] if ends[0] == 0 else []
    return [*idle, *COLOURS[len(COLOURS) - len(ends) + len(idle) :]]
