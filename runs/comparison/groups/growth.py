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
    names = (f"growth_{percent}_usd", f"growth_{percent}_moved")
    if isinstance(grown, str):
        return dict.fromkeys(names)
    change = cables_moved(compared.unplaced, grown.unplaced)
    return dict(zip(names, ((grown.price_cents - compared.price_cents) / 100, change["moved"]), strict=True))


def _columns(percent: int) -> tuple[Column, ...]:
    title = f"{percent} % more nodes"
    return (
        Column(f"growth_{percent}_usd", title, "US$"),
        Column(f"growth_{percent}_moved", f"{title}: cables moved", "at most"),
    )


GROUP = Group(
    "Growth",
    "The cheapest design of the same family and throughput for 25 % and for 100 % more nodes, sized as if it were new, "
    "so that designs of the same network grow differently where their families have other sizes: "
    "by how much its price is higher, and how many cables between switches would have other ends if switches keep "
    "their numbers, or their places in a level. A dash: no size reaches that many nodes.",
    tuple(column for percent in GROWTH for column in _columns(percent)),
    values,
    scope="first",
)
