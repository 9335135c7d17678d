"""Which of many things is the cheapest at each position of sliders, from few questions."""

from collections.abc import Callable, Hashable
from functools import lru_cache
from itertools import product
from math import gcd
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item", bound=Hashable)
Position = tuple[int, ...]
REACH = 2  # of directions, in steps of sliders


def envelope(
    shape: Position, choice: Callable[[Position], Item | None], prices: Callable[[Item], NDArray[np.int64]]
) -> tuple[list[Item], dict[int, int]]:
    """Return the items that are chosen at some position, and what is chosen where their prices do not say it.

    The lowest of prices that are linear in the position is concave: an item that is chosen at the extreme positions of
    the region where none of the known ones is cheaper is chosen in all of it. So an item is asked for there, until no
    new one is found. If there is none at some positions only, all are asked for.

    Parameters
    ----------
    shape
        Number of positions of each slider.
    choice
        From a position to the cheapest item; None if there is none.
    prices
        From an item to its prices at all positions, an array of `shape`.

    Returns
    -------
    list, dict
        The items; and by position, in the order of rows (`numpy.ravel_multi_index`), the index of the item where
        several have the lowest price, or -1 where there is none.

    Examples
    --------
    >>> lines = {"flat": np.array([5, 5, 5, 5]), "steep": np.array([2, 4, 6, 8])}
    >>> envelope((4,), lambda position: min(lines, key=lambda name: lines[name][position]), lines.__getitem__)
    (['steep', 'flat'], {})
    """
    chosen: dict[Position, Item | None] = {}
    known: dict[Item, NDArray[np.int64]] = {}
    waiting = set(product(*(dict.fromkeys((0, length - 1)) for length in shape)))
    while waiting:
        chosen.update((position, choice(position)) for position in sorted(waiting))
        items = [item for item in chosen.values() if item is not None]
        known.update((item, prices(item)) for item in items if item not in known)
        if not known:
            return [], {}
        lowest = np.stack([cents == np.min(list(known.values()), axis=0) for cents in known.values()])
        ties = _positions(lowest.sum(axis=0) > 1)
        every = set(np.ndindex(shape)) if len(items) < len(chosen) else set()
        waiting = ties.union(every, *(_positions(_extreme(region)) for region in lowest)) - chosen.keys()
    index = {item: place for place, item in enumerate(known)}
    said = {position: item for position, item in chosen.items() if item is None or position in ties}
    flat = {position: int(np.ravel_multi_index(position, shape)) for position in sorted(said)}
    return list(known), {flat[at]: -1 if said[at] is None else index[said[at]] for at in flat}  # type: ignore[index]


def _positions(mask: NDArray[np.bool_]) -> set[Position]:
    return set(map(tuple, np.argwhere(mask).tolist()))


def _extreme(region: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the positions of a region that are not halfway between two others of it, in one of some directions."""
    padded, between = np.pad(region, REACH), np.zeros_like(region)
    for step in _directions(region.ndim):
        back = tuple(-each for each in step)
        between |= _shifted(padded, step, region.shape) & _shifted(padded, back, region.shape)
    return region & ~between


def _shifted(padded: NDArray[np.bool_], step: Position, shape: Position) -> NDArray[np.bool_]:
    return padded[tuple(slice(REACH + d, REACH + d + length) for d, length in zip(step, shape, strict=True))]


@lru_cache(maxsize=8)
def _directions(sliders: int) -> tuple[Position, ...]:
    steps = product(range(-REACH, REACH + 1), repeat=sliders)
    return tuple(step for step in steps if step > (0,) * sliders and gcd(*step) == 1)
