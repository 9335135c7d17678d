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

    def key(item: Item) -> tuple[float, float]:
        value = float(values[item][metric] or 0)
        return float(values[item][PRICE] or 0), value if LOWER_IS_BETTER[metric] else -min(value, 1.0)

    kept: list[Item] = []
    for item in sorted(items, key=key):
        if not kept or key(item)[1] < key(kept[-1])[1]:
            kept.append(item)
    return kept


def on_fronts(items: Sequence[Item], values: Mapping[Item, Mapping[str, Value]]) -> list[Item]:
    """Return the items on the front of any quantity, in their order."""
    found = {item for metric in LOWER_IS_BETTER for item in front(items, values, metric)}
    return [item for item in items if item in found]
