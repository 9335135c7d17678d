"""What a larger machine of the same family would cost."""

from collections.abc import Mapping
from math import ceil

from ..column import Column, Group, Value
from ..sizing import Sized
from ..subject import Subject

ORDER = 80
GROWTH = (25, 100)  # percent


def values(subject: Subject) -> Mapping[str, Value]:
    """Return the additional price of a machine of the same arrangement with more nodes."""
    found: dict[str, Value] = {}
    for percent in GROWTH:
        grown = subject.grown(ceil(subject.request.nodes * (100 + percent) / 100))
        found[f"growth_{percent}_usd"] = (
            (grown.price_cents - subject.design.price_cents) / 100 if isinstance(grown, Sized) else None
        )
    return found


GROUP = Group(
    "Growth",
    "The cheapest design of the same family and throughput for 25 % and for 100 % more nodes, sized as if it were new: "
    "by how much its price is higher. A dash: no size reaches that many nodes.",
    tuple(Column(f"growth_{percent}_usd", f"price of {percent} % more nodes", "US$") for percent in GROWTH),
    values,
)
