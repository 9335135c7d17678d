"""Cables, power and prices."""

from collections.abc import Mapping

from ..column import Column, Group, Value
from ..request import Request
from ..sizing import Sized

ORDER = 30


def values(design: Sized, request: Request) -> Mapping[str, Value]:
    """Return the price per node."""
    return {"cost_usd_per_node": design.price_cents / 100 / design.family.nodes}


GROUP = Group("Price", "", (Column("cost_usd_per_node", "price", "US$ per node", 0),), values)
