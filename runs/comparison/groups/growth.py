"""What a larger machine of the same family would cost."""

from collections.abc import Mapping
from math import ceil

from isoplane.objectives.scale.growth import cables_moved

from ..column import Column, Group, Value
from ..compared_design import ComparedDesign

ORDER = 80
GROWTH = (25, 100)  # percent


def values(compared: ComparedDesign) -> Mapping[str, Value]:
    """Return the additional price of a machine of the same arrangement with more nodes."""
    found: dict[str, Value] = {}
    for percent in GROWTH:
        grown = compared.grown(ceil(compared.request.nodes * (100 + percent) / 100))
        found.update(_growth(compared, percent, grown))
    return found


def _growth(compared: ComparedDesign, percent: int, grown: ComparedDesign | str) -> dict[str, Value]:
    names = (f"growth_{percent}_usd", f"growth_{percent}_moved", f"growth_{percent}_reason")
    if isinstance(grown, str):  # the row of an existing design says why it has no growth
        return dict(zip(names, (None, None, grown if compared.least is not None else None), strict=True))
    change = cables_moved(compared.unplaced, grown.unplaced)
    added = (grown.design.price_cents - compared.design.price_cents) / 100
    return dict(zip(names, (added, change["moved"], None), strict=True))


def _columns(percent: int) -> tuple[Column, ...]:
    title = f"{percent} % more nodes"
    return (
        Column(f"growth_{percent}_usd", title, "US$"),
        Column(f"growth_{percent}_moved", f"{title}: cables moved", "at most"),
        Column(f"growth_{percent}_reason", f"{title}: why not"),
    )


GROUP = Group(
    "Growth",
    "The cheapest design of the same family and throughput for 25 % and for 100 % more nodes, sized as if it were new, "
    "so that designs of the same network grow differently where their families have other sizes: "
    "by how much its price is higher, and how many cables between switches would have other ends if switches keep "
    "their numbers, or their places in a level. The budget "
    "and the number of switches do not count, but the limits of cables and diameter do. Where no size within them has "
    "the nodes, the table says why.",
    tuple(column for percent in GROWTH for column in _columns(percent)),
    values,
    scope="first",
)
