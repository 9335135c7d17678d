"""Cables, power and prices."""

from collections.abc import Mapping

from ..column import Column, Group, Value
from ..subject import Subject

ORDER = 30


def values(subject: Subject) -> Mapping[str, Value]:
    """Return the price per node."""
    return {"cost_usd_per_node": subject.design.price_cents / 100 / subject.family.nodes}


GROUP = Group("Price", "", (Column("cost_usd_per_node", "price", "US$ per node", 0),), values)
