"""Parallel coordinates: an axis for each quantity with its better end on top, and a line for each design."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log10
from textwrap import wrap
from typing import NamedTuple

from .block import Part
from .svg import WHOLE, drawing, drawings, element, group, path, title, words

SIDE, HEAD, FOOT = 44.0, 32.0, 16.0  # points beside the axes, and above and below them, for colours and values
LINE = 10.0  # height of a line of a title
LEAST, PER_DESIGN = 200.0, 9.0  # length of an axis, at least and for each design
LETTER = 4.9  # width of a letter of a title, about
LOGARITHMIC = 20  # ratio of values from which their axis is logarithmic
LABEL = 8.5  # height of the number of a design
BESIDE = 24.0  # points from the last axis to the numbers, beyond its values
TITLES = "font: 8px var(--font); fill: var(--ink); text-anchor: middle"
VALUES = "font: 7.5px var(--font); fill: var(--muted); text-anchor: middle"


class _Axis(NamedTuple):
    """A quantity: its name in CSV, title and unit, whether higher values are better, and its values as text."""

    key: str
    title: str
    unit: str
    higher_is_better: bool
    text: Callable[[float], str]


Axis = tuple[str, str, str, bool, Callable[[float], str]]  # the values of an `_Axis`
Design = tuple[str, str, str, Sequence[float | None]]  # number in the table, name, colour, and a value for each axis


def parallel(name: str, quantities: Sequence[Axis], rows: Sequence[Design], kinds: Mapping[str, str]) -> Part:
    """Return the chart of some designs, with its data as CSV; quantities that none of them has are left out.

    Parameters
    ----------
    name
        Name of the file of data.
    quantities
        From left to right: name in CSV, title, unit, whether higher values are better, and their values as text.
    rows
        The designs: number in the table, name, name of the colour, and value of each quantity, of which each has one.
    kinds
        What each colour means.
    """
    kept = [index for index in range(len(quantities)) if any(values[index] is not None for *_, values in rows)]
    axes = [_Axis(*quantities[index]) for index in kept]
    designs = [(number, design, colour, [values[index] for index in kept]) for number, design, colour, values in rows]
    length = max(LEAST, PER_DESIGN * len(designs))
    pitch = _pitch(axes)
    room = [min(pitch, 2 * SIDE) if index in (0, len(axes) - 1) else pitch for index in range(len(axes))]
    titles = [_lines_of(axis, width) for axis, width in zip(axes, room, strict=True)]
    top = HEAD + LINE * max(map(len, titles))
    heights = [_heights(axis, [values[index] for *_, values in designs], length) for index, axis in enumerate(axes)]
    places = [
        [None if y is None else (SIDE + pitch * index, top + y) for index, y in enumerate(of_design)]
        for of_design in zip(*heights, strict=True)
    ]
    label = f"{len(designs)} designs by {', '.join(axis.title for axis in axes)}; {_best(axes, designs)}"
    drawn = [*_legend(kinds, label), *_axes(axes, titles, designs, (top, top + length)), *_lines(axes, designs, places)]
    data = [(number, design, *values) for number, design, _, values in designs]
    svg = drawing(drawn, WHOLE, top + length + FOOT, label, "whole parallel")
    text = "Each line is a design, with its number in the table; the better end of each axis is on top."
    return drawings([(svg, [("number", "design", *(axis.key for axis in axes)), *data])], name, text)


def _pitch(axes: Sequence[_Axis]) -> float:
    return (WHOLE - 2 * SIDE) / max(1, len(axes) - 1)


def _lines_of(axis: _Axis, width: float) -> list[str]:
    """Return the lines of the title of an axis, which is centred at it."""
    return wrap(f"{axis.title} ({axis.unit})" if axis.unit else axis.title, int(width / LETTER))


def _legend(kinds: Mapping[str, str], hover: str) -> Iterator[str]:
    """Yield what each colour means."""
    begin = 0.0
    for colour, text in kinds.items():
        style = f"stroke: var(--{colour}); stroke-width: 3"
        yield element("path", d=path([(begin, 6), (begin + 10, 6)]), style=style)
        yield words(text, begin + 13, 8.5, hover, style="font: 8px var(--font); fill: var(--ink)")
        begin += 13 + LETTER * len(text) + 14


def _range(values: Sequence[float | None]) -> tuple[float, float]:
    known = [value for value in values if value is not None]
    return min(known), max(known)


def _heights(axis: _Axis, values: Sequence[float | None], length: float) -> list[float | None]:
    """Return the distance of each value from the better end of an axis; the middle if all are the same."""
    low, high = _range(values)
    is_log = low > 0 and high >= LOGARITHMIC * low

    def share(value: float) -> float:
        if high == low:
            return 0.5
        part = (log10(value) - log10(low)) / (log10(high) - log10(low)) if is_log else (value - low) / (high - low)
        return 1 - part if axis.higher_is_better else part

    return [None if value is None else length * share(value) for value in values]


def _axes(
    axes: Sequence[_Axis], titles: Sequence[Sequence[str]], designs: Sequence[Design], ends: tuple[float, float]
) -> Iterator[str]:
    """Yield the axes between two heights with their titles, and the values at their ends."""
    pitch, (top, bottom) = _pitch(axes), ends
    lines, texts, values_at_ends = [], [], []
    for index, axis in enumerate(axes):
        x = SIDE + pitch * index
        low, high = _range([values[index] for *_, values in designs])
        best, worst = (high, low) if axis.higher_is_better else (low, high)
        lines.append(element("path", d=path([(x, top), (x, bottom)])))
        texts += [words(line, x, top - 17 - LINE * above) for above, line in enumerate(reversed(titles[index]))]
        values_at_ends += [words(axis.text(best), x, top - 5), words(axis.text(worst), x, bottom + 11)]
    yield group(lines, "fill: none; stroke: var(--muted); stroke-width: .8")
    yield group(texts, TITLES)
    yield group(values_at_ends, VALUES)


def _lines(
    axes: Sequence[_Axis], designs: Sequence[Design], places: Sequence[Sequence[tuple[float, float] | None]]
) -> Iterator[str]:
    """Yield a line for each design, with a dot for each value and its number behind the last one."""
    last = [next(place for place in reversed(of_design) if place is not None) for of_design in places]
    order = sorted(range(len(last)), key=lambda index: last[index][1])
    beside = dict(zip(order, _apart([last[index][1] for index in order]), strict=True))
    for index, ((number, name, colour, values), of_design) in enumerate(zip(designs, places, strict=True)):
        shown = [at for at in of_design if at is not None]
        texts = [
            f"{axis.title} {axis.text(value)} {axis.unit}".strip()
            for axis, value in zip(axes, values, strict=True)
            if value is not None
        ]
        whole = title(f"{number} {name}: {', '.join(texts)}")
        line = element("path", whole, d=path(shown), fill="none", stroke_width="1.4")
        dots = [
            element("circle", title(f"{number} {name}: {text}"), cx=x, cy=y, r="2.2", stroke="none")
            for text, (x, y) in zip(texts, shown, strict=True)
        ]
        end = words(number, WHOLE - SIDE + BESIDE + 2, beside[index] + 2.5, stroke="none", fill="var(--ink)")
        to_number = path([last[index], (WHOLE - SIDE + BESIDE, beside[index])])
        leader = element("path", d=to_number, fill="none", stroke_width=".5")
        style = f"stroke: var(--{colour}); fill: var(--{colour}); font: 7.5px var(--font)"
        yield element("g", "\n".join([line, *dots, leader, end]), class_="design", data_row=number, style=style)


def _apart(heights: Sequence[float]) -> list[float]:
    """Return ascending heights at least `LABEL` apart, near the given ones.

    Examples
    --------
    >>> _apart([0.0, 1.0, 100.0])
    [-3.75, 4.75, 100.0]
    """
    blocks: list[tuple[float, int]] = []  # mean height, and members: neighbours that touch become one block
    for height in heights:
        blocks.append((height, 1))
        while len(blocks) > 1 and blocks[-1][0] - blocks[-2][0] < LABEL * (blocks[-1][1] + blocks[-2][1]) / 2:
            (lower, some), (upper, more) = blocks[-2:]
            blocks[-2:] = [((some * lower + more * upper) / (some + more), some + more)]
    return [mean + LABEL * (place - (members - 1) / 2) for mean, members in blocks for place in range(members)]


def _best(axes: Sequence[_Axis], designs: Sequence[Design]) -> str:
    """Return the best design of each axis, in words."""
    found = []
    for index, axis in enumerate(axes):
        choose = max if axis.higher_is_better else min
        known = [(value, number) for number, _, _, values in designs if (value := values[index]) is not None]
        value = choose(value for value, _ in known)
        first = next(number for each, number in known if each == value)
        found.append(f"best {axis.title} {axis.text(value)} {axis.unit}".strip() + f" of design {first}")
    return ", ".join(found)
