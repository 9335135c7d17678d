"""Parallel coordinates: the better end on top, numbers apart, and the data of all lines."""

import csv
import re
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from isoplane.runs.drawing.parallel import LABEL, SIDE, _apart, parallel
from isoplane.runs.drawing.svg import WHOLE

WIDEST = 4.9  # mean width of a letter of 8 px, in a wide font such as DejaVu Sans
QUANTITIES = [
    ("price", "price", "US$", False, "{:,.0f}".format),
    ("rate", "throughput", "", True, "{:.2f}".format),
    ("hops", "ASPL", "hops", False, "{:.3f}".format),
    ("none", "unknown", "", False, str),
]
VALUES = st.one_of(st.none(), st.floats(0, 1e6))
ROWS = st.lists(st.tuples(st.floats(1, 1e6), VALUES, VALUES), min_size=1, max_size=12)


def design_of(number, values):
    return str(number), f"<design> {number}", "plane1", [*values, None]


@given(ROWS)
def test_the_better_of_two_values_is_higher_and_every_value_is_in_the_data(rows):
    part = parallel(
        "axes", QUANTITIES, [design_of(number, row) for number, row in enumerate(rows, 1)], {"plane1": "all"}
    )
    has = [any(row[index] is not None for row in rows) for index in range(3)]
    lines = [group for group in ElementTree.fromstring(part.values["svg"]).iter("g") if group.get("data-row")]
    assert [line.get("data-row") for line in lines] == [str(number) for number in range(1, len(rows) + 1)]
    dots = [[float(dot.get("cy")) for dot in line.findall("circle")] for line in lines]
    kept = [index for index in range(3) if has[index]]
    for index in kept:
        placed = []
        for row, heights in zip(rows, dots, strict=True):
            known = [each for each in kept if row[each] is not None]
            assert len(known) == len(heights)
            if index in known:
                placed.append((row[index], heights[known.index(index)]))
        for value, y in placed:
            for other, below in placed:
                assert value == other or (y <= below) == ((value > other) == QUANTITIES[index][3]) or y == below
    data = list(csv.reader(part.values["data"].splitlines()))
    assert data[0] == ["number", "design", *(QUANTITIES[index][0] for index in kept)]
    expected = [["" if row[index] is None else str(row[index]) for index in kept] for row in rows]
    assert [line[2:] for line in data[1:]] == expected
    label = ElementTree.fromstring(part.values["svg"]).get("aria-label")
    assert f"best price {min(row[0] for row in rows):,.0f} US$ of design" in label
    assert re.match(rf"{len(rows)} designs by price", label)


@given(st.integers(2, 9))
def test_titles_end_within_the_picture(count):
    title = "all-to-all throughput for the busiest pairs"
    axes = [(f"axis{index}", title, "link capacities", True, str) for index in range(count)]
    designs = [(str(number), "design", "plane1", [float(number)] * count) for number in range(2)]
    svg = ElementTree.fromstring(parallel("axes", axes, designs, {"plane1": "all"}).values["svg"])
    middle = [group for group in svg.iter("g") if "text-anchor: middle; " in f"{group.get('style')}; "]
    lines = [line for group in middle for line in group.iter("text") if "font: 8px" in group.get("style", "")]
    first = " ".join(line.text for line in lines if float(line.get("x")) == SIDE)  # its lowest line first
    assert sorted(first.split()) == sorted(f"{title} (link capacities)".split())
    for line in lines:
        half = len(line.text) * WIDEST / 2
        assert half <= float(line.get("x")) <= WHOLE - half


@given(st.lists(st.floats(0, 300), min_size=1, max_size=30).map(sorted))
def test_numbers_never_cover_each_other_and_stay_where_there_is_room(heights):
    placed = _apart(heights)
    assert len(placed) == len(heights)
    assert all(after - before >= LABEL * (1 - 1e-9) for before, after in pairwise(placed))
    if all(after - before >= LABEL for before, after in pairwise(heights)):
        assert placed == heights
