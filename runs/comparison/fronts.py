"""Pareto fronts of designs: price against delay, and price against throughput."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from .column import Value

Item = TypeVar("Item")
PRICE = "cost_usd_per_node"
LOWER_IS_BETTER = {"delay_ns": True, "throughput": False}  # the quantities set against the price


def front(items: Sequence[Item], values: Mapping[Item, Mapping[str, Value]], metric: str) -> list[Item]:
    """Return the items that no other one beats in price without losing in a metric, by ascending price.

    A throughput above 1 counts as 1: nodes cannot send more.

    Examples
    --------
    >>> points = {"a": (1, 0.9), "b": (2, 0.9), "c": (3, 1.0)}
    >>> values = {name: {PRICE: price, "throughput": rate} for name, (price, rate) in points.items()}
    >>> front(["a", "b", "c"], values, "throughput")
    ['a', 'c']
    """
    places = {item: _place(values[item], metric) for item in items}
    kept: list[Item] = []
    for item in sorted(items, key=places.__getitem__):
        if not kept or places[item][1] < places[kept[-1]][1]:
            kept.append(item)
    return kept


def on_fronts(items: Sequence[Item], values: Mapping[Item, Mapping[str, Value]]) -> list[Item]:
    """Return the items on the front of any quantity, and those that equal one in price and in it, in their order.

    Examples
    --------
    >>> points = {"a": (1, 5, 0.9), "twin": (1, 5, 0.9), "b": (2, 6, 0.8)}
    >>> keys = (PRICE, "delay_ns", "throughput")
    >>> on_fronts(list(points), {name: dict(zip(keys, point)) for name, point in points.items()})
    ['a', 'twin']
    """
    places = {
        metric: {_place(values[item], metric) for item in front(items, values, metric)} for metric in LOWER_IS_BETTER
    }
    return [item for item in items if any(_place(values[item], metric) in found for metric, found in places.items())]


def _place(values: Mapping[str, Value], metric: str) -> tuple[float, float]:
    """Return the price of a design and its value of a metric, lower ones better."""
    value = float(values[metric] or 0)
    return float(values[PRICE] or 0), value if LOWER_IS_BETTER[metric] else -min(value, 1.0)
