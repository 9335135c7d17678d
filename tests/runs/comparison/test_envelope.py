"""The cheapest of things whose prices are linear, found from few questions, against asking everywhere."""

import random

import numpy as np

from isoplane.runs.comparison.interactive.envelope import envelope
from tests.cases import for_each


def linear(shape, numbers):
    """Prices at all positions: a constant and a price for each step of every slider."""
    base, *slopes = numbers
    return base + sum(slope * steps for slope, steps in zip(slopes, np.indices(shape), strict=True))


@for_each("shape", [(9,), (7, 1, 8), (6, 1, 7, 8), (1, 1)])
@for_each("seed", range(6))
def test_items_are_those_that_are_the_cheapest_somewhere(shape, seed):
    draws = random.Random(seed)
    things = [tuple(draws.randint(0, 40) for _ in range(1 + len(shape))) for _ in range(30)]
    prices = {thing: linear(shape, thing) for thing in dict.fromkeys(things)}
    asked = []

    def cheapest(position):
        asked.append(position)
        return min(prices, key=lambda thing: prices[thing][position])

    items, said = envelope(shape, cheapest, prices.__getitem__)
    assert len(asked) == len(set(asked)) <= prices[things[0]].size
    for number, position in enumerate(np.ndindex(shape)):
        index = said.get(number)
        if index is None:
            index = min(range(len(items)), key=lambda place: prices[items[place]][position])
        assert items[index] == cheapest(position)


def test_positions_without_an_item_are_said():
    prices = {"a": linear((5, 5), (3, 1, 2))}
    items, said = envelope((5, 5), lambda position: None if position[0] > 2 else "a", prices.__getitem__)
    assert items == ["a"]
    assert said == dict.fromkeys(range(15, 25), -1)
    assert envelope((5, 5), lambda _: None, prices.__getitem__) == ([], {})


def test_one_item_is_known_from_the_corners():
    asked = []
    shape = (19, 1, 19, 21)
    envelope(shape, lambda position: asked.append(position) or "a", lambda _: linear(shape, (1, 2, 3, 4, 5)))
    assert set(asked) == {(a, 0, b, c) for a in (0, 18) for b in (0, 18) for c in (0, 20)}
